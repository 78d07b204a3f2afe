#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""openapi_examples.py SOCKET [--record] - try each operation of openapi.json

Each request is made as its examples say, in an order in which what is asked
for has been reported before.  Replies and the examples of replies must be as
the schemas say.  --record writes what came as the examples of replies.
Prints a line "ok" or "not ok" for each operation.
"""
import http.client
import json
import pathlib
import re
import socket
import sys
import time
import urllib.parse

DOCUMENT = pathlib.Path("predictor/http/routes/openapi.json")
FIRST = ["storeRuns", "addMeasurements", "storeImports", "makePredictions"]
# What they are about is not there, or is measured later.
MAY_LACK = {"makeWhatif", "listTraces", "showSeries", "showOrder", "showShares",
            "showSnapshot", "showCurve", "showBundle", "listQueue",
            "showSooner"}
ERRORS = {"BadRequest": "/v1/accuracy?by=heat", "NotFound": "/v1/jobs/7"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool,
         "integer": int, "number": (int, float)}


class Connection(http.client.HTTPConnection):
    """A connection to a Unix socket."""

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(self.host)


def resolve(document, schema):
    """Follow a reference."""
    while "$ref" in schema:
        at = document
        for part in schema["$ref"].split("/")[1:]:
            at = at[part]
        schema = at
    return schema


def check(document, schema, value, path):
    """Raise AssertionError if the value is not as the schema says."""
    schema = resolve(document, schema)
    if value is None:
        assert schema.get("nullable"), f"{path}: null"
        return
    for part in schema.get("allOf", []):
        check(document, part, value, path)
    if "anyOf" in schema:
        wrong = []
        for part in schema["anyOf"]:
            try:
                check(document, part, value, path)
            except AssertionError as error:
                wrong.append(str(error))
        assert len(wrong) < len(schema["anyOf"]), wrong
    if "type" in schema:
        assert isinstance(value, TYPES[schema["type"]]), f"{path}: type"
    assert value in schema.get("enum", [value]), f"{path}: {value}"
    if isinstance(value, dict):
        for name in schema.get("required", []):
            assert name in value, f"{path}: no {name}"
        for name, part in schema.get("properties", {}).items():
            if name in value:
                check(document, part, value[name], f"{path}.{name}")
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            check(document, schema["items"], item, f"{path}[{i}]")
    if isinstance(value, str) and "pattern" in schema:
        assert re.search(schema["pattern"], value), f"{path}: {value}"


def request_of(path, operation, known):
    """Return the target and the body that the examples give."""
    query = {}
    for parameter in operation.get("parameters", []):
        name = parameter["name"]
        value = known.get(name, parameter.get("example"))
        if value is None:
            assert not parameter.get("required"), f"{name}: no example"
        elif parameter["in"] == "path":
            path = path.replace("{" + name + "}", str(value))
        else:
            query[name] = value
    body = None
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        text = json.dumps(content["example"])
        body = text.replace('"time_s": 1', f'"time_s": {time.time() - 1}')
    return path + ("?" + urllib.parse.urlencode(query) if query else ""), body


def try_operation(document, address, method, path, operation, known):
    """Make the request and check the reply; return it."""
    target, body = request_of(path, operation, known)
    connection = Connection(address)
    connection.request(method.upper(), target, body)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    status = str(reply.status)
    if operation["operationId"] in MAY_LACK and status in ("404", "422", "503"):
        status_known = status
    else:
        status_known = "200"
    assert status == status_known, f"{method} {target}: {status} {text[:300]}"
    content = resolve(document, operation["responses"][status])["content"]
    if "application/json" not in content:
        return text
    value = json.loads(text)
    check(document, content["application/json"]["schema"], value, path)
    return value if status == "200" else None


def try_error(document, address, name, target):
    """Make a request that is refused, and compare the reply's example."""
    content = document["components"]["responses"][name]["content"]
    example = content["application/json"]["example"]
    check(document, content["application/json"]["schema"], example, name)
    connection = Connection(address)
    connection.request("GET", target)
    errors = json.loads(connection.getresponse().read())["errors"]
    connection.close()
    assert errors == example["errors"], f"{target}: {errors}"


def shorten(value):
    """Keep the first element of each list."""
    if isinstance(value, dict):
        return {name: shorten(part) for name, part in value.items()}
    if isinstance(value, list):
        return [shorten(part) for part in value[:1]]
    return value


def main(arguments):
    """Try all of them."""
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    operations = {operation["operationId"]: (method, path, operation)
                  for path, methods in document["paths"].items()
                  for method, operation in methods.items()}
    known, replies, failed = {}, {}, False
    for name in FIRST + [name for name in operations if name not in FIRST]:
        method, path, operation = operations[name]
        try:
            content = operation["responses"]["200"].get("content", {})
            kind = content.get("application/json", {})
            if "example" in kind:
                check(document, kind["schema"], kind["example"], "example")
            elif kind and "--record" not in arguments:
                assert name == "showOpenapi", "no example of the reply"
            replies[name] = try_operation(document, arguments[0], method, path,
                                          operation, known)
            print(f"ok openapi_{name}")
        except (AssertionError, OSError, ValueError) as error:
            print(f"not ok openapi_{name} - {error}")
            failed = True
        if name == "makePredictions" and replies.get(name):
            known["id"] = replies[name]["prediction"]["id"]
            known["prediction"] = known["id"]
    for name, target in ERRORS.items():
        try:
            try_error(document, arguments[0], name, target)
            print(f"ok openapi_{name}")
        except AssertionError as error:
            print(f"not ok openapi_{name} - {error}")
            failed = True
    if "--record" in arguments:
        pathlib.Path(arguments[0] + ".json").write_text(json.dumps(
            {name: shorten(value) for name, value in replies.items()
             if isinstance(value, dict)}), encoding="utf-8")
    return failed


sys.exit(main(sys.argv[1:]))
