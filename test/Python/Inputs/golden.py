"""What released packages computed: test/Integration/CPU/cases."""

import json
import pathlib

import numpy as np
import torch

FOLDER = pathlib.Path(__file__).parents[2] / "Integration" / "CPU" / "cases"
TOLERANCES = {"float64": 2e-5, "float32": 1e-4, "bfloat16": 0.1,
              "float16": 2e-2}


def names(family):
    found = sorted(p.stem for p in FOLDER.glob(f"{family}_[0-9]*.npz"))
    assert found
    return found


def differs(got, expected, tolerance):
    """What is wrong, or None. Errors are relative to 1 + |x|; NaN is NaN."""
    got = np.asarray(got.detach().double() if torch.is_tensor(got) else got)
    if got.shape != expected.shape:
        return f"shape {got.shape}, expected {expected.shape}"
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    with np.errstate(invalid="ignore"):
        error = np.abs(got - expected) / (1 + np.abs(expected))
    worst = np.where(same, 0, error).max(initial=0)
    return None if worst <= tolerance else f"error {worst}"


class Case:
    """One file, its arrays as tensors of the type it was run in."""

    def __init__(self, name):
        with np.load(FOLDER / f"{name}.npz") as file:
            self.arrays = dict(file)
        self.options = json.loads(str(self.arrays.pop("options")))
        dtype = self.options.get("dtype", "float32")
        self.dtype, self.tolerance = getattr(torch, dtype), TOLERANCES[dtype]
        self.leaves = {}

    def tensor(self, name):
        array = self.arrays.get(f"in_{name}")
        if array is None:
            return None
        x = torch.from_numpy(array)
        if not x.is_floating_point():
            return x
        x = x.to(self.dtype)
        if any(n in self.arrays for n in (f"grad_{name}",
                                          f"grad_{name.removesuffix('_0')}")):
            self.leaves[name] = x.requires_grad_()
        return x

    def load(self, module):
        """The module with the file's parameters, strictly, in its type."""
        weights = {n[2:]: torch.from_numpy(x) for n, x in self.arrays.items()
                   if n.startswith("w_")}
        buffers = {n: x for n, x in module.state_dict().items()
                   if n in dict(module.named_buffers())}
        module.load_state_dict(buffers | weights, strict=True)
        return module.to(self.dtype).eval()

    def check(self, name, got, tolerance=None):
        wrong = differs(got, self.arrays[name], tolerance or self.tolerance)
        assert not wrong, f"{name}: {wrong}, {self.options}"

    def check_gradients(self, out, module=None):
        """Those of sum(out * grad_out), where the file has them."""
        expected = {n for n in self.arrays if n.startswith("grad_")}
        if not expected:
            return
        out.backward(self.tensor("grad_out"))
        for name, x in self.leaves.items():
            short = name if f"grad_{name}" in expected else name[:-2]
            self.check(f"grad_{short}", x.grad)
            expected.remove(f"grad_{short}")
        for name, x in module.named_parameters() if module else []:
            if f"grad_w_{name}" in expected:
                self.check(f"grad_w_{name}", x.grad)
                expected.remove(f"grad_w_{name}")
        assert not expected
