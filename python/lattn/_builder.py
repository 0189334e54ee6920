"""Builds MLIR text: functions, types, attributes, and operations line by line."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional, Union

from . import _sequences
from ._symbols import Symbol

# Of an attention's operands, as its syntax has them.
_ORDER = ("query", "key", "value", "bias", "key_mask", "kv_lens", "offset", "sink")


def accumulator(element: str) -> str:
    """The type of scores and log-sum-exps."""
    return "f64" if element == "f64" else "f32"


class Array(NamedTuple):
    """The type of an array. A size of None is open."""

    element: str
    sizes: tuple[Optional[int], ...]

    @property
    def tensor(self) -> str:
        return f"tensor<{self._shape}>"

    @property
    def memref(self) -> str:
        """The type of an argument, with any strides."""
        strides = ", ".join("?" for _ in self.sizes)
        return f"memref<{self._shape}, strided<[{strides}], offset: ?>>"

    @property
    def _shape(self) -> str:
        return "".join("?x" if size is None else f"{size}x"
                       for size in self.sizes) + self.element


def array(element: str, *sizes: Optional[int]) -> Array:
    return Array(element, sizes)


def number(value: float, kind: str = "f64") -> str:
    """The number as text that MLIR reads back exactly."""
    return f"{value:.17e} : {kind}"


def attributes(**values: Any) -> str:
    """Attributes by their Python types: integers become i64, floats f64, and text stays
    as it is. None and False are left out."""
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
    """The arguments of a function, {name: type}. Callers know them by these names."""
    return ",\n    ".join(f'%{name}: {kind} {{lattn.name = "{name}"}}'
                          for name, kind in kinds.items())


def function(name: str, kinds: Mapping[str, str], *lines: str,
             is_private: bool = False, least_queries: int = 0) -> str:
    """A function that returns nothing. Its attention is compiled for calls of at least
    so many queries."""
    body = "".join(f"  {line}\n" for line in lines)
    schedule = f"#lattn.schedule<least_queries = {least_queries}>"
    behind = f" attributes {{lattn.schedule = {schedule}}}" * bool(least_queries)
    return (f"func.func {'private ' * is_private}@{name}(\n    {arguments(kinds)})"
            f"{behind} {{\n{body}  return\n}}\n")


def _region(score: Optional[Symbol], captures: Mapping[str, Array]) -> str:
    """The region of an attention, which yields `score`; None means %s."""
    if score is None or score.name == "%s" and not captures:
        return ""
    indices = ", ".join(f"%{x}: i32" for x in "bhij")
    arrays = "".join(f", %{name}_in: !{name}" for name in captures)
    lines = [f"  ^bb0(%s: {score.kind}, {indices}{arrays}):",
             *score.region.lines, f"lattn.yield {score.name} : {score.kind}"]
    return " score {\n" + "\n    ".join(lines) + "\n  }"


def _outs(places: Mapping[str, tuple[str, str]], together: int) -> str:
    """Places {name: (value, type)}. The types of the first group stand after their
    values."""
    values = [value for value, _ in places.values()]
    types = [kind for _, kind in places.values()]
    first = f"{', '.join(values[:together])} : {', '.join(types[:together])}"
    return ", ".join([first, *(f"{value} : {kind}" for value, kind in zip(
        values[together:], types[together:]))])


def _gathered(pool: Array, layout: str) -> Array:
    """What lattn.gather_pages makes of a pool: any number of keys."""
    _, *axes, size = pool.sizes
    axes[0 if "bnhd" in layout else 1] = None
    return array(pool.element, None, *axes, size)


def attention(op: str, operands: Mapping[str, Union[Array, str]],
              outputs: Mapping[str, Array], options: str, *,
              dropout: bool = False, is_batch: bool = False,
              captures: Mapping[str, Array] = {},
              given: Mapping[str, Array] = {},
              given_groups: Mapping[str, Mapping[str, Array]] = {},
              behind: Mapping[str, Mapping[str, Array]] = {},
              score: Optional[Symbol] = None, layout: str = "",
              least_queries: int = 0) -> str:
    """A function of one lattn.`op` that writes its outputs to arrays. The operands,
    {name: type}, are in the order of the op's syntax. With dropout, the function
    takes p and seed. With `is_batch`, it takes the number of the batch that its rows
    are. `score` uses %s, the indices %b, %h, %i, %j, and captures by
    the names %name_in : !name. `given` are the operands of derivatives, which stand
    after the captures, and `given_groups` are groups of several operands after them.
    `behind` are groups of outputs that stand after the others. With an operand
    `pages`, key and value are pools of pages in `layout`. With `cu_seqlens_q` and
    `max_seqlen_q`, or `_k`, what has rows of queries or keys is packed."""
    written = dict(outputs)
    for group in behind.values():
        written |= group
    every_given = dict(given)
    for group in given_groups.values():
        every_given |= group
    every = {**operands, **captures, **every_given, **written}
    arrays = {name: kind for name, kind in every.items()
              if isinstance(kind, Array)}
    lines = [f"%{name}_0 = bufferization.to_tensor %{name} restrict "
             f"{'writable ' * (name in written)}: {kind.memref} to "
             f"{kind.tensor}" for name, kind in arrays.items()]
    kinds: dict[str, str] = {
        name: kind.memref if isinstance(kind, Array) else kind
        for name, kind in operands.items()}
    read = {name: (f"%{name}_0" if isinstance(kind, Array) else f"%{name}",
                   kind.tensor if isinstance(kind, Array) else kind)
            for name, kind in operands.items()}
    if "pages" in read:
        table, table_type = read.pop("pages")
        for name in ("key", "value"):
            pool, kind = read[name][0], operands[name]
            read[name] = (f"%{name}_pages", _gathered(kind, layout).tensor)
            lines.append(
                f"%{name}_pages = lattn.gather_pages ins({pool}, {table} : "
                f"{kind.tensor}, {table_type}) {{layout = {layout}}} -> "
                f"{read[name][1]}")
    packing = _sequences.Packing(read, layout)
    for name, (value, kind) in read.items():
        read[name] = packing.read(name, value, kind), kind
    read = packing.complete(read, _ORDER)
    given_0 = {name: (packing.read(name, f"%{name}_0", kind.tensor), kind.tensor)
               for name, kind in every_given.items()}
    places = {name: (packing.place(name, f"%{name}_0", kind), kind.tensor)
              for name, kind in written.items()}
    lines += packing.lines
    parts = [f"{name}({value} : {kind})"
             for name, (value, kind) in read.items()]
    if dropout:
        kinds |= {"p": "f32", "seed": "i64"}
        lines.append("%zero = arith.constant 0 : i64")
        parts.append("dropout(%p, %seed, %zero : f32, i64, i64)")
    if is_batch:
        kinds["batch"] = "i64"
        lines += ["%number = arith.index_cast %batch : i64 to index",
                  "%first = arith.constant 0 : index"]
        parts.append("origin(%number, %first, %first, %first)")
    if captures:
        names = ", ".join(f"%{name}_0" for name in captures)
        types = ", ".join(f"!{name}" for name in captures)
        parts.append(f"captures({names} : {types})")
    parts += [f"{name}({given_0[name][0]} : {given_0[name][1]})" for name in given]
    parts += [f"{name}({_outs({x: given_0[x] for x in group}, len(group))})"
              for name, group in given_groups.items()]
    together = {"attention": 1, "attention_grad": 3}.get(op, len(outputs))
    parts.append(f"outs({_outs({x: places[x] for x in outputs}, together)})")
    parts += [f"{name}({_outs({x: places[x] for x in group}, len(group))})"
              for name, group in behind.items()]
    parts.append(f"{{{options}}}{_region(score, captures)}")
    results = ", ".join(f"%{name}_1" for name in written)
    lines.append(f"{results} = lattn.{op} " + "\n      ".join(parts))
    kinds |= {name: kind.memref
              for name, kind in {**captures, **every_given, **written}.items()}
    for name, kind in written.items():
        more, result = packing.write(name, f"%{name}_0", f"%{name}_1", kind.tensor)
        lines += [*more, f"bufferization.materialize_in_destination {result} in "
                  f"restrict writable %{name} : ({kind.tensor}, {kind.memref}) -> ()"]
    aliases = "".join(f"!{name} = {kind.tensor}\n"
                      for name, kind in captures.items())
    return aliases + function(op, kinds, *lines, least_queries=least_queries)
