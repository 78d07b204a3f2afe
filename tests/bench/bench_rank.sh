#!/bin/bash
# bench_rank.sh - ranking node sets on a cluster of 10,000 nodes
#
# usage: bench_rank.sh [BUILD]
set -eu -o pipefail

exec "${1:-build}/bin/bench-rank"
