#!/bin/bash
CMD=(./kmeans --k 64 --iters 300)
[ -n "$SEED" ] && CMD+=(--seed "$SEED")
"${CMD[@]}" points.bin
