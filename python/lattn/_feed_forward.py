"""The feed-forward part of LocalTransformer's layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _builder, _kernels
from ._modules import Weights, layer_norm, linear


def _text(element: str) -> str:
    array = _builder.array(element, None, None).memref
    rows = "affine_map<(i, j) -> (i, j)>"
    half, one, root = (_builder.number(x, element)
                       for x in (0.5, 1.0, 0.5**0.5))
    return _builder.function(
        "geglu", dict.fromkeys(("x", "gate", "out"), array), f"""
  %half = arith.constant {half}
  %one = arith.constant {one}
  %root = arith.constant {root}
  linalg.generic {{indexing_maps = [{rows}, {rows}, {rows}],
      iterator_types = ["parallel", "parallel"]}}
      ins(%x, %gate : {array}, {array}) outs(%out : {array}) {{
  ^bb0(%a: {element}, %g: {element}, %o: {element}):
    %scaled = arith.mulf %g, %root : {element}
    %erf = math.erf %scaled : {element}
    %more = arith.addf %erf, %one : {element}
    %weight = arith.mulf %more, %half : {element}
    %gelu = arith.mulf %g, %weight : {element}
    %y = arith.mulf %a, %gelu : {element}
    linalg.yield %y : {element}
  }}""")


def _geglu(x: Any) -> Any:
    """Half of each row times gelu of the other half. NumPy has no erf."""
    rows = x.reshape(-1, x.shape[-1])
    size = rows.shape[1] // 2
    out = np.empty((rows.shape[0], size), x.dtype)
    if out.size:
        element = "f64" if x.dtype == np.float64 else "f32"
        _kernels.get(_text, element)(x=rows[:, :size], gate=rows[:, size:],
                                     out=out)
    return out.reshape(*x.shape[:-1], size)


def feed_forward(x: Any, w: Weights) -> Any:
    inner = w.get("4.weight", x.shape[-1], None).shape[1]
    hidden = linear(layer_norm(x, w.under("0.")), w.under("1."), 2 * inner)
    return linear(_geglu(hidden), w.under("4."))
