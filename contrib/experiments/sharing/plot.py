# SPDX-License-Identifier: GPL-2.0-or-later
"""plot.py - predicted beside measured, as the paper's Figure 4, as SVG"""

PREDICTED, MEASURED = "#4477aa", "#228833"
STYLE = ("<style>text{font:11px sans-serif;fill:#222}.t{font-weight:bold}"
         ".a{stroke:#999}.g{stroke:#ddd}.e{text-anchor:end}"
         ".m{text-anchor:middle}</style>")
PANEL_W, PANEL_H, BAR_W, COLUMNS = 430, 210, 22, 2


class Svg:
    def __init__(self, width, height):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}">', STYLE,
            f'<rect width="{width}" height="{height}" fill="#fff"/>']

    def text(self, x, y, text, kind=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">'
                          f'{text}</text>')

    def line(self, x1, y1, x2, y2, kind):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" '
                          f'y2="{y2:.1f}" class="{kind}"/>')

    def bar(self, x, floor, tall, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{floor - tall:.1f}" '
                          f'width="{BAR_W}" height="{tall:.1f}" '
                          f'fill="{colour}"/>')

    def write(self, path):
        with open(path, "w") as file:
            file.write("\n".join([*self.parts, "</svg>\n"]))


def panel(svg, x, y, case, some):
    """Run times of one case; 100 is that with nothing shared."""
    floor, height = y + PANEL_H - 30, PANEL_H - 65
    values = [(100 * r.predicted_s["set"] / r.base_s,
               100 * r.measured_s / r.base_s)
              for r in some]
    top = 100 * (1 + max(max(pair) for pair in values) // 100)
    error = sum(abs(r.error["set"]) for r in some) / len(some)
    svg.text(x + 40, y + 16, f"{case.text}: mean error {error:.1f} %", "t")
    for level in range(0, int(top) + 1, 100):
        at = floor - height * level / top
        svg.line(x + 40, at, x + PANEL_W - 10, at, "g")
        svg.text(x + 36, at + 4, level, "e")
    step = (PANEL_W - 60) / len(some)
    for i, (result, (predicted, measured)) in enumerate(zip(some, values)):
        left = x + 48 + i * step
        svg.bar(left, floor, height * predicted / top, PREDICTED)
        svg.bar(left + BAR_W + 1, floor, height * measured / top, MEASURED)
        svg.text(left + BAR_W, floor + 14, result.program, "m")
    svg.line(x + 40, floor, x + PANEL_W - 10, floor, "a")


def times(path, results):
    cases = list(dict.fromkeys(r.case.name for r in results
                               if r.case.kind != "none"))
    rows = -(-len(cases) // COLUMNS)
    svg = Svg(COLUMNS * PANEL_W, rows * PANEL_H + 30)
    for i, name in enumerate(cases):
        some = [r for r in results if r.case.name == name]
        panel(svg, i % COLUMNS * PANEL_W, i // COLUMNS * PANEL_H,
              some[0].case, some)
    for i, (colour, text) in enumerate(((PREDICTED, "predicted"),
                                        (MEASURED, "measured"))):
        svg.bar(40 + 140 * i, rows * PANEL_H + 20, 11, colour)
        svg.text(68 + 140 * i, rows * PANEL_H + 20, text)
    svg.text(340, rows * PANEL_H + 20, "100: run time with nothing shared")
    svg.write(path)

