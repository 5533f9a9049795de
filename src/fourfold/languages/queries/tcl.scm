; tcl
