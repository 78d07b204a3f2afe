#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""openapi_members.py [--list] - print what openapi.json has lost

tests/corpus/openapi.members has the operations of the last release, their
parameters, and the members of their requests and replies with their types, one
a line; each must still be there, and nothing more may be required of requests.
--list prints them as they are now: the next release's.
"""
import json
import pathlib
import sys

DOCUMENT = pathlib.Path("predictor/http/routes/openapi.json")
MEMBERS = pathlib.Path("tests/corpus/openapi.members")


def resolve(document, schema):
    """Follow a reference."""
    while "$ref" in schema:
        at = document
        for part in schema["$ref"].split("/")[1:]:
            at = at[part]
        schema = at
    return schema


def walk(document, schema, path, required, found):
    """Note the members of a schema."""
    schema = resolve(document, schema)
    for part in schema.get("allOf", []) + schema.get("anyOf", []):
        walk(document, part, path, required, found)
    if "items" in schema:
        walk(document, schema["items"], path + "[]", required, found)
    for name, part in schema.get("properties", {}).items():
        kind = resolve(document, part).get("type", "any")
        found.add(f"{path}.{name} {kind}")
        walk(document, part, f"{path}.{name}", required, found)
    required.update(f"{path}.{name}" for name in schema.get("required", []))


def members():
    """Return all members, and what requests must have."""
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    found, needed = set(), set()
    for path, methods in document["paths"].items():
        if not path.startswith("/v1/"):
            continue
        for method, operation in methods.items():
            name = f"{method} {path}"
            found.add(name)
            for parameter in operation.get("parameters", []):
                found.add(f"{name} ?{parameter['name']}")
                if parameter.get("required"):
                    needed.add(f"{name} ?{parameter['name']}")
            for content in operation.get("requestBody", {}).get(
                    "content", {}).values():
                walk(document, content["schema"], f"{name} request", needed,
                     found)
            for status, response in operation["responses"].items():
                if status != "200":
                    continue
                response = resolve(document, response)
                for content in response.get("content", {}).values():
                    walk(document, content["schema"], f"{name} {status}",
                         set(), found)
    return found, needed


def main(arguments):
    """Print the difference, or the list."""
    found, needed = members()
    lines = found | {f"required {name}" for name in needed}
    if "--list" in arguments:
        print("\n".join(sorted(lines)))
        return 0
    old = set(MEMBERS.read_text(encoding="utf-8").splitlines())
    wrong = [f"gone: {line}" for line in sorted(old - lines)
             if not line.startswith("required ")]
    wrong += [f"new and required: {line}" for line in sorted(lines - old)
              if line.startswith("required ") and
              line.split(" request")[0].removeprefix("required ") in old]
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


sys.exit(main(sys.argv[1:]))
