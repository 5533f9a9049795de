import 'dart:io';
import 'package:shop/basket.dart' as models show Basket;
export 'line.dart';

const limit = 10;
typedef Handler = void Function(Invoice);

/// Something that can be paid.
abstract class Payable {
  int get total;
}

mixin Logs on Payable {
  void log(String text) => print(text);
}

enum State { open, paid }

/// One invoice.
class Invoice extends Document with Logs implements Payable {
  final Basket basket;
  static int count = 0;

  Invoice(this.basket);
  Invoice.load(int id) : basket = Basket(id);
  factory Invoice.empty() => Invoice(Basket(0));

  @override
  int get total => basket.sum();

  // Pays it.
  Future<void> pay(Basket basket) async {
    final line = Line('a', limit);
    basket.add(line);
    log('paid');
    helper(line);
  }
}

extension Shout on String {
  String shout() => toUpperCase();
}

int helper(Line line) => line.price + limit;

void main() {
  Invoice(Basket(1)).pay(Basket(2));
}

var shared = 1, other = 2;

class Point {
  static final origin = Point(), unit = Point();
  external int size();
  Point.named(this.x) { x = 1; }
  set width(int n) { x = n; }
  int x = 0;
}
