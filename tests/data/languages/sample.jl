module Shop

using LinearAlgebra
import Base: show, +
include("basket.jl")

export Invoice, pay

const LIMIT = 10

"Something that can be paid."
abstract type Payable <: Any end

"""
One invoice.
"""
mutable struct Invoice <: Payable
    basket::Basket
    state::Int
end

# Pays it.
function pay(invoice::Invoice, basket)
    line = Line("a", LIMIT)
    add!(basket, line)
    Base.show(invoice)
    return helper(line)
end

helper(line) = line.price + LIMIT

macro debug(x)
    return x
end

end
