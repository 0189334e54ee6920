"""Writes the pictures of README.md beside itself: python3 docs/images/make.py"""

import pathlib

FOLDER = pathlib.Path(__file__).parent
FONT = 'font-family="sans-serif" font-size="13"'
COLOURS = {"left edge": ("#e08214", "#fbe3c4"), "interior": ("#1b7837", "#1b7837"),
           "right edge": ("#2166ac", "#cfe0f0")}


class Svg:
    def __init__(self, width, height):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" {FONT}>',
            f'<rect width="{width}" height="{height}" fill="white"/>']

    def rect(self, x, y, width, height, fill, stroke="none"):
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" '
            f'fill="{fill}" stroke="{stroke}"/>')

    def text(self, x, y, text, anchor="start", extra=""):
        text = text.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(
            f'<text x="{x}" y="{y}" text-anchor="{anchor}" {extra}>{text}</text>')

    def arrow(self, x, y, to):
        self.parts.append(f'<path d="M{x} {y} V{to} m-4 -6 l4 6 l4 -6" '
                          'fill="none" stroke="#444"/>')

    def write(self, name):
        (FOLDER / name).write_text("\n".join(self.parts + ["</svg>"]) + "\n")


def draw_window(length=40, left=16, queries=8, keys=4, cell=11):
    """The band of a causal window, cut into the tiles that are visited."""
    x0, y0 = 60, 40
    svg = Svg(x0 + length * cell + 190, y0 + length * cell + 20)
    svg.text(x0 + length * cell / 2, 16, "keys →", "middle")
    svg.text(20, y0 + length * cell / 2, "queries ↓", "middle",
             f'transform="rotate(-90 20 {y0 + length * cell / 2})"')
    svg.rect(x0, y0, length * cell, length * cell, "#f4f4f4", "#bbb")

    def visible(p, t):
        return p - left <= t <= p

    for first in range(0, length, queries):
        rows = range(first, first + queries)
        begin, end = max(0, first - left), first + queries
        for tile in range(begin, end, keys):
            columns = range(tile, min(tile + keys, end))
            if all(visible(p, t) for p in rows for t in columns):
                run = "interior"
            else:
                run = "left edge" if tile < rows[-1] - left else "right edge"
            dark, pale = COLOURS[run]
            svg.rect(x0 + tile * cell, y0 + first * cell, len(columns) * cell,
                     queries * cell, pale)
            for p in rows if run != "interior" else ():
                seen = [t for t in columns if visible(p, t)]
                if seen:
                    svg.rect(x0 + seen[0] * cell, y0 + p * cell,
                             len(seen) * cell, cell, dark)
            svg.rect(x0 + tile * cell, y0 + first * cell, len(columns) * cell,
                     queries * cell, "none", "white")
    x, y = x0 + length * cell + 16, y0 + 20
    for run, note in [("left edge", "masked"), ("interior", "no mask"),
                      ("right edge", "masked")]:
        svg.rect(x, y - 11, 13, 13, COLOURS[run][0])
        svg.text(x + 20, y, f"{run}: {note}")
        y += 24
    svg.rect(x, y - 11, 13, 13, "#f4f4f4", "#bbb")
    svg.text(x + 20, y, "never visited")
    svg.rect(x, y + 13, 6.5, 13, COLOURS["left edge"][1])
    svg.rect(x + 6.5, y + 13, 6.5, 13, COLOURS["right edge"][1])
    svg.text(x + 20, y + 24, "visited, hidden")
    svg.write("window.svg")


def draw_pipeline():
    """From attention to object code."""
    steps = [
        ("lattn.attention", "window, score region, bias, masks, lengths, GQA; "
         "tensors or memrefs"),
        ("tiles", "scf.forall over batch, head and query tile; three runs over "
         "key tiles of lattn.online_attention"),
        ("buffers", "one-shot bufferization; a tile's scratch on the stack"),
        ("vector kernels", "queries on the lanes, keys and values broadcast into "
         "FMAs, exp2 by a polynomial"),
        ("functions of work items", "lattn_parallel_for runs them on threads"),
        ("LLVM", "object code: loaded in process by lattn-run"),
    ]
    passes = ["lattn-split-kv, lattn-tile", "one-shot-bufferize, "
              "lattn-promote-scratch", "convert-lattn-to-vector",
              "lattn-outline-parallel", "upstream's conversions"]
    height, gap = 46, 30
    svg = Svg(720, len(steps) * (height + gap) + 4)
    for i, (name, note) in enumerate(steps):
        y = 10 + i * (height + gap)
        svg.rect(10, y, 700, height, "#eef3f8", "#7a94ad")
        svg.text(24, y + 19, name, extra='font-weight="bold"')
        svg.text(24, y + 37, note)
        if i < len(passes):
            svg.arrow(360, y + height, y + height + gap)
            svg.text(374, y + height + 20, passes[i], extra='fill="#444"')
    svg.write("pipeline.svg")


if __name__ == "__main__":
    draw_window()
    draw_pipeline()
