package shop.billing

import shop.models.Basket
import shop.models.Line as Row
import shop.util.*

const val LIMIT = 10
val shared: Basket = Basket()

/** Something that can be paid. */
interface Payable {
    val total: Int
    fun pay(basket: Basket)
}

enum class State { OPEN, PAID }

data class Item(val name: String, var price: Int)

sealed class Result<out T>

object Registry {
    fun find(id: Int): Invoice? = null
}

typealias Handler = (Invoice) -> Unit

/**
 * One invoice.
 */
@Serializable
abstract class Invoice(private val basket: Basket) : Document(basket), Payable {
    override val total: Int
        get() = basket.sum()

    private var paid = false

    companion object {
        fun load(id: Int): Invoice {
            return Registry.find(id) ?: error("none")
        }
    }

    // Pays it.
    override fun pay(basket: Basket) {
        val row = Row("a", 1)
        basket.add(row)
        paid = true
        basket.items.forEach { item -> print(item) }
    }

    suspend fun <T : Any> fetch(id: T): T = client.get(id)
}

fun String.shout(): String = uppercase()

fun main() {
    val invoice: Invoice = Registry.find(LIMIT)!!
    invoice.pay(shared)
}

class Cart(val id: Int) {
    constructor(name: String) : this(name.length)
    companion object Maker { fun make() = Cart(1) }
    @Named("x") val label = "cart"
}

class Lent(other: Payable) : Payable by other
