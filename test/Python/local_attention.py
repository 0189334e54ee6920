# REQUIRES: slow
# RUN: %cached_pytest %s

# lattn.local_attention: what the package computed, without torch.

import json
import pathlib
import sys

import ml_dtypes
import numpy as np
import pytest

import lattn

FOLDER = pathlib.Path(__file__).parents[1] / "Integration" / "CPU" / "cases"
TOLERANCES = {"float64": 2e-5, "float32": 1e-4, "bfloat16": 0.1,
              "float16": 2e-2}
NAMES = sorted(path.stem for path in FOLDER.glob("local_attention_*.npz"))


def load(name):
    """(q, k, v, options of the function, expected, tolerance)"""
    with np.load(FOLDER / f"{name}.npz") as file:
        arrays = dict(file)
    options = json.loads(str(arrays["options"]))
    dtype = np.dtype(getattr(ml_dtypes, options["dtype"], None)
                     or options["dtype"])
    ctor = dict(options["ctor"])
    ctor.pop("dropout", None)
    ctor["dim"] = ctor.pop("rel_pos_emb_config", [ctor.pop("dim", None)])[0]
    if not ctor.pop("use_rotary_pos_emb", True):
        ctor["dim"] = None
    if options["forward"].get("window_size"):
        ctor["call_window_size"] = options["forward"]["window_size"]
    out, mask = arrays["out"], arrays.get("in_mask")
    batches = len(mask) if mask is not None else 1
    q, k, v = (arrays[f"in_{n}"].astype(dtype) for n in "qkv")
    rows = int(np.prod(q.shape[:-2]))
    k, v = (np.broadcast_to(x.reshape(-1, *x.shape[-2:]), (rows, *x.shape[-2:]))
            for x in (k, v))
    q, k, v = (x.reshape(batches, -1, *x.shape[-2:]) for x in (q, k, v))
    bias = arrays.get("in_attn_bias")
    if bias is not None:
        bias = bias.astype("f8" if dtype == "f8" else "f4")
    return q, k, v, ctor | {"mask": mask, "attn_bias": bias}, out, \
        TOLERANCES[options["dtype"]]


@pytest.mark.parametrize("name", NAMES)
def test_golden(name):
    q, k, v, options, expected, tolerance = load(name)
    if any(x.shape[2] != q.shape[2] for x in (k, v)):
        pytest.skip("lengths that pad alike are LocalAttention's alone")
    out = lattn.local_attention(q, k, v, **options)
    assert out.dtype == q.dtype
    np.testing.assert_allclose(out.astype("f8").reshape(expected.shape),
                               expected, rtol=tolerance, atol=tolerance)
    assert "torch" not in sys.modules


Q = np.random.default_rng(0).standard_normal((2, 4, 8, 6)).astype("f4")


def test_arrays():
    expected = lattn.local_attention(Q, Q, Q, window_size=4)
    bnhd = np.ascontiguousarray(Q.swapaxes(1, 2)).swapaxes(1, 2)
    assert np.array_equal(lattn.local_attention(bnhd, Q, bnhd, window_size=4),
                          expected)
    two = Q[:, :2]
    assert np.array_equal(
        lattn.local_attention(Q, two, two, window_size=4),
        lattn.local_attention(Q, two.repeat(2, 1), two.repeat(2, 1),
                              window_size=4))

    class Other:
        """An array of another library."""

        def __dlpack__(self, **options):
            return Q.__dlpack__(**options)

        def __dlpack_device__(self):
            return Q.__dlpack_device__()
    assert np.array_equal(lattn.local_attention(Other(), Q, Other(),
                                                window_size=4), expected)
    for empty in (Q[:0], Q[:, :0]):
        assert lattn.local_attention(empty, empty, empty,
                                     window_size=4).shape == empty.shape
    assert lattn.local_attention(Q[:, :, :0], Q[:, :, :0], Q[:, :, :0],
                                 window_size=4).shape == (2, 4, 0, 6)


def test_dropout():
    v = np.ones_like(Q)
    options = dict(window_size=4, dropout_p=0.25)
    first = lattn.local_attention(Q, Q, v, seed=3, **options)
    assert np.array_equal(
        first, lattn.local_attention(Q, Q, v, seed=3, **options))
    assert 0.1 < first.std() and abs(first.mean() - 1) < 0.2
    assert not np.array_equal(
        first, lattn.local_attention(Q, Q, v, seed=4, **options))
    drawn = []
    for state in (5, 5, 6):
        np.random.seed(state)
        drawn.append(lattn.local_attention(Q, Q, v, **options))
    assert np.array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])
    options["dropout_p"] = 1.0
    assert not lattn.local_attention(Q, Q, v, **options).any()


@pytest.mark.parametrize("changes, error, match", [
    ({"q": [1.0]}, TypeError, "q: expected an array.*list"),
    ({"q": Q.astype("i4")}, TypeError, "q: .*int32"),
    ({"q": Q[0]}, ValueError, r"q: .*\(B, H, N, D\)"),
    ({"k": Q.astype("f8")}, TypeError, "k: .*float32, got float64"),
    ({"k": Q[:, :, :4]}, ValueError, r"k: .*\(2, any, 8, 6\)"),
    ({"k": Q[:, :3], "v": Q[:, :3]}, ValueError, "k: .*divides q's 4, got 3"),
    ({"v": Q[:, :2]}, ValueError, r"v: .*\(2, 4, 8, any\)"),
    ({"v": Q[..., :0]}, ValueError, "v: .*at least 1, got 0"),
    ({"causal": np.zeros(2)}, TypeError, "causal: .*True or False, got ndarray"),
    ({"autopad": np.zeros(2)}, TypeError, "autopad: .*got ndarray"),
    ({"scale": np.zeros(2)}, TypeError, "scale: expected a number, got ndarray"),
    ({"scale": 2**2000}, ValueError, "scale: .*got inf"),
    ({"window_size": 0}, ValueError, "window_size: .*got 0"),
    ({"window_size": 2.5}, TypeError, "window_size: .*float"),
    ({"window_size": 3}, ValueError, "q: .*divisible by 3.*got 8"),
    ({"look_backward": -1}, ValueError, "look_backward"),
    ({"look_forward": 1, "causal": True}, ValueError, "look_forward: expected 0 where causal"),
    ({"dim": 4}, ValueError, "dim: .*got 4"),
    ({"dim": 6, "theta": -1.0}, ValueError, "theta"),
    ({"scale": float("inf")}, ValueError, "scale: .*inf"),
    ({"scale": "1"}, TypeError, "scale: .*str"),
    ({"call_window_size": 2}, ValueError, "call_window_size"),
    ({"dropout_p": 1.5}, ValueError, "dropout_p: .*0 to 1, got 1.5"),
    ({"dropout_p": "a"}, TypeError, "dropout_p: .*str"),
    ({"seed": 0.5}, TypeError, "seed: .*float"),
    ({"seed": 2**63}, ValueError, "seed"),
    ({"mask": np.ones((2, 8))}, TypeError, "mask: .*bool, got float64"),
    ({"mask": np.ones((2, 7), bool)}, ValueError, r"mask: .*\(2, 8\)"),
    ({"attn_bias": np.zeros((3, 4, 12), "f4")}, ValueError, "attn_bias"),
    ({"attn_bias": np.zeros((4, 4, 11), "f4")}, ValueError, "attn_bias"),
    ({"attn_bias": np.zeros((4, 4, 12))}, TypeError, "attn_bias: .*float64"),
])
def test_errors(changes, error, match):
    arguments = {"q": Q, "k": Q, "v": Q, "window_size": 4} | changes
    with pytest.raises(error, match=match):
        lattn.local_attention(**arguments)
