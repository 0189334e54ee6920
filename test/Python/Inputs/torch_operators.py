"""Calls of torch's operators on two arrays (batch, length, 8), in groups. torch computes
the ones that torch-mlir does not convert."""

import torch
import torch.nn.functional as F


def _named(module, names):
    return {name: lambda x, y, f=getattr(module, name): f(x) for name in names.split()}


def _of_two(names):
    calls = {}
    for name in names.split():
        f = getattr(torch, name)
        calls[name] = lambda x, y, f=f: f(x, y)
        calls[name + " broadcast"] = lambda x, y, f=f: f(x, y[:1, :, :1])
    return calls


def _reduced(names):
    calls = {}
    for name in names.split():
        f = getattr(torch, name)
        for dim in (0, 1, 2):
            calls[f"{name} {dim}"] = lambda x, y, f=f, dim=dim: f(x, dim)
        calls[f"{name} keepdim"] = lambda x, y, f=f: f(x, 1, keepdim=True)
    return calls


def _padded(amounts, **options):
    return {f"{p} {options}": lambda x, y, p=p: F.pad(x, p, **options) for p in amounts}


def _sliced():
    every = slice(None)
    indices = [
        (slice(1, None),), (every, slice(1, None)), (every, slice(None, -1)),
        (every, slice(-3, None)), (every, slice(None, None, 2)),
        (every, slice(1, -1, 2)), (every, -1), (0,), (-1,), (..., slice(2, 5)),
        (every, None), (..., 0), (slice(-1, None), slice(-2, -1)),
        (every, slice(0, 100)), (every, slice(-100, 3)), (every, [0, 2, 1]),
        (every, [-1, -2]), ([0, 1], [1, 2])]
    return {f"[{i}]": lambda x, y, i=i: x[i] for i in indices}


def _set(x, y):
    z = x.clone()
    z[:, 1:3] = y[:, :2]
    z[:, -1] = 0
    return z


def _weight(*shape):
    return torch.linspace(-0.5, 0.5, torch.Size(shape).numel()).view(shape)


def _ints(x):
    return (x * 10).long()


# With NaN, infinities and zeros among the numbers.
SPECIAL = {
    "unary": _named(
        torch, "abs neg sign exp expm1 log log1p sqrt rsqrt square reciprocal sin cos "
        "tan atan sinh cosh tanh erf floor ceil round trunc sigmoid relu isnan isinf "
        "isfinite nan_to_num logical_not isposinf"),
    "activations": _named(
        F, "relu relu6 hardtanh hardswish hardsigmoid leaky_relu elu celu selu silu mish "
        "softplus softsign hardshrink softshrink logsigmoid") | {
        "threshold": lambda x, y: F.threshold(x, 0.1, 20.0),
        "glu": lambda x, y: F.glu(x)},
    "bounds": {
        "clamp": lambda x, y: x.clamp(-0.5, 0.5),
        "clamp min": lambda x, y: x.clamp(min=0.1),
        "clamp max": lambda x, y: x.clamp(max=0.2),
        "clip": lambda x, y: x.clip(-0.3, 0.7),
        "clamp to arrays": lambda x, y: x.clamp(y - 1, y + 1),
        "clamp by NaN": lambda x, y: x.clamp(min=float("nan")),
        "clamp integers": lambda x, y: _ints(x.nan_to_num(0, 1, -1)).clamp(-3, 3),
        "clamp integers by a float": lambda x, y: torch.arange(x.shape[1]).clamp(1.5),
        "aminmax": lambda x, y: torch.aminmax(x, dim=1),
        "max of all": lambda x, y: (x.max(), x.argmax(), x.amin(), x.argmin())},
    "of two": _of_two("add sub mul maximum minimum eq ne lt ge logical_and") | {
        "where": lambda x, y: torch.where(x > y, x, y),
        "masked_fill": lambda x, y: x.masked_fill(y > 0, float("-inf")),
        "rsub": lambda x, y: 2 - x,
        "lerp": lambda x, y: torch.lerp(x, y, 0.3)},
    "extremes": _reduced("amax amin max min argmax argmin"),
}
PLAIN = {
    "quotients": _of_two("div remainder fmod floor_divide atan2") | {
        "by a number": lambda x, y: (x / 3, 2 / x, x % 1.5, x // 0.7, x ** 2, x ** 3),
        "modes": lambda x, y: (torch.div(x, y, rounding_mode="floor"),
                               torch.div(x, y, rounding_mode="trunc")),
        "addcmul": lambda x, y: torch.addcmul(x, x, y, value=0.5)},
    "reductions": _reduced("sum mean std var logsumexp") | {
        "prod": lambda x, y: x.prod(1), "any": lambda x, y: (x > 1).any(1),
        "all": lambda x, y: (x > 0).all(2),
        "of two axes": lambda x, y: (x.sum((0, 1)), x.mean((0, 2)), x.amax((1, 2))),
        "of all": lambda x, y: (x.sum(), x.mean(), x.std(), x.norm()),
        "norms": lambda x, y: (x.norm(dim=1), torch.linalg.vector_norm(x, 1, 2),
                               torch.linalg.vector_norm(x, float("inf"), 2))},
    "normalised": {
        **{f"softmax {i}": lambda x, y, i=i: x.softmax(i) for i in (0, 1, 2)},
        **{f"log_softmax {i}": lambda x, y, i=i: x.log_softmax(i) for i in (0, 1, 2)},
        "normalize": lambda x, y: F.normalize(x, dim=-1),
        "layer_norm": lambda x, y: F.layer_norm(x, (8,)),
        "rms_norm": lambda x, y: F.rms_norm(x, (8,)),
        "group_norm": lambda x, y: F.group_norm(x.mT, 2),
        "batch_norm": lambda x, y: F.batch_norm(x.mT, _weight(8), _weight(8) + 1)},
    "views": {
        "flip": lambda x, y: (x.flip(1), x.flip(0, 2)),
        "roll": lambda x, y: (x.roll(2, 1), x.roll((1, -1), (0, 1))),
        "transpose": lambda x, y: (x.transpose(0, 1), x.mT, x.permute(2, 0, 1)),
        "contiguous": lambda x, y: x.permute(2, 0, 1).contiguous(),
        "flatten": lambda x, y: (x.flatten(), x.flatten(0, 1), x.flatten(1)),
        "unflatten": lambda x, y: x.unflatten(2, (2, 4)),
        "heads": lambda x, y: x.view(x.shape[0], x.shape[1], 2, 4).transpose(1, 2),
        "merged heads": lambda x, y: x.view(x.shape[0], -1, 2, 4).transpose(
            1, 2).reshape(x.shape[0], -1, 4) + 1,
        "swapped": lambda x, y: x.reshape(x.shape[1], x.shape[0], -1) + 1,
        "parts": lambda x, y: x.reshape(x.shape[0] * 2, x.shape[1], 4) + 1,
        "products": lambda x, y: x.reshape(x.shape[0] * 8, -1) + 1,
        "rest": lambda x, y: x.reshape(2, -1, x.shape[1]) + 1,
        "softmax between": lambda x, y: x.reshape(-1, 8, x.shape[1]).softmax(1).reshape(
            x.shape[0], -1, 8),
        "unsqueeze": lambda x, y: (x.unsqueeze(1), x[:, :1].squeeze(1)),
        "expand": lambda x, y: x[:1].expand(x.shape[0], -1, -1),
        "expand an axis": lambda x, y: x[:, :1].expand(-1, x.shape[1], -1),
        "expand in sums": lambda x, y: x[:1].expand(x.shape[0], -1, -1) * y,
        "expand by another": lambda x, y: x[:1].expand(x.shape[1], -1, -1),
        "expand more": lambda x, y: (x.expand(3, *x.shape), x[:1, :1].expand_as(y)),
        "unfold": lambda x, y: (x.unfold(1, 3, 1), x.unfold(1, 2, 2) + 1),
        "diagonal": lambda x, y: (x @ x.mT).diagonal(dim1=1, dim2=2),
        "pixel_shuffle": lambda x, y: F.pixel_shuffle(x.mT[..., None], 2),
        "strided": lambda x, y: x.mT.as_strided((3, 4), (2, 1)) + 1},
    "slices": _sliced() | {
        "by sizes": lambda x, y: (x[:, x.shape[1] // 2:], x[:, :x.shape[1] - 1],
                                  x[:, :x.shape[0]], x[:, -x.shape[0]:]),
        "by sizes, in sums": lambda x, y: x[:, -x.shape[0]:] + 1,
        "none left": lambda x, y: torch.cat([x, y[:, 100:]], 1),
        "select": lambda x, y: (x.narrow(1, 1, 3), x.select(1, 2), x.unbind(-1)[3]),
        "set": _set},
    "padded": _padded(
        [(1, 1), (0, 0, 1, -1), (0, 0, -1, 1), (0, 0, -1, -1), (-1, -1), (2, 0),
         (0, 0, 0, 0, 1, 1), (0, 0, 2, -1, -1, 1), (-2, 3), (1, -1, 1, -1)]) | _padded(
        [(0, 0, 1, -1), (2, -1)], value=2.5) | _padded(
        [(1, 1), (-1, 1), (-1, -2)], mode="replicate") | _padded(
        [(1, 1), (2, 0), (-1, 1)], mode="reflect") | {
        "by sizes": lambda x, y: (F.pad(x, (0, 0, 0, x.shape[0])),
                                  F.pad(x, (0, 0, 0, 1 - x.shape[1]))),
        "blocks": lambda x, y: F.pad(x, (0, 0, 0, -x.shape[1] % 4)).view(
            x.shape[0], -1, 4, 8).sum(2)},
    "joined": {
        "cat": lambda x, y: (torch.cat([x, y], 1), torch.cat([x, y, x], 0)),
        "cat of sizes": lambda x, y: torch.cat([x, y], -1),
        "cat of parts": lambda x, y: torch.cat([x[:, 1:], y[:, :1]], 1),
        "stack": lambda x, y: (torch.stack([x, y], 1), torch.stack([x, y], -1)),
        "split": lambda x, y: (*x.chunk(2, -1), *x.split([3, 5], -1), x.chunk(2, 1)[0]),
        "repeat": lambda x, y: (x.repeat(2, 1, 1), x.repeat(1, 3, 2), x.tile(2)),
        "repeat_interleave": lambda x, y: x.repeat_interleave(2, 1),
        "repeat by a size": lambda x, y: x[:1].repeat(x.shape[0], 1, 1),
        "rotate": lambda x, y: x * y.cos() + torch.cat([-x[..., 4:], x[..., :4]],
                                                       -1) * y.sin(),
        "interleave": lambda x, y: torch.stack([-x[..., 1::2], x[..., ::2]],
                                               -1).flatten(-2)},
    "chosen": {
        "gather": lambda x, y: x.gather(1, y.argsort(1)),
        "index_select": lambda x, y: x.index_select(1, torch.tensor([2, 0, 1, 1])),
        "embedding": lambda x, y: F.embedding(_ints(x).abs() % 7, _weight(7, 2)),
        "one_hot": lambda x, y: F.one_hot(_ints(x).abs() % 7, 7),
        "index": lambda x, y: x[:, torch.arange(x.shape[1] - 1, -1, -1)],
        "scatter": lambda x, y: x.scatter(1, y.argsort(1), y),
        "tril": lambda x, y: (x.tril(), x.triu(1), x.tril(-1)),
        "sort": lambda x, y: (x.sort(1), x.topk(3, 1)),
        "cumsum": lambda x, y: (x.cumsum(1), (x > 0).cumsum(1))},
    "products": {
        "matmul": lambda x, y: (x @ y.mT, x @ y[0, 0], x[:, None] @ y[None].mT),
        "mm": lambda x, y: (x[0] @ y[0].T, torch.bmm(x, y.mT), x[0] @ y[0, 0]),
        "outer": lambda x, y: (torch.outer(x[0, :, 0], y[0, :, 0]), x[0, 0] @ y[0, 0]),
        "linear": lambda x, y: F.linear(x, _weight(4, 8), _weight(4)),
        "linear of rows": lambda x, y: F.linear(x[0], _weight(4, 8)),
        "baddbmm": lambda x, y: torch.baddbmm(x @ x.mT, x, y.mT),
        "attention": lambda x, y: (x @ y.mT).softmax(-1) @ y,
        "sdpa": lambda x, y: F.scaled_dot_product_attention(
            *(z.unflatten(-1, (2, 4)).transpose(1, 2) for z in (x, y, y))),
        "conv1d": lambda x, y: (F.conv1d(x.mT, _weight(4, 8, 3)),
                                F.conv1d(x.mT, _weight(8, 1, 3), padding=2, groups=8)),
        "conv2d": lambda x, y: F.conv2d(x[:, None], _weight(2, 1, 3, 3), padding=1),
        "avg_pool1d": lambda x, y: F.avg_pool1d(x.mT, 2),
        "max_pool1d": lambda x, y: F.max_pool1d(x.mT, 2),
        "adaptive": lambda x, y: F.adaptive_avg_pool1d(x.mT, 1)},
    "types": {
        **{str(t): lambda x, y, t=t: (x * 3).to(t) for t in (
            torch.half, torch.bfloat16, torch.float64, torch.int64, torch.int32,
            torch.bool, torch.int8)},
        "integers": lambda x, y: (_ints(x) // 3, _ints(x) % 3, _ints(x) * 2,
                                  _ints(x) / 3, _ints(x).abs(), _ints(x).sum(1)),
        "bits": lambda x, y: (_ints(x) & 3, _ints(x) | 4, ~_ints(x), _ints(x) << 2),
        "booleans": lambda x, y: ((x > 0) & (y > 0), (x > 0) ^ (y > 0), ~(x > 0)),
        "largest": lambda x, y: (torch.maximum(_ints(x), _ints(y)), _ints(x).amax(1),
                                 _ints(x).argmax(1), _ints(x).max(1)),
        "mixed": lambda x, y: (x + _ints(y), x.double() * y, x.half() + 1)},
    "sizes": {
        "numbers": lambda x, y: x * x.shape[1] + x.shape[1] / x.shape[0],
        "powers": lambda x, y: x * x.shape[1] ** -0.5,
        "remainders": lambda x, y: x * (x.shape[1] % 3) + (x.shape[0] - 9) // 4,
        "arange": lambda x, y: (torch.arange(x.shape[1]), torch.arange(0.0, x.shape[1]),
                                torch.arange(1, x.shape[1], 2)),
        "made": lambda x, y: (torch.ones(x.shape[1], x.shape[0]) * 2,
                              torch.eye(x.shape[1]), x.new_zeros(x.shape[0], 3) + 1),
        "masks": lambda x, y: torch.full((x.shape[1],) * 2, float("-inf")).triu(1),
        "sums by sizes": lambda x, y: (x * (y > 0)).sum(1) / (y > 0).sum(1).clamp(min=1),
        "returned": lambda x, y: (x + 1, torch.tensor(x.shape[1]))},
}
GROUPS = SPECIAL | PLAIN
