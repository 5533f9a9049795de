# frozen_string_literal: true

require "json"
require_relative "models/basket"
autoload :Line, "shop/line"

module Shop
  LIMIT = 10

  # Something that can be paid.
  module Payable
    def total
      lines.sum
    end
  end

  # One invoice.
  class Invoice < Document
    include Payable
    extend Loader

    MAX = LIMIT * 2
    attr_reader :basket, :state
    attr_accessor :name

    class << self
      def build(id)
        new(id)
      end
    end

    def initialize(basket, name: nil)
      super(basket)
      @basket = basket
    end

    def self.load(id)
      Registry.find(id) or raise NotFound, "none"
    end

    # Pays it.
    def pay!(basket)
      item = Item.new("a", MAX)
      basket.add(item)
      @basket&.clear
      items.map { |x| describe(x) }
    end

    alias_method :settle, :pay!

    private

    def describe(item) = item.to_s
  end

  Point = Struct.new(:x, :y)

  class Invoice::Error < StandardError; end
end

def helper(n)
  @count = n
  $total += n
  Shop::LIMIT + n
end

class Counter
  def add(n)
    @seen = n
    @seen += 1
  end
end

class Counter
  alias plus add
end

def test_pays
  helper(1)
end
