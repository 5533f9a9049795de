source basket.tcl
set limit 10

# Pays it.
proc pay {basket n} {
    set line [make_line a $n]
    helper $line
}

proc helper {line} { return $line }
