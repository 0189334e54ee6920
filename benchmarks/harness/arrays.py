"""The arrays of a workload."""

import dataclasses

import ml_dtypes
import numpy as np

from . import modules

TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16,
         "bf16": ml_dtypes.bfloat16}


@dataclasses.dataclass
class Arrays:
    """q, k, v are views of shape (B, heads, length, size), whatever the memory's
    order; with projections x, w_qkv and w_out stand in place of them, for a
    module x alone. d_out is the gradient of the output, in training."""

    q: np.ndarray | None = None
    k: np.ndarray | None = None
    v: np.ndarray | None = None
    bias: np.ndarray | None = None
    slopes: np.ndarray | None = None
    x: np.ndarray | None = None
    w_qkv: np.ndarray | None = None
    w_out: np.ndarray | None = None
    d_out: np.ndarray | None = None


def empty(shape, dtype):
    """On a boundary of 64 bytes, as torch's own."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.empty(size + 64, np.uint8)
    begin = -memory.ctypes.data % 64
    return memory[begin:begin + size].view(dtype).reshape(shape)


def _normal(rng, shape, dtype, scale=1.0):
    array = empty(shape, dtype)
    array[...] = rng.standard_normal(shape, np.float32) * np.float32(scale)
    return array


def make(workload):
    w, rng, dtype = workload, np.random.default_rng(1), TYPES[workload.dtype]
    arrays = Arrays()
    if w.module:
        arrays.x = modules.make_input(w)
    elif w.width:
        inner = w.H * w.D
        arrays.x = _normal(rng, (w.B, w.N, w.width), dtype)
        arrays.w_qkv = _normal(rng, (w.width, 3 * inner), dtype, w.width ** -0.5)
        arrays.w_out = _normal(rng, (inner, w.width), dtype, inner ** -0.5)
    elif w.layout == "qkv":
        qkv = _normal(rng, (w.B, w.N, 3, w.H, w.D), dtype)
        arrays.q, arrays.k, arrays.v = np.moveaxis(qkv, (2, 3), (0, 2))
    else:
        shapes = ((w.H, w.N, w.D), (w.Hkv, w.M, w.D), (w.Hkv, w.M, w.Dv))
        arrays.q, arrays.k, arrays.v = (
            _laid_out(w, lambda shape: _normal(rng, shape, dtype), shape)
            for shape in shapes)
    if w.score == "alibi":
        arrays.slopes = np.exp2(-8 / w.H * np.arange(1, w.H + 1)).astype("f4")
    if w.score == "bias":
        arrays.bias = _normal(rng, (1, 1, w.N, w.M), dtype)
    if w.training:
        shape = modules.output_shape(w) if w.module else (w.B, w.H, w.N, w.Dv)
        # Gradients of weights are sums over rows: this makes them about 1.
        arrays.d_out = _normal(rng, shape, dtype, w.N ** -0.5 if w.module else 1.0)
    return arrays


def empty_output(workload):
    w, dtype = workload, TYPES[workload.dtype]
    if w.width:
        return empty((w.B, w.N, w.width), dtype)
    return _laid_out(w, lambda shape: empty(shape, dtype), (w.H, w.N, w.Dv))


def _laid_out(workload, create, shape):
    heads, length, size = shape
    if workload.layout == "bhnd":
        return create((workload.B, heads, length, size))
    return create((workload.B, length, heads, size)).swapaxes(1, 2)
