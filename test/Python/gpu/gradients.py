"""Gradients of lattn.attention on GPUs, on a stand-in for the driver whose kernels are
run by the PTX emulator: against the CPU's in float64, and what is refused."""

# REQUIRES: slow
# RUN: %emulated FAKECUDA_CAPABILITY=8.0 %pytest %s

import sys

import emulated_gpu
import fake_gpu
import numpy as np
import pytest

import lattn
from lattn import _lattn

torch = fake_gpu.Torch()
# Of the largest gradient: scores' gradients and results are rounded.
TYPES = {"float16": 2.0 ** -8, "bfloat16": 2.0 ** -5}
OPTIONS = dict(window=None, causal=False, scale=None, bias=None, key_mask=None,
               attn_mask=None, kv_lengths=None, offset=None, layout="bhnd",
               softcap=0.0, sink=None, mods=None, dropout_p=0.0, seed=None)


@pytest.fixture
def gpu(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", torch)
    torch.stream = 0
    found = emulated_gpu.Emulated(monkeypatch, "sm_80")
    yield found
    found.close()


def call(arrays, gradients, options, **others):
    return _lattn.attention(
        *arrays, *{**OPTIONS, **options}.values(), True, None, gradients, False,
        others.get("pages"), others.get("cu_seqlens"), others.get("cu_seqlens"))


def put(array, dtype):
    return torch.tensor(np.ascontiguousarray(array), getattr(torch, dtype))


def run(shapes, dtype, options, arrays=None, segments=None, borders=None):
    """(gradients on the GPU, those of the CPU in f64)"""
    packed = {} if borders is None else {"cu_seqlens": borders}
    of_mods = () if segments is None else (None, None)  # of what scores read
    rng = np.random.default_rng(len(dtype))
    q, k, v, d_out = (emulated_gpu.bits(rng.standard_normal(s), dtype) for s in (
        *shapes, (*shapes[0][:3], shapes[2][3])))
    wide = [emulated_gpu.numbers(x, dtype) for x in (q, k, v, d_out)]
    given = {**options, **(arrays or {})}
    if segments is not None:
        given["mods"] = (None, None, segments, segments)
        segments = put(segments, "int32")
        options = {**options, "mods": (None, None, segments, segments)}
    out, lse = call(wide[:3], None, given, **packed)
    d_lse = rng.standard_normal(lse.shape)
    want = [np.empty_like(x) for x in wide[:3]]
    sink = given.get("sink")
    want_sink = None if sink is None else np.empty(len(sink))
    call(wide[:3], (out, lse, wide[3], d_lse, *want, want_sink, None, None,
                     of_mods), given, **packed)
    if packed:
        packed = {"cu_seqlens": put(borders, "int32")}
    on_gpu = [put(x, dtype) for x in (q, k, v)]
    found = [put(np.full_like(x, np.nan if dtype == "float16" else 0x7fff), dtype)
             for x in (q, k, v)]
    found_sink = None if sink is None else put(np.full(len(sink), np.nan, np.float32),
                                               "float32")
    call(on_gpu, (put(emulated_gpu.bits(out, dtype), dtype),
                  put(lse.astype(np.float32), "float32"), put(d_out, dtype),
                  put(d_lse.astype(np.float32), "float32"), *found, found_sink, None,
                  None, of_mods),
         {**options, **{n: put(x.astype(np.float32) if x.dtype == np.float64 else x,
                               "float32" if x.dtype == np.float64 else x.dtype.name)
                        for n, x in (arrays or {}).items()}}, **packed)
    pairs = list(zip((emulated_gpu.numbers(x.host, dtype) for x in found), want))
    if sink is not None:
        pairs.append((found_sink.host, want_sink))
    return pairs


CASES = [  # type, shapes of q, k and v, options
    ("bfloat16", ((1, 4, 70, 64), (1, 2, 90, 64), (1, 2, 90, 64)),
     {"window": (30, 4)}),
    ("float16", ((2, 70, 2, 32), (2, 70, 2, 32), (2, 70, 2, 48)),
     {"causal": True, "layout": "bnhd", "scale": 0.3}),
    ("float16", ((1, 2, 33, 40), (1, 1, 50, 40), (1, 1, 50, 24)), {"softcap": 2.0}),
    ("float16", ((2, 2, 50, 32), (2, 1, 61, 32), (2, 1, 61, 32)),
     {"window": (30, 4), "dropout_p": 0.3, "seed": 2**40 + 5}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[2]}")
def test_gradients(gpu, case):
    dtype, shapes, options = case
    pairs = run(shapes, dtype, options)
    gpu.check()
    assert {"attention_grad_query", "attention_grad_key_value"} <= set(gpu.launched)
    for got, want in pairs:
        assert np.abs(got - want).max() <= TYPES[dtype] * np.abs(want).max()


def test_forward_with_dropout(gpu):
    """The same weights as on the CPU."""
    rng = np.random.default_rng(4)
    q, k, v = (emulated_gpu.bits(rng.standard_normal((1, 2, 70, 32)), "float16")
               for _ in range(3))
    options = {"window": (20, 9), "dropout_p": 0.4, "seed": 3}
    wide = [emulated_gpu.numbers(x, "float16") for x in (q, k, v)]
    want, want_lse = call(wide, None, options)
    got, lse = call([put(x, "float16") for x in (q, k, v)], None, options)
    gpu.check()
    assert np.abs(got.host - want).max() <= TYPES["float16"] * np.abs(want).max()
    assert np.abs(lse.host - want_lse).max() <= 1e-4
    dropped = call(wide, None, {**options, "seed": 4})[0]
    assert np.abs(dropped - want).max() > 0.1


def test_arrays(gpu):
    """A mask, lengths, a bias and sinks."""
    rng = np.random.default_rng(3)
    arrays = {"key_mask": rng.random((2, 60)) < 0.7,
              "kv_lengths": np.array([60, 37], np.int32),
              "bias": rng.standard_normal((2, 40, 60)),
              "sink": rng.standard_normal(2)}
    pairs = run(((2, 2, 40, 32), (2, 2, 60, 32), (2, 2, 60, 32)), "bfloat16",
                {"causal": True}, arrays)
    gpu.check()
    assert len(pairs) == 4
    for got, want in pairs:
        assert np.abs(got - want).max() <= TYPES["bfloat16"] * np.abs(want).max()


@pytest.mark.parametrize("name", ["bias", "attn_mask"])
@pytest.mark.parametrize("heads", [(), (1,), (2,), (2, 2)], ids=str)
def test_gradient_of_a_bias(gpu, heads, name):
    """Of all batches and heads that read it, or a mask of numbers."""
    rng = np.random.default_rng(5)
    shapes = ((2, 2, 40, 32), (2, 1, 60, 32), (2, 1, 60, 32))
    q, k, v, d_out = (emulated_gpu.bits(rng.standard_normal(s), "float16")
                      for s in (*shapes, shapes[0]))
    bias = rng.standard_normal((*heads, 40, 60)).astype(np.float32)
    options = {"causal": True, "dropout_p": 0.2, "seed": 9}
    wide = [emulated_gpu.numbers(x, "float16") for x in (q, k, v, d_out)]
    out, lse = call(wide[:3], None, {**options, name: bias.astype(np.float64)})
    empty, want = np.zeros_like(lse), np.empty(bias.shape)
    d_arrays = [np.empty_like(x) for x in wide[:3]]

    def place(array):  # after the gradient of the sink
        return (array, None) if name == "bias" else (None, array)

    call(wide[:3], (out, lse, wide[3], empty, *d_arrays, None, *place(want), ()),
         {**options, name: bias.astype(np.float64)})
    found = put(np.full_like(bias, np.nan), "float32")
    on_gpu = [put(x, "float16") for x in (q, k, v)]
    call(on_gpu, (put(emulated_gpu.bits(out, "float16"), "float16"),
                  put(lse.astype(np.float32), "float32"), put(d_out, "float16"),
                  put(empty.astype(np.float32), "float32"),
                  *(put(np.zeros_like(x), "float16") for x in (q, k, v)), None,
                  *place(found), ()),
         {**options, name: put(bias, "float32")})
    gpu.check()
    assert "attention_grad_bias" in gpu.launched
    assert np.abs(found.host - want).max() <= TYPES["float16"] * np.abs(want).max()


def test_segments(gpu):
    segments = np.sort(np.random.default_rng(1).integers(0, 4, (1, 70))).astype(
        np.int32)
    pairs = run(((1, 2, 70, 32), (1, 1, 70, 32), (1, 1, 70, 32)), "float16",
                {"causal": True}, segments=segments)
    gpu.check()
    for got, want in pairs:
        assert np.abs(got - want).max() <= TYPES["float16"] * np.abs(want).max()


def test_packed_sequences(gpu):
    """One of them is empty, and one has a single row."""
    sink = np.random.default_rng(2).standard_normal(2)
    borders = np.array([0, 40, 40, 41, 120], np.int32)
    pairs = run(((1, 2, 120, 32), (1, 1, 120, 32), (1, 1, 120, 32)), "float16",
                {"window": (20, 0)}, {"sink": sink}, borders=borders)
    gpu.check()
    assert len(pairs) == 4
    for got, want in pairs:
        assert np.abs(got - want).max() <= TYPES["float16"] * np.abs(want).max()


TEXT = """
!q = tensor<1x2x40x32xf16>
!k = tensor<1x1x50x32xf16>
!b = tensor<40x50xf32>
func.func @program(%q: !q {lattn.name = "q"}, %k: !k, %v: !k, %bias: !b) -> !q {
  %e = tensor.empty() : !q
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) bias(%bias : !b)
      outs(%e : !q) {window = #lattn.window<left = 30, right = 5>}
  return %0 : !q
}
"""


def test_compiled_program(gpu):
    """lattn.compile(...).grad(), with tensors and with arrays of DLPack."""
    function = lattn.compile(TEXT).grad()
    text = function._callable._get_source()[0].decode()
    gpu._load(lattn.compile_ptx(text, "sm_80"))
    rng = np.random.default_rng(6)
    *arrays, cotangent = (rng.standard_normal(shape).astype(dtype) for shape, dtype in (
        ((1, 2, 40, 32), np.float16), *[((1, 1, 50, 32), np.float16)] * 2,
        ((40, 50), np.float32), ((1, 2, 40, 32), np.float16)))
    value, want = function(*arrays, cotangents=cotangent)
    for make in (lambda x: put(x, x.dtype.name),
                 lambda x: fake_gpu.DLPackArray(fake_gpu.put(x))):
        output, found = function(*map(make, arrays), cotangents=make(cotangent))
        gpu.check()
        for got, x in zip((output, *found), (value, *want), strict=True):
            assert got.is_cuda and got.host.dtype == x.dtype
            assert np.abs(got.host - x).max() <= TYPES["float16"] * np.abs(x).max()
    assert {"program_grad_query", "program_grad_bias"} <= set(gpu.launched)
    on_gpu = [put(x, x.dtype.name) for x in arrays]
    with pytest.raises(ValueError, match="expected an array on GPU 0, as q, got one in "
                       "the CPU's memory"):
        function(*on_gpu, cotangents=cotangent)
    with pytest.raises(RuntimeError, match="the gradient of a bias has no GPU kernel"):
        lattn.compile(TEXT.replace("tensor<40x50xf32>", "tensor<1x50xf32>")).grad()(
            *on_gpu[:3], put(arrays[3][:1], "float32"),
            cotangents=put(cotangent, "float16"))


def refused(message, position=None, **others):
    q = put(np.zeros((1, 1, 16, 16), np.float16), "float16")
    lse = put(np.zeros((1, 1, 16), np.float32), "float32")
    gradients = [q, lse, q, lse, q, q, q, None, None, None, ()]
    if position is not None:
        gradients[position] = others.pop("array")
    options = {n: others.pop(n) for n in list(others) if n in OPTIONS}
    with pytest.raises(NotImplementedError, match=message):
        call((q, q, q), tuple(gradients), options, **others)


def test_refused(gpu):
    row = put(np.zeros((1, 16), np.float32), "float32")
    refused("bias: gradients of an array that queries or keys share are not built", 8,
            array=row, bias=row)
    bias = put(np.zeros((16, 16), np.float32), "float32")
    refused("attn_mask: gradients of a mask beside a bias are not built for GPUs yet",
            9, array=bias, attn_mask=bias, bias=bias)
