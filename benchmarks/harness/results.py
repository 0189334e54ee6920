"""Evaluates a run's results: shares of the peak, and who is best. Writes the file."""

import dataclasses
import json
import os
import pathlib
import re
import statistics
import tempfile

from . import window

# The largest error, by element type, of a result that counts.
TOLERANCE = {"f64": 1e-9, "f32": 2e-4, "f16": 2e-2, "bf16": 1e-1}


def entry(workload, report):
    """A workload with its report, as the file has it."""
    fields = dataclasses.asdict(workload)
    return fields | {"pairs": window.visible_pairs(workload),
                     "flops": workload.flops(),
                     "least_bytes": workload.least_bytes()} | report


def peak_type(item):
    """f16 and bf16 are computed in f32."""
    return "f64" if item["dtype"] == "f64" else "f32"


def peak(results, item):
    """The highest of the run, on as many threads, in FLOP/s."""
    return max(sample for other in results["workloads"]
               if other["threads"] == item["threads"]
               for sample in other["peak"][peak_type(item)])


@dataclasses.dataclass
class Row:
    name: str
    least: float
    median: float
    rate: float
    share: float
    error: float
    first_call: float
    is_right: bool


def rows(results, item):
    """A Row for each implementation, lattn first, then the quickest."""
    found = []
    for name, measured in item["implementations"].items():
        least = min(measured["times"])
        rate = item["flops"] / least
        found.append(Row(
            name, least, statistics.median(measured["times"]), rate,
            rate / peak(results, item), measured["error"], measured["first_call"],
            measured["error"] <= TOLERANCE[item["dtype"]]))
    return sorted(found, key=lambda row: (row.name != "lattn", row.least))


def best_other(results, item):
    """The quickest right one beside lattn, or None."""
    others = [row for row in rows(results, item)
              if row.name != "lattn" and row.is_right]
    return others[0] if others else None


def problems(results):
    """Workloads for which lattn failed or is wrong."""
    for item in results["workloads"]:
        where = f"{item['suite']}/{item['name']}"
        if "lattn" in item["failed"]:
            yield f"{where}: lattn failed: {item['failed']['lattn']}"
        for row in rows(results, item):
            if row.name == "lattn" and not row.is_right:
                yield (f"{where}: lattn's error is {row.error:.2g}, expected at "
                       f"most {TOLERANCE[item['dtype']]:g}")


def _rounded(value):
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _rounded(x) for key, x in value.items()}
    return [_rounded(x) for x in value] if isinstance(value, list) else value


def to_json(results):
    text = json.dumps(_rounded(results), indent=1)
    # Lists of numbers or words take a line each.
    return re.sub(r"\[\s+([^\[\]{}]*?)\s+\]",
                  lambda match: f"[{' '.join(match[1].split())}]", text) + "\n"


def write(path, text):
    """All of it or nothing."""
    path = pathlib.Path(path)
    file, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(file, "w") as stream:
            stream.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
