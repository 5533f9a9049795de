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
