# REQUIRES: slow
# RUN: %cached_pytest %s

# After lattn.precompile no call compiles: neither here, nor in later processes.

import os
import pathlib
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import lattn
from lattn import _kernels

try:
    import torch
except ImportError:
    torch = None

BF16 = ml_dtypes.bfloat16


def make(*shape, dtype="f4"):
    return np.random.default_rng(0).standard_normal(shape).astype(dtype)


def qkv(n, m, heads=(4, 2), size=16, dtype="f4"):
    return [make(2, heads[0], n, size, dtype=dtype),
            *(make(2, heads[1], m, size, dtype=dtype) for _ in "kv")]


def describe(n, m, heads=(4, 2), size=16, **options):
    return dict(q=(2, heads[0], n, size), k=(2, heads[1], m, size),
                v=[2, heads[1], m, size], **options)


# Descriptions, and a call that needs the same kernels.
CALLS = {
    "many": (describe(300, 3000), lambda: lattn.attention(*qkv(20, 30))),
    "one": (describe(1, 300), lambda: lattn.attention(*qkv(1, 30))),
    "few": (describe(4, 300, causal=True),
            lambda: lattn.attention(*qkv(4, 30), causal=True)),
    "types": (describe(40, 40, dtype="bfloat16", window=(3, 0)),
              lambda: lattn.attention(*qkv(20, 30, dtype=BF16), window=(3, 0))),
    "masks": (describe(40, 40, attn_mask=((40, 40), bool), key_mask=(2, 40),
                       kv_lengths=(2,), sink=(4,), return_lse=True),
              lambda: lattn.attention(
                  *qkv(20, 20), attn_mask=np.ones((20, 20), bool), return_lse=True,
                  key_mask=np.ones((2, 20), bool), kv_lengths=np.array([3, 4]),
                  sink=make(4))),
    "bias": (describe(40, 40, bias=((4, 1, 40), "float32"), dtype="float16"),
             lambda: lattn.attention(*qkv(20, 20, dtype="f2"), bias=make(4, 1, 20))),
    "dropout": (describe(40, 40, dropout_p=0.5),
                lambda: lattn.attention(*qkv(20, 20), dropout_p=0.1)),
    "score": (describe(40, 40, score_mod=lambda s, b, h, i, j: s + 0.25 * (i - j)),
              lambda: lattn.attention(
                  *qkv(20, 20), score_mod=lambda s, b, h, i, j: s + 0.25 * (i - j))),
    "sdpa": (dict(function=lattn.scaled_dot_product_attention, query=(4, 40, 16),
                  key=(4, 40, 16), value=(4, 40, 16), is_causal=True),
             lambda: lattn.scaled_dot_product_attention(
                 *(make(4, 20, 16) for _ in "qkv"), is_causal=True)),
    "local": (describe(64, 64, heads=(2, 2), function=lattn.local_attention,
                       window_size=8, dim=16, mask=(2, 64)),
              lambda: lattn.local_attention(
                  *qkv(32, 32, heads=(2, 2)), window_size=8, dim=16,
                  mask=np.ones((2, 32), bool))),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    description, call = CALLS[name]
    made = lattn.precompile([description])
    before = _kernels.count()
    expected = call()
    assert _kernels.count() == before
    assert lattn.precompile([description]) == 0
    # Kernels run again when they are called.
    found = expected[0] if isinstance(expected, tuple) else expected
    assert np.isfinite(np.asarray(found, "f4")).all() and np.any(found)
    assert made <= 1


def backward(function, *arrays, **options):
    leaves = [torch.as_tensor(x).requires_grad_() for x in arrays]
    out = function(*leaves, **options)
    (out[0] if isinstance(out, tuple) else out).sum().backward()
    assert all(x.grad.any() for x in leaves)


@pytest.mark.skipif(torch is None, reason="needs torch")
@pytest.mark.parametrize("options, gradient, call", [
    (dict(causal=True), True,
     lambda: backward(lattn.attention, *qkv(20, 20), causal=True)),
    (dict(bias=(40, 40)), ("q", "k", "v", "bias"),
     lambda: backward(lambda q, k, v, bias: lattn.attention(q, k, v, bias=bias),
                      *qkv(20, 20), make(20, 20))),
    (dict(function=lattn.local_attention, window_size=8), True,
     lambda: backward(lattn.local_attention, *qkv(32, 32), window_size=8))])
def test_gradients(options, gradient, call):
    lattn.precompile([describe(40, 40, gradient=gradient, **options)])
    before = _kernels.count()
    call()
    assert _kernels.count() == before


@pytest.mark.skipif(torch is None, reason="needs torch")
def test_modules():
    from lattn import nn

    torch.manual_seed(0)
    model = nn.LocalTransformer(num_tokens=16, max_seq_len=600, dim=32, depth=1,
                                local_attn_window_size=16, dim_head=16, heads=2)
    x = torch.randint(0, 16, (1, 600))
    state = torch.get_rng_state()
    weights = [p.clone() for p in model.parameters()]
    assert lattn.precompile(model, x.to("meta"), return_loss=True, gradient=True) > 0
    assert lattn.precompile(model, x) >= 0
    assert all(p.grad is None for p in model.parameters())
    assert all(map(torch.equal, weights, model.parameters()))
    assert torch.equal(state, torch.get_rng_state())
    before = _kernels.count()
    model(x, return_loss=True).backward()
    with torch.no_grad():
        model(x[:, :512])
    assert _kernels.count() == before


def test_other_processes(tmp_path):
    """They find all kernels on disk: calls add no file."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); import precompile as p\n"
    names = ["many", "one", "few", "local"]

    def run(text):
        done = subprocess.run(
            [sys.executable, "-c", code + text, os.path.dirname(__file__)],
            env=os.environ | {"LATTN_CACHE_DIR": str(tmp_path)}, capture_output=True,
            text=True)
        assert done.returncode == 0, done.stderr
        return {x.name for x in pathlib.Path(tmp_path).glob("*.lattn")}
    files = run(f"p.lattn.precompile([p.CALLS[n][0] for n in {names}])")
    assert len(files) == len(names)
    assert run(f"for n in {names}: p.CALLS[n][1]()") == files


@pytest.mark.parametrize("call, error, match", [
    (describe(4, 4, window=(-1, 0)), ValueError, "call 0: window's left: .*None"),
    (describe(4, 4, attn_mask=(4, 4)), ValueError, "call 0: attn_mask: expected a shape "
     "and an element type"),
    (describe(4, 4, cu_seqlens_q=(3,)), ValueError, "cu_seqlens_q: expected an array"),
    (describe(4, 4, function=print), ValueError, "function: expected one of "
     "lattn.attention, "),
    (dict(q=(1, 2, 3, 4), k=(1, 2, 3, 5), v=(1, 2, 3, 4)), ValueError, "call 0: k: "),
    (dict(q=(1, 2, 3, 4)), TypeError, "call 0: .*missing")])
def test_errors(call, error, match):
    with pytest.raises(error, match=match):
        lattn.precompile([call])


def test_threads_do_not_mix():
    """A call beside a description computes."""
    import threading

    expected = lattn.attention(*qkv(20, 30))
    found, stop = [], threading.Event()

    def serve():
        while not stop.is_set():
            found.append(lattn.attention(*qkv(20, 30)))
    server = threading.Thread(target=serve)
    server.start()
    lattn.precompile([describe(40, 40, window=(left, 1)) for left in range(3)])
    stop.set()
    server.join()
    assert all(np.array_equal(x, expected) for x in found)
