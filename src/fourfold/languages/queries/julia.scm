; julia
