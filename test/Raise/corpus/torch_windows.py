"""Windows of torch's programs, spelled in many ways."""

import torch
import torch.nn.functional as F
from corpus import Program
from torch_mods import module

B, H, N, D = 1, 2, 48, 8
QKV = [((B, H, N, D), "f32")] * 3
W = 9
INF = float("-inf")
sdpa = F.scaled_dot_product_attention


def scores(q, k):
    return q @ k.transpose(-2, -1) * D**-0.5


def attend(s, v):
    return torch.softmax(s, -1) @ v


def rows_columns(n=N, m=N):
    return torch.arange(n)[:, None], torch.arange(m)[None, :]


def tril_triu(q, k, v):
    band = torch.ones(N, N, dtype=torch.bool).tril().triu(-W)
    return attend(scores(q, k).masked_fill(~band, INF), v)


def triu_added(q, k, v):
    mask = torch.full((N, N), INF).triu(1)
    return attend(scores(q, k) + mask, v)


def two_triangles(q, k, v):
    one = torch.ones(N, N)
    band = one.tril(W // 3) * one.triu(-W)
    return attend(scores(q, k).masked_fill(band == 0, INF), v)


def distance(q, k, v):
    i, j = rows_columns()
    return attend(scores(q, k).masked_fill((i - j).abs() > W, INF), v)


def distance_less(q, k, v):
    i, j = rows_columns()
    return sdpa(q, k, v, attn_mask=(j - i).abs() < W)


def comparisons(q, k, v):
    i, j = rows_columns()
    seen = (j <= i) & (j >= i - W)
    return attend(torch.where(seen, scores(q, k), INF), v)


def negated(q, k, v):
    i, j = rows_columns()
    hidden = (j > i) | ~(i - j < W)
    return attend(scores(q, k).masked_fill(hidden, INF), v)


def where_bias(q, k, v):
    i, j = rows_columns()
    bias = torch.where((i - j <= W) & (j <= i), 0.0, INF)
    return attend(scores(q, k) + bias, v)


def large_negative(q, k, v):
    i, j = rows_columns()
    return attend(scores(q, k).masked_fill((j > i) | (i - j > W), -1e9), v)


def large_negative_added(q, k, v):
    i, j = rows_columns()
    seen = ((j <= i) & (i - j <= W)).float()
    return attend(scores(q, k) + (1.0 - seen) * -1e9, v)


def smallest_float(q, k, v):
    s = scores(q, k)
    causal = torch.ones(N, N, dtype=torch.bool).triu(1)
    return attend(s.masked_fill(causal, torch.finfo(s.dtype).min), v)


def xor(q, k, v):
    one = torch.ones(N, N, dtype=torch.bool)
    return sdpa(q, k, v, attn_mask=one.tril() ^ one.tril(-W - 1))


def look_ahead(q, k, v):
    i, j = rows_columns()
    return sdpa(q, k, v, attn_mask=(j >= i) & (j - i <= W))


def diagonal(q, k, v):
    i, j = rows_columns()
    return sdpa(q, k, v, attn_mask=(i == j) | (j == i + 1))


def blocks(q, k, v):
    i, j = rows_columns()
    return sdpa(q, k, v, attn_mask=i // 16 == j // 16)


def block_and_before(q, k, v):
    i, j = rows_columns()
    d = i // 16 - j // 16
    return sdpa(q, k, v, attn_mask=(d >= 0) & (d <= 1))


def blocks_causal(q, k, v):
    i, j = rows_columns()
    return sdpa(q, k, v, attn_mask=(i // 16 - j // 16 <= 1) & (j <= i))


def cross_offset(q, k, v):
    i, j = rows_columns(20, N)
    i = i + (N - 20)
    return sdpa(q, k, v, attn_mask=(j <= i) & (j >= i - W))


def dynamic_band(q, k, v):
    n = q.shape[2]
    i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
    return attend(scores(q, k).masked_fill((i - j).abs() > W, INF), v)


def dynamic_causal(q, k, v):
    n = q.shape[2]
    i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
    seen = (j <= i) & (i - j <= W)
    return attend(torch.where(seen, scores(q, k), INF), v)


def band_and_keys(q, k, v, keep):
    i, j = rows_columns()
    seen = ((i - j).abs() <= W) & keep[:, None, None, :] | (i == j)
    return sdpa(q, k, v, attn_mask=seen)


def band_softcap(q, k, v):
    i, j = rows_columns()
    s = torch.tanh(scores(q, k) / 20) * 20
    return attend(s.masked_fill((j > i) | (i - j > W), INF), v)


def band_alibi(q, k, v):
    i, j = rows_columns()
    s = scores(q, k) - 0.125 * (i - j).abs()
    return attend(s.masked_fill((i - j).abs() > W, INF), v)


def global_token(q, k, v):
    i, j = rows_columns()
    return sdpa(q, k, v, attn_mask=((i - j).abs() <= W) | (j == 0))


def dilated(q, k, v):
    i, j = rows_columns()
    return sdpa(q, k, v, attn_mask=((i - j).abs() <= W) & ((i - j) % 2 == 0))


def f16_band(q, k, v):
    i, j = rows_columns()
    s = scores(q, k).float().masked_fill((j > i) | (i - j > W), INF)
    return torch.softmax(s, -1).half() @ v


def right_shift(q, k, v):
    i, j = rows_columns()
    return attend(scores(q, k).masked_fill(i >> 4 != j >> 4, INF), v)


def mask_subtracted(q, k, v):
    return attend(scores(q, k) - torch.full((N, N), 1e9).triu(1), v)


def mask_scaled(q, k, v):
    i, j = rows_columns()
    return attend(torch.where(j <= i, q @ k.transpose(-2, -1), -1e10) * 0.3, v)


def windows_of_heads(q, k, v):
    """Within the widest of them; what is hidden for the other is a condition."""
    i, j = rows_columns()
    widths = torch.tensor([3, W])[:, None, None]
    return attend(scores(q, k).masked_fill((j > i) | (i - j > widths), INF), v)


class _Buffer(torch.nn.Module):
    """A mask for longer sequences that is kept in the module."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.ones(1, 1, 64, 64).bool().tril())

    def forward(self, q, k, v):
        mask = self.mask[:, :, :N, :N]
        return attend(scores(q, k).masked_fill(mask.logical_not(), INF), v)


def local_package(**options):
    """The package's module, without its rotary embedding."""
    def build():
        from local_attention import LocalAttention
        return LocalAttention(dim=D, use_rotary_pos_emb=False, autopad=False,
                              **options)
    return build


N_ = torch.export.Dim("n", min=2, max=4096)
LENGTHS = {"xs": tuple({2: N_} for _ in range(3))}
CROSS = [((B, H, 20, D), "f32"), *[((B, H, N, D), "f32")] * 2]
BAND = [f"left = {W}, right = 0"]
BOTH = [f"left = {W}, right = {W}"]


def program(name, function, windows, inputs=QKV, **more):
    return Program(f"torch_{name}", module(function), inputs, windows, **more)


def package(name, windows, **options):
    return Program(f"package_{name}", local_package(**options), QKV, windows)


def open_package(name, windows, **options):
    """With a number of buckets that is known at run time."""
    rows = {2: 16 * torch.export.Dim("w", min=2, max=256)}
    return Program(f"package_{name}", local_package(**options), QKV, windows,
                   dynamic={x: rows for x in "qkv"})


class _Biased(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = local_package(window_size=16, causal=True)()

    def forward(self, q, k, v, bias):
        return self.attend(q, k, v, attn_bias=bias)


PROGRAMS = [
    program("tril_triu", tril_triu, BAND),
    program("triu_added", triu_added, ["right = 0"]),
    program("two_triangles", two_triangles, [f"left = {W}, right = {W // 3}"]),
    program("distance", distance, BOTH),
    program("distance_less", distance_less, [f"left = {W - 1}, right = {W - 1}"]),
    program("comparisons", comparisons, BAND),
    program("negated", negated, [f"left = {W - 1}, right = 0"]),
    program("where_bias", where_bias, BAND),
    program("large_negative", large_negative, BAND),
    program("large_negative_added", large_negative_added, BAND),
    program("smallest_float", smallest_float, ["right = 0"]),
    program("xor", xor, BAND),
    program("look_ahead", look_ahead, [f"left = 0, right = {W}"]),
    program("diagonal", diagonal, ["left = 0, right = 1"]),
    program("blocks", blocks, ["bucket = 16"]),
    program("right_shift", right_shift, ["bucket = 16"]),
    program("mask_subtracted", mask_subtracted, ["right = 0"]),
    program("mask_scaled", mask_scaled, ["right = 0"]),
    program("windows_of_heads", windows_of_heads, BAND),
    Program("torch_mask_buffer", _Buffer, QKV, ["right = 0"]),
    program("block_and_before", block_and_before, ["bucket = 16, back = 1"]),
    program("blocks_causal", blocks_causal, ["right = 0, bucket = 16, back = 1"]),
    program("cross_offset", cross_offset, BAND, CROSS),
    program("dynamic_band", dynamic_band, BOTH, dynamic=LENGTHS),
    program("dynamic_causal", dynamic_causal, BAND, dynamic=LENGTHS),
    program("band_and_keys", band_and_keys, BOTH, QKV + [((B, N), "bool")]),
    program("band_softcap", band_softcap, BAND),
    program("band_alibi", band_alibi, BOTH),
    program("global_token", global_token, ["right = 9"]),
    program("dilated", dilated, BOTH),
    program("f16_band", f16_band, BAND, [((B, H, N, D), "f16")] * 3,
            tolerance=4e-3),
    package("blocks", ["bucket = 16, back = 1, forward = 1"], window_size=16),
    package("causal", ["right = 0, bucket = 16, back = 1"], window_size=16,
            causal=True),
    package("exact", ["left = 16, right = 0, bucket = 16, back = 1"],
            window_size=16, causal=True, exact_windowsize=True),
    package("two_back", ["right = 0, bucket = 12, back = 2"], window_size=12,
            causal=True, look_backward=2),
    open_package("causal_open", ["right = 0, bucket = 16, back = 1"],
                 window_size=16, causal=True),
    open_package("exact_open", ["left = 16, right = 0, bucket = 16, back = 1"],
                 window_size=16, causal=True, exact_windowsize=True),
    Program("package_bias", _Biased, [*QKV, ((H, 16, 32), "f32")],
            ["right = 0, bucket = 16, back = 1"]),
    package("shared", ["right = 0, bucket = 16, back = 1"], window_size=16,
            causal=True, shared_qk=True),
]
