"""Arrays as torch's tensors."""

import functools
import math

import torch

from . import reference
from .record import Array

DEVICE = "cuda"
TYPES = {"bf16": torch.bfloat16, "f16": torch.float16}


class Arrays:
    """A case's arrays of random numbers."""

    def __init__(self, driver, case, seed=0):
        self.driver, self.case = driver, case
        generator = torch.Generator(DEVICE).manual_seed(seed)
        self.tensors, self.kept = {}, []
        for name, shape in case.shapes().items():
            values = torch.randn(case.skew + math.prod(shape), device=DEVICE,
                                 dtype=torch.float32, generator=generator)
            if name != "lse":
                values = values.to(TYPES[case.dtype])
            if name in case.outputs:
                values.fill_(float("nan"))
            self.tensors[name] = values.as_strided(shape, case.strides(shape),
                                                   case.skew)
        if case.backward:
            self.tensors["lse"].copy_(torch.tensor(case.lse()))

    def free(self):
        self.tensors.clear()
        self.kept.clear()
        torch.cuda.empty_cache()

    def allocate(self, size):
        self.kept.append(torch.empty(size, dtype=torch.uint8, device=DEVICE))
        return self.kept[-1].data_ptr()

    def prepare(self, kernel):
        return kernel.prepare(
            {name: Array(t.data_ptr(), tuple(t.shape), t.stride())
             for name, t in self.tensors.items()}, self.allocate)

    def run(self, launch):
        """The outputs after one launch; before it, NaN."""
        outputs = [self.tensors[name] for name in self.case.outputs]
        for tensor in outputs:
            tensor.fill_(float("nan"))
        torch.cuda.synchronize()
        launch()
        self.driver.synchronize()
        return [tensor.clone() for tensor in outputs]

    def error(self):
        """The largest of the outputs, in tolerances: of f64, or of f32 where that would
        take long."""
        case = self.case
        torch.backends.cuda.matmul.allow_tf32 = False
        wide = torch.float64 if case.N * case.M <= 2 ** 20 else torch.float32
        arrays = {name: tensor.to(wide) for name, tensor in self.tensors.items()}
        return reference.find_error(
            case, torch, functools.partial(torch.arange, device=DEVICE), arrays)

    @staticmethod
    def same(first, second):
        return all(torch.equal(a.view(torch.int16), b.view(torch.int16))
                   for a, b in zip(first, second))
