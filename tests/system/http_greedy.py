#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""http_greedy.py SOCKET UID WHAT - a user who requests more than its budget

WHAT: predictions (100 at once), bodies (20 of 96 KiB, never sent whole),
headers (never sent whole).  Prints what came of it: how many had which status,
or after how many seconds the connection was closed.
"""
import json
import os
import socket
import sys
import time

path, uid, what = sys.argv[1], int(sys.argv[2]), sys.argv[3]
os.setgroups([])
os.setgid(uid)
os.setuid(uid)


def connect():
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(5)
    s.connect(path)
    return s


def post(body, length):
    return (b"POST /v1/predictions HTTP/1.1\r\nHost: x\r\n"
            b"Content-Length: %d\r\n\r\n" % length) + body


def status(s):
    return s.recv(65536)[9:12].decode()


counts = {}


def count(code):
    counts[code] = counts.get(code, 0) + 1


if what == "predictions":
    body = json.dumps({"job": {"user_id": uid}}).encode()
    for _ in range(100):
        with connect() as s:
            s.sendall(post(body, len(body)))
            count(status(s))
elif what == "bodies":
    kept = [connect() for _ in range(20)]
    for s in kept:
        s.sendall(post(b"{", 96 << 10))
        s.settimeout(0.2)
        try:
            count(status(s))
        except TimeoutError:
            count("open")
    print(json.dumps(counts), flush=True)
    sys.stdin.readline()
    sys.exit()
else:
    s = connect()
    began = time.monotonic()
    try:
        s.sendall(b"GET /livez HTTP/1.1\r\nX: ")
        while time.monotonic() - began < 30:
            s.sendall(b"a")
            time.sleep(0.2)
    except OSError:
        pass
    print(round(time.monotonic() - began))
    sys.exit()
print(json.dumps(counts))
