# SPDX-License-Identifier: GPL-2.0-or-later
"""figures.py - each job with Slurm's choice of nodes and with ours, as SVG"""

from plot import Svg

COLOURS = {"nbody": "#4477aa", "heat": "#ee6677", "cg": "#228833",
           "isort": "#ccbb44", "pipeline": "#66ccee", "ep": "#aa3377"}
WIDTH, HEIGHT, LEFT, FLOOR, RIGHT, TOP = 640, 460, 60, 400, 500, 20
DOT = 4


def dot(svg, x, y, colour):
    svg.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT}" '
                     f'fill="{colour}" fill-opacity="0.8"/>')


def scatter(path, pairs):
    """Below the diagonal: shorter with ours."""
    svg = Svg(WIDTH, HEIGHT)
    most = max(max(p.stock["runtime_s"], p.ours["runtime_s"]) for p in pairs)
    step = next((s for s in (1, 2, 5, 10, 20) if most / s <= 8), 50)
    top = step * (int(most / step) + 1)

    def x(seconds):
        return LEFT + (RIGHT - LEFT) * seconds / top

    def y(seconds):
        return FLOOR - (FLOOR - TOP) * seconds / top

    for seconds in range(0, top + 1, step):
        svg.line(x(0), y(seconds), x(top), y(seconds), "g")
        svg.line(x(seconds), y(0), x(seconds), y(top), "g")
        svg.text(x(0) - 6, y(seconds) + 4, seconds, "e")
        svg.text(x(seconds), FLOOR + 16, seconds, "m")
    svg.line(x(0), y(0), x(top), y(top), "a")
    for p in pairs:
        dot(svg, x(p.stock["runtime_s"]), y(p.ours["runtime_s"]),
            COLOURS.get(p.program, "#bbb"))
    svg.text((LEFT + RIGHT) / 2, FLOOR + 38, "run time with stock, s", "m")
    svg.text(LEFT - 50, TOP - 6, "run time with ours, s")
    for i, (program, colour) in enumerate(COLOURS.items()):
        dot(svg, RIGHT + 24, TOP + 20 + 20 * i, colour)
        svg.text(RIGHT + 34, TOP + 24 + 20 * i, program)
    svg.write(path)


def hindsight(path, samples):
    """Every set tried, as a multiple of the best one; ours is filled."""
    svg = Svg(WIDTH, 60 + 26 * len(samples))
    top = max(t["runtime_s"] / s.best_s for s in samples for t in s.tried)
    top = max(top, 1.5)

    def x(ratio):
        return LEFT + 60 + (RIGHT - LEFT) * (ratio - 1) / (top - 1)

    floor = 30 + 26 * len(samples)
    for tenths in range(10, int(10 * top) + 1, max(1, int(top - 1) * 2)):
        svg.line(x(tenths / 10), 20, x(tenths / 10), floor, "g")
        svg.text(x(tenths / 10), floor + 14, tenths / 10, "m")
    for i, s in enumerate(samples):
        at = 36 + 26 * i
        svg.text(LEFT + 46, at + 4, f"{s.program} on {s.size}", "e")
        for t in sorted(s.tried, key=lambda t: t["had"]):
            dot(svg, x(t["runtime_s"] / s.best_s), at,
                "#228833" if t["had"] else "#bbbbbb")
    svg.text(LEFT + 60, 14, "run time / that on the best set tried; "
             "green: the set that the job had")
    svg.write(path)
