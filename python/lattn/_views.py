"""Writes views of arrays with several open sizes as merged and split axes. If a view
merges two open sizes, torch-mlir takes one of them for 1."""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence

import torch
from torch import fx

_VIEWS = (torch.ops.aten.view.default, torch.ops.aten._unsafe_view.default,
          torch.ops.aten.reshape.default)


def _expression(size: Any) -> Any:
    return size.node.expr if isinstance(size, torch.SymInt) else size


def _is_open(shape: Sequence[Any]) -> bool:
    return sum(isinstance(size, torch.SymInt) for size in shape) > 1


def _groups(before: Sequence[Any], after: Sequence[Any]
            ) -> Optional[list[tuple[int, int]]]:
    """The smallest groups of neighbouring axes, before and after the view, that hold
    the same elements: how many axes each has."""
    groups, i, j = [], 0, 0
    while i < len(before) and j < len(after):
        for count in range(2, len(before) - i + len(after) - j + 1):
            found = next((
                (a, count - a) for a in range(1, count)
                if i + a <= len(before) and j + count - a <= len(after)
                and math.prod(before[i:i + a]) == math.prod(after[j:j + count - a])),
                None)
            if found:
                break
        else:
            return None
        groups.append(found)
        i, j = i + found[0], j + found[1]
    if i < len(before) or j < len(after):  # sizes 1
        if not groups:
            return None
        groups[-1] = (groups[-1][0] + len(before) - i,
                      groups[-1][1] + len(after) - j)
    return groups


def _rewrite(graph: fx.Graph, node: fx.Node) -> None:
    source, sizes = node.args
    before, after = source.meta["val"].shape, node.meta["val"].shape
    groups = _groups([*map(_expression, before)], [*map(_expression, after)])
    if groups is None:
        return
    value, axis, rest = source.meta["val"], 0, 0
    result = source

    def call(target: Any, *arguments: Any) -> None:
        nonlocal result, value
        plain = fx.map_arg(arguments, lambda n: n.meta["val"])
        value = target(value, *plain)
        result = graph.call_function(target, (result, *arguments))
        result.meta["val"] = value

    with graph.inserting_before(node):
        for merged, split in groups:
            if merged > 1:
                call(torch.ops.aten.flatten.using_ints, axis, axis + merged - 1)
            if split > 1:
                call(torch.ops.aten.unflatten.int, axis, list(sizes[rest:rest + split]))
            axis, rest = axis + split, rest + split
    node.replace_all_uses_with(result)
    graph.erase_node(node)


def rewrite_views(graph: fx.Graph) -> None:
    """Rewrites such views in the graph."""
    for target in _VIEWS:
        for node in graph.find_nodes(op="call_function", target=target):
            if _is_open(node.args[0].meta["val"].shape) or _is_open(
                    node.meta["val"].shape):
                _rewrite(graph, node)
