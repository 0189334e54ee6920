#!/usr/bin/env python
"""Draws the times of a results.jsonl that a bundle's run.py wrote."""

import argparse
import json
import pathlib
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("plot.py: matplotlib is not installed: .venv/bin/pip install -r "
             "scripts/requirements-benchmarks.txt")

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

STYLE = {"svg.fonttype": "none", "svg.hashsalt": "lattn", "font.size": 9,
         "font.family": "sans-serif", "axes.spines.top": False,
         "axes.spines.right": False, "figure.facecolor": "white"}
SERIES = [("lattn", "#1f5f99"), ("lattn, fastest of the last round", "#7fb0d8"),
          ("PyTorch, cuDNN", "#c9a227"), ("PyTorch, flash", "#e5d08a")]
PEERS = {"SDPA cuDNN": "PyTorch, cuDNN", "SDPA flash": "PyTorch, flash"}


def read(path):
    """{workload: {series: TFLOP/s}}, and the facts of the machine."""
    times, facts, product = {}, {}, None
    for line in map(json.loads, path.read_text().splitlines()):
        facts = line.get("facts", facts)
        if line.get("kind") == "matmul":
            product = line.get("tflops")
        name = {"model": "lattn", "peers": PEERS.get(line.get("peer"))}.get(
            line.get("step"))
        if line.get("kind") == "third":
            name = "lattn, fastest of the last round"
        if name and "workload" in line and "tflops" in line:
            row = times.setdefault(line["workload"], {})
            row[name] = max(row.get(name, 0), line["tflops"])
    return times, facts, product


def draw(times, facts, product, note):
    plt.rcParams.update(STYLE)
    height = 1.1 + 0.56 * len(times)
    figure, axes = plt.subplots(figsize=(8, height))
    for place, (name, color) in enumerate(SERIES):
        bars = [(row + 0.2 * (place - 1.5), values[name])
                for row, values in enumerate(times.values()) if name in values]
        drawn = axes.barh([y for y, _ in bars], [width for _, width in bars], 0.18,
                          color=color, label=name)
        axes.bar_label(drawn, fmt="%.0f", padding=2, fontsize=7)
    axes.set_yticks(range(len(times)), list(times))
    axes.invert_yaxis()
    axes.set_xlabel("TFLOP/s of visible pairs")
    if product:
        axes.axvline(product, color="#888", linewidth=0.8, linestyle="--")
        axes.text(product, -0.55, "product of matrices", ha="center", fontsize=7)
    figure.legend(frameon=False, fontsize=8, loc="upper center", ncols=len(SERIES))
    figure.text(0.01, 0.01, f"{facts['gpu']}; medians of pairs of events{note}",
                fontsize=7, color="#555")
    figure.tight_layout(rect=(0, 0.15 / height, 1, 1 - 0.25 / height))
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=pathlib.Path, help="results.jsonl")
    parser.add_argument("picture", type=pathlib.Path, help="an SVG to write")
    parser.add_argument("--note", default="", help="more for the picture's foot")
    arguments = parser.parse_args()
    times, facts, product = read(arguments.results)
    note = f"; {arguments.note}" if arguments.note else ""
    draw(times, facts, product, note).savefig(arguments.picture,
                                              metadata={"Date": None})


if __name__ == "__main__":
    main()
