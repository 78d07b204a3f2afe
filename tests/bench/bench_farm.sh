#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_farm.sh [BUILD] - chunks and curves of master/worker programs
set -eu

exec "$(realpath -- "${1:-build}")/bin/bench-farm"
