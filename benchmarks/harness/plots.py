"""Figures of results, as SVG."""

import io
import pathlib

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import NullFormatter  # noqa: E402

from .results import best_other, peak, rows, write  # noqa: E402

OWN, OTHER = "#1f5f99", "#c9a227"
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "lattn", "font.size": 9,
         "font.family": "sans-serif", "axes.spines.top": False,
         "axes.spines.right": False, "figure.facecolor": "white"}


def _own(results, item):
    return next((r for r in rows(results, item) if r.name == "lattn"), None)


def _items(results, suite):
    """The suite's with the fewest threads, where lattn was measured."""
    items = [item for item in results["workloads"] if item["suite"] == suite
             and "lattn" in item["implementations"]]
    threads = min((item["threads"] for item in items), default=1)
    return [item for item in items if item["threads"] == threads]


def _threads(items):
    count = items[0]["threads"]
    return f"{count} thread{'s' * (count > 1)}"


def _share(results, items):
    """Bars: the share of the peak, lattn beside the best other."""
    figure, axes = plt.subplots(figsize=(7.6, 0.42 * len(items) + 0.9))
    for i, item in enumerate(items):
        other = best_other(results, item)
        for row, place, colour in ((_own(results, item), i - 0.2, OWN),
                                   (other, i + 0.2, OTHER)):
            if row is None:
                continue
            axes.barh(place, 100 * row.share, 0.38, color=colour)
            label = f"{100 * row.share:.0f}"
            label += "" if row.name == "lattn" else f"  {row.name}"
            axes.text(100 * row.share + 0.7, place, label, va="center", fontsize=7)
    axes.set_yticks(range(len(items)), [item["name"] for item in items])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"% of the measured FMA peak, useful FLOPs, {_threads(items)}")
    axes.legend(handles=[plt.Rectangle((0, 0), 1, 1, color=colour)
                         for colour in (OWN, OTHER)],
                labels=["lattn", "best other"], loc="lower right", frameon=False)
    return figure


def _lengths(results, items):
    """Time against N."""
    figure, axes = plt.subplots(figsize=(6.4, 4.2))
    lines = {}
    for item in items:
        for row in rows(results, item):
            if row.is_right:
                lines.setdefault(row.name, []).append((item["N"], 1e3 * row.least))
    for i, (name, points) in enumerate(lines.items()):
        own = name == "lattn"
        axes.plot(*zip(*sorted(points)), label=name, marker="o",
                  markersize=4 if own else 3, linewidth=2.2 if own else 1,
                  color=OWN if own else f"C{i}")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks([item["N"] for item in items],
                    [str(item["N"]) for item in items], rotation=30)
    axes.set_xlabel(f"N, causal, left = {items[0]['left']}, H = {items[0]['H']}, "
                    f"D = {items[0]['D']}")
    axes.set_ylabel(f"least ms, {_threads(items)}")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=8)
    return figure


def _roofline(results, items):
    """GFLOP/s against useful FLOPs a byte, under what the machine can do."""
    figure, axes = plt.subplots(figsize=(6.4, 4.2))
    items = [item for item in items if item["dtype"] != "f64"]
    roof = peak(results, items[0]) / 1e9
    copy = max(item["copy"] for item in items) / 1e9
    intensities = [item["flops"] / item["least_bytes"] for item in items]
    left, right = min(intensities + [roof / copy]) / 3, max(intensities) * 3
    axes.plot([left, roof / copy, right], [left * copy, roof, roof], color="#444")
    axes.text(right, roof * 1.05, f"FMA peak {roof:.0f} GFLOP/s", ha="right",
              fontsize=8)
    axes.text(left, left * copy * 1.3, f"copy {copy:.0f} GB/s", fontsize=8)
    for x, item in zip(intensities, items):
        other, own = best_other(results, item), _own(results, item)
        axes.plot(x, own.rate / 1e9, "o", color=OWN, markersize=5)
        if other is not None:
            axes.plot(x, other.rate / 1e9, "^", color=OTHER, markersize=5)
    for place, name in _spread(results, items, intensities):
        axes.annotate(name, place, fontsize=6, xytext=(4, 3),
                      textcoords="offset points")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlim(left, right)
    axes.set_ylim(top=roof * 1.6)
    axes.set_xlabel(f"useful FLOPs a byte of inputs and output, {_threads(items)}")
    axes.set_ylabel("GFLOP/s, useful")
    axes.legend(handles=[
        plt.Line2D([], [], color=OWN, marker="o", linestyle="", label="lattn"),
        plt.Line2D([], [], color=OTHER, marker="^", linestyle="",
                   label="best other")], frameon=False, loc="lower right")
    return figure


def _spread(results, items, intensities):
    """((x, y), names): one label for those that lie close together."""
    places = {}
    for x, item in zip(intensities, items):
        y = _own(results, item).rate / 1e9
        near = next((p for p in places
                     if 0.8 < p[0] / x < 1.25 and 0.93 < p[1] / y < 1.07), (x, y))
        places.setdefault(near, []).append(item["name"])
    for place, names in places.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield place, names[0] + more


FIGURES = {"share": ("table", _share), "lengths": ("lengths", _lengths),
           "roofline": ("table", _roofline)}


def draw(results, folder):
    """Writes the figures of the suites that were run; their paths."""
    written = []
    for name, (suite, plot) in FIGURES.items():
        items = _items(results, suite)
        # A suite for tests stands in for the others where it is alone.
        items = items or _items(results, "quick")
        if not items:
            continue
        with plt.rc_context(STYLE):
            figure = plot(results, items)
            stream = io.StringIO()
            figure.savefig(stream, format="svg", bbox_inches="tight",
                           metadata={"Date": None})
            plt.close(figure)
        path = pathlib.Path(folder) / f"benchmark-{name}.svg"
        write(path, stream.getvalue())
        written.append(path)
    return written
