import Foundation
@testable import Shop

let limit = 10
public typealias Handler = (Invoice) -> Void

/// Something that can be paid.
public protocol Payable: AnyObject {
    associatedtype Key
    var total: Int { get }
    func pay(_ basket: Basket) throws
}

enum State: String {
    case open
    case paid(Int), late
    var label: String { rawValue }
}

struct Item: Equatable {
    let name: String
    var price = 0
    static func == (a: Item, b: Item) -> Bool { a.name == b.name }
}

/// One invoice.
@objc
open class Invoice: Document, Payable {
    private let basket: Basket = Basket()
    static let shared = Invoice()
    var total: Int {
        get { basket.sum() }
        set { basket.clear() }
    }

    init(basket: Basket) {
        super.init()
        self.basket = basket
    }

    deinit { close() }

    // Pays it.
    func pay(_ basket: Basket) throws -> Bool {
        let item = Item(name: "a", price: limit)
        basket.add(item)
        try Registry.shared.store(self)
        items.map { $0.name }
        return true
    }

    subscript(index: Int) -> Item { items[index] }
}

extension Invoice: Codable {
    func encode() async -> Data { Data() }
}

func helper<T: Payable>(_ value: T) -> T? { nil }

@freestanding(expression) public macro stringify(_ value: Int) -> String = #externalMacro(module: "M", type: "S")

let numbers = [Int]()
let boxed = Box<Int>()
