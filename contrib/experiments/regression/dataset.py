# SPDX-License-Identifier: GPL-2.0-or-later
"""dataset.py - the runs of a campaign, from PostgreSQL into a CSV

A row for each run that completed, in the order of submission.  Times count in
seconds from the begin of the campaign, sizes as in struct past_job.  A name
that begins with `at_` is of the prediction at submission, with `before_` of
the nodes just before the start; a column `model:NAME` is what that model said
at submission.  `known_s` is when predictd had the run's end: what it learned
from it, it knew from then on.  A run that was not predicted, because predictd
took too long for the deadline of the submission, has no `at_`: others were
predicted from it all the same.
"""

import csv
import math

CONDITIONS = ("nodes_known", "cpu_load", "cpu_load_max", "cpu_available",
              "cpu_available_min", "bandwidth_bps", "latency_s")

SQL = """
SELECT json_build_object(
	'application', a.name, 'run', to_jsonb(r),
	'submission', to_jsonb(p), 'start', to_jsonb(s),
	'started_s', extract(epoch FROM r.started_at),
	'ended_s', extract(epoch FROM r.ended_at),
	'made_s', extract(epoch FROM coalesce(p.made_at, r.submitted_at)))
FROM predict.runs r
JOIN predict.applications a USING (application_id)
LEFT JOIN predict.predictions p
	ON p.prediction_id = r.prediction_id AND p.stage = 'submission'
LEFT JOIN predict.predictions s
	ON s.prediction_id = r.prediction_id AND s.stage = 'start'
WHERE r.state = 'COMPLETED'
ORDER BY coalesce(p.made_at, r.submitted_at)
"""

FIXED = ("background", "job_id", "application", "parameters", "account",
         "partition", "user_id", "nodes", "tasks", "cpus", "memory_mb",
         "limit_s", "node_list", "submitted_s", "started_s", "ended_s",
         "known_s", *(f"at_{name}" for name in CONDITIONS),
         *(f"before_{name}" for name in CONDITIONS),
         "runtime_s", "model", "predicted_s", "start_model",
         "start_predicted_s")


# What the replay reads of a run, before its parameters.
TEXTS = ("background", "job_id", "application", "account", "partition")
NUMBERS = ("user_id", "nodes", "tasks", "cpus", "memory_mb", "limit_s",
           "submitted_s", "started_s", "ended_s", "known_s",
           *(f"{prefix}{name}" for prefix in ("at_", "before_")
             for name in CONDITIONS))


def number(value, digits=7):
    """Short, and empty for what is not known."""
    known = value is not None and not math.isnan(float(value))
    return f"{float(value):.{digits}g}" if known else ""


def pairs(of, names, values):
    """Two columns of arrays that belong together, or are both NULL."""
    return zip(of.get(names) or [], of.get(values) or [])


def row(entry, background, known_s, begin_s):
    run, prediction = entry["run"], entry["submission"] or {}
    start = entry["start"] or {}
    result = {name: (prediction or run)[name] for name in (
        "account", "partition", "user_id", "nodes", "tasks", "cpus",
        "memory_mb", "limit_s")}
    result.update({
        "job_id": run["job_id"],
        "node_list": run["node_list"],
        "background": background,
        "application": entry["application"],
        "parameters": ";".join(
            f"{name}={number(value)}" for name, value
            in pairs(run, "parameter_names", "parameter_values")),
        "submitted_s": f"{entry['made_s'] - begin_s:.3f}",
        "started_s": f"{entry['started_s'] - begin_s:.3f}",
        "ended_s": f"{entry['ended_s'] - begin_s:.3f}",
        "known_s": f"{known_s - begin_s:.3f}",
        "runtime_s": f"{entry['ended_s'] - entry['started_s']:.3f}",
        "model": prediction.get("model", ""),
        "predicted_s": number(prediction.get("median_s"), 5),
        "start_model": start.get("model", ""),
        "start_predicted_s": number(start.get("median_s"), 5),
    })
    for name in CONDITIONS:
        result[f"at_{name}"] = number(prediction.get(name), 4)
        result[f"before_{name}"] = number(run[name], 4)
    for model, median_s in pairs(prediction, "candidate_models",
                                 "candidate_medians_s"):
        result[f"model:{model}"] = number(median_s, 5)
    return result


def rows(stack, background, jobs):
    """The rows of a campaign's jobs."""
    known = {job.job_id: job.known_s for job in jobs}
    entries = [entry for entry in stack.query(SQL)
               if entry["run"]["job_id"] in known]
    if not entries:
        return []
    begin_s = int(entries[0]["made_s"])
    return [row(entry, background, known[entry["run"]["job_id"]], begin_s)
            for entry in entries]


def write(path, all_rows):
    models = list(dict.fromkeys(
        name for r in all_rows for name in r if name.startswith("model:")))
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, [*FIXED, *models], restval="",
                               lineterminator="\n")
        table.writeheader()
        table.writerows(all_rows)


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def words(run):
    """A run as the replay reads it: `-` is a text that is empty, `nan` a number
    that is not known, -1 a count of nodes that is not."""
    yield from (run[name] or "-" for name in TEXTS)
    for name in NUMBERS:
        yield run[name] or ("-1" if name.endswith("nodes_known") else "nan")
    yield from filter(None, run["parameters"].split(";"))


def listed(runs):
    """All runs, one a line."""
    return "".join(" ".join(words(run)) + "\n" for run in runs)
