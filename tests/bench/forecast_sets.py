#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""forecast_sets.py - the series that forecasts are measured on

usage: forecast_sets.py [--all] DATA OUT     from the public archives in DATA
       forecast_sets.py OUT                  a small made-up sample

Writes OUT/NAME.series for each set, one series a line.  Of PlanetLab and
Seattle, which are large, samples are taken: PlanetLab's at even distances,
Seattle's at random, with the offset, distance and seed for which mean, error of
the last value and error of the running mean (Seattle: squared error of the last
value, too) come nearest to those of the samples that the reference figures
rest on, which are not known themselves.  --all takes all there is.
"""
import lzma
import math
import os
import random
import sys
import tarfile


def members(archive):
    """Name and lines of each file, in the order of names.  They are read in
    the order of the archive: to go back is to uncompress it all again."""
    with tarfile.open(archive, "r|xz") as tar:
        files = [(m.name, tar.extractfile(m).read()) for m in tar
                 if m.isfile()]
    for name, data in sorted(files):
        yield name, data.decode("ascii", "replace").splitlines()


def last_column(lines, separator=None):
    return [line.split(separator)[-1] for line in lines if line.strip()]


def planetlab(folder):
    archive = os.path.join(folder, "planetlab-cpu-2011-8-days.tar.xz")
    return [last_column(lines) for _, lines in members(archive)]


def hsdpa(folder):
    """One log of fourteen values says nothing and is left out."""
    archive = os.path.join(folder, "hsdpa-norway-bandwidth-127-logs.tar.xz")
    series = [last_column(lines) for _, lines in members(archive)]
    return [values for values in series if len(values) > 20]


NAB = {
    "nab-cpu": "cpu_utilization",
    "nab-network": "etwork",
    "nab-disk": "disk_write",
    "nab-requests": "elb_request_count",
}


def nab(folder):
    archive = os.path.join(folder, "nab-cloud-metrics.tar.xz")
    sets = {name: [] for name in NAB}
    for path, lines in members(archive):
        for name, part in NAB.items():
            if part in os.path.basename(path) and path.endswith(".csv"):
                sets[name].append(last_column(lines[1:], ","))
    return sets


def seattle(folder):
    path = os.path.join(folder, "seattle-rtt-99nodes-688slices.tsv.xz")
    with lzma.open(path, "rt") as file:
        for line in file:
            if line.startswith("#"):
                continue
            fields = line.split()
            if fields[0] != fields[1]:
                yield fields[2:]


def public_sets(folder, everything):
    sets = nab(folder)
    sets["hsdpa"] = hsdpa(folder)
    cpus, delays = planetlab(folder), list(seattle(folder))
    if everything:
        sets["planetlab-all"] = cpus
        sets["seattle-all"] = delays
    else:
        sets["planetlab"] = cpus[22::29][:300]
        sets["seattle"] = random.Random(960).sample(delays, 150)
    return sets


def share(x):
    return min(1.0, max(0.0, x))


def sample_sets():
    """Shapes that resources have: a load that comes and goes, peaks of every
    hour, a drifting bandwidth, delays that stay for a while."""
    r = random.Random(7)
    sets = {"load": [], "peaks": [], "bandwidth": [], "delay": []}
    for _ in range(12):
        busy, level, series = 0, 0.9, []
        for _ in range(600):
            if r.random() < 0.03:
                busy = 0 if busy else r.choice((1, 1, 2, 3))
            level += 0.5 * (1 / (1 + busy) - level)
            series.append(share(level + r.gauss(0, 0.03)))
        sets["load"].append(series)

        period, phase = r.randint(8, 30), r.randint(0, 7)
        sets["peaks"].append([
            abs(r.gauss(8, 1)) + (60 if (t + phase) % period < 2 else 0)
            for t in range(600)])

        x, series = 0.0, []
        for _ in range(600):
            x = 0.95 * x + r.gauss(0, 0.15)
            series.append(100 * math.exp(x) / (1 + math.exp(x)))
        sets["bandwidth"].append(series)

        at, series = 0.1, []
        for _ in range(600):
            if r.random() < 0.1:
                at = round(0.05 + r.expovariate(10), 2)
            series.append(at)
        sets["delay"].append(series)
    return sets


def main(argv):
    everything = "--all" in argv
    paths = [a for a in argv[1:] if a != "--all"]
    if len(paths) not in (1, 2):
        sys.exit(__doc__)
    out = paths[-1]
    sets = public_sets(paths[0], everything) if len(paths) == 2 \
        else sample_sets()
    os.makedirs(out, exist_ok=True)
    for name, series in sets.items():
        with open(os.path.join(out, name + ".series"), "w") as file:
            for values in series:
                print(*values, file=file)


if __name__ == "__main__":
    main(sys.argv)
