#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""trace_files.py - traces of ranks, counted or as one message

usage: trace_files.py count FOLDER
       trace_files.py json FOLDER RUNTIME_S [NODE...]

count: a line for each rank: events, sends, receives, of them with a wildcard,
collectives, of them those that were waited for, communicators, and whether it
has its end.
json: what spredict reads; NODE of each rank, else r0, r1 and so on.  The format
is that of predictor/replay/FORMAT.md.
"""

import base64
import json
import os
import sys


def number(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def events(data):
    """(call, peer, tag, communicator, wildcard, work in ns) of each; call 8
    completes a call 7."""
    assert data[:8] == b"SPTRACE1"
    at, tag, comm = 8, 0, 0
    for _ in range(2):
        _, at = number(data, at)
    if at < len(data) and data[at] == 64:
        _, at = number(data, at + 1)
        length, at = number(data, at)
        at += length
    while at < len(data) and data[at]:
        head, peer = data[at], None
        work, at = number(data, at + 1)
        call = head & 7
        if call == 7 and head & 64:
            call = 8
        if head & 8:
            _, at = number(data, at)
        if call <= 3 or call >= 7:
            peer, at = number(data, at)
        if call <= 4 or 6 <= call <= 7:
            _, at = number(data, at)
        if call == 6:
            _, at = number(data, at)
            _, at = number(data, at)
        if call == 5:
            for _ in range(2 * bool(head & 32) + bool(head & 64)):
                _, at = number(data, at)
        if head & 16:
            tag, at = number(data, at)
            tag -= 1 << 31
            comm, at = number(data, at)
        yield call, peer, tag, comm, call <= 3 and bool(head & 32), work
        if call == 5:
            break


def files(folder):
    """Of each rank; all of one run."""
    names = sorted(os.listdir(folder), key=lambda name: int(name.split(".")[1]))
    assert len({name.split(".")[0] for name in names}) <= 1, names
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            yield file.read()


def message(folder, runtime_s, names):
    """All ranks, each on the node of that name, or r0, r1 and so on."""
    ranks = [{"node": names[i] if names else f"r{i}",
              "events": base64.b64encode(data).decode()}
             for i, data in enumerate(files(folder))]
    nodes = dict.fromkeys(rank["node"] for rank in ranks)
    return {"job_id": 1, "application": "traced", "runtime_s": runtime_s,
            "nodes": [{"name": name} for name in nodes], "ranks": ranks}


def main():
    folder = sys.argv[2]
    if sys.argv[1] == "count":
        for rank, data in enumerate(files(folder)):
            seen = list(events(data))
            calls = [event[0] for event in seen]
            print(rank, len(seen), calls.count(1) + calls.count(2),
                  calls.count(3), sum(event[4] for event in seen),
                  calls.count(4) + calls.count(7), calls.count(8),
                  len({event[3] for event in seen}),
                  "end" if calls[-1:] == [5] else "cut")
        return
    json.dump(message(folder, float(sys.argv[3]), sys.argv[4:]), sys.stdout)


if __name__ == "__main__":
    main()
