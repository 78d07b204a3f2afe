# SPDX-License-Identifier: GPL-2.0-or-later
"""plot.py - the two figures of the report, as SVG"""

import math

from evaluate import (ENGINE, FILTERS, METHODS, PAPER_BEST, paper_name,
                      predictors, seconds)

COLOURS = {"dp": "#4477aa", "ip": "#ee8866", "other": "#888888",
           ENGINE: "#228833"}
STYLE = ("<style>text{font:11px sans-serif;fill:#222}.t{font-weight:bold}"
         ".a{stroke:#999;fill:none}.g{stroke:#ddd}.e{text-anchor:end}"
         ".m{text-anchor:middle}</style>")


class Svg:
    def __init__(self, width, height):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}">', STYLE,
            f'<rect width="{width}" height="{height}" fill="#fff"/>']

    def add(self, text):
        self.parts.append(text)

    def text(self, x, y, text, kind=""):
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{text}'
                 f'</text>')

    def line(self, x1, y1, x2, y2, kind):
        self.add(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" '
                 f'y2="{y2:.1f}" class="{kind}"/>')

    def write(self, path):
        with open(path, "w") as file:
            file.write("\n".join([*self.parts, "</svg>\n"]))


# --- Errors, as Figure 2 of Lee and Schopf ----------------------------------

PANEL_W, PANEL_H, BAR_W = 430, 250, 13
TOP_PCT = 60  # bars that are higher are cut and labelled with their value


def bars_of(one, others):
    """(label, [(colour, error)]) for each group of bars."""
    groups = [(a_filter.upper() or "no filter",
               [(COLOURS[m], one.errors.get(paper_name(m, a_filter), math.nan))
                for m in METHODS]) for a_filter in FILTERS]
    groups += [(name, [(COLOURS["other"], one.errors[name])])
               for name in others]
    return groups + [(ENGINE, [(COLOURS[ENGINE], one.errors[ENGINE])])]


def panel(svg, one, x, y, others):
    height = PANEL_H - 90
    floor = y + 30 + height
    svg.text(x + 40, y + 16, f"{one.title()}: {len(one.runs)} runs", "t")
    for pct in range(0, TOP_PCT + 1, 20):
        at = floor - height * pct / TOP_PCT
        svg.line(x + 40, at, x + PANEL_W - 10, at, "g")
        svg.text(x + 36, at + 4, f"{pct} %", "e")
    groups = bars_of(one, others)
    step = (PANEL_W - 60) / len(groups)
    for i, (label, values) in enumerate(groups):
        left = x + 46 + i * step
        for k, (colour, error) in enumerate(values):
            if math.isnan(error):
                continue
            tall = height * min(error, TOP_PCT) / TOP_PCT
            at = left + k * (BAR_W + 1)
            svg.add(f'<rect x="{at:.1f}" y="{floor - tall:.1f}" '
                    f'width="{BAR_W}" height="{tall:.1f}" fill="{colour}"/>')
            svg.add(f'<text transform="translate({at + 10:.1f} '
                    f'{floor - tall - 3:.1f}) rotate(-60)">{error:.0f}</text>')
        svg.add(f'<text class="e" transform="translate({left + BAR_W:.1f} '
                f'{floor + 12:.1f}) rotate(-40)">{label}</text>')
    svg.line(x + 40, floor, x + PANEL_W - 10, floor, "a")


def errors(path, all_sets, others):
    rows = (len(all_sets) + 1) // 2
    svg = Svg(2 * PANEL_W, rows * PANEL_H + 30)
    for i, one in enumerate(all_sets):
        panel(svg, one, i % 2 * PANEL_W, i // 2 * PANEL_H, others)
    legend = (("dp", "DP"), ("ip", "IP"), ("other", "other models"),
              (ENGINE, "what the engine chose"))
    for i, (key, text) in enumerate(legend):
        x, y = 40 + 140 * i, rows * PANEL_H + 10
        svg.add(f'<rect x="{x}" y="{y}" width="11" height="11" '
                f'fill="{COLOURS[key]}"/>')
        svg.text(x + 16, y + 10, text)
    svg.text(x + 170, y + 10, f"best of Lee and Schopf: {PAPER_BEST} %")
    svg.write(path)


# --- Predicted against actual -------------------------------------------------

SIDE, PAD = 300, 45


def scatter_panel(svg, one, x, low, high, name):
    def place(value):
        share = math.log(min(max(value, low), high) / low)
        return (SIDE - PAD - 15) * share / math.log(high / low)

    left, floor = x + PAD, SIDE - PAD + 15
    svg.text(left, 18, f"{one.title()}: {name}", "t")
    svg.line(left, floor, left + place(high), floor - place(high), "a")
    for value in (1, 2, 5, 10, 20, 50, 100, 200):
        if low <= value <= high:
            at = place(value)
            svg.line(left, floor - at, left + place(high), floor - at, "g")
            svg.text(left - 4, floor - at + 4, value, "e")
            svg.text(left + at, floor + 14, value, "m")
    svg.text(left + 90, floor + 30, "actual (s)", "m")
    svg.add(f'<text class="m" transform="translate({x + 14} {floor - 110}) '
            f'rotate(-90)">predicted (s)</text>')
    column = predictors(one.runs[0])[name]
    for run in one.runs:
        if math.isnan(seconds(run[column])):
            continue
        svg.add(f'<circle cx="{left + place(seconds(run["runtime_s"])):.1f}" '
                f'cy="{floor - place(seconds(run[column])):.1f}" r="2.6" '
                f'fill="{COLOURS[ENGINE]}" fill-opacity=".6"/>')


def scatter(path, all_sets, name):
    times = [seconds(run["runtime_s"]) for s in all_sets for run in s.runs]
    low, high = 0.8 * min(times), 1.25 * max(times)
    svg = Svg(SIDE * len(all_sets), SIDE + 20)
    for i, one in enumerate(all_sets):
        scatter_panel(svg, one, i * SIDE, low, high, name)
    svg.write(path)
