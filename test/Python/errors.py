# RUN: %pytest %s

# What cannot be done is told by a message that names the argument, and the next
# call works.

import numpy as np
import pytest

import lattn


def arrays(dtype="float32"):
    rng = np.random.default_rng(0)
    q = rng.standard_normal((2, 4, 5, 8)).astype(dtype)
    k = rng.standard_normal((2, 2, 7, 8)).astype(dtype)
    return q, k, rng.standard_normal((2, 2, 7, 6)).astype(dtype)


Q, K, V = arrays()
GOOD = lattn.attention(Q, K, V)


def fails(error, message, *args, **options):
    with pytest.raises(error, match=message):
        lattn.attention(*args, **options)
    assert np.array_equal(lattn.attention(Q, K, V), GOOD)


@pytest.mark.parametrize("args, error, message", [
    (([[1.0]], K, V), TypeError, "q: expected an array .*got list"),
    ((None, K, V), TypeError, "q: expected an array"),
    ((Q.astype("int32"), K, V), TypeError, "q: expected elements of .*int32"),
    ((Q.astype(">f4"), K, V), TypeError, "q: expected native elements"),
    ((Q.astype("complex64"), K, V), TypeError, "q: .*complex64"),
    ((Q, K.astype("float64"), V), TypeError, "k: .*float32, got float64"),
    ((Q[0], K, V), ValueError, r"q: .*\(B, H, N, D\).*got \(4, 5, 8\)"),
    ((Q, K[:1], V), ValueError,
     r"k: expected the shape \(B, Hkv, M, D\) = \(2, any, any, 8\), got"),
    ((Q, K, V[:, :, :3]), ValueError, r"v: .*\(2, 2, 7, any\)"),
    ((Q, K, V[:, :1]), ValueError, r"v: .*\(2, 2, 7, any\)"),
    ((Q[:, :3], K, V), ValueError, "k: .*divides q's 3, got 2"),
    ((Q[..., :0], K[..., :0], V), ValueError, "q: .*at least 1, got 0"),
    ((np.ma.masked_array(Q), K, V), TypeError, "q: .*without a mask"),
])
def test_operands(args, error, message):
    fails(error, message, *args)


@pytest.mark.parametrize("options, error, message", [
    ({"layout": "bhdn"}, ValueError, "layout: .*'bhdn'"),
    ({"layout": 1}, ValueError, "layout: .*1"),
    ({"window": 3}, TypeError, r"window: .*got 3; \(3, 0\) shows"),
    ({"window": (1, 2, 3)}, ValueError, "window: .*3 values"),
    ({"window": (-1, 0)}, ValueError, "window's left: .*None for no bound, got -1"),
    ({"is_causal": True}, TypeError, "lattn.attention.. got an unexpected keyword "
     "argument 'is_causal'; expected causal"),
    ({"mask": None}, TypeError, "argument 'mask'; expected attn_mask, key_mask or "),
    ({"colour": 1}, TypeError, "unexpected keyword argument 'colour'$"),
    ({"window": (1.5, 0)}, TypeError, "window's left: .*got float"),
    ({"window": (0, 1 << 41)}, ValueError, "window's right"),
    ({"causal": np.zeros(2)}, TypeError, "causal: .*True or False, got ndarray"),
    ({"return_lse": np.zeros(2)}, TypeError, "return_lse: .*got ndarray"),
    ({"scale": "1"}, TypeError, "scale: .*got str"),
    ({"scale": float("nan")}, ValueError, "scale: .*nan"),
    ({"softcap": -1.0}, ValueError, "softcap: .*at least 0.0, got -1.0"),
    ({"bias": np.zeros((3, 7), "f4")}, ValueError,
     r"bias: .*\(2, 4, 5, 7\), got \(3, 7\)"),
    ({"bias": np.zeros((1,) * 5, "f4")}, ValueError, "bias: .*broadcasts"),
    ({"bias": np.zeros(7)}, TypeError, "bias: .*float32, got float64"),
    ({"attn_mask": np.zeros(7, "i4")}, TypeError, "attn_mask: .*got int32"),
    ({"attn_mask": np.zeros(6, bool)}, ValueError, "attn_mask: .*broadcasts"),
    ({"key_mask": np.zeros(7, bool)}, ValueError, r"key_mask: .*\(2, 7\)"),
    ({"key_mask": np.zeros((2, 7), "u1")}, TypeError, "key_mask: .*uint8"),
    ({"kv_lengths": 3}, TypeError, "kv_lengths: expected an array"),
    ({"kv_lengths": np.zeros(3, "i8")}, ValueError, r"kv_lengths: .*\(2\)"),
    ({"kv_lengths": np.zeros(2, "f4")}, TypeError, "kv_lengths: .*float32"),
    ({"offset": 1.0}, TypeError, "offset: expected an array"),
    ({"offset": 1 << 50}, ValueError, "offset: .*2\\*\\*40"),
    ({"offset": np.array([0, 1 << 50])}, ValueError, "offset: .*2\\*\\*40"),
    ({"sink": np.zeros(3, "f4")}, ValueError, r"sink: .*\(H\) = \(4\)"),
    ({"dropout_p": np.zeros(2)}, TypeError, "dropout_p: expected a number"),
    ({"dropout_p": "x"}, TypeError, "dropout_p: .*got str"),
    ({"dropout_p": -0.5}, ValueError, "dropout_p: .*at least 0.0, got -0.5"),
    ({"dropout_p": 1.5}, ValueError, "dropout_p: .*from 0 to 1, got 1.5"),
    ({"dropout_p": float("nan")}, ValueError, "dropout_p: .*nan"),
    ({"seed": 1.5}, TypeError, "seed: expected an integer, got float"),
    ({"seed": 1 << 63, "dropout_p": 0.1}, ValueError, "seed: .*2\\*\\*63"),
    ({"out": np.zeros((2, 4, 5, 8), "f4")}, ValueError,
     r"out: .*\(B, H, N, Dv\) = \(2, 4, 5, 6\)"),
    ({"out": np.zeros((2, 4, 5, 6))}, TypeError, "out: .*float64"),
])
def test_options(options, error, message):
    fails(error, message, Q, K, V, **options)


def test_strides_between_elements():
    records = np.zeros((2, 4, 5, 8), [("x", "f4"), ("y", "u1")])
    fails(ValueError, "q: expected strides that are multiples", records["x"],
          K, V)


def test_unaligned():
    memory = np.zeros(2 * 4 * 5 * 8 * 4 + 1, "u1")
    q = memory[1:].view("f4").reshape(2, 4, 5, 8)
    fails(ValueError, "q: expected elements aligned to 4 bytes", q, K, V)


def test_window():
    for arguments, error, message in [
            ({"left": -1}, ValueError, "Window.left: .*-1"),
            ({"bucket": 0}, ValueError, "Window.bucket: .*from 1"),
            ({"back": 1}, ValueError, "Window.bucket: .*None"),
            ({"right": 1.0}, TypeError, "Window.right: .*float"),
            ({"bucket": 1 << 39, "back": 3}, ValueError, "bucket")]:
        with pytest.raises(error, match=message):
            lattn.Window(**arguments)


def test_threads():
    for n, error in [(0, ValueError), (-1, ValueError), (1.0, TypeError)]:
        with pytest.raises(error):
            lattn.set_num_threads(n)


def test_out_of_memory():
    # (1, 2**17, 2**30 / 16, 64) of broadcast strides: 2 PiB of output.
    q = np.broadcast_to(np.zeros((1, 1, 1, 64), "f4"), (1, 1 << 17, 1 << 26, 64))
    with pytest.raises(MemoryError):
        lattn.attention(q, q[:, :1, :1], q[:, :1, :1])
