#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""stored.py - what predictd stores: how long it takes, and what comes back

usage: stored.py traces SOCKET COUNT
       stored.py history SOCKET JOBS
       stored.py same SOCKET SOCKET

traces: as root, store traces of one block each, of as many jobs; prints the bar
trace_store_ratio, what the last 100 take over what the first 100 do.  history:
as root, jobs that are predicted, start, and end in another order, and bulks of
jobs that nobody predicted.  same: predict 60 jobs by a predictd that lived it
and by one that has just read it; prints the bar restart_same, 1 if all digits
of their replies are equal.
"""

import base64
import json
import math
import random
import statistics
import sys
import time
import zlib

from whatif_traces import END, head, request

CLUSTER = "again"
FIRST_JOB = 100001


def post(path, target, body):
    status, reply = request(path, "POST", target, body)
    if status != 200:
        sys.exit(f"{target}: {status} {reply[:300]}")
    return json.loads(reply)


def traces(path, count):
    took = []
    for i in range(int(count)):
        data = base64.b64encode(zlib.compress(head(0, 1) + END)).decode()
        began = time.monotonic()
        post(path, "/v1/traces", {
            "cluster": CLUSTER, "job_id": FIRST_JOB + i,
            "user_id": 50000 + i % 50, "mpi_run": "00ff", "rank": 0,
            "ranks": 1, "node": "n1", "block": 0, "last": True, "data": data})
        took.append(time.monotonic() - began)
    first = statistics.median(took[:100])
    last = statistics.median(took[-100:])
    print(f"{count} traces: the first ones take {first * 1000:.2f} ms each, "
          f"the last ones {last * 1000:.2f}")
    print(f"bar trace_store_ratio {last / first:.2f}")


def job(dice):
    """Users have two of three applications, with a number."""
    name = dice.choice(["nbody", "heat", "cg"])
    number = 1000 + 500 * dice.randrange(5)
    return {"cluster": CLUSTER, "user_id": 51000 + dice.randrange(3),
            "name": name, "limit_s": 3600,
            "script": f"#!/bin/sh\n./{name} -n {number}\n"}, number


def history(path, count):
    dice = random.Random(47)
    now = time.time() - 100 * int(count)
    waiting = []

    def report(run, **changes):
        post(path, "/v1/runs", {"runs": [{**run, **changes}]})

    for i in range(int(count)):
        asked, number = job(dice)
        bulk = i % 200 >= 140
        at = now + 100 * i
        run = {"cluster": CLUSTER, "job_id": FIRST_JOB + i,
               "user_id": asked["user_id"], "job_name": asked["name"],
               "user": "somebody", "submitted_at_s": at, "partition": "main",
               "started_at_s": at + dice.randrange(1, 60), "node_list": "n1",
               "nodes": 1, "tasks": 1, "cpus": 1, "limit_s": 3600}
        if not bulk:
            run["prediction_id"] = post(path, "/v1/predictions", {
                "job": asked})["prediction"]["id"]
        if not bulk and dice.random() < .7:
            report(run, state="RUNNING")
        run["ended_at_s"] = run["started_at_s"] + (
            number * math.exp(dice.gauss(-2, .4)))
        run["state"] = "COMPLETED"
        waiting.append(run)
        while len(waiting) > 20:
            report(waiting.pop(dice.randrange(len(waiting))))
    for run in waiting:
        report(run)


def predict(path, asked):
    p = post(path, "/v1/predictions", {"dry_run": True, "job": asked})
    p = p["prediction"]
    return p["basis"], p["model"], p["median_s"], p["quantile_s"]


def same(before, after):
    """A prediction depends on the second: the two are asked again if unlike."""
    dice = random.Random(48)
    learned, unlike = 0, 0
    for _ in range(60):
        asked = job(dice)[0]
        for _ in range(3):
            x, y = predict(before, asked), predict(after, asked)
            if x == y:
                break
        else:
            print(f"  {x} before, {y} after")
            unlike += 1
        learned += x[0] == "history"
    print(f"60 predictions, {learned} from history, {unlike} unlike")
    print(f"bar restart_same {int(not unlike and learned > 30)}")


{"traces": traces, "history": history, "same": same}[sys.argv[1]](*sys.argv[2:])
