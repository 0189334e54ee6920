"""Builds MLIR text: functions, types, attributes, operations by text line."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ._symbols import Symbol


def accumulator(element: str) -> str:
    """The type of scores and log-sum-exps."""
    return "f64" if element == "f64" else "f32"


def memref(element: str, *sizes: Optional[int]) -> str:
    """The type of an array of any strides. None as a size is any."""
    shape = "".join("?x" if size is None else f"{size}x" for size in sizes)
    strides = ", ".join("?" for _ in sizes)
    return f"memref<{shape}{element}, strided<[{strides}], offset: ?>>"


def number(value: float, kind: str = "f64") -> str:
    """As MLIR reads it back exactly."""
    return f"{value:.17e} : {kind}"


def attributes(**values: Any) -> str:
    """By their Python types: integers are i64, floats f64, text stays as it is,
    None and False are left out."""
    def spell(name: str, value: Any) -> str:
        if value is True:
            return name
        if isinstance(value, str):
            return f"{name} = {value}"
        spelled = (number(value) if isinstance(value, float)
                   else f"{value} : i64")
        return f"{name} = {spelled}"
    return ", ".join(spell(name, value) for name, value in values.items()
                     if value is not None and value is not False)


def arguments(kinds: Mapping[str, str]) -> str:
    """A function's, {name: type}: callers know them by these names."""
    return ",\n    ".join(f'%{name}: {kind} {{lattn.name = "{name}"}}'
                          for name, kind in kinds.items())


def function(name: str, kinds: Mapping[str, str], *lines: str) -> str:
    """One that returns nothing."""
    body = "".join(f"  {line}\n" for line in lines)
    return (f"func.func @{name}(\n    {arguments(kinds)}) {{\n{body}"
            "  return\n}\n")


def _region(score: Optional[Symbol], captures: Mapping[str, str]) -> str:
    """That of an attention, which gives `score`; None is %s."""
    if score is None or score.name == "%s":
        return ""
    indices = ", ".join(f"%{x}: i32" for x in "bhij")
    arrays = "".join(f", %{name}_in: !{name}" for name in captures)
    lines = [f"  ^bb0(%s: {score.kind}, {indices}{arrays}):",
             *score.region.lines, f"lattn.yield {score.name} : {score.kind}"]
    return " score {\n" + "\n    ".join(lines) + "\n  }"


def attention(op: str, operands: Mapping[str, str], outputs: Mapping[str, str],
              options: str, *, dropout: bool = False,
              captures: Mapping[str, str] = {},
              score: Optional[Symbol] = None) -> str:
    """A function of one lattn.`op` on arrays, {name: type} in its syntax's
    order; with dropout it takes p and seed. `score` is made of %s, the indices
    %b, %h, %i, %j, and captures, which it knows as %name_in : !name."""
    kinds, parts, lines = dict(operands), [], []
    parts += [f"{name}(%{name} : {kind})" for name, kind in operands.items()]
    if dropout:
        kinds |= {"p": "f32", "seed": "i64"}
        lines.append("%zero = arith.constant 0 : i64")
        parts.append("dropout(%p, %seed, %zero : f32, i64, i64)")
    if captures:
        kinds |= {name: f"!{name}" for name in captures}
        parts.append(f"captures({', '.join(f'%{name}' for name in captures)} : "
                     f"{', '.join(f'!{name}' for name in captures)})")
    outs = ", ".join(f"%{name} : {kind}" for name, kind in outputs.items())
    parts.append(f"outs({outs}) {{{options}}}{_region(score, captures)}")
    lines.append(f"lattn.{op} " + "\n      ".join(parts))
    aliases = "".join(f"!{name} = {kind}\n" for name, kind in captures.items())
    return aliases + function(op, kinds | outputs, *lines)
