#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_demo_picture.sh - the picture that the demo draws of its last jobs
#
# usage: test_demo_picture.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
plot=$here/../../contrib/demo/lib/plot.py
build=$(realpath -- "${1:?usage: test_demo_picture.sh BUILD}")
dir=$build/test-demo-picture
failed=0
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir"

# same NAME EXPECTED GOT: one test
same() {
	if [[ $3 == "$2" ]]; then
		echo "ok $1"
	else
		echo "not ok $1 - $3 instead of $2"
		failed=1
	fi
}

# job MEDIAN QUANTILE LAST_TWO: a line of the demo's table; it ran for 2.5 s
job() {
	printf '%s\t' 1 7 2 3500 0010 2.5 mixture "$1" "$2" "$3"
	echo 300
}

# marks CLASS: the height of the first mark of that class in the plot, and how
# many there are; the file must be XML
marks() {
	python3 - "$dir/picture.svg" "$1" <<'END'
import sys
import xml.etree.ElementTree as tree

LEFT_OF_TEXT = 420
found = [mark for mark in tree.parse(sys.argv[1]).iter()
         if mark.get("class") == sys.argv[2]
         and float(mark.get("cx", mark.get("x1", 0))) < LEFT_OF_TEXT]
heights = [mark.get("cy", mark.get("y1")) for mark in found]
print(len(found), *heights[:1])
END
}

# The first line is before those shown; the axes go from .85 * 1.25 to
# 1.18 * 20 s: 5 s is at 24 + 340 * (1 - ln(5 / 1.0625) / ln(23.6 / 1.0625)).
{
	job 77 88 99
	job 5 20 1.25
	job - - -
	job 2.5 2.6 2.4
} >"$dir/jobs.txt"
python3 "$plot" "$dir/jobs.txt" 3 12.3 45.6 7890.1 >"$dir/picture.svg"
same predictions "2 194.2" "$(marks ours)"
same quantiles "2 194.2" "$(marks under)"
same 'last two' "2 346.2" "$(marks last)"
same errors "12.3 % 45.6 % 7,890 %" "$(grep -oE '[0-9.,]+ %' \
	"$dir/picture.svg" | grep -vE '^(25|90) %' | xargs)"
((failed == 0))
