#!/bin/bash
# bench_history.sh - run-time prediction on job logs
#
# usage: bench_history.sh [BUILD [FOLDER]]
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
folder=${2:-}

if [[ -z $folder ]]; then
	folder=$build/bench-history
	mkdir -p "$folder"
	"$here/sample_swf.py" >"$folder/sample.swf"
fi
"$build/bin/bench-history" "$folder"
