# SPDX-License-Identifier: GPL-2.0-or-later
"""Ask slurm-predict what a job should request.

    import slurm_predict

    advice = slurm_predict.suggest(script="job.sh")
    advice = slurm_predict.suggest(command=["./heat3d", "-n", "640"],
                                   options=["-n", "4", "--mem=8G"])
    if advice.time_s is not None:
        print(advice.time_s, advice.memory_mb)

It runs `spredict predict --suggest --json` as this user; SPREDICT names the
program, if it is not in PATH.  A workflow manager must go on without us: if
spredict or predictd fails, all is None, and `why` has the reason.
"""

import json
import os
import shlex
import subprocess
import tempfile
from typing import NamedTuple, Optional


class Advice(NamedTuple):
    """What to request; None: no advice."""
    time_s: Optional[float] = None     # time limit, in seconds
    memory_mb: Optional[float] = None  # on each node, MiB
    median_s: Optional[float] = None   # predicted run time
    why: str = ""


def suggest(script=None, command=None, options=(), timeout_s=10):
    """Return the Advice for a job script, or for a command (a list of words,
    or a line of shell).  `options` are those of sbatch."""
    if (script is None) == (command is None):
        raise ValueError("either script or command")
    if script is not None:
        return _ask(script, options, timeout_s)
    if not isinstance(command, str):
        command = shlex.join(command)
    with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
        file.write(f"#!/bin/sh\n{command}\n")
        file.flush()
        return _ask(file.name, options, timeout_s)


def _ask(script, options, timeout_s):
    words = [os.environ.get("SPREDICT", "spredict"), "--json", "predict",
             "--suggest", *options, str(script)]
    try:
        done = subprocess.run(words, capture_output=True, text=True,
                              check=False, timeout=timeout_s)
        reply = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return Advice(why=str(error))
    if reply.get("errors"):
        return Advice(why=reply["errors"][0].get("error", ""))
    advice = reply.get("advice") or {}
    prediction = reply.get("prediction") or {}
    return Advice(advice.get("limit_s"), advice.get("memory_mb"),
                  prediction.get("median_s"), advice.get("why") or "")
