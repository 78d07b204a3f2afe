#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""pages.py SOCKET PAGES PERIOD_S - the requests of open pages, until SIGTERM

Each page asks for its view once in PERIOD_S seconds, at a phase of its own, as
predict.js and spredict web do: with the ETag of the last reply, over a
connection of its own.  Prints how many replies of which status there were.
"""
import collections
import http.client
import signal
import socket
import sys
import threading

VIEWS = ("v1/queue?sort=own&limit=50", "v1/queue?limit=50",
         "v1/nodes?limit=120", "v1/accuracy?by=application&limit=100",
         "v1/report?limit=50")


class Connection(http.client.HTTPConnection):
    """A connection to a Unix socket."""

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(self.host)


def request(address, path, tag):
    """Return the status of a reply, and its ETag."""
    headers = {"X-Predict-Role": "user"}
    if tag:
        headers["If-None-Match"] = tag
    connection = Connection(address)
    try:
        connection.request("GET", "/" + path, headers=headers)
        reply = connection.getresponse()
        reply.read()
        return reply.status, reply.headers.get("ETag")
    except OSError as error:
        return type(error).__name__, None
    finally:
        connection.close()


def main(address, pages, period_s):
    """Ask until the end."""
    end = threading.Event()
    statuses = collections.Counter()
    lock = threading.Lock()

    def page(place):
        tag = None
        wait_s = period_s * place / pages
        while not end.wait(wait_s):
            status, tag = request(address, VIEWS[place % len(VIEWS)], tag)
            with lock:
                statuses[status] += 1
            wait_s = period_s

    signal.signal(signal.SIGTERM, lambda *_: end.set())
    threads = [threading.Thread(target=page, args=(place,))
               for place in range(pages)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(dict(statuses))


main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
