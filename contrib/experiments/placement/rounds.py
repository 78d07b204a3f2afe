# SPDX-License-Identifier: GPL-2.0-or-later
"""rounds.py - one round: a list of jobs under a trace, with one scheduler"""

import os
import re
import time

from stack import CONTRIB

POLL_S = 0.2
LOST_S = 150      # a job that takes longer, waiting included, has failed
# Of a trace, until sensors and forecasts have seen it: no job of a real site
# comes just when everything has changed at once.
SETTLE_S = {"load": 25.0, "quiet": 10.0, "hindsight": 8.0}
# By the partition, in slurm.conf: who chooses the nodes.
PARTITIONS = {"stock": "debug", "ours": "main"}

SQL = """
SELECT json_build_object('job_id', job_id, 'state', state,
	'nodes', node_list, 'started_s', extract(epoch FROM started_at),
	'ended_s', extract(epoch FROM ended_at))
FROM predict.runs WHERE job_id >= {} ORDER BY started_at
"""
LINE = re.compile(r"\[([^\].]+)(\.\d+)\] (.*)")
SUBMITTED = re.compile(r"submit_batch_job: JobId=(\d+) ")
STARTED = re.compile(r"(?:Allocate|Started) JobId=(\d+) ")
SECONDS = re.compile(r"([0-9.]+) s$", re.MULTILINE)
DECISION = re.compile(r"predict: JobId=(\d+): ((?:can|would|left|cannot) .*)")


def expanded(text):
    """The positions of nodes: n[1-2,4] is 0, 1, 3."""
    found = []
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        found += range(int(first) - 1, int(last or first))
    return found


def submit(stack, job, *words):
    script = os.path.join(CONTRIB, "mpi", f"{job.program}.sbatch")
    job.submitted_s = time.time()
    job.job_id = stack.sbatch(*job.words(), *words, script, *job.arguments())


def look_after(stack, job):
    """Whether it has ended, and predictd knows it."""
    reply = stack.get(f"/v1/jobs/{job.job_id}")
    state = reply["job"]["state"] if reply else "PENDING"
    if state in ("PENDING", "RUNNING"):
        if time.time() - job.submitted_s < LOST_S:
            return False
        stack.scancel(job.job_id)
    return True


def await_all(field, jobs):
    running = list(jobs)
    while running:
        field.follow()
        running = [j for j in running if not look_after(field.stack, j)]
        time.sleep(POLL_S)


def said_s(path):
    """The run time that a program printed, in seconds."""
    with open(path) as file:
        return float(SECONDS.search(file.read()).group(1))


def log_time_s(line):
    """Seconds after the epoch of a parsed line of the log."""
    return float(line.group(2)) + time.mktime(
        time.strptime(line.group(1), "%Y-%m-%dT%H:%M:%S"))


def predictions_read(stack):
    """From slurmctld's log, by job: when it came, when it was given nodes, and
    what the select plugin said last of it."""
    submitted, started, said = {}, {}, {}
    path = os.path.join(stack.directory, "cluster/log/slurmctld.log")
    with open(path, errors="replace") as file:
        for line in filter(None, map(LINE.match, file)):
            text = line.group(3)
            if found := DECISION.search(text):
                said[int(found.group(1))] = found.group(2)
            elif found := SUBMITTED.search(text):
                submitted[int(found.group(1))] = log_time_s(line)
            elif found := STARTED.search(text):
                started[int(found.group(1))] = log_time_s(line)
    return submitted, started, said


def facts(stack, jobs):
    """A dictionary of each job that ended well, as it is kept."""
    first = min(job.job_id for job in jobs)
    runs = {run["job_id"]: run for run in stack.query(SQL.format(first))}
    submitted, started, said = predictions_read(stack)
    result = []
    for job in jobs:
        run = runs.get(job.job_id, {})
        if run.get("state") != "COMPLETED" or job.job_id not in started:
            continue
        # Slurm reports whole seconds only; how long the job took is exact.
        started_s = started[job.job_id]
        took_s = run["ended_s"] - run["started_s"]
        result.append({
            "number": job.number, "program": job.program, "size": job.nodes,
            "wait_s": round(started_s - submitted[job.job_id], 3),
            "runtime_s": round(took_s, 3),
            "started_s": started_s, "ended_s": started_s + took_s,
            "nodes": expanded(run["nodes"]),
            "decision": said.get(job.job_id, "")})
    return result


def play(field, trace, jobs, settle_s, words):
    """Jobs as they fall due while the trace goes on; what became of them."""
    field.begin(trace)
    begin_s = field.begun_s + settle_s
    waiting, running = list(jobs), []
    while waiting or running:
        field.follow()
        if waiting and time.time() >= begin_s + waiting[0].due_s:
            job = waiting.pop(0)
            submit(field.stack, job, *words)
            running.append(job)
            continue
        running = [j for j in running if not look_after(field.stack, j)]
        time.sleep(POLL_S)
    return facts(field.stack, jobs)
