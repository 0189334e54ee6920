"""Writes views of arrays with open sizes as merged and split axes. torch-mlir finds
these itself where sizes are known. Of open sizes it guesses, or crashes."""

from __future__ import annotations

import math
import operator
from typing import Any, Sequence

import torch
from torch import fx

_VIEWS = (torch.ops.aten.view.default, torch.ops.aten._unsafe_view.default,
          torch.ops.aten.reshape.default)


def _expression(size: Any) -> Any:
    return size.node.expr if isinstance(size, torch.SymInt) else size


def _is_open(shape: Sequence[Any]) -> bool:
    return any(isinstance(size, torch.SymInt) for size in shape)


def _groups(before: Sequence[Any], after: Sequence[Any]) -> list[tuple[int, int]]:
    """Groups of neighbouring axes, before and after the view, that hold the same
    elements: how many axes each has. They are the smallest of which this is known; the
    last one takes the rest."""
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
            found = len(before) - i, len(after) - j
        groups.append(found)
        i, j = i + found[0], j + found[1]
    if i < len(before) or j < len(after):  # sizes 1
        groups[-1] = (groups[-1][0] + len(before) - i,
                      groups[-1][1] + len(after) - j)
    return groups


def _add(graph: fx.Graph, target: Any, *arguments: Any) -> fx.Node:
    """Adds a call with the value that it has."""
    node = graph.call_function(target, arguments)
    node.meta["val"] = target(*fx.map_arg(arguments, lambda n: n.meta["val"]))
    return node


def _read_rest(graph: fx.Graph, array: fx.Node, axis: int, parts: Sequence[Any]
               ) -> fx.Node:
    """The size that -1 stands for among `parts`, into which an axis is split."""
    rest = _add(graph, torch.ops.aten.sym_size.int, array, axis)
    for part in parts:
        if isinstance(part, fx.Node) or part > 1:
            rest = _add(graph, operator.floordiv, rest, part)
    return rest


def _rewrite(graph: fx.Graph, node: fx.Node) -> None:
    source, sizes = node.args
    before, after = source.meta["val"].shape, node.meta["val"].shape
    groups = _groups([*map(_expression, before)], [*map(_expression, after)])
    axis, rest, result = 0, 0, source
    with graph.inserting_before(node):
        for merged, split in groups:
            if merged > 1:
                result = _add(graph, torch.ops.aten.flatten.using_ints, result, axis,
                              axis + merged - 1)
            if split > 1:
                parts = [size if isinstance(size, int) else sizes[rest + i]
                         for i, size in enumerate(after[rest:rest + split])]
                if -1 in parts:
                    parts[parts.index(-1)] = _read_rest(graph, result, axis, parts)
                result = _add(graph, torch.ops.aten.unflatten.int, result, axis, parts)
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
