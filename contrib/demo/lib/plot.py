# SPDX-License-Identifier: GPL-2.0-or-later
"""plot.py - the demo's last jobs, predicted against actual, as SVG

usage: plot.py TABLE SHOWN ERROR_PCT LAST_TWO_PCT LIMIT_PCT >FILE.svg

TABLE has one job a line, as job_note() in jobs.bash writes it; the last SHOWN
lines are drawn.  The percentages are the errors that report.bash prints.  The
background is part of the picture, light or dark as the viewer's system is; the
font is the viewer's sans-serif.
"""

import math
import sys

WIDTH, HEIGHT = 760, 430
LEFT, TOP, SIDE = 64, 24, 340  # the plot, a square
ASIDE = LEFT + SIDE + 40       # where the text beside it begins
TICKS = [step * 10 ** power for power in range(-1, 4) for step in (1, 2, 3, 5)]

STYLE = """
.paper { fill: #ffffff } .plot { fill: #f6f8fa }
.near { fill: #0969da; fill-opacity: .09 }
.grid { stroke: #d0d7de } .exact { stroke: #57606a; stroke-width: 1.5 }
.ours { fill: #0969da; stroke: #ffffff; stroke-width: 1.5 }
.under { stroke: #0969da; stroke-width: 2; stroke-opacity: .45 }
.last { fill: none; stroke: #bc4c00; stroke-width: 2 }
text { font: 13px sans-serif; fill: #57606a }
.title { font-size: 18px; font-weight: bold; fill: #1f2328 }
.name { font-weight: bold; fill: #1f2328 }
.big { font-size: 30px; font-weight: bold }
.ours-text { fill: #0969da } .last-text { fill: #bc4c00 }
.middle { text-anchor: middle } .end { text-anchor: end }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117 } .plot { fill: #161b22 }
.near { fill: #58a6ff; fill-opacity: .12 }
.grid { stroke: #30363d } .exact { stroke: #8b949e }
.ours { fill: #58a6ff; stroke: #0d1117 } .under { stroke: #58a6ff }
.last { stroke: #f0883e }
text { fill: #8b949e } .title, .name { fill: #e6edf3 }
.ours-text { fill: #58a6ff } .last-text { fill: #f0883e }
}
"""


def read_jobs(path, shown):
    """(actual, median, 90 % quantile, mean of the last two) of each job;
    NAN for "-", a value that is not known."""
    with open(path) as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return [tuple(math.nan if row[i] == "-" else float(row[i])
                  for i in (5, 7, 8, 9)) for row in rows[-shown:]]


class Scale:
    """Both axes: the logarithm of seconds, from low to high."""

    def __init__(self, jobs):
        values = [value for job in jobs for value in job if value > 0]
        self.low, self.high = 0.85 * min(values), 1.18 * max(values)

    def length(self, seconds):
        seconds = min(max(seconds, self.low), self.high)
        return SIDE * math.log(seconds / self.low) / math.log(
            self.high / self.low)

    def x(self, seconds):
        return LEFT + self.length(seconds)

    def y(self, seconds):
        return TOP + SIDE - self.length(seconds)

    def ticks(self):
        return [tick for tick in TICKS if self.low <= tick <= self.high]


def text(x, y, words, kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{words}</text>'


def line(x1, y1, x2, y2, kind):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'class="{kind}"/>')


def dot(x, y, radius, kind):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" class="{kind}"/>'


def axes(scale):
    right, floor = LEFT + SIDE, TOP + SIDE
    yield (f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" '
           f'class="plot"/>')
    for tick in scale.ticks():
        yield line(LEFT, scale.y(tick), right, scale.y(tick), "grid")
        yield line(scale.x(tick), TOP, scale.x(tick), floor, "grid")
        yield text(LEFT - 8, scale.y(tick) + 4.5, f"{tick:g}", "end")
        yield text(scale.x(tick), floor + 18, f"{tick:g}", "middle")
    yield text(LEFT + SIDE / 2, floor + 40, "actual run time (s)", "middle")
    yield (f'<text class="middle" transform="translate({LEFT - 42} '
           f'{TOP + SIDE / 2}) rotate(-90)">predicted (s)</text>')


def band(scale):
    """Where a prediction is at most a quarter off, and the exact ones."""
    high = scale.high
    clip = (f'<clipPath id="plot"><rect x="{LEFT}" y="{TOP}" width="{SIDE}" '
            f'height="{SIDE}"/></clipPath>')
    shift = SIDE * math.log(1.25) / math.log(high / scale.low)
    down = SIDE * -math.log(0.75) / math.log(high / scale.low)
    floor, right = TOP + SIDE, LEFT + SIDE
    yield clip
    yield (f'<polygon clip-path="url(#plot)" class="near" points="'
           f'{LEFT},{floor - shift:.1f} {right},{TOP - shift:.1f} '
           f'{right},{TOP + down:.1f} {LEFT},{floor + down:.1f}"/>')
    yield line(LEFT, floor, right, TOP, "exact")


def marks(scale, jobs):
    for actual, _, _, last in jobs:
        if last > 0:
            yield dot(scale.x(actual), scale.y(last), 5, "last")
    for actual, median, quantile, _ in jobs:
        if median > 0 and quantile > 0:
            yield line(scale.x(actual), scale.y(median), scale.x(actual),
                       scale.y(quantile), "under")
    for actual, median, _, _ in jobs:
        if median > 0:
            yield dot(scale.x(actual), scale.y(median), 6, "ours")


def aside(jobs, ours_pct, last_pct, limit_pct):
    lines = any(quantile > 0 for _, _, quantile, _ in jobs)
    yield text(ASIDE, TOP + 18, f"{len(jobs)} MPI jobs on shared nodes",
               "title")
    yield text(ASIDE, TOP + 42, "predicted at submission, while load")
    yield text(ASIDE, TOP + 60, "comes and goes on the nodes")
    y = TOP + 112
    yield dot(ASIDE + 7, y - 5, 6, "ours")
    yield text(ASIDE + 24, y, "slurm-predict", "name")
    yield text(ASIDE + 24, y + 34, f"{ours_pct} %", "big ours-text")
    yield text(ASIDE + 24, y + 54, "error" + lines * (
        " (line: up to the 90 % quantile)"))
    y += 106
    yield dot(ASIDE + 7, y - 5, 5, "last")
    yield text(ASIDE + 24, y, "mean of the user's last two runs", "name")
    yield text(ASIDE + 24, y + 34, f"{last_pct} %", "big last-text")
    yield text(ASIDE + 24, y + 54, "error")
    y += 92
    yield text(ASIDE, y, "Diagonal: exact. Shaded: within 25 %.")
    yield text(ASIDE, y + 18,
               f"The user's time limit: {float(limit_pct):,.0f} % error.")


def main():
    path, shown, *errors = sys.argv[1:]
    jobs = read_jobs(path, int(shown))
    scale = Scale(jobs)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
          f'height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
          f'aria-label="predicted against actual run times">')
    print(f"<style>{STYLE}</style>")
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" class="paper"/>')
    for part in (axes(scale), band(scale), marks(scale, jobs),
                 aside(jobs, *errors)):
        print("\n".join(part))
    print("</svg>")


main()
