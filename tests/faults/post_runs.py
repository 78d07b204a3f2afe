#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""post_runs ACKNOWLEDGED FIRST COUNT SOCKET...
- report finished runs as a collector does, to predictds that come and go

COUNT runs, with job ids from FIRST on, two at a time.  Each is sent to one
predictd after the other until it is acknowledged; then its job id is written
to ACKNOWLEDGED.  Every fourth is sent once more to the next predictd, as when
a reply was lost.
"""
import http.client
import json
import socket
import sys
import threading
import time

TIMEOUT_S = 10
PAUSE_S = 0.05
AT_ONCE = 2


class Connection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path):
        super().__init__('localhost', timeout=TIMEOUT_S)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(TIMEOUT_S)
        self.sock.connect(self.path)


def run_of(job_id):
    """A run that has just ended."""
    now = int(time.time())
    return {'cluster': 'little', 'job_id': job_id, 'user_id': 0,
            'user': 'root', 'partition': 'main', 'job_name': 'solver',
            'nodes': 1, 'tasks': 1, 'cpus': 1, 'node_list': 'n1',
            'submitted_at_s': now - 60, 'started_at_s': now - 50,
            'state': 'COMPLETED', 'limit_s': 600, 'ended_at_s': now - 7.25}


def post(path, report):
    """Whether the predictd there has acknowledged the report."""
    connection = Connection(path)
    try:
        connection.request('POST', '/v1/runs', report)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def deliver(ids, sockets, acknowledged, lock):
    """Report the runs one by one."""
    for job_id in ids:
        tries = job_id
        report = json.dumps({'runs': [run_of(job_id)]})
        while not post(sockets[tries % len(sockets)], report):
            tries += 1
            time.sleep(PAUSE_S)
        with lock:
            acknowledged.write(f'{job_id}\n')
            acknowledged.flush()
        if job_id % 4 == 0:
            post(sockets[(tries + 1) % len(sockets)], report)


def main():
    path, first, count, *sockets = sys.argv[1:]
    ids = range(int(first), int(first) + int(count))
    lock = threading.Lock()
    with open(path, 'a', encoding='ascii') as acknowledged:
        threads = [threading.Thread(target=deliver, daemon=True, args=(
            ids[i::AT_ONCE], sockets, acknowledged, lock))
            for i in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


main()
