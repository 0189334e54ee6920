"""Functions of open sizes that torch-mlir does not import, in graphs of torch.compile,
as others that it imports."""

from __future__ import annotations

import functools
import operator
from typing import Any, Callable as Function, Sequence

import torch
from torch import fx
from torch.utils import _pytree

_aten, _prim = torch.ops.aten, torch.ops.prim


def _write_mod(call: Function[..., fx.Node], x: Any, y: Any) -> fx.Node:
    whole = call(_aten.floordiv.int, operator.floordiv, x, y)
    return call(_aten.sub.int, operator.sub, x,
                call(_aten.mul.int, operator.mul, whole, y))


def _write_sum(call: Function[..., fx.Node], sizes: Sequence[Any]) -> Any:
    return functools.reduce(
        lambda x, y: call(_aten.add.int, operator.add, x, y), sizes)


_FUNCTIONS: dict[Any, Function[..., Any]] = {
    operator.mod: _write_mod,
    torch.sym_sum: _write_sum,
    torch.sym_max: lambda call, *sizes: call(_prim.max.int, torch.sym_max, *sizes),
    torch.sym_min: lambda call, *sizes: call(_prim.min.int, torch.sym_min, *sizes),
}


def _get_value(node: Any) -> Any:
    return node.meta.get("val") if isinstance(node, fx.Node) else node


def is_rewritten(node: fx.Node) -> bool:
    """Whether `rewrite` replaces the node: a function of integers alone."""
    return node.target in _FUNCTIONS and all(
        isinstance(_get_value(x), (int, torch.SymInt))
        for x in _pytree.tree_leaves(node.args))


def rewrite(graph: fx.Graph) -> None:
    """Replaces functions of sizes by those that torch-mlir imports."""
    def call(target: Any, function: Function[..., Any], *arguments: Any) -> fx.Node:
        node = graph.call_function(target, arguments)
        node.meta["val"] = function(*map(_get_value, arguments))
        return node

    for node in [node for node in graph.nodes if is_rewritten(node)]:
        with graph.inserting_before(node):
            result = _FUNCTIONS[node.target](call, *node.args)
        node.replace_all_uses_with(result)
        graph.erase_node(node)
