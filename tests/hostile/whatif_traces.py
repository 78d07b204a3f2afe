#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""whatif_traces.py - traces of users who make replays long, and of honest ones

usage: whatif_traces.py store SOCKET FIRST_UID
       whatif_traces.py ask SOCKET FIRST_UID

store: as root, a run of each user from FIRST_UID on, and its trace, of the
greatest size that predictd stores.  ask: as each of these users, what-ifs of
it, one after the other; prints what came of each, and the bars
whatif_deadline_s (the longest answer to a forged trace) and
whatif_honest_refused.
"""

import base64
import json
import os
import socket
import sys
import time
import zlib

BYTES = 8 << 20  # of all ranks
BLOCK = 64 << 10
FIRST_JOB = 9001
END = b"\x05\x01"
SEND, ISEND, RECEIVE, ALL = 0, 1, 2, 3
WILDCARD = 32


def number(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def event(call, work_ns, *numbers, flags=0):
    head = bytes([call + 1 | flags]) + number(work_ns)
    return head + b"".join(number(n) for n in numbers)


def head(rank, ranks):
    return b"SPTRACE1" + number(rank) + number(ranks)


def fill(ranks, one, end=END):
    """Files of ranks that do what one(rank) is, again and again."""
    files = []
    count = min((BYTES // ranks - 32) // len(one(r)) for r in range(ranks))
    for rank in range(ranks):
        files.append(head(rank, ranks) + one(rank) * count + end)
    return files


def forged_collectives():
    return fill(64, lambda rank: event(ALL, 1, 1))


def forged_ring():
    def one(rank):
        return event(SEND, 1, (rank + 1) % 16, 1) + event(
            RECEIVE, 1, (rank - 1) % 16, 1)
    return fill(16, one)


def forged_farm():
    """One task at a time, among more workers than there are tasks of each."""
    workers, tasks = 120, BYTES // 24
    counts = [0] * workers
    hub = bytearray(head(0, workers + 1))
    for i in range(tasks):
        worker = 0 if i > tasks - 9 else i % workers
        counts[worker] += 1
        hub += event(SEND, 1, worker + 1, 1)
        hub += event(RECEIVE, 1, worker + 1, 1, flags=WILDCARD)
    task = event(RECEIVE, 1, 0, 1) + event(SEND, 1000, 0, 1)
    return [bytes(hub) + END] + [
        head(w + 1, workers + 1) + task * counts[w] + END
        for w in range(workers)]


def forged_chain():
    """No rank has an end, and each waits for the next one."""
    ranks = 256

    def one(rank):
        out = b""
        if rank < ranks - 1:
            out += event(RECEIVE, 1, rank + 1, 1)
        else:
            out += event(RECEIVE, 1, 0, 1)
        out += event(SEND, 1, rank - 1 if rank else ranks - 1, 1)
        return out

    files = fill(ranks, one, b"")
    first = event(SEND, 1, ranks - 2, 1)
    files[-1] = head(ranks - 1, ranks) + first + files[-1][len(
        head(ranks - 1, ranks)):-len(one(ranks - 1))]
    return files


def honest_stencil():
    """Neighbours exchange rows, then all reduce; half a millisecond each."""
    def one(rank):
        left, right = (rank - 1) % 16, (rank + 1) % 16
        return (event(ISEND, 400000 + rank * 1000, left, 800)
                + event(ISEND, 300, right, 800)
                + event(RECEIVE, 2000, left, 800)
                + event(RECEIVE, 1000, right, 800)
                + event(ALL, 150000, 8))
    return fill(16, one)


def honest_pipeline():
    def one(rank):
        out = b""
        if rank:
            out += event(RECEIVE, 20000, rank - 1, 50)
        if rank < 7:
            out += event(SEND, 30000 + rank * 5000, rank + 1, 50)
        return out
    return fill(8, one)


TRACES = [forged_collectives, forged_ring, forged_farm, forged_chain,
          honest_stencil, honest_pipeline]


def request(path, method, target, body):
    data = json.dumps(body).encode()
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(30)
        s.connect(path)
        s.sendall(f"{method} {target} HTTP/1.1\r\nHost: x\r\nConnection: close"
                  f"\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data)
        reply = b""
        while more := s.recv(1 << 16):
            reply += more
    return int(reply[9:12]), reply.partition(b"\r\n\r\n")[2]


def store(path, first_uid):
    now = int(time.time())
    for i, make in enumerate(TRACES):
        uid, job = first_uid + i, FIRST_JOB + i
        run = {"cluster": "little", "job_id": job, "user_id": uid,
               "submitted_at_s": now - 200, "partition": "main",
               "started_at_s": now - 150, "ended_at_s": now - 50,
               "state": "COMPLETED", "job_name": make.__name__,
               "user": "somebody", "node_list": "n[1-8]", "nodes": 8,
               "tasks": 8, "cpus": 8, "limit_s": 600}
        status, reply = request(path, "POST", "/v1/runs", {"runs": [run]})
        if status != 200:
            sys.exit(f"run of {make.__name__}: {status} {reply[:300]}")
        files = make()
        for rank, data in enumerate(files):
            for at in range(0, len(data), BLOCK):
                part = data[at:at + BLOCK]
                status, reply = request(path, "POST", "/v1/traces", {
                    "cluster": "little", "job_id": job, "user_id": uid,
                    "mpi_run": "00ff", "rank": rank, "ranks": len(files),
                    "node": f"n{1 + rank * 8 // len(files)}",
                    "block": at // BLOCK, "last": at + BLOCK >= len(data),
                    "data": base64.b64encode(zlib.compress(part, 1)).decode()})
                if status != 200:
                    sys.exit(f"{make.__name__}: {status} {reply[:300]}")


def ask(path, first_uid):
    longest, refused = 0, 0
    for i, make in enumerate(TRACES):
        honest = make.__name__.startswith("honest")
        for what in {"nodes": "n[1-2]"}, {"best": True}, {"swap": True}:
            pid = os.fork()
            if pid == 0:
                os.setgroups([])
                os.setgid(first_uid + i)
                os.setuid(first_uid + i)
                began = time.monotonic()
                status, reply = request(path, "POST", "/v1/whatif", {
                    "job_id": FIRST_JOB + i, "conditions": "then", **what})
                took = time.monotonic() - began
                text = json.loads(reply)
                text = text["errors"][0]["error"] if text["errors"] else \
                    "gain %.4f%s" % (text["whatif"]["gain"],
                                     ", cut" * text["whatif"]["cut"])
                print(f"  {make.__name__} {next(iter(what))}: {status} in "
                      f"{took:.2f} s: {text}", flush=True)
                os._exit(min(int(took * 10 + 1), 99) + 100 * (status != 200))
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            if honest:
                refused += code >= 100
            else:
                longest = max(longest, code % 100 / 10)
    print(f"bar whatif_deadline_s {longest:.1f}")
    print(f"bar whatif_honest_refused {refused}")


if __name__ == "__main__":
    {"store": store, "ask": ask}[sys.argv[1]](sys.argv[2], int(sys.argv[3]))
