#!/usr/bin/env julia
#SBATCH -c 8
using LinearAlgebra
N = parse(Int, ARGS[1])
println(sum(eigvals(rand(N, N))))
