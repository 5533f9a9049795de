-- Invoices.
CREATE TABLE shop.invoice (
  id INTEGER PRIMARY KEY,
  basket_id INTEGER REFERENCES basket (id),
  total NUMERIC NOT NULL
);

CREATE INDEX invoice_total ON invoice (total);

CREATE VIEW paid AS SELECT id, total FROM invoice WHERE total > 10;

CREATE FUNCTION pay(i INTEGER) RETURNS INTEGER AS $$ SELECT i; $$ LANGUAGE sql;

SELECT pay(1), count(*) FROM paid;

CREATE TYPE state AS ENUM ('open', 'paid');
CREATE TABLE [line] ([id] INT, "price" INT);
CREATE INDEX "line_price" ON "line" ("price");
INSERT INTO invoice (total) VALUES (1);

CREATE MATERIALIZED VIEW totals AS SELECT total FROM invoice;
CREATE TRIGGER touched AFTER INSERT ON invoice FOR EACH ROW EXECUTE FUNCTION pay();
UPDATE invoice SET total = 2;
