"""time.py BUNDLE ...: run.py with torch's tensors of the CPU, which the stand-in's
kernels can read."""

import pathlib
import sys
import types

import torch

sys.path.insert(0, sys.argv[1])

from lattn_bundle import of_torch, peers, pool, worker  # noqa: E402

of_torch.DEVICE = "cpu"
for name in ("synchronize", "empty_cache"):
    setattr(torch.cuda, name, lambda: None)
torch.cuda.set_device = lambda device: None
torch.cuda.is_available = lambda: True
torch.cuda.current_stream = lambda: types.SimpleNamespace(cuda_stream=0)
torch.compile = lambda function, **_: function
small = torch.randn(64, 64)
peers.matmul = lambda: (lambda: small @ small, 2 * 64 ** 3)
peers.copy = lambda: (lambda: small.clone(), 2 * 4 * 64 ** 2)

if sys.argv[2] == "worker":
    del sys.argv[1:3]
    sys.exit(worker.main())
import run  # noqa: E402

pool.COMMAND[:] = [sys.executable, "-B", __file__, sys.argv.pop(1), "worker"]
sys.argv[0] = str(pathlib.Path(run.__file__))
sys.exit(run.main(run.time.monotonic()))
