"""Writes pipeline.svg and rooms.svg beside itself: python3 docs/images/make.py

`make.py --check` fails where a file beside it is not what it would write.
"""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
SOURCE = FOLDER.parent.parent
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

    def line(self, x, y, to_x, to_y):
        self.parts.append(f'<path d="M{x:.0f} {y} L{to_x:.0f} {to_y}" '
                          'stroke="#9aa8b5" fill="none"/>')

    def write(self, name):
        text = "\n".join(self.parts + ["</svg>"]) + "\n"
        if "--check" not in sys.argv[1:]:
            (FOLDER / name).write_text(text)
        elif (FOLDER / name).read_text() != text:
            sys.exit(f"docs/images/{name} is out of date: run "
                     "python3 docs/images/make.py")


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


# ---- The rooms -------------------------------------------------------------

ROOMS = ["AheadOfTime", "Analysis", "CAPI", "Conversion", "Dialect/Check",
         "Dialect/Fragment/IR", "Dialect/Fragment/Transforms", "Dialect/Lattn/IR",
         "Dialect/Lattn/Transforms", "Differentiation", "Execution",
         "Execution/Arrays", "Explain", "Measure", "Picture", "Pipelines", "Raise", "Reference", "Runner", "Runtime",
         "Target", "Transforms", "Tuning"]


def find_room(path):
    """The room of a file below lib or include/lattn."""
    return max((r for r in ROOMS if path.startswith(r + "/")), key=len,
               default=None)


def read_rooms():
    """The rooms whose headers each room includes."""
    files, uses = {r: [] for r in ROOMS}, {r: set() for r in ROOMS}
    homes = {}  # of Execution's headers, which lie in one folder
    for folder in ("lib", "include/lattn"):
        for path in sorted((SOURCE / folder).rglob("*")):
            room = find_room(path.relative_to(SOURCE / folder).as_posix())
            if not room or path.suffix not in (".cpp", ".h"):
                continue
            if folder == "lib" and room.startswith("Execution"):
                homes[path.stem] = room
            elif room == "Execution":
                room = homes.get(path.stem, room)
            files[room].append(path)

    def find_home(header):
        if header.startswith("Execution/"):
            return homes.get(pathlib.Path(header).stem, "Execution")
        return find_room(header)

    for room, paths in files.items():
        for path in paths:
            text = path.read_text()
            found = [find_home(h)
                     for h in re.findall(r'#include "lattn/([^"]+)"', text)]
            for header in re.findall(r'#include "(\.\./[^"]+)"', text):
                target = (path.parent / header).resolve()
                found.append(find_room(
                    target.relative_to(SOURCE / "lib").as_posix()))
            uses[room].update(set(found) - {room, None})
    return uses


def find_levels(uses):
    """The level of each room, above those that it uses."""
    levels = {}
    while len(levels) < len(uses):
        ready = [r for r in uses if r not in levels and uses[r] <= set(levels)]
        if not ready:
            sys.exit("folders of lib use each other in a circle: " +
                     ", ".join(sorted(set(uses) - set(levels))))
        for room in ready:
            levels[room] = 1 + max((levels[u] for u in uses[room]), default=-1)
    # Each as near to its users as can be.
    for room in sorted(levels, key=levels.get, reverse=True):
        users = [levels[u] for u in uses if room in uses[u]]
        levels[room] = min(users, default=levels[room] + 1) - 1
    return levels


def draw_rooms():
    """The folders of lib: above is what uses what is below."""
    uses = read_rooms()
    levels = find_levels(uses)

    def reaches(room, target):
        return target in uses[room] or any(
            reaches(u, target) for u in uses[room])

    width, height, gap = 172, 30, 34
    top = max(levels.values())
    rows = [sorted(r for r in ROOMS if levels[r] == n) for n in range(top + 1)]
    total = max(len(row) for row in rows) * (width + 12) + 8
    svg = Svg(total, (top + 1) * (height + gap) + 8)
    place = {}
    for n, row in enumerate(rows):
        left = (total - len(row) * (width + 12) + 12) / 2
        for i, room in enumerate(row):
            place[room] = (left + i * (width + 12),
                           8 + (top - n) * (height + gap))
    for room in ROOMS:
        for used in sorted(uses[room]):
            others = uses[room] - {used}
            if not any(reaches(other, used) for other in others):
                svg.line(place[room][0] + width / 2, place[room][1] + height,
                         place[used][0] + width / 2, place[used][1])
    for room, (x, y) in place.items():
        svg.rect(f"{x:.0f}", y, width, height, "#eef3f8", "#7a94ad")
        svg.text(f"{x + width / 2:.0f}", y + 19, room, "middle",
                 'font-weight="bold" font-size="11"')
    svg.write("rooms.svg")


if __name__ == "__main__":
    draw_pipeline()
    draw_rooms()
