"""lattn.local_attention on GPUs and its gradients, on a stand-in for the driver whose
kernels are run by the PTX emulator: against the CPU's in float64. What its operators
say of CUDA tensors is seen by torch's fake tensors."""

# REQUIRES: slow
# RUN: %emulated FAKECUDA_CAPABILITY=8.0 %pytest %s

import sys

import emulated_gpu
import fake_gpu
import numpy as np
import pytest

from lattn import _local_kernels
from lattn._derived import Call
from lattn._local_kernels import Options

torch = fake_gpu.Torch()
# Of the largest number: rotated rows, weights and their gradients are rounded.
TYPES = {"float16": ("f16", 2.0 ** -8), "bfloat16": ("bf16", 2.0 ** -5)}
NAMES = "query", "key", "value"


@pytest.fixture
def gpu(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", torch)
    torch.stream = 0
    found = emulated_gpu.Emulated(monkeypatch, "sm_80")
    yield found
    found.close()


def make_options(causal=True, **others):
    """All that are resolved, of windows of 16."""
    o = Options(16, 16, 1, 0 if causal else 1, causal, False, True, False, 0, 10000.0,
                False, 8.0, 0.25)
    return o._replace(**others)


def make_call(element, arrays, o, bias, p):
    """The call of arrays (q, k, v, mask, bias), which may be None."""
    operands = {name: x for name, x in zip((*NAMES, "bias", "key_mask"),
                                           (*arrays[:3], arrays[4], arrays[3]))
                if x is not None}
    if p:
        operands |= dict(p=p, seed=7)
    kind = None if bias is None else (*bias.shape, "f64" if element == "f64" else "f32")
    key = (element, arrays[0].shape[3], arrays[2].shape[3], arrays[3] is not None, kind,
           o, bool(p))
    return Call(_local_kernels._text, key, "local_attention", operands)


def run(element, arrays, o, bias, p, make, d_output):
    """(output, gradients of q, k, v). make(shape, wide) is an empty array."""
    call = make_call(element, arrays, o, bias, p)
    shape = (*arrays[0].shape[:3], arrays[2].shape[3])
    masked = arrays[3] is not None
    padded = _local_kernels.has_padded_keys(o, masked)
    kept = [make(shape, padded)] if padded or masked or bias is not None else []
    kept.append(make(shape[:3], True))
    out = make(shape, False)
    call.run_forward(kept, output=out)
    found = [make(x.shape, False) for x in arrays[:3]]
    given = {f"kept_{i}": x for i, x in enumerate(kept)}
    if len(kept) == 1:
        given["output"] = out
    call.pull_back(dict(zip(("d_query", "d_key", "d_value"), found), d_output=d_output,
                        **given))
    return out, *found


CASES = [  # type, shape of q and k, options, whether there is a mask and a bias, p
    ("float16", (1, 2, 41, 32), dict(dim=32), False, False, 0.0),
    ("bfloat16", (2, 1, 45, 16), dict(causal=False, dim=16), False, False, 0.0),
    ("float16", (2, 2, 40, 32), dict(shared_qk=True), True, False, 0.0),
    ("bfloat16", (1, 2, 48, 16), dict(autopad=False, exact_windowsize=True), True,
     True, 0.0),
    ("float16", (1, 2, 37, 24), dict(causal=False, dim=24, use_xpos=True), False, False,
     0.2),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[2]}")
def test_gradients(gpu, case):
    dtype, shape, options, masked, biased, p = case
    o, (element, tolerance) = make_options(**options), TYPES[dtype]
    rng = np.random.default_rng(len(str(case)))
    narrow = [emulated_gpu.bits(rng.standard_normal(shape), dtype) for _ in range(4)]
    wide = [emulated_gpu.numbers(x, dtype) for x in narrow]
    mask = rng.random((shape[0], shape[2])) < 0.5 if masked else None
    if masked:
        mask[0, :20] = False  # rows that see no key
    bias = rng.standard_normal((shape[1], 16, o.slots)) if biased else None
    want = run("f64", [*wide[:3], mask, bias], o, bias, p,
               lambda shape, _: np.full(shape, np.nan), wide[3])

    def put(x, kind):
        return None if x is None else torch.tensor(np.ascontiguousarray(x),
                                                   getattr(torch, kind))

    def make(shape, is_wide):
        if is_wide:
            return put(np.full(shape, np.nan, np.float32), "float32")
        return put(np.full(shape, 0x7fff, np.uint16).view(narrow[0].dtype), dtype)
    arrays = [*(put(x, dtype) for x in narrow[:3]), put(mask, "bool"),
              put(bias if bias is None else bias.astype(np.float32), "float32")]
    got = run(element, arrays, o, bias, p, make, put(narrow[3], dtype))
    gpu.check()
    for x, y in zip(got, want):
        x = emulated_gpu.numbers(x.host, dtype)
        assert np.abs(x - y).max() <= tolerance * max(1, np.abs(y).max())
