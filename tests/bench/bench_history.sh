#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_history.sh - run-time prediction on job logs
#
# usage: bench_history.sh [BUILD [FOLDER]]
#
# Without a folder (or one named by DATA) a made-up log is used; what it shows
# is marked as that.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
folder=${2:-${DATA:-}}
origin=

if [[ -z $folder ]]; then
	folder=$build/bench-history
	origin=sample_
	mkdir -p "$folder"
	"$here/sample_swf.py" >"$folder/sample.swf"
fi
"$build/bin/bench-history" "$folder" | sed -u "s/^bar /bar $origin/"
