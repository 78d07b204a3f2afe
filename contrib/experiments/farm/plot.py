# SPDX-License-Identifier: GPL-2.0-or-later
"""plot.py - farms on shared nodes, and over the number of workers, as SVG"""

import math

STYLE = """<style>
svg { font: 12px sans-serif; }
.paper { fill: #ffffff; } text { fill: #24292f; }
.title { font-size: 16px; font-weight: 600; } .head { font-weight: 600; }
.note { fill: #57606a; } .tick { font-size: 10px; }
.end { text-anchor: end; } .mid { text-anchor: middle; }
.grid { stroke: #d8dee4; }
.even { fill: #9aa4b0; } .shared { fill: #0a5fd0; }
.model { stroke: #c2410c; stroke-width: 2.5; }
.time { fill: none; stroke: #0a5fd0; stroke-width: 2; }
.index { fill: none; stroke: #15803d; stroke-width: 2; }
.dot { stroke: none; } .dot.time { fill: #0a5fd0; }
.dot.index { fill: #15803d; }
.mark { stroke: #c2410c; stroke-dasharray: 5 4; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
.paper { fill: #0f1419; } text { fill: #d9e0e8; } .note { fill: #9aa4b0; }
.grid { stroke: #2d3640; } .even { fill: #6b7280; } .shared { fill: #5aa9ff; }
.model, .mark { stroke: #ff9a5c; } .time { stroke: #5aa9ff; }
.index { stroke: #4ade80; } .dot.time { fill: #5aa9ff; }
.dot.index { fill: #4ade80; }
}
</style>"""


class Svg:
    def __init__(self, width, height, title, note):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}">', STYLE,
            '<rect width="100%" height="100%" class="paper"/>']
        self.text(24, 30, title, "title")
        self.text(24, 50, note, "note")

    def text(self, x, y, text, kind=""):
        self.parts.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">'
                          f'{text}</text>')

    def line(self, x1, y1, x2, y2, kind):
        self.parts.append(f'<path class="{kind}" d="M{x1:.1f} {y1:.1f}'
                          f'L{x2:.1f} {y2:.1f}"/>')

    def bar(self, x, y, width, height, kind):
        self.parts.append(f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" '
                          f'width="{width:.1f}" height="{height:.1f}" '
                          f'rx="2"/>')

    def dot(self, x, y, kind):
        self.parts.append(f'<circle class="dot {kind}" cx="{x:.1f}" '
                          f'cy="{y:.1f}" r="3.5"/>')

    def curve(self, points, kind):
        self.parts.append(f'<polyline class="{kind}" points="' + " ".join(
            f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')

    def write(self, path):
        with open(path, "w") as file:
            file.write("\n".join([*self.parts, "</svg>", ""]))


# --- Shared nodes -------------------------------------------------------------

PANEL_W, PANEL_H, GAP, BAR_W = 200, 190, 44, 24


def shared(path, found, farms, cases):
    """Times as bars, relative to the farm alone with `shared`."""
    width = 24 + len(farms) * (PANEL_W + GAP)
    svg = Svg(width, 345, "Farms on shared nodes: time of an iteration",
              "1: alone, with the policy shared")
    top = max(max(row["none"], row["shared"], row["model"])
              / found[farm, "alone"]["shared"]
              for (farm, _), row in found.items())
    for number, farm in enumerate(farms):
        panel(svg, 50 + number * (PANEL_W + GAP), 90, farm,
              [(case, found[farm, case]) for case in cases],
              found[farm, "alone"]["shared"], math.ceil(2 * top) / 2)
    y = 326
    for x, kind, text in ((50, "even", "even hand-out"),
                          (180, "shared", "policy shared")):
        svg.bar(x, y - 10, 12, 12, kind)
        svg.text(x + 18, y, text)
    svg.line(310, y - 4, 330, y - 4, "model")
    svg.text(336, y, "shared, as the model predicts it")
    svg.write(path)


def panel(svg, left, top, farm, cases, unit_s, high):
    svg.text(left, top - 12, farm, "head")
    for tick in range(0, int(2 * high) + 1):
        y = top + PANEL_H * (1 - tick / 2 / high)
        svg.line(left, y, left + PANEL_W, y, "grid")
        svg.text(left - 6, y + 4, f"{tick / 2:g}", "end tick")
    for number, (case, row) in enumerate(cases):
        x = left + 8 + number * PANEL_W / len(cases)
        for place, kind in enumerate(("none", "shared")):
            height = PANEL_H * row[kind] / unit_s / high
            svg.bar(x + place * (BAR_W + 3), top + PANEL_H - height, BAR_W,
                    height, "even" if kind == "none" else "shared")
        y = top + PANEL_H * (1 - row["model"] / unit_s / high)
        svg.line(x + BAR_W, y, x + 2 * BAR_W + 6, y, "model")
        svg.text(x + BAR_W, top + PANEL_H + 16, case, "mid tick")


# --- Over the number of workers -----------------------------------------------

CURVE_W, CURVE_H, COLUMNS = 220, 160, 4


def curves(path, drawn):
    """Time and index of each farm and mode over n, on logarithmic scales."""
    rows = -(-len(drawn) // COLUMNS)
    svg = Svg(40 + COLUMNS * (CURVE_W + 40), 120 + rows * (CURVE_H + 70),
              "Time of an iteration and performance index over the number of "
              "workers",
              "seconds; dots are measured, lines predicted from those "
              "on two and all nodes; dashed: workers worth having, as "
              "predicted")
    for number, (key, points) in enumerate(drawn.items()):
        # Farms side by side, sends one above the other.
        column, row = (number // rows, number % rows)
        one_curve(svg, 50 + column * (CURVE_W + 40),
                  96 + row * (CURVE_H + 70), key, points)
    y = 96 + rows * (CURVE_H + 70) + 4
    for x, kind, text in ((50, "time", "time"),
                          (140, "index", "performance index, n T\u00b2 / Tc")):
        svg.dot(x, y - 4, kind)
        svg.line(x + 6, y - 4, x + 26, y - 4, kind)
        svg.text(x + 32, y, text)
    svg.write(path)


def one_curve(svg, left, top, key, points):
    farm, mode = key
    values = [p[name] for p in points.values() for name in
              ("measured", "predicted", "index", "index_predicted")]
    low, high = min(values) / 1.15, max(values) * 1.15
    n_high = max(points)

    def x_of(n):
        return left + CURVE_W * (math.log(n) / math.log(n_high))

    def y_of(value):
        return top + CURVE_H * (1 - math.log(value / low)
                                / math.log(high / low))

    svg.text(left, top - 10, f"{farm.replace('-', ', ')} data, {mode}", "head")
    for tick in (.2, .5, 1, 2, 5, 10, 20):
        if low <= tick <= high:
            svg.line(left, y_of(tick), left + CURVE_W, y_of(tick), "grid")
            svg.text(left - 6, y_of(tick) + 4, f"{tick:g}", "end tick")
    for n in points:
        svg.line(x_of(n), top, x_of(n), top + CURVE_H, "grid")
        svg.text(x_of(n), top + CURVE_H + 14, n, "mid tick")
    worth = min(points, key=lambda n: points[n]["index_predicted"])
    svg.line(x_of(worth), top, x_of(worth), top + CURVE_H, "mark")
    for kind, measured, predicted in (("time", "measured", "predicted"),
                                      ("index", "index", "index_predicted")):
        svg.curve([(x_of(n), y_of(p[predicted])) for n, p in points.items()],
                  kind)
        for n, p in points.items():
            svg.dot(x_of(n), y_of(p[measured]), kind)
