"""Arrays as torch's tensors."""

import itertools

import torch

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
            count = case.skew + shape[0] * shape[1] * shape[2] * shape[3]
            values = torch.randn(count, device=DEVICE, dtype=torch.float32,
                                 generator=generator).to(TYPES[case.dtype])
            if name == "out":
                values.fill_(float("nan"))
            self.tensors[name] = values.as_strided(shape, case.strides(shape),
                                                   case.skew)

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
        """The output after one launch; before it, NaN."""
        self.tensors["out"].fill_(float("nan"))
        torch.cuda.synchronize()
        launch()
        self.driver.synchronize()
        return self.tensors["out"].clone()

    def error(self, out, tolerance):
        """The largest, in tolerances."""
        want = attend(self.case, *(self.tensors[name] for name in "qkv"))
        return self.difference(out, want, tolerance)

    @staticmethod
    def same(first, second):
        return torch.equal(first.view(torch.int16), second.view(torch.int16))

    @staticmethod
    def difference(got, want, tolerance):
        """The largest, in tolerances; infinite where something is not finite."""
        got = got.to(want.dtype)
        if not torch.isfinite(got).all():
            return float("inf")
        bound = tolerance * want.abs().clamp(min=1)
        return float(((got - want).abs() / bound).max())


def attend(case, q, k, v, most=2 ** 26):
    """In f64, or f32 where that would take long; some heads and rows at a time."""
    wide = torch.float64 if case.N * case.M <= 2 ** 20 else torch.float32
    torch.backends.cuda.matmul.allow_tf32 = False
    out = torch.zeros(case.shapes()["out"], dtype=wide, device=q.device)
    rows = max(1, min(case.N, most // case.M))
    heads = max(1, most // (rows * case.M))
    group = case.H // case.Hkv
    keys = torch.arange(case.M, device=q.device)[None, :]
    for b, h, i in itertools.product(range(case.B), range(0, case.H, heads),
                                     range(0, case.N, rows)):
        some, part = slice(h, min(case.H, h + heads)), slice(i, min(case.N, i + rows))
        kv = torch.arange(some.start, some.stop, device=q.device) // group
        s = q[b, some, part].to(wide) @ k[b, kv].to(wide).mT * case.D ** -0.5
        p = torch.arange(part.start, part.stop,
                         device=q.device)[:, None] + case.M - case.N
        seen = torch.ones_like(s[0], dtype=torch.bool)
        if case.left is not None:
            seen &= keys >= p - case.left
        if case.right is not None:
            seen &= keys <= p + case.right
        w = torch.softmax(s.masked_fill(~seen, float("-inf")), -1)
        out[b, some, part] = w.nan_to_num(0) @ v[b, kv].to(wide)  # no key: 0
    return out
