"""Figures of results, as SVG."""

import io
import pathlib

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, NullFormatter  # noqa: E402

from .results import best_other, peak, rows, write  # noqa: E402

OWN, OTHER = "#1f5f99", "#c9a227"
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "lattn", "font.size": 9,
         "font.family": "sans-serif", "axes.spines.top": False,
         "axes.spines.right": False, "figure.facecolor": "white"}
# What the first picture shows: short and long windows, blocks, and none.
OVERVIEW = ("causal window 64, N 4,096", "causal window 256, N 4,096",
            "causal window 256, N 65,536",
            "causal blocks of 256, one back, N 4,096", "full attention, N 2,048",
            "causal, N 4,096, 16 heads, D 128")
# Implementations as a reader knows them.
TITLES = {"torch-sdpa": "PyTorch SDPA", "torch-sdpa-blocks": "PyTorch SDPA on blocks",
          "torch-sdpa-blocks-compiled": "PyTorch SDPA on blocks, compiled",
          "flex-64": "FlexAttention", "flex-128": "FlexAttention",
          "local-attention": "local-attention",
          "local-attention-compiled": "local-attention, compiled",
          "onnxruntime-attention": "ONNX Runtime Attention",
          "onnxruntime-gqa": "ONNX Runtime GroupQueryAttention",
          "onnxruntime-mha": "ONNX Runtime MultiHeadAttention",
          "openvino": "OpenVINO", "openvino-blocks": "OpenVINO on blocks",
          "jax": "JAX", "jax-blocks": "JAX on blocks"}


def _title(name):
    return TITLES.get(name, name)


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


def _foot(axes, results, items, below=46):
    """Says where and when it was measured."""
    machine = results["machine"]
    vectors = next((name for feature, name in (
        ("avx512f", "AVX-512"), ("avx2", "AVX2"), ("asimd", "NEON"))
        if feature in machine["features"]), "")
    parts = [machine["model"], vectors, _threads(items), results.get("date", "")]
    axes.annotate("Measured on " + ", ".join(filter(None, parts)), (1, 0),
                  xycoords="axes fraction", xytext=(0, -below),
                  textcoords="offset points", ha="right", fontsize=7, color="#555")


def _bars(results, items, label):
    """The share of the peak, lattn above the best other; `label` writes a row's."""
    figure, axes = plt.subplots(figsize=(8, 0.42 * len(items) + 0.6))
    for i, item in enumerate(items):
        own, other = _own(results, item), best_other(results, item)
        for row, place, colour in ((own, i - 0.2, OWN), (other, i + 0.2, OTHER)):
            if row is not None:
                axes.barh(place, 100 * row.share, 0.38, color=colour)
                axes.text(100 * row.share + 0.7, place, label(row, own, other),
                          va="center", fontsize=8)
    axes.set_yticks(range(len(items)), [item["name"] for item in items])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(items) - 0.4, -0.6)
    axes.set_xlim(0, 100)
    _foot(axes, results, items)
    axes.legend(handles=[plt.Rectangle((0, 0), 1, 1, color=colour)
                         for colour in (OWN, OTHER)],
                labels=["lattn", "the fastest of the others"], ncols=2,
                loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
    return figure, axes


def _compare(row, own, other):
    """A row's share, and how many times as fast lattn is."""
    if row is not own:
        return f"{100 * row.share:.0f} %  {_title(row.name)}"
    times = f", {other.least / own.least:.1f} times as fast" if other else ""
    return f"{100 * row.share:.0f} %{times}"


def _overview(results, items):
    """A few workloads, for who sees this for the first time."""
    chosen = [item for name in OVERVIEW for item in items if item["name"] == name]
    figure, axes = _bars(results, chosen or items, _compare)
    axes.set_xlabel("share of the CPU core's peak in % (longer is faster)")
    return figure


def _share(results, items):
    """All workloads."""
    def label(row, own, other):
        name = "" if row is own else f"  {_title(row.name)}"
        return f"{100 * row.share:.0f} %{name}"
    figure, axes = _bars(results, items, label)
    axes.set_xlabel("share of the measured FMA peak in %, useful FLOPs only "
                    "(longer is faster)")
    return figure


def _pairs(results, items, value, label, unit):
    """`value` of lattn's row above that of the best other, shorter is better."""
    figure, axes = plt.subplots(figsize=(8, 0.42 * len(items) + 0.6))
    for i, item in enumerate(items):
        pair = (_own(results, item), best_other(results, item))
        for row, place, colour in zip(pair, (i - 0.2, i + 0.2), (OWN, OTHER)):
            if row is not None:
                axes.barh(place, value(row), 0.38, color=colour)
                name = "" if row is pair[0] else f"  {_title(row.name)}"
                number = value(row)
                text = f"{number:,.0f}" if number >= 100 else f"{number:.3g}"
                axes.annotate(f"{text} {unit}{name}", (number, place), xytext=(3, 0),
                              textcoords="offset points", va="center", fontsize=8)
    axes.set_yticks(range(len(items)), [item["name"] for item in items])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(items) - 0.4, -0.6)
    axes.set_xlabel(label)
    axes.margins(x=0.3)
    axes.set_xlim(left=0)
    _foot(axes, results, items)
    axes.legend(handles=[plt.Rectangle((0, 0), 1, 1, color=colour)
                         for colour in (OWN, OTHER)],
                labels=["lattn", "the fastest of the others"], ncols=2,
                loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
    return figure


def _modules(results, items):
    return _pairs(results, items, lambda row: 1e3 * row.least,
                  "time of a forward pass in ms (shorter is faster)", "ms")


def _training(results, items):
    figure, axes = _bars(results, items, _compare)
    axes.set_xlabel("share of the CPU core's peak in %, forward and backward pass "
                    "(longer is faster)")
    return figure


def _first_calls(results, items):
    """The first call of each workload of the overview, compilation included."""
    chosen = [item for name in OVERVIEW for item in items if item["name"] == name]
    return _pairs(results, chosen or items, lambda row: row.first_call,
                  "first call in s, with compilation and empty caches "
                  "(shorter is faster)", "s")


def _lengths(results, items):
    """Time against N."""
    label = (f"length N in positions (causal window {items[0]['left']}, "
             f"{items[0]['H']} heads of {items[0]['D']})")
    return _times(results, items, "N", label)


def _decoding(results, items):
    """Time of one query against the number of keys."""
    label = f"keys (one query of {items[0]['H']} heads of {items[0]['D']})"
    return _times(results, items, "M", label)


def _times(results, items, size, label):
    figure, axes = plt.subplots(figsize=(6.4, 4.2))
    lines = {}
    for item in items:
        for row in rows(results, item):
            if row.is_right:
                lines.setdefault(row.name, []).append((item[size], 1e3 * row.least))
    for i, (name, points) in enumerate(lines.items()):
        own = name == "lattn"
        axes.plot(*zip(*sorted(points)), label=_title(name), marker="o",
                  markersize=4 if own else 3, linewidth=2.2 if own else 1,
                  color=OWN if own else f"C{i}")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks([item[size] for item in items],
                    [f"{item[size]:,}" for item in items], rotation=30)
    axes.set_xlabel(label)
    axes.set_ylabel("time of a call in ms (lower is faster)")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:,.3g}"))
    _foot(axes, results, items, below=64)
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
    axes.text(right, roof * 0.94, f"FMA peak {roof:.0f} GFLOP/s", ha="right",
              va="top", fontsize=8)
    axes.text(left * 1.25, left * copy, f"memory copy {copy:.0f} GB/s", fontsize=8)
    for x, item in zip(intensities, items):
        other, own = best_other(results, item), _own(results, item)
        axes.plot(x, own.rate / 1e9, "o", color=OWN, markersize=5)
        if other is not None:
            axes.plot(x, other.rate / 1e9, "^", color=OTHER, markersize=5)
    for x, name in _columns(items, intensities):
        axes.text(x, roof * 1.05, name, fontsize=7, rotation=35,
                  rotation_mode="anchor")
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
        axis.set_minor_formatter(NullFormatter())
    axes.set_yticks([10, 20, 50, 100] if 20 < roof < 500 else axes.get_yticks())
    axes.set_xlim(left, right)
    axes.set_ylim(top=roof * 1.05)
    axes.set_xlabel("useful FLOPs for each byte of inputs and output")
    axes.set_ylabel("useful GFLOP/s (higher is faster)")
    _foot(axes, results, items)
    axes.legend(handles=[
        plt.Line2D([], [], color=OWN, marker="o", linestyle="", label="lattn"),
        plt.Line2D([], [], color=OTHER, marker="^", linestyle="",
                   label="the fastest of the others")], frameon=False,
        loc="lower left")
    return figure


def _columns(items, intensities):
    """(x, name): one for those that stand above each other."""
    columns = {}
    for x, item in sorted(zip(intensities, items), key=lambda pair: pair[0]):
        near = next((place for place in columns if x / place < 1.2), x)
        columns.setdefault(near, []).append(item["name"])
    for place, names in columns.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield place, min(names, key=len) + more


FIGURES = {"overview": ("table", _overview), "share": ("table", _share),
           "lengths": ("lengths", _lengths), "roofline": ("table", _roofline),
           "decoding": ("decoding", _decoding), "modules": ("modules", _modules),
           "training": ("training", _training),
           "first-call": ("table", _first_calls)}


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
