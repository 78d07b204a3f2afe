#!/bin/bash
K=32
CMD="srun -n 4 ./spmv --rows 100000 -k $K matrix_$K.mtx"
echo "$CMD"
eval "$CMD"
