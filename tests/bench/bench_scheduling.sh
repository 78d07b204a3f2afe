#!/bin/bash
# bench_scheduling.sh - scheduling with predictions, on job logs
#
# usage: bench_scheduling.sh [BUILD [FOLDER]]
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
folder=${2:-}

if [[ -z $folder ]]; then
	folder=$build/bench-scheduling
	mkdir -p "$folder"
	"$here/sample_swf.py" >"$folder/sample.swf"
fi
"$build/bin/bench-scheduling" "$folder"
