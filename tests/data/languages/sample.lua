local basket = require("shop.basket")
local Line = require "shop.line"
local config = require("shop.config").values

local LIMIT = 10
local M = {}

--- One invoice.
-- @param b the basket
M.new = function(b)
  local self = setmetatable({}, { __index = M })
  self.basket = b
  return self
end

-- Pays it.
function M:pay(b)
  local line = Line.new("a", LIMIT)
  b:add(line)
  basket.store(self)
  helper(line)
end

function M.load(id)
  return M.new(basket.find(id))
end

local function helper(line)
  local function inner(x)
    return x
  end
  return inner(line)
end

M.handlers = {
  open = function(x)
    return helper(x)
  end,
  limit = LIMIT,
}

function globalone() end

return M

local later
