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

Shop.helper(x::T) where {T} = x
abstract type Shape{T} <: Any end
mutable struct Box{T}
  @atomic count::Int
  const name::String
end
Box{T}(n) where {T} = Box(n, "a")

function over(x::T) where {T}
  x
end
function typed(x)::Int
  x
end
Box{T}(a, b) = a
function Box{T}(a)
  a
end
function Box{T}(a, b, c) where {T}
  a
end
short(x)::Int = x
wide(x::T)::Int where {T} = x
struct Plain
  any
end
struct Wide{T} <: Shape{T}
  x::T
end
abstract type Simple end
abstract type Sized{T} end
