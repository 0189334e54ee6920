"""Graphs of ATen's operators as linalg operations, by torch-mlir."""

from __future__ import annotations

import re

import torch

from ._views import rewrite_views

try:
    from torch_mlir import ir
    from torch_mlir.compiler_utils import OutputType  # noqa: F401
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table
    from torch_mlir.extras.fx_importer import FxImporter
    from torch_mlir.passmanager import PassManager
except ImportError as error:
    raise ImportError('torch.compile(backend="lattn"): needs torch-mlir, which is '
                      "not installed: pip install 'lattn[torch-mlir]'") from error

# As torch_mlir.fx runs them, which leaves files in /tmp where they fail.
_PASSES = (
    "func.func(torch-match-quantized-custom-ops)",
    "torchdynamo-export-to-torch-backend-pipeline{"
    "backend-legal-ops=aten.flatten.using_ints,aten.unflatten.int}",
    "torch-backend-to-linalg-on-tensors-backend-pipeline{allow-non-finites=true}")


class ConversionError(Exception):
    """torch-mlir does not convert the graph; the message says why, in a line."""


def get_decompositions() -> dict:
    """How operators become those that it converts."""
    return get_decomposition_table()


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    found = [line for line in lines if "error:" in line or "failed" in line]
    return (found or lines or [type(error).__name__])[0]


def convert(module: torch.fx.GraphModule) -> str:
    """The text of a module with the graph as @main, on tensors: a size that the
    graph leaves open is `?`, a number an i64, f64 or i1. Its views may change."""
    rewrite_views(module.graph)
    context = ir.Context()
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context)
    try:
        importer.import_graph_module(module)
        with context:
            # torch's guards: a size that is open is no 1 that is broadcast.
            importer.module_op.regions[0].blocks[0].operations[0].attributes[
                "torch.assume_strict_symbolic_shapes"] = ir.UnitAttr.get()
            for passes in _PASSES:
                PassManager.parse(f"builtin.module({passes})").run(
                    importer.module_op)
    except Exception as error:  # of torch-mlir, of any type
        raise ConversionError(_first_line(error)) from None
    text = str(importer.module)
    if other := re.search(r"\btm_tensor\.\w+", text):
        raise ConversionError(f"it becomes {other[0]}, which lattn does not have")
    return text
