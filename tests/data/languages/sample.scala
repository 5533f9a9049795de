package shop.billing

import shop.models.{Basket, Line => Row}
import shop.util._
import scala.collection.mutable

/** Something that can be paid. */
trait Payable[A] extends Ordered[A] {
  def total: Int
  type Key
}

sealed abstract class State
case object Open extends State
final case class Item(name: String, price: Int) extends Product with Serializable

object Registry {
  val Limit: Int = 10
  var count = 0
  def find(id: Int): Option[Invoice] = lookup(id)
  implicit class Ops(x: Int) { def twice: Int = x * 2 }
}

/** One invoice. */
@deprecated("old", "1")
class Invoice(val basket: Basket) extends Document(basket) with Payable[Invoice] {
  private val lines = new mutable.ArrayBuffer[Row]()
  type Alias = Basket

  // Pays it.
  override def pay(basket: Basket): Unit = {
    val row = Row("a", 1)
    basket.add(row)
    lines.map(describe).foreach(println)
  }
}

package object tools { val shared = 1 }

enum Color { case Red, Green }

/** Helps. */
def helper(n: Int): Int = { Registry.current = n; n }

enum Shape { case Circle(r: Int) }
trait Has { val size: Int; var left: Int }
given ordering: Ordering[Int] = new Ordering[Int] with Serializable
object Made extends Has with Payable with Ordered[Int] { val made = new Item(1); make[Int](1) }
class Plain { val i = new Thing }
