# REQUIRES: slow
# RUN: %cached_pytest %s

# The packages' exceptions, with their messages.

import json
from types import SimpleNamespace

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import golden
from lattn import nn

ROWS = json.loads((golden.FOLDER / "errors.json").read_text())
ARGS = SimpleNamespace(multiway=False, xpos_rel_pos=False)


def make_tensor(name, shape):
    if name.removeprefix("int_") in ("x", "prime") and len(shape) == 2:
        return torch.zeros(shape, dtype=torch.long)
    if "mask" in name:
        return torch.ones(shape, dtype=torch.bool)
    return torch.zeros(shape)


def build(row):
    args = [ARGS] if row["module"] == "MultiheadAttention" else []
    return getattr(nn, row["module"])(*args, **row["ctor"]).eval()


def call(module, row):
    tensors = {n: make_tensor(n, s) for n, s in row["tensors"].items()}
    return getattr(module, row.get("method", "forward"))(
        **tensors, **row.get("kwargs", {}))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["module"])
def test_package(row):
    with pytest.raises(Exception) as found:
        module = build(row)
        assert row["stage"] == "call"
        call(module, row)
    assert type(found.value).__name__ == row["exception"]
    # Python names the class by its path.
    expected = row["message"].rpartition("LocalAttention() ")[2]
    assert str(found.value).rpartition("LocalAttention() ")[2] == expected


X = torch.zeros(4, 8, 4)
LONG = torch.zeros(2, 2, 8, 4)


@pytest.mark.parametrize("ctor, args, options, error, match", [
    ({}, (X, X, X), {"mask": torch.ones(4, 7, dtype=torch.bool)},
     nn.EinopsError, r"mask: .*\(batch, 8\)"),
    ({"autopad": True}, (X, X, X), {"mask": torch.ones(4, 9, dtype=torch.bool)},
     nn.EinopsError, "mask"),
    ({}, (X, X, X), {"mask": torch.ones(4, 8)}, RuntimeError, "mask: .*bool"),
    ({}, (X, X, X), {"mask": torch.ones(4, 2, 8, dtype=torch.bool)},
     nn.EinopsError, "mask"),
    ({}, (X, X, X), {"attn_bias": torch.zeros(4, 8)}, nn.EinopsError,
     "attn_bias"),
    ({}, (X, X, X), {"attn_bias": torch.zeros(2, 4, 8)}, RuntimeError,
     r"attn_bias: .*\(heads, 4, 12\)"),
    ({"window_size": 0}, (X, X, X), {}, ZeroDivisionError, "window_size"),
    ({"window_size": 0, "autopad": True}, (X, X, X), {}, ZeroDivisionError,
     "window_size"),
    ({"window_size": -4}, (X, X, X), {}, ValueError, "window_size: .*-4"),
    ({"look_backward": -1}, (X, X, X), {}, ValueError, "look_backward: .*-1"),
    ({"scale": float("nan")}, (X, X, X), {}, ValueError, "scale: .*nan"),
    ({}, (X[:, :0], X[:, :0], X[:, :0]), {}, RuntimeError, "at least 1"),
    ({}, (X, X[:, :4], X), {}, RuntimeError, "k: .*length 8, got 4"),
    ({}, (X, X, X[:, :4]), {}, RuntimeError, "v: .*length 8, got 4"),
    ({}, (X, X[..., :2], X), {}, RuntimeError, "k: .*size 4, got 2"),
    ({}, (X[:1], X, X), {}, nn.EinopsError, "k: expected 1 sequences.*got 4"),
    ({}, (X, X[:3], X), {}, nn.EinopsError, "k: .*got 3"),
    ({}, (X, X.double(), X), {}, RuntimeError, "k: .*float32, got .*float64"),
    ({}, (X.long(),) * 3, {}, TypeError, "int64"),
    ({"dim": 8}, (X, X, X), {}, RuntimeError, r"tensor a \(4\).*b \(8\)"),
])
def test_local_attention(ctor, args, options, error, match):
    module = nn.LocalAttention(**{"window_size": 4} | ctor)
    with pytest.raises(error, match=match):
        module(*args, **options)


def test_other_modules():
    for call, error in [
            (lambda: nn.LocalMHA(8, 2), TypeError),
            (lambda: nn.LocalMHA(dim=8, window_size=2, wide=3), TypeError),
            (lambda: nn.LocalMHA(dim=8, window_size=2)(X[0]), nn.EinopsError),
            (lambda: nn.zeta.LocalMHA(dim=8, window_size=2,
                                      gate_values_per_head=True), TypeError),
            (lambda: nn.SinusoidalEmbeddings(4, use_xpos=True), AssertionError),
            (lambda: nn.zeta.LocalAttention(64, 1, 1, 0.1), AssertionError),
    ]:
        with pytest.raises(error):
            call()


def test_devices():
    module = nn.LocalAttention(4)
    x = X.to("meta")
    assert module(x, x, x).shape == X.shape and module(x, x, x).is_meta
    with pytest.raises(RuntimeError, match="k: .*cpu, got .*meta"):
        module(X, x, X)


def test_operators():
    # Kernels trust what operators are given; operators do not.
    q, bias = torch.zeros(2, 3, 8, 4), torch.zeros(3, 4, 12)
    mask = torch.ones(2, 8, dtype=torch.bool)
    options = nn.LocalAttention(4).options(4)
    call = torch.ops.lattn.local_attention
    for args in [(q[0], q, q, mask, bias), (q, q[:1], q, mask, bias),
                 (q, q[:, :, :4], q, mask, bias), (q, q, q[:, :2], mask, bias),
                 (q, q, q, mask[:, :4], bias), (q, q, q, mask, bias[:2]),
                 (q[:, :, :6],) * 3 + (None, None)]:
        with pytest.raises(ValueError, match="expected"):
            call(*args, None, None, *options)
    with pytest.raises(RuntimeError):
        call(q, q, q, mask, torch.zeros(3, 5, 12), None, None, *options)
    call = torch.ops.lattn.multihead_attention
    for args in [(q, q[:1], q), (q, q, q[:, :, :4]), (q, q[..., :2], q)]:
        with pytest.raises(ValueError, match="expected"):
            call(*args, None, None, None, False, 0.0)
    with pytest.raises(ValueError, match="key_mask"):
        call(q, q, q, None, mask[:, :4], None, False, 0.0)
    with pytest.raises(RuntimeError):
        call(q, q, q, torch.zeros(5, 5), None, None, False, 0.0)
    assert call(q, q, q, None, mask, None, False, 0.0)[0].shape == q.shape


@pytest.mark.parametrize("name, make, shapes", [
    ("q", lambda: nn.LocalAttention(4), [(1, 2, 8, 4)] * 3),
    ("x", lambda: nn.LocalMHA(dim=8, window_size=4, dim_head=4, heads=2), [(1, 8, 8)]),
    ("x", lambda: nn.LocalTransformer(
        num_tokens=None, max_seq_len=8, dim=8, depth=1, dim_head=4, heads=2,
        local_attn_window_size=4), [(1, 8, 8)]),
    ("query", lambda: nn.MultiheadAttention(ARGS, 8, 2, self_attention=True),
     [(1, 8, 8)] * 3)])
def test_other_devices(name, make, shapes):
    """The error names the module's own argument."""
    module = make()
    with FakeTensorMode(allow_non_fake_inputs=True):
        tensors = [torch.empty(shape, device="cuda") for shape in shapes]
        with pytest.raises(NotImplementedError, match=f"^{name}: expected a tensor in "
                           "the CPU's memory, got one on cuda:0: lattn.nn computes on "
                           "the CPU only"):
            module(*tensors)
