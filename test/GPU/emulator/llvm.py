# What LLVM's back-end makes of Inputs/kernels.ll.

import os
import subprocess

import numpy as np
import pytest

import ptxemu

SOURCE = os.path.join(os.path.dirname(__file__), "Inputs", "kernels.ll")


@pytest.fixture(scope="module",
                params=[("sm_80", 0), ("sm_80", 3), ("sm_90a", 3)])
def module(request):
    chip, level = request.param
    done = subprocess.run([os.environ["LLC"], f"-O{level}", f"-mcpu={chip}",
                           "-mattr=+ptx86", SOURCE, "-o", "-"], check=True,
                          capture_output=True, text=True)
    return ptxemu.load(done.stdout)


def test_transpose(module):
    x = np.random.default_rng(0).standard_normal((32, 32)).astype(np.float32)
    y = np.zeros_like(x)
    module.launch("transpose", 1, (32, 32), [x, y])
    assert np.allclose(y, np.exp2(x.T))


def test_branches(module):
    out = np.zeros(64, np.int32)
    structure = np.array([0, 0, 0, 6, 0, 0, 0], np.int32)
    module.launch("branches", 1, 64, [structure, out])
    table = [3, 1, 4, 1]
    for x in range(64):
        n = x % 6
        r = [x, x * x, x // 7, x ^ 1234, -x, 99][n]
        assert out[x] == r * table[n & 3]


def test_pairs(module):
    x = np.arange(-16, 16, dtype=np.float32)
    y = np.zeros(32, np.float16)
    module.launch("pairs", 1, 16, [ptxemu.to_bf16(x), y])
    low = ptxemu.from_bf16(ptxemu.to_bf16(x[::2]**2 + 1))
    assert (y[1::2] == np.maximum(low, 2)).all()
