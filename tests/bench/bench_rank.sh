#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_rank.sh - ranking node sets on a cluster of 10,000 nodes
#
# usage: bench_rank.sh [BUILD]
set -eu -o pipefail

exec "${1:-build}/bin/bench-rank"
