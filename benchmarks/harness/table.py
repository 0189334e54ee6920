"""Results as tables, which are Markdown."""

from rich import box
from rich.console import Console
from rich.table import Table

from .results import peak, peak_type, rows

COLUMNS = ("workload", "implementation", "least ms", "median ms", "GFLOP/s",
           "% of peak", "time / lattn's", "error", "first call s")


def _number(value):
    return f"{value:.4g}" if value < 1000 else f"{value:.0f}"


def _lines(results, item):
    measured = rows(results, item)
    own = next((row.least for row in measured if row.name == "lattn"), None)
    for i, row in enumerate(measured):
        yield (item["name"] if i == 0 else "", row.name,
               _number(row.least * 1e3), _number(row.median * 1e3),
               _number(row.rate / 1e9), f"{100 * row.share:.1f}",
               f"{row.least / own:.2f}" if own else "",
               f"{row.error:.1e}" + ("" if row.is_right else " WRONG"),
               f"{row.first_call:.2f}")


def _groups(results):
    groups = {}
    for item in results["workloads"]:
        groups.setdefault((item["suite"], item["threads"]), []).append(item)
    return groups


def render(results):
    """Markdown: a table for each suite and number of threads."""
    console = Console(width=200, no_color=True)
    with console.capture() as capture:
        for (suite, threads), items in _groups(results).items():
            peaks = {peak_type(item): peak(results, item) / 1e9 for item in items}
            peaks = ", ".join(f"{kind} {x:.1f}" for kind, x in peaks.items())
            table = Table(box=box.MARKDOWN, highlight=False)
            for i, column in enumerate(COLUMNS):
                table.add_column(column, justify="left" if i < 2 else "right",
                                 overflow="fold")
            for item in items:
                for line in _lines(results, item):
                    table.add_row(*line)
            state = ", cold caches and new memory" * results.get("cold", False)
            console.print(f"\n{suite}, {threads} thread{'s' * (threads > 1)}{state}; "
                          f"measured FMA peak in GFLOP/s: {peaks}",
                          highlight=False)
            console.print(table)
            for item in items:
                for name, reason in item["failed"].items():
                    console.print(f"{item['name']}: {name} failed: {reason}",
                                  markup=False, highlight=False, soft_wrap=True)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"
