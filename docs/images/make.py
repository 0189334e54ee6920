"""Writes pipeline.svg of README.md beside itself: python3 docs/images/make.py"""

import pathlib

FOLDER = pathlib.Path(__file__).parent
FONT = 'font-family="sans-serif" font-size="13"'


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
    draw_pipeline()
