source basket.tcl
set limit 10

# Pays it.
proc pay {basket n} {
    set line [make_line a $n]
    helper $line
}

proc helper {line} { return $line }

namespace eval ::shop {
    proc total {} { return [pay 1 2] }
}
oo::class create Invoice {
    method settle {n} { pay $n 1 }
}
