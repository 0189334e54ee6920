"""lattn and the implementations that it is compared with. Packages are imported when
they are needed."""

from __future__ import annotations

import dataclasses
import importlib.util
from typing import Any, Callable

import numpy as np

from ._workloads import Workload


class Unsupported(Exception):
    """Says why an implementation cannot run a workload."""


@dataclasses.dataclass(frozen=True)
class Implementation:
    """An implementation. `prepare` takes the workload, its arrays and the number of
    threads. It returns the function to time, and a function that converts its
    results to NumPy arrays."""

    name: str
    packages: tuple[str, ...]  # as pip names them
    prepare: Callable[[Workload, list[np.ndarray], int],
                      tuple[Callable[[], Any], Callable[[Any], list[np.ndarray]]]]

    def missing(self) -> list[str]:
        """The packages that are not installed."""
        return [name for name in self.packages
                if importlib.util.find_spec(name.replace("-", "_")) is None]


def _tensors(workload: Workload, arrays: list[np.ndarray], threads: int) -> Any:
    import torch

    torch.set_num_threads(threads)
    tensors = [torch.from_numpy(array) for array in arrays]
    for tensor in tensors[:3]:
        tensor.requires_grad_(workload.gradients)
    return tensors


def _on_torch(workload: Workload, tensors: Any, attention: Callable[..., Any],
              is_compiled: bool = False) -> Any:
    """attention(q, k, v), with gradients if the workload has them."""
    import torch

    if workload.gradients:
        return (lambda: torch.autograd.grad(
                    attention(*tensors[:3]), tensors[:3], tensors[3]),
                lambda grads: [grad.numpy() for grad in grads])
    # Compiled code would be compiled again for inference_mode.
    guard = torch.no_grad if is_compiled else torch.inference_mode

    def call() -> Any:
        with guard():
            return attention(*tensors)
    return call, lambda out: [out.numpy()]


def _lattn(workload: Workload, arrays: list[np.ndarray], threads: int) -> Any:
    import lattn

    lattn.set_num_threads(threads)

    def attention(q: Any, k: Any, v: Any) -> Any:
        return lattn.attention(q, k, v, window=(workload.left, workload.right))
    if not workload.gradients:
        return lambda: attention(*arrays), lambda out: [out]
    if importlib.util.find_spec("torch") is None:
        raise Unsupported("gradients from Python need PyTorch: pip install torch")
    return _on_torch(workload, _tensors(workload, arrays, threads), attention)


def _sdpa(workload: Workload, arrays: list[np.ndarray], threads: int) -> Any:
    import torch

    options: dict[str, Any] = {"enable_gqa": workload.heads != workload.kv_heads}
    if workload.is_causal_square:
        options["is_causal"] = True
    elif (mask := workload.mask()) is not None:
        options["attn_mask"] = torch.from_numpy(mask)
    return _on_torch(
        workload, _tensors(workload, arrays, threads),
        lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(
            q, k, v, **options))


def _flex(workload: Workload, arrays: list[np.ndarray], threads: int) -> Any:
    import torch
    from torch.nn.attention.flex_attention import (create_block_mask,
                                                   flex_attention)

    if workload.gradients:
        raise Unsupported("it has no gradients on CPUs")
    left, shift = workload.left, workload.keys - workload.queries

    def shown(b: Any, h: Any, i: Any, j: Any) -> Any:
        causal = j <= i + shift
        return causal if left is None else causal & (j >= i + shift - left)
    blocks = create_block_mask(
        shown, None, None, workload.queries, workload.keys,
        device="cpu") if workload.causal else None
    run = torch.compile(lambda q, k, v: flex_attention(
        q, k, v, block_mask=blocks,
        enable_gqa=workload.heads != workload.kv_heads))
    return _on_torch(workload, _tensors(workload, arrays, threads), run,
                     is_compiled=True)


def _local_attention(workload: Workload, arrays: list[np.ndarray],
                     threads: int) -> Any:
    if workload.left is None:
        raise Unsupported("it has windows only")
    from local_attention import LocalAttention

    module = LocalAttention(
        window_size=workload.left, causal=True, look_backward=1, look_forward=0,
        exact_windowsize=True, use_rotary_pos_emb=False)
    return _on_torch(workload, _tensors(workload, arrays, threads), module)


def _jax(workload: Workload, arrays: list[np.ndarray], threads: int) -> Any:
    import jax

    window = None if workload.left is None else (workload.left, 0)

    def attention(q: Any, k: Any, v: Any) -> Any:
        return jax.nn.dot_product_attention(
            q, k, v, is_causal=workload.causal, local_window_size=window,
            implementation="xla")

    def with_gradients(q: Any, k: Any, v: Any, d_out: Any) -> Any:
        return jax.vjp(attention, q, k, v)[1](d_out)
    run = jax.jit(with_gradients if workload.gradients else attention)
    # Its layout is (batch, position, head, size).
    inputs = [jax.device_put(np.ascontiguousarray(x.swapaxes(1, 2)),
                             jax.devices("cpu")[0]) for x in arrays]
    return (lambda: jax.block_until_ready(run(*inputs)),
            lambda found: [np.asarray(x).swapaxes(1, 2)
                           for x in jax.tree.leaves(found)])


def _onnxruntime(workload: Workload, arrays: list[np.ndarray],
                 threads: int) -> Any:
    if workload.gradients:
        raise Unsupported("it has no gradients")
    import onnxruntime
    from onnx import TensorProto, helper

    feed = dict(zip("qkv", arrays))
    options: dict[str, Any] = {"scale": workload.size ** -0.5}
    if workload.is_causal_square:
        options["is_causal"] = 1
    elif (mask := workload.mask()) is not None:
        feed["mask"] = mask
    types = {name: TensorProto.BOOL if name == "mask" else TensorProto.FLOAT
             for name in feed}
    graph = helper.make_graph(
        [helper.make_node("Attention", list(feed), ["out"], **options)], "attention",
        [helper.make_tensor_value_info(name, types[name], x.shape)
         for name, x in feed.items()],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, arrays[0].shape)])
    model = helper.make_model(graph, ir_version=10,
                              opset_imports=[helper.make_opsetid("", 23)])
    session_options = onnxruntime.SessionOptions()
    session_options.intra_op_num_threads = threads
    session_options.log_severity_level = 3
    # Else its threads take the time of those that run next.
    session_options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), session_options,
        providers=["CPUExecutionProvider"])
    return lambda: session.run(["out"], feed), list


def _numpy(workload: Workload, arrays: list[np.ndarray], threads: int) -> Any:
    """The formula in plain NumPy, one head after another, with all scores in memory."""
    mask, group = workload.mask(), workload.heads // workload.kv_heads
    scale = np.float32(workload.size ** -0.5)

    def weigh(q: np.ndarray, k: np.ndarray) -> np.ndarray:
        scores = q @ k.T * scale
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def forward() -> Any:
        q, k, v = (x[0] for x in arrays)
        return [np.stack([weigh(q[h], k[h // group]) @ v[h // group]
                          for h in range(workload.heads)])[None]]

    def with_gradients() -> Any:
        heads = []
        for q, k, v, d_out in zip(*(x[0] for x in arrays)):
            weights = weigh(q, k)
            d_weights = d_out @ v.T
            d_scores = scale * weights * (d_weights - (weights * d_weights).sum(
                axis=1, keepdims=True))
            heads.append((d_scores @ k, d_scores.T @ q, weights.T @ d_out))
        return [np.stack(x)[None] for x in zip(*heads)]
    return with_gradients if workload.gradients else forward, list


# The quick ones to prepare come first.
IMPLEMENTATIONS = {one.name: one for one in (
    Implementation("lattn", (), _lattn),
    Implementation("torch-sdpa", ("torch",), _sdpa),
    Implementation("local-attention", ("torch", "local-attention"),
                   _local_attention),
    Implementation("jax", ("jax",), _jax),
    Implementation("onnxruntime", ("onnx", "onnxruntime"), _onnxruntime),
    Implementation("numpy", (), _numpy),
    Implementation("torch-flex", ("torch",), _flex),
)}
