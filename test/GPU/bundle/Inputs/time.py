"""time.py BUNDLE ...: run.py with torch's tensors of the CPU, which the stand-in's
kernels can read, and a clock in place of CUDA's events."""

import pathlib
import sys
import time
import types

import torch

sys.path.insert(0, sys.argv.pop(1))

import run  # noqa: E402
from lattn_bundle import of_torch, peers  # noqa: E402


class Event:
    def __init__(self, **_):
        self.at = None

    def record(self):
        self.at = time.perf_counter()

    def elapsed_time(self, end):
        return 1e3 * (end.at - self.at)


of_torch.DEVICE = "cpu"
torch.cuda.Event = Event
for name in ("synchronize", "empty_cache"):
    setattr(torch.cuda, name, lambda: None)
torch.cuda.set_device = lambda device: None
torch.cuda.is_available = lambda: True
torch.cuda.get_device_properties = lambda device: types.SimpleNamespace()
torch.cuda.current_stream = lambda: types.SimpleNamespace(cuda_stream=0)
torch.compile = lambda function, **_: function
small = torch.randn(64, 64)
peers.matmul = lambda: (lambda: small @ small, 2 * 64 ** 3)

sys.argv[0] = str(pathlib.Path(run.__file__))
sys.exit(run.run(run.parse()))
