# A whole kernel, and that each way to break it shows.

import os

import numpy as np
import pytest
from harness import compile_cuda

import ptxemu

M, N, K = 128, 64, 128
RNG = np.random.default_rng(0)
A, B = (RNG.integers(-8, 8, shape).astype(np.float32)
        for shape in ((M, K), (N, K)))


@pytest.fixture(scope="module")
def run():
    path = os.path.join(os.path.dirname(__file__), "Inputs", "gemm.cu")
    with open(path) as f:
        module = ptxemu.load(compile_cuda(f.read()))

    def launch(name, **options):
        c = np.zeros((M, N), np.float32)
        module.launch("gemm" + name, (N // 64, M // 64), 128,
                      [ptxemu.to_bf16(A), ptxemu.to_bf16(B), c, N, K],
                      **options)
        return c
    return launch


def test_right(run):
    for seed in range(3):
        assert (run("None", seed=seed) == A @ B.T).all()


@pytest.mark.parametrize("name", ["Wait", "LastWait", "WaitTooLittle",
                                  "Before", "After"])
def test_missing_waits_and_barriers(run, name):
    with pytest.raises(ptxemu.Race, match="of shared memory"):
        run(name)
    # Some order of events shows it in the numbers, too.
    assert any((run(name, seed=seed, races=False) != A @ B.T).any()
               for seed in range(8))


def test_one_step_too_many(run):
    with pytest.raises(ptxemu.Fault, match="of global buffer gemmStep_param_"):
        run("Step")


def test_wrong_stride(run):
    assert (run("Stride") != A @ B.T).any()
