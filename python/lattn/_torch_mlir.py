"""Converts graphs of ATen's operators to linalg operations, by torch-mlir."""

from __future__ import annotations

import io
import operator
import os
import re
import signal
import subprocess
from typing import Any, Sequence

import torch

from . import _sizes
from ._views import rewrite_views

try:
    from torch_mlir import _mlir_libs, ir
    from torch_mlir.compiler_utils import OutputType  # noqa: F401
    from torch_mlir.dialects import func
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.extras.fx_importer import FxImporter, PY_BUILTIN_TO_TORCH_OP

    from ._decompositions import get_decompositions  # noqa: F401
except ImportError as error:
    raise ImportError('torch.compile(backend="lattn"): needs torch-mlir, which is '
                      "not installed: pip install torch-mlir") from error

_TOOL = os.path.join(os.path.dirname(_mlir_libs.__file__), "torch-mlir-opt")

# As torch_mlir.fx runs them, which leaves files in /tmp where they fail.
_PASSES = (
    "func.func(torch-match-quantized-custom-ops)",
    "torchdynamo-export-to-torch-backend-pipeline{"
    "backend-legal-ops=aten.flatten.using_ints,aten.unflatten.int}",
    "torch-backend-to-linalg-on-tensors-backend-pipeline{allow-non-finites=true}")


class ConversionError(Exception):
    """Raised if torch-mlir does not convert the graph. The message says why, in one
    line."""


def imports(node: torch.fx.Node) -> bool:
    """Whether a function of numbers, and no operator of ATen, is converted."""
    return _sizes.is_rewritten(node) or (
        node.target is not operator.mod
        and getattr(operator, name := getattr(node.target, "__name__", ""), None)
        is node.target and name in PY_BUILTIN_TO_TORCH_OP)


def _first_line(error: Any) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    found = [line for line in lines if "error:" in line or "failed" in line]
    return (found or lines or [type(error).__name__])[0]


def _lower(module: Any) -> str:
    """The module after torch-mlir's passes. They run in a process of their own, because
    they end it where they meet what they do not expect."""
    source = io.BytesIO()
    module.operation.write_bytecode(source)
    passes = f"--pass-pipeline=builtin.module({','.join(_PASSES)})"
    run = subprocess.run([_TOOL, passes, "-"], input=source.getvalue(),
                         capture_output=True)
    if run.returncode < 0:
        raise ConversionError("torch-mlir ended by "
                              f"{signal.Signals(-run.returncode).name}")
    if run.returncode:
        raise ConversionError(_first_line(run.stderr.decode(errors="replace")))
    return run.stdout.decode()


def _get_place(main: Any, operands: Sequence[Any], results: Sequence[Any]) -> Any:
    """The first operation of @main that uses the results."""
    block = main.regions[0].blocks[0]
    place = block.operations[len(block.operations) - 1].operation
    for use in (use for result in results for use in result.uses):
        user = use.owner.operation
        while user.parent != main.operation:
            user = user.parent.operation
        if user.is_before_in_block(place):
            place = user
    for value in operands:
        if (not isinstance(value.owner, ir.Block)
                and not value.owner.operation.is_before_in_block(place)):
            raise ConversionError("an argument of flex_attention is computed after "
                                  "its result is read")
    return place


def _insert_call(name: str, main: Any, operands: Sequence[Any],
                 results: Sequence[Any]) -> None:
    """Inserts a call of a private, declared function in place of these arguments of
    @main."""
    kinds = [x.type for x in results]
    with ir.Location.unknown():
        with ir.InsertionPoint(main):
            func.FuncOp(name, ([x.type for x in operands], kinds),
                        visibility="private")
        with ir.InsertionPoint(_get_place(main, operands, results)):
            call = func.CallOp(kinds, name, [*operands])
    for result, value in zip(results, call.results):
        result.replace_all_uses_with(value)


def _drop(main: Any, results: int, arguments: int) -> None:
    """Drops the last arguments or results of @main."""
    block = main.regions[0].blocks[0]
    back = block.operations[len(block.operations) - 1]
    kept = [*back.operands][:len(back.operands) - results]
    with ir.Location.unknown(), ir.InsertionPoint(back):
        func.ReturnOp(kept)
    back.operation.erase()
    for _ in range(arguments):
        block.erase_argument(len(block.arguments) - 1)
    main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(
        [x.type for x in block.arguments], [x.type for x in kept]))


def _write_calls(module: Any, calls: Sequence[Any]) -> str:
    """The text, with calls in place of the arguments and results that `_flex.cut`
    added."""
    main = next(op for op in module.body.operations
                if op.operation.name == "func.func")
    block = main.regions[0].blocks[0]
    numbers = (sum(call.count for call in calls), sum(len(call.used) for call in calls))
    place, texts = 0, {}
    results = iter([*block.arguments][len(block.arguments) - numbers[1]:])
    for number, call in enumerate(calls):
        name = f"flex_attention_{number}"
        returned = [*block.operations[len(block.operations) - 1].operands]
        operands = returned[len(returned) - numbers[0] + place:][:call.count]
        place += call.count
        read = {i: next(results) for i in call.used}
        texts[name] = call.flex.write(
            name, [str(x.type) for x in operands],
            {i: str(x.type) for i, x in read.items()})
        _insert_call(name, main, operands, [*read.values()])
    _drop(main, *numbers)
    text = str(module)
    for name, function in texts.items():
        text = re.sub(rf" *func\.func private @{name}\(.*\n", lambda _: function,
                      text, count=1)
    return text


def convert(module: torch.fx.GraphModule, calls: Sequence[Any] = ()) -> str:
    """The text of a module with the graph as @main, on tensors. A size that the graph
    leaves open is `?`; a number is an i64, f64 or i1. The views in the graph may be
    rewritten. `calls` come from `_flex.cut` and become calls of private functions."""
    rewrite_views(module.graph)
    _sizes.rewrite(module.graph)
    context = ir.Context()
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context)
    try:
        importer.import_graph_module(module)
    except Exception as error:  # of torch-mlir, of any type
        raise ConversionError(_first_line(error)) from None
    with context:
        # torch's guards: a size that is open is no 1 that is broadcast.
        importer.module_op.regions[0].blocks[0].operations[0].attributes[
            "torch.assume_strict_symbolic_shapes"] = ir.UnitAttr.get()
        text = _lower(importer.module)
        if calls:
            text = _write_calls(ir.Module.parse(text), calls)
    if other := re.search(r"\btm_tensor\.\w+", text):
        raise ConversionError(f"it becomes {other[0]}, which lattn does not have")
    return text
