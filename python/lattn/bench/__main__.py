"""python -m lattn.bench: times lattn and the attention of other packages that are
installed, on CPUs. It takes about a minute.

Each result is compared with one in double precision first. Wrong results are not
timed. All packages run in turns, on the same arrays and with the same number of
threads. The exit status is 1 if lattn fails or is wrong."""

from __future__ import annotations

import argparse
import logging
import os
import pathlib
import sys
import time
import warnings
from typing import Any

import lattn
from lattn._machine import find_cpu

from ._implementations import IMPLEMENTATIONS
from ._measure import Result, measure
from ._picture import render_picture
from ._report import render_json, render_table
from ._workloads import WORKLOADS


class _Bar:
    """A line on a terminal that shows the work in progress; nothing is shown elsewhere.
    It is drawn between calls only, so it disturbs none."""

    def __init__(self, steps: int) -> None:
        self.steps, self.done = steps, 0
        self.is_shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def show(self, text: str) -> None:
        if self.is_shown:
            filled = 20 * self.done // max(1, self.steps)
            bar = "#" * filled + "." * (20 - filled)
            print(f"\r\033[K[{bar}] {text}", end="", file=sys.stderr, flush=True)

    def erase(self) -> None:
        if self.is_shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _choose(parser: argparse.ArgumentParser, what: str, names: list[str],
            known: Any) -> list[str]:
    for name in names:
        if name not in known:
            parser.error(f"no {what} is called {name!r}; there are: "
                         f"{', '.join(known)}")
    return list(dict.fromkeys(names))


def _describe_choices() -> str:
    lines = ["workloads:"]
    lines += [f"  {name:18}{one.what}" for name, one in WORKLOADS.items()]
    lines.append("\nimplementations:")
    for name, one in IMPLEMENTATIONS.items():
        missing = one.missing()
        lines.append(f"  {name:18}" + (
            f"not installed: pip install {' '.join(missing)}" if missing
            else "installed"))
    return "\n".join(lines)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m lattn.bench", description=__doc__, epilog=_describe_choices(),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD",
                        help="a workload of the list below; default: all")
    parser.add_argument("--with", dest="names", metavar="A,B", help="compare with "
                        "these implementations; default: all that are installed")
    parser.add_argument("--threads", type=int, metavar="N",
                        help="number of threads; default: lattn.get_num_threads()")
    parser.add_argument("--seconds", type=float, default=60, metavar="S",
                        help="time for all measurements; an implementation that is not "
                        "ready in its share of it is left out (60)")
    parser.add_argument("-o", "--output", metavar="FILE.svg", help="also draw a picture")
    parser.add_argument("--format", default="text", metavar="text|json",
                        help="print a table, or a JSON object for programs (text)")
    options = parser.parse_args()
    options.workloads = _choose(parser, "workload", options.workloads, WORKLOADS
                                ) or list(WORKLOADS)
    options.names = _find_names(parser, options.names)
    if options.format not in ("text", "json"):
        parser.error(f"--format: expected text or json, got {options.format!r}")
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (
        os.cpu_count() or 1)
    options.threads = lattn.get_num_threads() if options.threads is None else (
        options.threads)
    if not 1 <= options.threads <= cpus:
        parser.error(f"--threads: expected 1 to {cpus}, the CPUs of this process, got "
                     f"{options.threads}")
    if not options.seconds > 0:
        parser.error(f"--seconds: expected more than 0, got {options.seconds:g}")
    if options.output:
        _check_output(parser, options.output)
    return options


def _find_names(parser: argparse.ArgumentParser, text: Any) -> list[str]:
    """The names of the implementations to measure, lattn first."""
    if text is None:
        return [name for name, one in IMPLEMENTATIONS.items() if not one.missing()]
    names = _choose(parser, "implementation", text.split(","), IMPLEMENTATIONS)
    for name in names:
        if missing := IMPLEMENTATIONS[name].missing():
            parser.error(f"{name} is not installed: pip install {' '.join(missing)}")
    return ["lattn", *(name for name in names if name != "lattn")]


def _check_output(parser: argparse.ArgumentParser, path: str) -> None:
    """Checks the output files before the work of a minute begins."""
    if pathlib.Path(path).suffix != ".svg":
        parser.error(f"--output: expected FILE.svg, got {path!r}")
    existed = os.path.lexists(path)
    try:
        with open(path, "a", encoding="utf-8"):
            pass
        if not existed:
            os.unlink(path)
    except OSError as error:
        parser.error(f"--output: cannot write {path!r}: {error.strerror}")


def _limit_cpus(threads: int) -> None:
    """Limits the process to as many CPUs as lattn has threads, for packages that take
    all CPUs. Threads that exist stay on those CPUs, too."""
    if not hasattr(os, "sched_setaffinity"):
        return
    cpus = sorted(os.sched_getaffinity(0))[-threads:]
    for thread in os.listdir("/proc/self/task"):
        try:
            os.sched_setaffinity(int(thread), cpus)
        except ProcessLookupError:
            pass  # it has ended


def _measure_all(options: argparse.Namespace) -> list[Result]:
    end = time.perf_counter() + options.seconds
    bar = _Bar(len(options.workloads) * (len(options.names) + 2))
    results: list[Result] = []
    late: dict[str, float] = {}
    for i, name in enumerate(options.workloads):
        def tell(text: str, name: str = name) -> None:
            bar.show(f"{name}: {text}")
            bar.done += 1
        # Time that earlier workloads left over is shared by all that follow.
        weights = [WORKLOADS[other].weight for other in options.workloads[i:]]
        part = (end - time.perf_counter()) * weights[0] / sum(weights)
        results += measure(WORKLOADS[name], options.names, options.threads, part,
                           tell, late)
        bar.done = (i + 1) * (len(options.names) + 2)
    bar.erase()
    return results


def _find_versions(names: list[str]) -> dict[str, str]:
    import importlib.metadata

    packages = ["numpy", *(p for name in names for p in IMPLEMENTATIONS[name].packages)]
    return {"lattn": lattn.__version__,
            **{name: importlib.metadata.version(name) for name in packages}}


def main() -> int:
    options = _parse()
    # Other packages' advice would tear up the line of progress.
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    # Processes that wait for work take time from what is measured.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    _limit_cpus(options.threads)
    try:
        results = _measure_all(options)
    except KeyboardInterrupt:
        print("\ninterrupted: nothing is written", file=sys.stderr)
        return 130
    versions, cpu = _find_versions(options.names), find_cpu()
    title = (f"{cpu}, {options.threads} thread{'s' * (options.threads > 1)}, "
             f"f32; " + ", ".join(f"{name} {v}" for name, v in versions.items()))
    if options.format == "json":
        print(render_json(results, {"cpu": cpu, "threads": options.threads,
                                    "versions": versions}), end="")
    else:
        print(title + "\n\n" + render_table(results), end="")
        for name, one in IMPLEMENTATIONS.items():
            if missing := one.missing():
                print(f"{name} is not installed: pip install {' '.join(missing)}")
    if options.output:
        pathlib.Path(options.output).write_text(render_picture(results, title),
                                                encoding="utf-8")
    lattn_failed = [one for one in results
                    if one.implementation == "lattn" and one.failure]
    for one in lattn_failed:
        print(f"error: {one.workload}: lattn: {one.failure}", file=sys.stderr)
    return int(bool(lattn_failed))


if __name__ == "__main__":
    sys.exit(main())
