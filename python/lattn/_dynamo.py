"""torch.compile(model, backend="lattn"). torch hands over graphs, torch-mlir converts
them to linalg operations, and lattn raises their attention and compiles them. torch
keeps the parts that cannot be converted, and a warning says which.

torch finds the backend by the entry point of pyproject.toml. Importing this module
imports torch."""

from __future__ import annotations

import functools
import operator
import warnings
from typing import Any, Callable as Function, Optional, Sequence

import torch
from torch import fx
from torch._dynamo.backends.common import aot_autograd
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

from . import _flex, _lattn
from ._compile import compile as compile_text

_said: set[str] = set()


def _remark(text: str) -> None:
    """Warns once in a process."""
    if text not in _said:
        _said.add(text)
        warnings.warn(f'torch.compile(backend="lattn"): {text}', stacklevel=2)


# ---- One graph that is taken whole -------------------------------------------


def _raise_attention(text: str) -> str:
    """Runs lattn-raise. Operations that are no attention stay. The pass reports why in
    remarks, which are not shown, because they would become warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _lattn.run_passes(text.encode(), "<graph>",
                                 "builtin.module(inline, lattn-raise)")


def _find_sizes(placeholders: Sequence[fx.Node]) -> dict[Any, tuple[int, int]]:
    """Which argument has an open size, at which axis, by the size's expression."""
    places: dict[Any, tuple[int, int]] = {}
    for i, node in enumerate(placeholders):
        if isinstance(value := node.meta.get("val"), torch.Tensor):
            for axis, size in enumerate(value.shape):
                if isinstance(size, torch.SymInt):
                    places.setdefault(size.node.expr, (i, axis))
    return places


def _read_sizes(graph: fx.Graph) -> None:
    """Reads sizes that are arguments of their own from the tensors, so that each size
    has one name."""
    placeholders = graph.find_nodes(op="placeholder")
    places = _find_sizes(placeholders)
    for node in placeholders:
        value = node.meta.get("val")
        if not isinstance(value, torch.SymInt) or value.node.expr not in places:
            continue
        i, axis = places[value.node.expr]
        with graph.inserting_after(placeholders[-1]):
            size = graph.call_function(torch.ops.aten.sym_size.int,
                                       (placeholders[i], axis))
        size.meta["val"] = value
        node.replace_all_uses_with(size)


def _compute_size(size: torch.SymInt, placeholders: Sequence[fx.Node]
                  ) -> Function[[Sequence[Any]], int]:
    """How a size follows from the arguments."""
    expression = size.node.expr
    of_tensors = _find_sizes(placeholders)
    numbers = {node.meta["val"].node.expr: i for i, node in enumerate(placeholders)
               if isinstance(node.meta.get("val"), torch.SymInt)}
    for symbol in expression.free_symbols:
        if symbol not in of_tensors and symbol not in numbers:
            raise TypeError(f"a size, {expression}, which depends on values")

    def compute(arguments: Sequence[Any]) -> int:
        values = {}
        for symbol in expression.free_symbols:
            if symbol in numbers:
                values[symbol] = arguments[numbers[symbol]]
            else:
                i, axis = of_tensors[symbol]
                values[symbol] = arguments[i].shape[axis]
        return int(expression.subs(values))

    return compute


def _is_tensor(node: Any) -> bool:
    return (isinstance(node, fx.Node)
            and isinstance(node.meta.get("val"), torch.Tensor))


def _outputs(graph: fx.Graph) -> Sequence[Any]:
    results = graph.output_node().args[0]
    return results if isinstance(results, (tuple, list)) else (results,)


def _computes_bytes(node: fx.Node) -> bool:
    """Whether the graph computes with uint8, which torch-mlir takes for int8."""
    def is_bytes(x: Any) -> bool:
        return _is_tensor(x) and x.meta["val"].dtype == torch.uint8
    return (isinstance(node.target, torch._ops.OpOverload)
            and (is_bytes(node) or any(map(is_bytes, node.all_input_nodes))))


def _check_types(graph: fx.Graph) -> None:
    """Checks the types of arrays between torch and compiled code, and of the values in
    the graph."""
    if any(map(_computes_bytes, graph.nodes)):
        raise TypeError("arithmetic of uint8")
    known = {torch.float32, torch.float64, torch.float16, torch.bfloat16,
             torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8,
             torch.bool}
    for node in [*graph.find_nodes(op="placeholder"), *_outputs(graph)]:
        value = node.meta.get("val") if isinstance(node, fx.Node) else None
        if isinstance(value, torch.Tensor):
            if value.dtype not in known:
                raise TypeError(f"an array of {value.dtype}")
            if value.layout != torch.strided:
                raise TypeError(f"an array with layout {value.layout}")


def _lend(x: Any) -> Any:
    """An argument in the form that compiled code takes, whose integers have no signs.
    """
    if not isinstance(x, torch.Tensor):
        return x
    x = x.detach() if x.requires_grad else x
    return x.view(torch.int8) if x.dtype == torch.uint8 else x


def _receive(x: Any, dtype: torch.dtype) -> torch.Tensor:
    """A result as a tensor. It is NumPy's if no argument is a tensor."""
    if isinstance(x, torch.Tensor):
        return x.view(dtype) if dtype == torch.uint8 else x
    if dtype == torch.bfloat16:
        x = x.view("int16")
    return torch.from_numpy(x).view(dtype)


def _compile_graph(module: fx.GraphModule) -> Function[..., list[Any]]:
    """Compiles a graph. Raises ConversionError, TypeError or RuntimeError if that
    fails."""
    from . import _torch_mlir
    for node in module.graph.nodes:
        if reason := _flex.get_refusal(node):
            raise TypeError(f"flex_attention: {reason}")
    _check_types(module.graph)
    placeholders = module.graph.find_nodes(op="placeholder")
    outputs = _outputs(module.graph)
    computed = [i for i, node in enumerate(outputs)
                if _is_tensor(node) and node.op != "placeholder"]
    if not computed:
        raise TypeError("a graph that computes no tensor")
    copied = {i: placeholders.index(node) for i, node in enumerate(outputs)
              if node in placeholders}
    sizes = {}
    for i, node in enumerate(outputs):
        value = node.meta.get("val") if isinstance(node, fx.Node) else node
        if isinstance(value, torch.SymInt):
            sizes[i] = _compute_size(value, placeholders)
        elif i not in computed and i not in copied and node is not None:
            raise TypeError("a result that is neither a tensor, a size nor an argument")
    graph = fx.Graph()
    # A part's placeholders may stand between its calls.
    values = {node: graph.node_copy(node) for node in placeholders}
    graph.graph_copy(module.graph, values)
    results = graph.output(tuple(values[outputs[i]] for i in computed))
    results.meta = dict(module.graph.output_node().meta)
    _read_sizes(graph)
    calls = _flex.cut(graph)
    text = _torch_mlir.convert(fx.GraphModule(module, graph), calls)
    function = compile_text(_raise_attention(text))
    count = len(outputs)
    dtypes = {i: outputs[i].meta["val"].dtype for i in computed}

    def call(*arguments: Any) -> list[Any]:
        found = function(*map(_lend, arguments))
        if not isinstance(found, tuple):
            found = (found,)
        results: list[Any] = [None] * count
        for i, result in zip(computed, found):
            results[i] = _receive(result, dtypes[i])
        for i, argument in copied.items():
            results[i] = arguments[argument]
        for i, compute in sizes.items():
            results[i] = compute(arguments)
        return results

    return call


# ---- Graphs of which torch keeps a part --------------------------------------


def _single(node: fx.Node) -> fx.GraphModule:
    """A graph of this call alone. The values that the call reads become arguments."""
    graph = fx.Graph()
    arguments: dict[fx.Node, fx.Node] = {}
    for argument in node.all_input_nodes:
        arguments[argument] = graph.placeholder(argument.name)
        arguments[argument].meta = dict(argument.meta)
    call = graph.node_copy(node, arguments.__getitem__)
    results = call
    if isinstance(node.meta.get("val"), (tuple, list)):
        results = []
        for i, value in enumerate(node.meta["val"]):
            item = graph.call_function(operator.getitem, (call, i))
            item.meta = {"val": value}
            results.append(item)
    graph.output(tuple(results) if isinstance(results, list) else (results,))
    return fx.GraphModule({}, graph)


def _is_random(node: fx.Node) -> bool:
    return (isinstance(node.target, torch._ops.OpOverload)
            and torch.Tag.nondeterministic_seeded in node.target.tags)


def _reads(node: fx.Node) -> tuple:
    """The properties that decide whether an operator is converted."""
    def describe(value: Any) -> str:
        if isinstance(value, fx.Node):
            value = value.meta.get("val")
            if isinstance(value, torch.Tensor):
                return f"{value.dtype}{len(value.shape)}"
            return type(value).__name__
        return repr(value)
    return node.target, str(fx.map_arg(
        (node.args, dict(node.kwargs)), lambda n: describe(n)))


class _Support(OperatorSupportBase):
    """Says which nodes torch-mlir converts. It tries each kind once."""

    def __init__(self) -> None:
        self._tried: dict[tuple, bool] = {}
        self.reasons: dict[str, str] = {}

    def _try(self, node: fx.Node) -> bool:
        from . import _torch_mlir
        if _is_random(node):
            self.reasons[str(node.target)] = "random numbers"
            return False
        if reason := _flex.get_refusal(node):
            self.reasons["flex_attention"] = reason
            return False
        if isinstance(node.target, torch._ops.HigherOrderOperator):
            self.reasons[node.target.name()] = "an operator that takes functions"
            return False
        if not isinstance(node.target, torch._ops.OpOverload):
            return True  # arithmetic of sizes, and what _flex takes
        if _computes_bytes(node):
            self.reasons[str(node.target)] = "arithmetic of uint8"
            return False
        try:
            _torch_mlir.convert(_single(node))
        except _torch_mlir.ConversionError as error:
            self.reasons[str(node.target)] = str(error)
            return False
        return True

    def is_node_supported(self, submodules: Any, node: fx.Node) -> bool:
        if node.op != "call_function":
            return False
        if node.target is operator.getitem:
            return self.is_node_supported(submodules, node.args[0])
        key = _reads(node)
        if key not in self._tried:
            self._tried[key] = self._try(node)
        return self._tried[key]


def _compile_parts(module: fx.GraphModule, reason: Exception) -> Function[..., Any]:
    """Compiles the parts of a graph between the nodes that cannot be converted."""
    support = _Support()
    partitioner = CapabilityBasedPartitioner(module, support,
                                             allows_single_node_partition=False)
    fused = partitioner.partition_and_fuse()
    if not support.reasons:
        _remark(f"torch computes a graph of {len(module.graph.nodes)} nodes: {reason}")
        return module.forward
    for name, why in support.reasons.items():
        _remark(f"torch computes {name}: {why}")
    for name, part in fused.named_children():
        if isinstance(part, fx.GraphModule) and name.startswith("fused_"):
            try:
                call = _compile_graph(part)
            except Exception as error:
                _remark(f"torch computes a part of a graph: {error}")
                continue
            single = not isinstance(part.graph.output_node().args[0], (tuple, list))
            part.forward = ((lambda *args, call=call: call(*args)[0])
                            if single else call)
    for node in _flex.find_alone(fused.graph):
        try:
            node.target.compiled = _compile_graph(_single(node))
        except Exception as error:
            _remark(f"torch computes flex_attention: {error}")
    return fused.forward


def _is_random_graph(graph: fx.Graph) -> bool:
    return any(_is_random(node) for node in graph.nodes)


def _compile(module: fx.GraphModule, inputs: Sequence[Any]) -> Function[..., Any]:
    """The compiler for aot_autograd. It gets a functional graph of ATen's operators,
    for inference."""
    from . import _torch_mlir
    _flex.take(module)
    try:
        if _is_random_graph(module.graph):
            raise TypeError("random numbers")
        return _compile_graph(module)
    except (_torch_mlir.ConversionError, TypeError, RuntimeError) as error:
        return _compile_parts(module, error)


@functools.cache
def _get_inference() -> Function[..., Any]:
    from . import _torch_mlir
    return aot_autograd(fw_compiler=_compile,
                        decompositions=_torch_mlir.get_decompositions())


def backend(module: fx.GraphModule, inputs: Sequence[Any],
            options: Optional[dict[str, Any]] = None) -> Function[..., Any]:
    """The function that torch.compile calls for each graph."""
    if options:
        raise TypeError('torch.compile(backend="lattn"): expected no options, got '
                        + ", ".join(options))
    if torch.is_grad_enabled() and any(
            isinstance(x, torch.Tensor) and x.requires_grad for x in inputs):
        _get_inference()  # the error where torch-mlir is missing
        _remark("torch computes a graph whose gradients are needed; for inference "
                "call it under torch.no_grad()")
        return module.forward
    return _get_inference()(module, inputs)
