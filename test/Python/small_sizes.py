# REQUIRES: torch, slow
# RUN: env FIRST=%{slice}000 COUNT=6%{times100} %cached_pytest %s

# Few features, queries and keys, in groups of heads: results, gradients and tangents
# against the formula in float64.

import os

import numpy as np
import pytest
import torch

import lattn
from dense import F64, dense, leaf

FIRST, COUNT = (int(os.environ.get(name, default))
                for name, default in (("FIRST", 0), ("COUNT", 6)))
TOLERANCES = {F64: 1e-11, torch.float32: 2e-5, torch.bfloat16: 3e-2,
              torch.float16: 4e-3}


def close(what, got, wanted, dtype):
    # Rows that see nothing: the formula's tangents are NaN.
    wanted = torch.where(wanted.isnan(), 0, wanted)
    most = torch.nan_to_num(wanted, posinf=0, neginf=0).abs().max() if wanted.numel() else 0
    torch.testing.assert_close(
        got.double(), wanted, rtol=TOLERANCES[dtype],
        atol=TOLERANCES[dtype] * (1 + float(most)), msg=lambda text: f"{what}: {text}")


def check(q, k, v, dtype, seed=0, **options):
    """Arrays of these shapes."""
    generator = torch.Generator().manual_seed(seed)
    draw = lambda shape: torch.randn(shape, generator=generator).to(dtype)
    xs, tangents = [[draw(shape) for shape in (q, k, v)] for _ in range(2)]
    ours = lambda *x: lattn.attention(*x, return_lse=True, **options)
    theirs = lambda *x: dense(*x, **options)
    leaves, wide = [leaf(x) for x in xs], [leaf(x, F64) for x in xs]
    found, expected = ours(*leaves), theirs(*wide)
    for name, a, b in zip(("output", "lse"), found, expected):
        close(name, a.detach(), b.detach(), dtype)
    given = [draw(x.shape).to(x.dtype) for x in found]
    grads = torch.autograd.grad(found, leaves, given)
    wanted = torch.autograd.grad(expected, wide, [x.double() for x in given])
    for name, a, b in zip("qkv", grads, wanted):
        close(f"gradient of {name}", a, b, dtype)
    pushed = torch.func.jvp(ours, tuple(xs), tuple(tangents))[1]
    wanted = torch.func.jvp(theirs, tuple(x.double() for x in xs),
                            tuple(x.double() for x in tangents))[1]
    for name, a, b in zip(("output", "lse"), pushed, wanted):
        close(f"tangent of {name}", a, b, dtype)


@pytest.mark.parametrize("n, d", [(2, 1), (16, 1), (3, 2)])
def test_groups(n, d):
    # A query of each of the heads that share keys: rows of one element.
    check((2, 4, n, d), (2, 2, n, d), (2, 2, n, d), torch.float32)


@pytest.mark.parametrize("seed", range(FIRST + 1, FIRST + 1 + COUNT))
def test_generated(seed):
    rng = np.random.default_rng(seed)
    dtype = list(TOLERANCES)[seed % 4]
    few = lambda most: int(rng.choice([1, 2, rng.integers(1, most)]))
    b, hkv, group, n, m, d, dv = map(few, (4, 4, 6, 18, 40, 21, 21))
    dv = d if rng.random() < .5 else dv
    options = {"causal": bool(rng.random() < .3)}
    if rng.random() < .3:
        options["window"] = int(rng.integers(0, 4)), int(rng.integers(0, 4))
    check((b, hkv * group, n, d), (b, hkv, m, d), (b, hkv, m, dv), dtype, seed,
          **options)
