"""Compares an installed lattn with NumPy, on a machine without LLVM, CUDA and
PyTorch. scripts/wheel runs it: wheel_check.py EXAMPLES."""

import pathlib
import sys

import numpy as np

import lattn

examples = pathlib.Path(sys.argv[1])


def attend(q, k, v, reach):
    """Weights, and the output, in f64; a query sees itself and `reach` keys back."""
    q, k, v = (x.astype("f8") for x in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    at = np.arange(q.shape[-2])
    behind = at[:, None] - at
    scores[..., (behind < 0) | (behind > reach)] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return weights, weights @ v


def differentiate(q, k, v, reach, d_out):
    """Gradients of the inputs."""
    weights, out = attend(q, k, v, reach)
    d_weights = d_out @ v.swapaxes(-1, -2)
    d_scores = weights * (d_weights - (d_out * out).sum(-1, keepdims=True))
    d_scores /= q.shape[-1] ** 0.5
    return (d_scores @ k, d_scores.swapaxes(-1, -2) @ q,
            weights.swapaxes(-1, -2) @ d_out)


assert pathlib.Path(sys.prefix) in pathlib.Path(lattn.__file__).parents
generator = np.random.default_rng(0)
q, k, v, d_out = (generator.standard_normal((2, 3, 437, 64), "f4")
                  for _ in range(4))
_, expected = attend(q, k, v, 256)
np.testing.assert_allclose(lattn.attention(q, k, v, window=(256, 0)), expected,
                           1e-5, 1e-5)

function = lattn.compile(examples / "windowed_attention.mlir")
np.testing.assert_allclose(function(q, k, v), expected, 1e-5, 1e-5)
_, found = function.grad()(q, k, v, cotangents=d_out)
for name, gradient, right in zip("qkv", found,
                                 differentiate(q, k, v, 256, d_out)):
    np.testing.assert_allclose(gradient, right, 1e-4, 1e-5, err_msg=name)

for chip, instruction in (("sm_80", "mma.sync"), ("sm_90a", "wgmma.mma_async")):
    text = lattn.compile_ptx(examples / "windowed_attention_bf16.mlir", chip)
    assert f".target {chip}" in text and instruction in text, chip

maps = pathlib.Path("/proc/self/maps").read_text().split("\n")
libraries = {line.split()[-1] for line in maps if ".so" in line}
foreign = [path for path in libraries
           if any(part in pathlib.Path(path).name for part in ("LLVM", "MLIR", "omp"))
           and not path.startswith(sys.prefix)]
assert not foreign, foreign
