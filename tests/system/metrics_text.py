#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""metrics_text.py FILE - check a text of metrics; print how many families

Each sample belongs to the family above it, no family and no sample comes
twice, buckets of histograms grow, and OpenMetrics ends with its last line.
No partition has more than 40 series.
"""
import collections
import re
import sys

SAMPLE = re.compile(r'([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$')
SUFFIXES = {"histogram": ("_bucket", "_sum", "_count")}
OPEN_SUFFIXES = {"counter": ("_total",), "info": ("_info",), **SUFFIXES}


def main(path):
    """Raise AssertionError with the line that is wrong."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    is_open = text.endswith("\n# EOF\n")
    suffixes = OPEN_SUFFIXES if is_open else SUFFIXES
    families, samples, name, kind = set(), set(), None, None
    of_partition = collections.Counter()
    bucket = ("", 0.0)
    for line in text.splitlines():
        if line == "# EOF":
            continue
        if line.startswith("# TYPE "):
            name, kind = line.split(" ")[2:]
            assert name not in families, line
            families.add(name)
            continue
        if line.startswith("# HELP "):
            assert line.split(" ")[2] == name, line
            continue
        match = SAMPLE.match(line)
        assert match, line
        labels, value = match[2] or "", float(match[3])
        assert match[1] in [name + end for end in suffixes.get(kind, ("",))], \
            line
        assert (match[1], labels) not in samples, line
        samples.add((match[1], labels))
        if kind == "counter" and not is_open:
            assert name.endswith("_total"), line
        if match[1].endswith("_bucket"):
            key = re.sub(',?le="[^"]*"', "", labels)
            assert bucket[0] != key or value >= bucket[1], line
            bucket = (key, value)
        found = re.search('partition="([^"]*)"', labels)
        of_partition[found[1] if found else ""] += bool(found)
    assert all(count <= 40 for count in of_partition.values()), of_partition
    print(len(families))


main(sys.argv[1])
