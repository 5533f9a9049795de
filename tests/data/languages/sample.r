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
