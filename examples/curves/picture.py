"""The picture of a training curve, beside that of another run if there is one."""

import importlib.util
from typing import NamedTuple

OWN, OTHER = "#1f5f99", "#c9a227"
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "lattn", "font.size": 9,
         "axes.spines.top": False, "axes.spines.right": False}


class Curve(NamedTuple):
    """The loss of each step, and (step, loss) of held-out text."""

    title: str
    losses: list
    validation: list = ()


def find_matplotlib():
    """None if matplotlib is not installed."""
    return importlib.util.find_spec("matplotlib")


def _plot(axes, losses, **options):
    axes.plot(range(1, len(losses) + 1), losses, **options)


def draw(path, own, other, gaps, step):
    """Writes an SVG file. `gaps` are the differences of two curves, `step` says what a
    step is."""
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    with pyplot.rc_context(STYLE):
        figure, rows = pyplot.subplots(
            1 + bool(other), squeeze=False, sharex=True, layout="constrained",
            height_ratios=[3, 1][:1 + bool(other)], figsize=(6.4, 3.2 + bool(other)))
        axes = rows[0, 0]
        if other:
            _plot(axes, other.losses, color=OTHER, linewidth=4, alpha=0.6,
                  label=other.title)
            _plot(rows[1, 0], gaps, color="#444", linewidth=1)
            rows[1, 0].set_ylabel("difference")
        _plot(axes, own.losses, color=OWN, linewidth=1, label=own.title)
        if own.validation:
            axes.plot(*zip(*own.validation), "o", color=OWN, markersize=4,
                      label="held-out text")
        axes.set_ylabel("loss in nats a byte")
        rows[-1, 0].set_xlabel(step)
        axes.legend(frameon=False)
        figure.savefig(path, format="svg", metadata={"Date": None})
        pyplot.close(figure)
