#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_forecast.sh - how good forecasts of resources are
#
# usage: bench_forecast.sh [BUILD [FOLDER [--all]]]
#
# Without a folder of public series (or one named by DATA) a made-up sample is
# used; what it shows is marked as that.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
folder=${2:-${DATA:-}}
sets=$build/bench-forecast
origin=

if [[ -z $folder ]]; then
	sets+=/sample
	origin=sample_
	"$here/forecast_sets.py" "$sets"
elif [[ ! -d $folder ]]; then
	echo "bench_forecast: $folder: no such folder" >&2
	exit 1
else
	sets+=/public${3:-}
	if [[ ! -d $sets ]]; then
		rm -rf "$sets.part"
		"$here/forecast_sets.py" ${3:+"$3"} "$folder" "$sets.part"
		mv "$sets.part" "$sets"
	fi
fi
"$build/bin/bench-forecast" "$sets" | sed -u "s/^bar /bar $origin/"
