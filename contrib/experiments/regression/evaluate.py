# SPDX-License-Identifier: GPL-2.0-or-later
"""evaluate.py - how wrong each model was, as Lee and Schopf measure it

The normalized percentage error of [1], section 3: the sum of |measured -
predicted| over that of the measured run times, in percent.  Each run was
predicted from those that had ended before; the first half of the runs of an
application under a kind of load are for learning alone, the second half is
judged.
"""

import dataclasses
import math

FILTERS = ("", "np", "np_r", "np_parm", "np_r_parm")
METHODS = ("dp", "ip")
ENGINE, ENGINE_AT_START = "engine", "engine, at start"
PAPER_BEST = 20.2  # [1], section 3.1: DP, NP_PARM, N-body, heterogeneous


def paper_name(method, a_filter):
    """As models are named: dp_np_parm."""
    return f"{method}_{a_filter}" if a_filter else method


PAPER_MODELS = tuple(paper_name(m, f) for m in METHODS for f in FILTERS)


@dataclasses.dataclass
class Set:
    """The judged runs of an application under a kind of load."""
    background: str
    application: str
    runs: list       # rows of replay
    learned: int     # runs before these
    errors: dict     # by model, in percent
    shares: dict     # by model, the share of runs that it had an answer for

    def title(self):
        return f"{self.application}, {self.background}"

    def key(self):
        return f"{self.application}_{self.background}"


def seconds(text):
    return float(text) if text else math.nan


def predictors(row):
    """What can be judged: name to column."""
    names = {column[6:]: column for column in row
             if column.startswith("model:")}
    names[ENGINE] = "predicted_s"
    if "start_predicted_s" in row:
        names[ENGINE_AT_START] = "start_predicted_s"
    return names


def answered(runs, column):
    return [r for r in runs if r[column]]


def npe(runs, column):
    """In percent, of the runs that it has an answer for; NAN: of none."""
    known = answered(runs, column)
    if not known:
        return math.nan
    off = sum(abs(seconds(r[column]) - seconds(r["runtime_s"])) for r in known)
    return 100 * off / sum(seconds(r["runtime_s"]) for r in known)


def sets(rows):
    """The judged runs, and the errors on them."""
    groups = {}
    for row in rows:
        groups.setdefault((row["background"], row["application"]),
                          []).append(row)
    result = []
    for (background, application), runs in groups.items():
        learned = len(runs) // 2
        judged = runs[learned:]
        columns = predictors(judged[0])
        result.append(Set(
            background, application, judged, learned,
            {name: npe(judged, column) for name, column in columns.items()},
            {name: len(answered(judged, column)) / len(judged)
             for name, column in columns.items()}))
    return sorted(result, key=lambda s: (s.background, s.application),
                  reverse=True)


def best(errors, shares):
    """The model of least error that had an answer for all; what the engine
    made of them is none."""
    known = {name: error for name, error in errors.items()
             if shares[name] == 1 and name not in (ENGINE, ENGINE_AT_START)}
    return min(known, key=known.get)


def mean(values):
    return sum(values) / len(values)


def overall(all_sets):
    """The mean error of each predictor over the sets; its least share."""
    names = all_sets[0].errors
    return ({name: mean([s.errors[name] for s in all_sets]) for name in names},
            {name: min(s.shares[name] for s in all_sets) for name in names})


def agreement(online, again):
    """How far the replay is from what was said when the jobs were submitted:
    (model, answers of both, of these within 1 %), for those that both have."""
    result = []
    by_id = {(r["background"], r["job_id"]): r for r in online}
    for name, column in predictors(again[0]).items():
        pairs = [(seconds(by_id[r["background"], r["job_id"]].get(column)),
                  seconds(r[column])) for r in again]
        pairs = [(a, b) for a, b in pairs
                 if not math.isnan(a) and not math.isnan(b)]
        if pairs:
            same = sum(abs(a - b) <= 0.01 * a for a, b in pairs)
            result.append((name, len(pairs), same))
    return result


def bars(all_sets):
    """Lines `bar NAME VALUE`.  Figure 2 of [1] is of N-body under heterogeneous
    load; the others, and the mean of all, stand beside it."""
    lines = []

    def add(suffix, errors, shares):
        lines.append(f"bar regression_best_npe_pct{suffix} "
                     f"{errors[best(errors, shares)]:.1f}")
        lines.append(f"bar regression_engine_npe_pct{suffix} "
                     f"{errors[ENGINE]:.1f}")

    for one in all_sets:
        add(f"_{one.key()}", one.errors, one.shares)
    add("_mean", *overall(all_sets))
    for one in all_sets:
        if one.key() == "nbody_heterogeneous":
            add("", one.errors, one.shares)
    return lines
