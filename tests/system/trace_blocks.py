#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""trace_blocks.py - files of traced processes, as collectord finds and
sends them

usage: trace_blocks.py file RANK RANKS WORK_S [BYTES]
       trace_blocks.py block JOB UID RUN RANK RANKS NODE BLOCK last|open
       trace_blocks.py many COUNT JOB|+JOB UID RUN NODE BYTES

file: the file of a process that worked and ended, on standard output.  block: a
block of POST /v1/traces, of standard input.  many: one a line, each of BYTES
that hardly shrink; of jobs from JOB on, or (with +) of one job.
"""

import base64
import json
import random
import sys
import zlib


def number(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def make_file(rank, ranks, work_s):
    head = b"SPTRACE1" + number(rank) + number(ranks)
    return head + b"\x05" + number(round(work_s * 1e9))


def message(job, uid, run, rank, ranks, node, block, last, data):
    return json.dumps(
        {
            "cluster": "little",
            "job_id": job,
            "user_id": uid,
            "mpi_run": run,
            "rank": rank,
            "ranks": ranks,
            "node": node,
            "block": block,
            "last": last,
            "data": base64.b64encode(zlib.compress(data, 1)).decode(),
        }
    )


def main():
    what, args = sys.argv[1], sys.argv[2:]
    if what == "file":
        data = make_file(int(args[0]), int(args[1]), float(args[2]))
        if len(args) > 3:
            data += bytes(int(args[3]) - len(data))
        sys.stdout.buffer.write(data)
        return
    if what == "many":
        count, first, uid, run, node, size = args
        for n in range(int(count)):
            data = random.Random(n).randbytes(int(size))
            if first.isdigit():
                job, block, last = int(first) + n, 0, True
            else:
                job, block, last = int(first[1:]), n, False
            print(message(job, int(uid), run, 0, 1, node, block, last, data))
        return
    job, uid, run, rank, ranks, node, block, last = args
    data = sys.stdin.buffer.read()
    print(
        message(
            int(job),
            int(uid),
            run,
            int(rank),
            int(ranks),
            node,
            int(block),
            last == "last",
            data,
        )
    )


main()
