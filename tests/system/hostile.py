#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""hostile.py - a predictd that misbehaves

    hostile.py DIR

Listens on a Unix socket DIR/MODE.sock for each of its modes until it is ended,
and treats what comes there as the mode says; writes a line with the time to
DIR/MODE.log for each connection.  Prints "ready" when all are there.
`hostile.py --list` prints the modes in which no prediction comes out of it.
"""

import itertools
import json
import os
import socket
import sys
import threading
import time

PREDICTION = {
    "id": "0123456789abcdef", "basis": "history", "model": "hostile",
    "median_s": 192, "quantile": 0.9, "quantile_s": 245, "runs": 41,
    "last_error": 0.08, "evidence_level": "application", "evidence_runs": 41,
    "own_runs": 41, "judged": 30, "held": 28,
}


def reply(body, status="200 OK"):
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    return (b"HTTP/1.1 %s\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%s"
            % (status.encode(), len(body), body))


def good(**changes):
    return reply({"prediction": {**PREDICTION, **changes},
                  "errors": [], "warnings": []})


def raw(field, text):
    """A good reply in which the value of `field` is `text` as it stands."""
    body = json.dumps({"prediction": {**PREDICTION, field: "MARK"}})
    return reply(body.replace('"MARK"', text).encode())


def once(data):
    """Answer each request with the same bytes."""
    def treat(peer):
        while read_request(peer):
            peer.sendall(data)
    return treat


def then_close(data):
    def treat(peer):
        read_request(peer)
        peer.sendall(data)
    return treat


def hang(peer):
    while peer.recv(65536):
        pass
    time.sleep(60)


def dribble(peer):
    read_request(peer)
    for byte in good():
        peer.sendall(bytes([byte]))
        time.sleep(0.01)


def repeat(start, piece, limit=5 << 30):
    """Say `start`, then `piece` again and again, 5 GB in all."""
    def treat(peer):
        read_request(peer)
        peer.sendall(start)
        block = piece * (65536 // len(piece) + 1)
        for _ in range(0, limit, len(block)):
            peer.sendall(block)
    return treat


def slow_then_good(peer):
    for i in itertools.count():
        if not read_request(peer):
            return
        time.sleep(0.010 if i == 0 else 0)
        peer.sendall(good())


def slow_bytes(peer):
    """Headers at once, then the body within 10 minutes."""
    read_request(peer)
    data = good()
    head, body = data.split(b"\r\n\r\n", 1)
    peer.sendall(head + b"\r\n\r\n")
    for byte in body:
        time.sleep(1)
        peer.sendall(bytes([byte]))


def read_request(peer):
    """The next request, or None when the peer is gone."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = peer.recv(65536)
        if not more:
            return None
        data += more
    head, body = data.split(b"\r\n\r\n", 1)
    length = 0
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(body) < length:
        more = peer.recv(65536)
        if not more:
            return None
        body += more
    return head


OK = b"HTTP/1.1 200 OK\r\n"

# How each mode treats a connection; nobody ever comes to "down" and "refuse".
HARMFUL = {
    "down": None,
    "refuse": None,
    "hang": hang,
    "dribble": dribble,
    "slow_body": slow_bytes,
    "close_at_once": lambda peer: None,
    "close_mid_reply": then_close(good()[:120]),
    "close_mid_headers": then_close(b"HTTP/1.1 200 OK\r\nContent-Le"),
    "garbage": then_close(os.urandom(4000)),
    "not_http": then_close(b"SSH-2.0-OpenSSH_9.2\r\n" * 10),
    "http_09": then_close(b'{"prediction": {}}'),
    "reply_5gb_told": repeat(OK + b"Content-Length: 5368709120\r\n\r\n",
                             b" "),
    "reply_5gb_untold": repeat(OK + b"\r\n", b"[1, "),
    "reply_5gb_chunked": repeat(OK + b"Transfer-Encoding: chunked\r\n\r\n",
                                b"10\r\n" + b"x" * 16 + b"\r\n"),
    "chunk_extension": repeat(OK + b"Transfer-Encoding: chunked\r\n\r\n10;",
                              b"x"),
    "endless_headers": repeat(OK, b"X-More: and more\r\n"),
    "endless_header": repeat(OK + b"X-More: ", b"y"),
    "continue_storm": repeat(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "huge_length": once(OK + b"Content-Length: 99999999999999999999\r\n\r\n"),
    "negative_length": once(OK + b"Content-Length: -5\r\n\r\n{}"),
    "redirect": once(b"HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\n"
                     b"Content-Length: 0\r\n\r\n"),
    "status_500": once(reply({"errors": [{"error": "no"}]}, "500 No")),
    "status_204": once(b"HTTP/1.1 204 No Content\r\n\r\n"),
    "empty_body": once(reply(b"")),
    "not_json": once(reply(b"<html>busy</html>")),
    "json_array": once(reply([1, 2, 3])),
    "no_prediction": once(reply({"errors": []})),
    "prediction_null": once(reply({"prediction": None})),
    "prediction_text": once(reply({"prediction": "soon"})),
    "wrong_types": once(good(median_s="long", runs=[1], basis=7)),
    "negative": once(good(median_s=-3)),
    "negative_runs": once(good(runs=-1)),
    "nan": once(raw("median_s", "NaN")),
    "infinity": once(raw("quantile_s", "Infinity")),
    "too_large": once(raw("quantile_s", "1e400")),
    "quantile_7": once(good(quantile=7)),
    "null_numbers": once(good(median_s=None, quantile_s=None)),
    "bad_basis": once(good(basis="hope")),
    "deep": once(reply(b'{"prediction":' * 5000 + b"1" + b"}" * 5000)),
    "long_id": once(good(id="0123456789abcdef" * 1000)),
    "odd_id": once(good(id="a,predict=1\nAdmin")),
    "id_number": once(good(id=123)),
    "bad_utf8": once(reply(b'{"prediction": {"id": "\xff\xfe"}}')),
    "trailing": once(reply(good().split(b"\r\n\r\n")[1] + b"}{")),
}

HARMLESS = {
    "good": once(good()),
    "slow_then_good": slow_then_good,
    "hours": once(good(median_s=7300, quantile_s=9000)),
    "limit": once(good(basis="limit", median_s=None, quantile_s=None,
                       limit_s=600, runs=0)),
    "nothing": once(good(basis="nothing", median_s=None, quantile_s=None,
                         runs=0)),
    "closes_after": then_close(good()),
    "status_400": once(reply({"errors": [{"error": "odd"}]}, "400 Bad")),
}


def serve(treat, listener, log):
    def guarded(peer):
        with peer:
            try:
                treat(peer)
            except OSError:
                pass  # the plugin hung up, as it should

    while True:
        peer, _ = listener.accept()
        with open(log, "a", encoding="ascii") as file:
            file.write(f"{time.monotonic():.3f}\n")
        threading.Thread(target=guarded, args=(peer,), daemon=True).start()


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(HARMFUL))
        return
    directory = sys.argv[1]
    for mode, treat in {**HARMFUL, **HARMLESS}.items():
        path = os.path.join(directory, mode)
        listener = socket.socket(socket.AF_UNIX)
        LISTENERS.append(listener)
        if mode == "down":
            continue
        listener.bind(path + ".sock")
        if mode == "refuse":  # the socket is there, but nobody listens
            continue
        listener.listen(16)
        threading.Thread(target=serve, args=(treat, listener, path + ".log"),
                         daemon=True).start()
    print("ready", flush=True)
    threading.Event().wait()


LISTENERS = []  # kept open
main()
