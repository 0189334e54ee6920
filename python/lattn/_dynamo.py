"""torch.compile(model, backend="lattn"). torch hands over graphs, torch-mlir converts
them to linalg operations, and lattn raises their attention and compiles them. torch
keeps the parts that cannot be converted, and a warning says which.

torch finds the backend by the entry point of pyproject.toml. Importing this module
imports torch."""

from __future__ import annotations

import functools
import math
import operator
import warnings
from typing import Any, Callable as Function, Optional, Sequence

import torch
from torch import fx
from torch._dynamo.backends.common import aot_autograd
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase
from torch.utils._sympy.printers import PythonPrinter

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


def _compute_size(node: fx.Node, placeholders: Sequence[fx.Node]
                  ) -> Function[[Sequence[Any]], int]:
    """How a size follows from the arguments."""
    size = node.meta.get("val")
    if not isinstance(size, torch.SymInt):
        raise TypeError("a result that is neither a tensor, a size nor an argument")
    expression = size.node.expr
    of_tensors = _find_sizes(placeholders)
    numbers = {node.meta["val"].node.expr: i for i, node in enumerate(placeholders)
               if isinstance(node.meta.get("val"), torch.SymInt)}
    values = []
    for symbol in expression.free_symbols:
        if symbol in numbers:
            values.append(f"{symbol}=arguments[{numbers[symbol]}]")
        elif symbol in of_tensors:
            values.append("{}=arguments[{}].shape[{}]".format(
                symbol, *of_tensors[symbol]))
        else:
            raise TypeError(f"a size, {expression}, which depends on values")
    code = f"lambda {','.join(map(str, expression.free_symbols))}: " + (
        PythonPrinter().doprint(expression))
    return eval(f"lambda arguments: ({code})({','.join(values)})", {"math": math})


def _is_tensor(node: Any) -> bool:
    return (isinstance(node, fx.Node)
            and isinstance(node.meta.get("val"), torch.Tensor))


def _outputs(graph: fx.Graph) -> Sequence[Any]:
    results = graph.output_node().args[0]
    return results if isinstance(results, (tuple, list)) else (results,)


def _is_random(node: fx.Node) -> bool:
    return (isinstance(node.target, torch._ops.OpOverload)
            and torch.Tag.nondeterministic_seeded in node.target.tags)


def _is_empty(value: torch.Tensor) -> bool:
    return any(isinstance(size, int) and size == 0 for size in value.shape)


def _describe(node: fx.Node) -> str:
    if _flex.get_refusal(node):
        return "flex_attention"
    if isinstance(node.target, torch._ops.HigherOrderOperator):
        return node.target.name()
    return str(node.target)


def _get_refusal(node: fx.Node) -> Optional[str]:
    """Why torch-mlir must not see a call."""
    if reason := _flex.get_refusal(node):
        return reason
    if not isinstance(node.target, torch._ops.OpOverload):
        return None  # arithmetic of sizes, and what _flex takes
    if _is_random(node):
        return "random numbers"
    read = [x.meta["val"] for x in (node, *node.all_input_nodes) if _is_tensor(x)]
    if any(x.dtype == torch.uint8 for x in read):
        return "arithmetic of uint8"  # torch-mlir takes them for int8
    if any(map(_is_empty, read)):
        return "an array without elements"
    return None


def _check_types(graph: fx.Graph) -> None:
    """Checks the types of arrays between torch and compiled code."""
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


def _is_view(node: fx.Node) -> bool:
    if node.target is operator.getitem:
        return _is_view(node.args[0])
    return isinstance(node.target, torch._ops.OpOverload) and bool(node.target.is_view)


def _is_view_of_other(node: fx.Node, outputs: Sequence[Any]) -> bool:
    """Whether a result is a view of an argument or of another result. torch makes it:
    aot_autograd asks for its strides."""
    while _is_view(node):
        node = node.args[0]
        if node.op == "placeholder" or node in outputs:
            return True
    return False


def _make_views(views: Sequence[fx.Node], given: Sequence[fx.Node]
                ) -> tuple[fx.GraphModule, list[fx.Node]]:
    """A graph of such results. Its arguments are the values of `given` and the sizes
    that the calls read, which are returned, too."""
    graph, sizes = fx.Graph(), []
    values = {node: graph.placeholder(node.name) for node in given}

    def copy(node: fx.Node) -> fx.Node:
        if node not in values and isinstance(node.meta.get("val"), torch.SymInt):
            values[node] = graph.placeholder(node.name)
            sizes.append(node)
        elif node not in values:
            for read in node.all_input_nodes:
                copy(read)
            values[node] = graph.node_copy(node, values.__getitem__)
        return values[node]

    graph.output([copy(node) for node in views])
    return fx.GraphModule({}, graph), sizes


def _compile_tensors(module: fx.GraphModule, computed: Sequence[fx.Node]
                     ) -> Function[..., list[torch.Tensor]]:
    """Compiles these values of a graph."""
    from . import _torch_mlir
    graph = fx.Graph()
    # A part's placeholders may stand between its calls.
    values = {node: graph.node_copy(node)
              for node in module.graph.find_nodes(op="placeholder")}
    graph.graph_copy(module.graph, values)
    results = graph.output(tuple(values[node] for node in computed))
    results.meta = dict(module.graph.output_node().meta)
    _read_sizes(graph)
    calls = _flex.cut(graph)
    text = _torch_mlir.convert(fx.GraphModule(module, graph), calls)
    function = compile_text(_raise_attention(text))
    dtypes = [node.meta["val"].dtype for node in computed]

    def call(*arguments: Any) -> list[torch.Tensor]:
        found = function(*map(_lend, arguments))
        if not isinstance(found, tuple):
            found = (found,)
        return list(map(_receive, found, dtypes))

    return call


def _compile_graph(module: fx.GraphModule) -> Function[..., list[Any]]:
    """Compiles a graph. Raises ConversionError, TypeError or RuntimeError if that
    fails."""
    for node in module.graph.nodes:
        if reason := _get_refusal(node):
            raise TypeError(f"{_describe(node)}: {reason}")
    _check_types(module.graph)
    placeholders = module.graph.find_nodes(op="placeholder")
    outputs = _outputs(module.graph)
    nodes = list(dict.fromkeys(
        x for x in outputs if isinstance(x, fx.Node) and x.op != "placeholder"))
    views = [node for node in nodes if _is_view_of_other(node, outputs)]
    computed = [node for node in nodes if _is_tensor(node) and node not in views]
    given = [*placeholders, *computed]
    make_views, read = _make_views(views, given)
    numbers = list(dict.fromkeys(
        [*read, *(node for node in nodes if not _is_tensor(node))]))
    sizes = [_compute_size(node, placeholders) for node in numbers]
    compute = _compile_tensors(module, computed) if computed else lambda *_: []
    places = {node: i for i, node in enumerate([*given, *numbers, *views])}

    def call(*arguments: Any) -> list[Any]:
        found = [*arguments, *compute(*arguments)]
        found += [size(arguments) for size in sizes]
        if views:
            found += make_views(*found[:len(given) + len(read)])
        return [found[places[x]] if isinstance(x, fx.Node) else x for x in outputs]

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
        self._tried: dict[tuple, Optional[str]] = {}
        self.reasons: dict[str, str] = {}

    def _find_reason(self, node: fx.Node) -> Optional[str]:
        from . import _torch_mlir
        if isinstance(node.target, torch._ops.HigherOrderOperator):
            return "an operator that takes functions"
        if not isinstance(node.target, torch._ops.OpOverload):
            if _flex.is_call(node) or _torch_mlir.imports(node):
                return None
            return "a function of numbers that torch-mlir does not have"
        try:
            _torch_mlir.convert(_single(node))
        except _torch_mlir.ConversionError as error:
            return str(error)
        return None

    def is_node_supported(self, submodules: Any, node: fx.Node) -> bool:
        if node.op != "call_function":
            return False
        if node.target is operator.getitem:
            return self.is_node_supported(submodules, node.args[0])
        reason = _get_refusal(node)
        if reason is None:
            key = _reads(node)
            if key not in self._tried:
                self._tried[key] = self._find_reason(node)
            reason = self._tried[key]
        if reason is not None:
            self.reasons[_describe(node)] = reason
        return reason is None


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


def _has_loose_strides(node: fx.Node) -> bool:
    """Whether a call reads the strides of an array that is not contiguous. Compiled
    code may have others."""
    return (node.target is torch.ops.aten.as_strided.default
            and not node.args[0].meta["val"].is_contiguous())


def _compile(module: fx.GraphModule, inputs: Sequence[Any]) -> Function[..., Any]:
    """The compiler for aot_autograd. It gets a functional graph of ATen's operators,
    for inference."""
    from . import _torch_mlir
    _flex.take(module)
    if any(map(_has_loose_strides, module.graph.nodes)):
        _remark(f"torch computes a graph of {len(module.graph.nodes)} nodes: "
                "aten.as_strided of an array that is not contiguous")
        return module.forward
    try:
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
