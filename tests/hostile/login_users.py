#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""login_users.py - honest users of a login node, behind one address

usage: login_users.py PORT MUNGE_SOCKET USERS SECONDS

Each lists the nodes once a second, with a credential of its own on a new
connection.  Prints how long that took, and the bar honest_crowd_refused.
"""

import http.client
import os
import subprocess
import sys
import time

FIRST_UID = 40000


def list_nodes(port, munge):
    credential = subprocess.check_output(
        ["munge", "--socket=" + munge, "-s", "GET /v1/nodes"],
        text=True).strip()
    began = time.monotonic()
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", "/v1/nodes",
                           headers={"Authorization": "MUNGE " + credential})
        reply = connection.getresponse()
        reply.read()
        connection.close()
        status = reply.status
    except (OSError, http.client.HTTPException):
        status = 0
    return status, time.monotonic() - began


def user(number, users, port, munge, seconds, out):
    os.setgroups([])
    os.setgid(FIRST_UID + number)
    os.setuid(FIRST_UID + number)
    time.sleep(number / users)
    for _ in range(seconds):
        next_s = time.monotonic() + 1
        os.write(out, b"%d %.6f\n" % list_nodes(port, munge))
        time.sleep(max(0, next_s - time.monotonic()))


def main():
    port, munge = int(sys.argv[1]), sys.argv[2]
    users, seconds = int(sys.argv[3]), int(sys.argv[4])
    reading, writing = os.pipe()
    for number in range(users):
        if os.fork() == 0:
            user(number, users, port, munge, seconds, writing)
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as lines:
        rows = [line.split() for line in lines]
    took = sorted(float(row[1]) for row in rows)
    refused = users * seconds - sum(row[0] == "200" for row in rows)
    print(f"{users} users, {len(rows)} lists: median {took[len(took) // 2]:.3f}"
          f" s, longest {took[-1]:.3f} s")
    print(f"bar honest_crowd_refused {refused}")


main()
