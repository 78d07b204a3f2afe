#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""snapshots.py - serves a snapshot of nodes from a file

    snapshots.py SOCKET FILE

Listens on the Unix socket SOCKET until it is ended, and answers each request
with what is in FILE at that moment; with status 503 if there is no FILE.
Prints "ready" once it listens.

    snapshots.py --write [-v VERSION] NODE=AVAILABLE[@LEAF]...

Prints a snapshot of the cluster "little" in which so much of each node's CPUs
is available, from 0 to 1, or "-": not known, and of which number its leaf
switch is.  n1-1000=0.5 is many nodes.
"""

import os
import re
import socket
import sys
import threading
import time


def answer(path):
    try:
        with open(path, "rb") as file:
            body, status = file.read(), b"200 OK"
    except OSError:
        body, status = b"", b"503 Service Unavailable"
    return (b"HTTP/1.1 %s\r\nContent-Type: text/plain\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (status, len(body), body))


def serve(peer, path):
    asked = b""
    try:
        while True:
            while b"\r\n\r\n" not in asked:
                more = peer.recv(65536)
                if not more:
                    return
                asked += more
            asked = asked.split(b"\r\n\r\n", 1)[1]
            peer.sendall(answer(path))
    except OSError:
        pass
    finally:
        peer.close()


def listen(address, path):
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(address)
    os.chmod(address, 0o666)
    listener.listen(64)
    print("ready", flush=True)
    while True:
        peer, _ = listener.accept()
        threading.Thread(target=serve, args=(peer, path),
                         daemon=True).start()


def nodes(words):
    for word in words:
        names, value = word.split("=")
        value, _, leaf = value.partition("@")
        leaf = leaf or "-"
        value = value if value == "-" else "%d" % round(float(value) * 1e4)
        many = re.fullmatch(r"([a-z]+)(\d+)-(\d+)", names)
        if not many:
            yield names, leaf, value
            continue
        for number in range(int(many[2]), int(many[3]) + 1):
            yield "%s%d" % (many[1], number), leaf, value


def write(words):
    version = time.time_ns() // 1000000
    if words[:1] == ["-v"]:
        version = int(words[1])
        words = words[2:]
    lines = ["n %s %s %s %s %s 100 0 10000 - - - -" % (n, leaf, v, v, v)
             for n, leaf, v in sorted(nodes(words))]
    print("snapshot 3 abc %d 0 %d little" % (version, time.time() * 1000))
    print("\n".join(lines))
    print("end %d" % len(lines))


if sys.argv[1:2] == ["--write"]:
    write(sys.argv[2:])
else:
    listen(sys.argv[1], sys.argv[2])
