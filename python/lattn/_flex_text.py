"""Writes a call of flex_attention as an MLIR function with lattn.attention."""

from __future__ import annotations

import re
from typing import NamedTuple, Sequence


class Score(NamedTuple):
    """The score region. It uses %s, %b, %h, %i, %j, and the arrays %c0_in, %c1_in, ...
    """

    real: str  # their type
    lines: Sequence[str]
    result: str  # the name of the score after them
    # Axes with open sizes, as (array, axis): `last` holds their last indices.
    lasts: Sequence[tuple[int, int]]


class Writer:
    """Writes one function. `operands` are the types of query, key, value and the
    arrays. `results` are the types of the used results: the output (0) and the
    logarithm of the sum of exponentials (1)."""

    def __init__(self, operands: Sequence[str], results: dict[int, str],
                 is_bnhd: bool) -> None:
        self._lines: list[str] = []
        names = ["query", "key", "value",
                 *(f"c{i}" for i in range(len(operands) - 3))]
        self._kinds = dict(zip(names, operands))
        self._taken, self._results, self._is_bnhd = names, results, is_bnhd

    def write(self, name: str, scale: float, score: Score) -> str:
        self._add_last(score.lasts)
        outs = self._add_outs(score.real)
        written = ", ".join(f"%{x} : {kind}" for x, kind in outs.items())
        given = " ".join(f"{x}(%{x} : {self._kinds[x]})"
                         for x in ("query", "key", "value"))
        layout = "bnhd" if self._is_bnhd else "bhnd"
        self._lines.append(
            f"%r:{len(outs)} = lattn.attention {given} {self._write_captures()} "
            f"outs({written}) {{layout = #lattn.layout<{layout}>, "
            f"scale = {scale:.17e} : f64}} {self._write_region(score)}")
        values = {0: "%r#0"}
        if 1 in self._results:
            values[1] = self._add_base_2("%r#1", outs["lse"], score.real)
            if outs["lse"] != self._results[1]:
                self._lines.append(f"%narrow = arith.truncf {values[1]} : "
                                   f"{outs['lse']} to {self._results[1]}")
                values[1] = "%narrow"
        taken = ", ".join(f"%{x}: {self._kinds[x]}" for x in self._taken)
        kinds = ", ".join(self._results.values())
        returned = ", ".join(values[i] for i in self._results)
        body = "".join(f"    {line}\n" for line in self._lines)
        return (f"  func.func private @{name}({taken}) -> ({kinds}) {{\n{body}"
                f"    return {returned} : {kinds}\n  }}\n")

    def _add_outs(self, real: str) -> dict[str, str]:
        """The types of the destinations."""
        query, value = (_split(self._kinds[x]) for x in ("query", "value"))
        *_, element = query
        output = [*query[:3], value[3]]
        outs = {"output": self._results.get(0, _join(output, element))}
        if 1 in self._results:  # torch's is f32, also for f64
            outs["lse"] = _join(_split(self._results[1])[:-1], real)
        axes = {"output": [("query", 0), ("query", 1), ("query", 2), ("value", 3)],
                "lse": [("query", i) for i in
                        ((0, 2, 1) if self._is_bnhd else (0, 1, 2))]}
        for name, kind in outs.items():
            dims = [self._add_dim(*axis) for axis, size
                    in zip(axes[name], _split(kind)) if size == "?"]
            self._lines.append(f"%{name} = tensor.empty({', '.join(dims)}) : {kind}")
        return outs

    def _add_dim(self, array: str, axis: int) -> str:
        name = f"%{array}_{axis}_{len(self._lines)}"
        self._lines += [
            f"{name}_at = arith.constant {axis} : index",
            f"{name} = tensor.dim %{array}, {name}_at : {self._kinds[array]}"]
        return name

    def _add_last(self, lasts: Sequence[tuple[int, int]]) -> None:
        if not lasts:
            return
        names = []
        for number, axis in lasts:
            name = self._add_dim(f"c{number}", axis)
            names.append(f"{name}_last")
            self._lines += [
                f"{name}_i32 = arith.index_cast {name} : index to i32",
                f"{name}_one = arith.constant 1 : i32",
                f"{name}_last = arith.subi {name}_i32, {name}_one : i32"]
        self._kinds["last"] = f"tensor<{len(lasts)}xi32>"
        self._lines.append(f"%last = tensor.from_elements {', '.join(names)} : "
                           + self._kinds["last"])

    def _write_captures(self) -> str:
        names = [*self._kinds][3:]
        if not names:
            return ""
        return (f"captures({', '.join(f'%{x}' for x in names)} : "
                f"{', '.join(self._kinds[x] for x in names)})")

    def _write_region(self, score: Score) -> str:
        arrays = "".join(f", %{x}_in: {self._kinds[x]}"
                         for x in [*self._kinds][3:])
        if score.result == "%s" and not arrays:
            return ""
        body = "".join(f"      {line}\n" for line in score.lines)
        body = re.sub(r"!(c\d+|last)\b", lambda found: self._kinds[found[1]], body)
        return (f"score {{\n    ^bb0(%s: {score.real}, %b: i32, %h: i32, %i: i32, "
                f"%j: i32{arrays}):\n{body}      lattn.yield {score.result} : "
                f"{score.real}\n    }}")

    def _add_base_2(self, lse: str, kind: str, real: str) -> str:
        """Makes the logarithm to base 2 of the natural one, as torch returns it."""
        same = "affine_map<(b, h, i) -> (b, h, i)>"
        parallel = ", ".join(['"parallel"'] * 3)
        self._lines += [
            f"%log2e = arith.constant 1.44269504088896340736 : {real}",
            f"%base2 = linalg.generic {{indexing_maps = [{same}, {same}], "
            f"iterator_types = [{parallel}]}} ins({lse} : {kind}) "
            f"outs(%lse : {kind}) {{",
            f"^bb0(%x: {real}, %y: {real}):",
            f"  %z = arith.mulf %x, %log2e : {real}",
            f"  linalg.yield %z : {real}",
            f"}} -> {kind}"]
        return "%base2"


def _split(kind: str) -> list[str]:
    """The sizes of a type, and the type of its elements."""
    return kind.removeprefix("tensor<").removesuffix(">").split("x")


def _join(sizes: Sequence[str], element: str) -> str:
    return f"tensor<{'x'.join([*sizes, element])}>"
