"""Writes results as a table and as JSON."""

from __future__ import annotations

import json
from typing import Any, Optional

from ._measure import Result
from ._workloads import WORKLOADS

_HEADINGS = ("workload", "implementation", "least ms", "median ms", "GFLOP/s",
             "time / lattn's", "first call s", "error", "turns")


def group(results: list[Result]) -> dict[str, list[Result]]:
    """Results by workload."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.workload, []).append(result)
    return groups


def rank(results: list[Result]) -> list[Result]:
    """The results of one workload that have times: lattn first, then the fastest."""
    return sorted((one for one in results if one.times),
                  key=lambda one: (one.implementation != "lattn", one.least))


def compare(result: Result, results: list[Result]) -> Optional[float]:
    """An implementation's time over lattn's."""
    own = [one.least for one in results
           if one.implementation == "lattn" and one.times]
    return result.least / own[0] if own else None


def _number(value: float) -> str:
    return f"{value:.4g}" if value < 1000 else f"{value:,.0f}"


def _rows(workload: str, results: list[Result]) -> list[tuple[str, ...]]:
    rows = []
    for i, one in enumerate(rank(results)):
        ratio = compare(one, results)
        rows.append((
            workload if i == 0 else "", one.implementation,
            _number(1e3 * one.least), _number(1e3 * one.median),
            _number(WORKLOADS[workload].flops() / one.least / 1e9),
            f"{ratio:.2f}" if ratio else "", f"{one.first_call:.2f}",
            f"{one.error:.0e}", str(len(one.times))))
    return rows


def render_table(results: list[Result]) -> str:
    """A table of all workloads, followed by the implementations without times and the
    reasons."""
    groups = group(results)
    blocks = [_rows(name, found) for name, found in groups.items()]
    rows = [_HEADINGS, *(row for block in blocks for row in block)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADINGS))]

    def align(row: tuple[str, ...]) -> str:
        return "  ".join(text.ljust(width) if i < 2 else text.rjust(width)
                         for i, (text, width) in enumerate(zip(row, widths))).rstrip()
    lines = [align(_HEADINGS)]
    for block in blocks:
        lines += ["", *map(align, block)] if block else []
    lines.append("")
    lines += [f"{name}: {WORKLOADS[name].what}" for name in groups]
    lines.append("")
    reasons: dict[tuple[str, str], list[str]] = {}
    for one in results:
        if reason := one.failure or one.left_out:
            reasons.setdefault((one.workload, reason), []).append(one.implementation)
    lines += [f"{workload}: {', '.join(names)}: {reason}"
              for (workload, reason), names in reasons.items()]
    return "\n".join(lines).rstrip() + "\n"


def _describe(one: Result) -> dict[str, Any]:
    has = bool(one.times)
    return {"implementation": one.implementation,
            "least_seconds": one.least if has else None,
            "median_seconds": one.median if has else None,
            "turns": len(one.times),
            "first_call_seconds": one.first_call,
            "relative_error": None if one.error is None or one.error != one.error
            else one.error,
            "left_out": one.left_out, "failure": one.failure}


def render_json(results: list[Result], about: dict[str, Any]) -> str:
    """One object; docs/tutorial/bench.md has its keys."""
    workloads = [{"name": name, "description": WORKLOADS[name].what,
                  "useful_flop": WORKLOADS[name].flops(),
                  "results": [_describe(one) for one in found]}
                 for name, found in group(results).items()]
    return json.dumps({**about, "workloads": workloads}, indent=1) + "\n"
