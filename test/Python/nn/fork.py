# REQUIRES: slow
# RUN: %pytest %s

# Forked processes after kernels ran: a DataLoader's workers, which run modules
# that compiled before and others that did not.

import subprocess
import sys

import pytest
import torch
from torch.utils.data import DataLoader, Dataset

from lattn import nn, set_num_threads

SHAPE = dict(dim=32, heads=2, dim_head=16, causal=True)


class Rows(Dataset):

    def __init__(self, module):
        self.module = module

    def __len__(self):
        return 6

    def __getitem__(self, i):
        torch.manual_seed(i)
        x = torch.randn(1, 300, 32)
        with torch.no_grad():
            return x[0], self.module(x)[0]


@pytest.fixture(autouse=True)
def threads():
    """Several, whose pool does not live on in a forked process."""
    set_num_threads(3)


@pytest.mark.parametrize("window", [32, 48])
@pytest.mark.parametrize("workers", [1, 2])
def test_workers(window, workers):
    torch.manual_seed(0)
    used = nn.LocalMHA(window_size=32, **SHAPE)
    with torch.no_grad():
        used(torch.randn(1, 300, 32))
    module = nn.LocalMHA(window_size=window, **SHAPE)
    loader = DataLoader(Rows(module), batch_size=2, num_workers=workers,
                        multiprocessing_context="fork", timeout=120)
    batches = list(loader)
    assert len(batches) == 3
    with torch.no_grad():
        for x, y in batches:
            torch.testing.assert_close(module(x), y)


_FORKS = """
import os, sys
import torch

def attend():
    import lattn
    lattn.set_num_threads(3)
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, 8, 2048, 64)
    return lattn.attention(q, k, v, window=(256, 0)).numpy().tobytes()

torch.set_num_threads(3)
x = torch.randn(800, 800)
x @ x
expected = attend() if sys.argv[1] == "before" else None
child = os.fork()
if child == 0:
    os._exit(0 if attend() == (expected or attend()) else 1)
assert os.waitpid(child, 0)[1] == 0
assert attend() == (expected or attend())
"""


@pytest.mark.parametrize("used", ["before", "after"])
def test_threads_of_torch(used):
    # torch's threads run kernels, too, but not in forked processes.
    subprocess.run([sys.executable, "-c", _FORKS, used], check=True,
                   timeout=120)
