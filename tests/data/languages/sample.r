library(stats)
source("basket.R")

LIMIT <- 10

#' Pays it.
pay <- function(basket, n = LIMIT) {
  line <- make_line("a", n)
  basket$add(line)
  stats::median(c(1, 2))
  helper(line)
}

helper = function(x) x + LIMIT
Invoice <- R6Class("Invoice", public = list(pay = function(x) helper(x)))

`%plus%` <- function(a, b) a + b
Cart <- R6Class("Cart", public = list(add = function(line) line))
shop$open <- function() TRUE
if (interactive()) {
  colour <- "red"
}
setGeneric("area", function(shape) standardGeneric("area"))
setClass("Shape", representation(size = "numeric"))
