"""Calls of torch's flex_attention in graphs of torch.compile. Their score and mask
functions become the score region of lattn.attention, and lattn-raise proves which
masks are windows. As in torch's eager mode, the mask's function is read and the
tables of blocks of a BlockMask are not."""

from __future__ import annotations

import operator
from typing import Any, Callable as Function, NamedTuple, Optional, Sequence

import torch
from torch import fx
from torch.fx.experimental.symbolic_shapes import statically_known_true

from . import math
from ._flex_functions import Buffers, Refused, Tracer
from ._flex_text import Score, Writer
from ._symbols import Region

_HOP = torch.ops.higher_order.flex_attention
_TYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
_aten = torch.ops.aten

#===------------------------------------------------------------------------===
# One call
#===------------------------------------------------------------------------===


class Arguments(NamedTuple):
    """Nodes of a graph. With `is_bnhd`, they are the arrays with positions before
    heads."""

    query: fx.Node
    key: fx.Node
    value: fx.Node
    of_score: Sequence[fx.Node]  # tensors that the functions read
    of_mask: Sequence[fx.Node]
    is_bnhd: bool


class Flex:
    """What a call computes. A Flex is the target of a node whose arguments are query,
    key, value and the tensors that its functions read. The results are the output
    and the logarithm to base 2 of the sum of exponentials."""

    __name__ = "flex_attention"  # as FX writes it
    __module__ = "lattn._flex"

    def __init__(self, module: fx.GraphModule, node: fx.Node, given: Arguments
                 ) -> None:
        self._functions = (_get_function(module, node.args[3]),
                           _get_function(module, node.args[4][-1]))
        self._scale, self._options = node.args[5:7]
        self.is_bnhd = given.is_bnhd
        buffers = [*dict.fromkeys((*given.of_score, *given.of_mask))]
        self.arguments = (*given[:3], *buffers)
        self._places = [[buffers.index(x) for x in nodes]
                        for nodes in (given.of_score, given.of_mask)]
        self.refused = ""  # why it stays with torch
        # A compiled function for this call alone, where nothing is around it.
        self.compiled: Optional[Function[..., Sequence[torch.Tensor]]] = None
        try:
            _check(node)
            self._score = self._trace(node, buffers)
        except (Refused, TypeError, ValueError) as reason:
            self.refused = str(reason)

    def _trace(self, node: fx.Node, buffers: Sequence[fx.Node]) -> Score:
        query, key = (x.meta["val"] for x in node.args[:2])
        real = "f64" if query.dtype == torch.float64 else "f32"
        region = Region(real)
        read = Buffers(region, (*query.shape[:3], key.shape[2]),
                       [x.meta["val"] for x in buffers])
        tracer, (score, *at) = Tracer(region), region.arguments()
        of_score, of_mask = ([read.get(i) for i in places]
                             for places in self._places)
        region.what = "score_mod"
        found = tracer.run(self._functions[0], [score, *at, *of_score])
        found = region.convert(found, real)
        region.what = "mask_mod"
        visible = tracer.run(self._functions[1], [*at, *of_mask])
        if visible is not True:
            found = math.where(visible, found, float("-inf"))
        return Score(real, region.lines, found.name, read.lasts)

    def __call__(self, *arguments: torch.Tensor) -> Sequence[torch.Tensor]:
        if self.compiled:
            return self.compiled(*arguments)
        arrays, buffers = arguments[:3], arguments[3:]
        if self.is_bnhd:
            arrays = [x.transpose(1, 2) for x in arrays]
        score, mask = self._functions
        output, lse, *_ = _HOP(
            *arrays, score, (mask,), self._scale, self._options,
            *(tuple(buffers[i] for i in places) for places in self._places))
        return output.transpose(1, 2) if self.is_bnhd else output, lse

    def write(self, name: str, operands: Sequence[str],
              results: dict[int, str]) -> str:
        """The text of an MLIR function with these types. `results` are the numbers of
        the results."""
        return Writer(operands, results, self.is_bnhd).write(
            name, self._scale, self._score)


def _get_function(module: fx.GraphModule, node: Any) -> fx.GraphModule:
    function = getattr(module, getattr(node, "target", ""), None)
    if not isinstance(function, fx.GraphModule):
        raise Refused("a score or mask function that is no graph")
    return function


def _check(node: fx.Node) -> None:
    query, key, value = (x.meta["val"] for x in node.args[:3])
    for x in (query, key, value):
        if x.dtype not in _TYPES or x.dtype != query.dtype:
            raise Refused(f"query, key and value of {query.dtype}, {key.dtype} and "
                          f"{value.dtype}")
        if not isinstance(x.shape[3], int):
            raise Refused("a head size that is open")

#===------------------------------------------------------------------------===
# Calls in a graph
#===------------------------------------------------------------------------===


def _call(graph: fx.Graph, target: Any, *arguments: Any, **options: Any) -> fx.Node:
    plain = fx.map_arg(arguments, lambda node: node.meta["val"])
    node = graph.call_function(target, arguments, options)
    node.meta["val"] = target(*plain, **options)
    return node


def _get_untransposed(node: fx.Node) -> Any:
    """The array of which this one is a transpose of heads and positions."""
    if (node.target is _aten.permute.default and [*node.args[1]] == [0, 2, 1, 3]
            or node.target is _aten.transpose.int
            and {*node.args[1:]} in ({1, 2}, {-3, -2})):
        return node.args[0]
    return None


def _share(graph: fx.Graph, array: fx.Node, query: fx.Node) -> fx.Node:
    """Expands an array with one batch to all batches of the query."""
    sizes = array.meta["val"].shape, query.meta["val"].shape
    if statically_known_true(sizes[0][0] == sizes[1][0]):
        return array
    if not statically_known_true(sizes[0][0] == 1):
        raise Refused("batches of keys and queries that may differ: "
                      f"{sizes[0][0]} and {sizes[1][0]}")
    batch = sizes[1][0]
    if not isinstance(batch, int):
        batch = _call(graph, _aten.sym_size.int, query, 0)
    return _call(graph, _aten.expand.default, array, [batch, -1, -1, -1])


def _lift(graph: fx.Graph, value: Any) -> fx.Node:
    """Turns a number that a function reads into a tensor without axes."""
    if isinstance(value, fx.Node) and isinstance(value.meta["val"], torch.Tensor):
        return value
    if isinstance(value, (fx.Node, int)):
        return _call(graph, _aten.full.default, [], value, dtype=torch.int64)
    raise Refused(f"a captured {type(value).__name__}")


def _prepare(graph: fx.Graph, node: fx.Node) -> Arguments:
    for user in node.users:
        if user.target is not operator.getitem or user.args[1] > 1:
            raise Refused("the maxima of scores (AuxRequest.max_scores)")
    query = node.args[0]
    arrays = [query, *(_share(graph, x, query) for x in node.args[1:3])]
    sources = [_get_untransposed(x) for x in arrays]
    is_bnhd = all(sources)
    others = [[_lift(graph, x) for x in nodes] for nodes in node.args[7:]]
    others += [[]] * (2 - len(others))
    return Arguments(*(sources if is_bnhd else arrays), *others, is_bnhd)


def _replace(graph: fx.Graph, node: fx.Node, flex: Flex) -> None:
    output, lse, *_ = node.meta["val"]
    call = graph.call_function(flex, flex.arguments)
    call.meta["val"] = (output.transpose(1, 2) if flex.is_bnhd else output, lse)
    results = {i: graph.call_function(operator.getitem, (call, i)) for i in (0, 1)}
    for i, result in results.items():
        result.meta["val"] = call.meta["val"][i]
    if flex.is_bnhd:
        results[0] = _call(graph, _aten.permute.default, results[0], [0, 2, 1, 3])
    for user in [*node.users]:
        user.replace_all_uses_with(results[user.args[1]])
        graph.erase_node(user)
    graph.erase_node(node)


def take(module: fx.GraphModule) -> None:
    """Replaces the calls by nodes with a Flex as target."""
    graph = module.graph
    for node in graph.find_nodes(op="call_function", target=_HOP):
        try:
            with graph.inserting_before(node):
                given = _prepare(graph, node)
                _replace(graph, node, Flex(module, node, given))
        except Refused as reason:
            node.meta["refused"] = str(reason)
    graph.eliminate_dead_code()
    module.recompile()


def is_call(node: fx.Node) -> bool:
    """Whether `take` made the node."""
    return isinstance(node.target, Flex)


def get_refusal(node: fx.Node) -> str:
    """Why torch keeps a node; None if it does not."""
    if is_call(node):
        return node.target.refused
    return node.meta.get("refused", "")


def find_alone(graph: fx.Graph) -> list[fx.Node]:
    """Calls that must be compiled although no part of the graph around them is."""
    return [node for node in graph.nodes
            if is_call(node) and not node.target.refused]


class Call(NamedTuple):
    """A Flex that was cut out of a graph."""

    flex: Flex
    count: int  # of its arguments
    used: Sequence[int]  # which of its results are there


def cut(graph: fx.Graph) -> list[Call]:
    """Cuts the calls out of the graph, whose placeholders stand before all calls. In
    the order of the calls, their results become its last arguments, and their
    arguments become its last results."""
    calls, operands = [], []
    nodes = [node for node in graph.nodes if is_call(node)]
    last = graph.find_nodes(op="placeholder")[-1] if nodes else None
    for node in nodes:
        used = sorted({user.args[1] for user in node.users})
        for i in used:
            with graph.inserting_after(last):
                last = graph.placeholder(f"{node.name}_{i}")
            last.meta["val"] = node.meta["val"][i]
            for user in [user for user in node.users if user.args[1] == i]:
                user.replace_all_uses_with(last)
                graph.erase_node(user)
        if used:
            calls.append(Call(node.target, len(node.args), used))
            operands += node.args
        graph.erase_node(node)
    output = graph.output_node()
    output.args = ((*output.args[0], *operands),)
    return calls
