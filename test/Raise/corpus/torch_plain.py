"""Attentions of torch without a window, or with the whole causal one."""

import math

import torch
import torch.nn.functional as F
from corpus import Program
from torch_mods import module

B, H, N, D = 1, 2, 48, 8
QKV = [((B, H, N, D), "f32")] * 3
FLAT = [((2, N, D), "f32")] * 3
CAUSAL = ["right = 0"]
FULL = [""]
sdpa = F.scaled_dot_product_attention


def plain(q, k, v, scale=D**-0.5):
    return torch.softmax(q @ k.transpose(-2, -1) * scale, -1) @ v


def causal_mask(n):
    return torch.ones(n, n, dtype=torch.bool).tril()


def softcap(q, k, v):
    s = q @ k.transpose(-2, -1) / math.sqrt(D)
    return torch.softmax(torch.tanh(s / 5) * 5, -1) @ v


def alibi(q, k, v):
    s = q @ k.transpose(-2, -1) / math.sqrt(D)
    i = torch.arange(N)
    slopes = torch.tensor([0.5, 0.25])[:, None, None]
    s = s - slopes * (i[:, None] - i[None, :]).abs()
    return torch.softmax(s, -1) @ v


def alibi_causal(q, k, v):
    s = q @ k.transpose(-2, -1) / math.sqrt(D)
    i = torch.arange(N)
    s = s + torch.tensor([0.5, 0.25])[:, None, None] * (i[None, :] - i[:, None])
    s = s.masked_fill(i[None, :] > i[:, None], float("-inf"))
    return torch.softmax(s, -1) @ v


def t5_bias(q, k, v, bias):
    return torch.softmax(q @ k.transpose(-2, -1) + bias, -1) @ v


def temperature(q, k, v, t):
    return torch.softmax(q @ k.transpose(-2, -1) / t, -1) @ v


def after_values(q, k, v):
    e = torch.exp(q @ k.transpose(-2, -1) * D**-0.5)
    return (e @ v) / e.sum(-1, keepdim=True)


def after_values_safe(q, k, v):
    s = q @ k.transpose(-2, -1) * D**-0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return (e @ v) / e.sum(-1, keepdim=True)


def by_hand(q, k, v):
    s = q @ k.transpose(-2, -1) * D**-0.5
    e = torch.exp(s - s.max(-1, keepdim=True).values)
    return (e / e.sum(-1, keepdim=True)) @ v


def unsafe(q, k, v):
    e = torch.exp(q @ k.transpose(-2, -1) * D**-0.5)
    return (e / e.sum(-1, keepdim=True)) @ v


def weights_too(q, k, v):
    p = torch.softmax(q @ k.transpose(-2, -1) * D**-0.5, -1)
    return p @ v, p


def f32_softmax(q, k, v):
    s = (q @ k.transpose(-2, -1)) * D**-0.5
    return torch.softmax(s.float(), -1).half() @ v


def bnhd(q, k, v):
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    return sdpa(q, k, v).transpose(1, 2)


def einsum_bnhd(q, k, v):
    s = torch.einsum("bihd,bjhd->bhij", q, k) * D**-0.5
    return torch.einsum("bhij,bjhd->bihd", torch.softmax(s, -1), v)


def einsum_bhnd(q, k, v):
    s = torch.einsum("bhid,bhjd->bhij", q * D**-0.5, k)
    return torch.einsum("bhij,bhjd->bhid", torch.softmax(s, -1), v)


def repeat_kv(q, k, v):
    k, v = k.repeat_interleave(2, 1), v.repeat_interleave(2, 1)
    return plain(q, k, v)


def expand_kv(q, k, v):
    def expand(x):
        return x[:, :, None].expand(1, 2, 2, N, D).reshape(1, 4, N, D)
    return plain(q, expand(k), expand(v))


def log_softmax(q, k, v):
    return torch.log_softmax(q @ k.transpose(-2, -1) * D**-0.5, -1).exp() @ v


def log_sum_exp(q, k, v):
    s = q @ k.transpose(-2, -1) * D**-0.5
    return torch.exp(s - torch.logsumexp(s, -1, keepdim=True)) @ v


def sink_in_front(q, k, v, sinks):
    s = (q @ k.transpose(-2, -1) * D**-0.5).masked_fill(~causal_mask(N), -math.inf)
    column = sinks[None, :, None, None].expand(B, H, N, 1)
    return torch.softmax(torch.cat([column, s], -1), -1)[..., 1:] @ v


def sink(q, k, v, sinks):
    s = q @ k.transpose(-2, -1) * D**-0.5
    column = sinks[None, :, None, None].expand(B, H, N, 1)
    return torch.softmax(torch.cat([s, column], -1), -1)[..., :-1] @ v


def key_padding(q, k, v, keep):
    s = q @ k.transpose(-2, -1) * D**-0.5
    return torch.softmax(s.masked_fill(~keep[:, None, None, :],
                                       float("-inf")), -1) @ v


def key_lengths(q, k, v, lengths):
    keep = torch.arange(N)[None, :] < lengths[:, None]
    s = q @ k.transpose(-2, -1) * D**-0.5
    return torch.softmax(s.masked_fill(~keep[:, None, None, :],
                                       float("-inf")), -1) @ v


def key_padding_causal(q, k, v, keep):
    mask = keep[:, None, None, :] & causal_mask(N)
    return sdpa(q, k, v, attn_mask=mask)


def decoder_step(q, k, v, new_k, new_v):
    return plain(q, torch.cat([k, new_k], 2), torch.cat([v, new_v], 2))


def baddbmm(q, k, v):
    s = torch.baddbmm(torch.zeros(1), q, k.transpose(1, 2), beta=0,
                      alpha=D**-0.5)
    return torch.bmm(torch.softmax(s, -1), v)


def projected(x, wq, wk, wv, wo):
    def heads(y):
        return y.view(B, N, H, D).transpose(1, 2)
    y = sdpa(heads(x @ wq), heads(x @ wk), heads(x @ wv))
    return y.transpose(1, 2).reshape(B, N, H * D) @ wo


N_ = torch.export.Dim("n", min=2, max=4096)
LENGTHS = {"xs": tuple({2: N_} for _ in range(3))}
GQA = [((1, 4, N, D), "f32"), ((1, 2, N, D), "f32"), ((1, 2, N, D), "f32")]
CROSS = [((B, H, 20, D), "f32"), ((B, H, N, D), "f32"), ((B, H, N, 6), "f32")]
MASK = [((B, 1, N, N), "bool")]
FLOATS = [((B, H, N, N), "f32")]
WIDE = [((B, N, H * D), "f32")] + [((H * D, H * D), "f32")] * 4


def program(name, function, inputs=QKV, windows=FULL, **more):
    return Program(f"torch_{name}", module(function), inputs, windows, **more)


PROGRAMS = [
    program("sdpa", sdpa),
    program("sdpa_causal", lambda q, k, v: sdpa(q, k, v, is_causal=True),
            windows=CAUSAL),
    program("sdpa_bool_mask", lambda q, k, v, m: sdpa(q, k, v, attn_mask=m),
            QKV + MASK),
    program("sdpa_float_mask", lambda q, k, v, m: sdpa(q, k, v, attn_mask=m),
            QKV + FLOATS),
    program("sdpa_scale", lambda q, k, v: sdpa(q, k, v, scale=0.3)),
    program("sdpa_gqa", lambda q, k, v: sdpa(q, k, v, enable_gqa=True), GQA),
    program("sdpa_gqa_causal",
            lambda q, k, v: sdpa(q, k, v, is_causal=True, enable_gqa=True), GQA,
            CAUSAL),
    program("sdpa_cross", sdpa, CROSS),
    program("sdpa_3d", sdpa, FLAT),
    program("sdpa_bnhd", bnhd, [((B, N, H, D), "f32")] * 3),
    program("sdpa_f16", sdpa, [((B, H, N, D), "f16")] * 3, tolerance=4e-3),
    program("sdpa_dynamic", lambda q, k, v: sdpa(q, k, v), dynamic=LENGTHS),
    program("sdpa_causal_dynamic",
            lambda q, k, v: sdpa(q, k, v, is_causal=True), windows=CAUSAL,
            dynamic=LENGTHS),
    program("plain", plain),
    program("plain_3d", plain, FLAT),
    program("plain_no_scale", lambda q, k, v: plain(q, k, v, 1.0)),
    program("plain_dynamic", lambda q, k, v: plain(q, k, v), dynamic=LENGTHS),
    program("scale_on_q", lambda q, k, v: plain(q * 0.25, k, v, 1.0)),
    program("scale_on_k", lambda q, k, v: plain(q, k * 0.25, v, 1.0)),
    program("scale_divided", lambda q, k, v: plain(q / 3, k, v, 1.0)),
    program("scale_twice", lambda q, k, v: plain(q * 0.5, k / 2, v, 0.7)),
    program("by_hand", by_hand),
    program("without_maximum", unsafe),
    program("divided_after_values", after_values),
    program("divided_after_values_safe", after_values_safe),
    program("weights_too", weights_too),
    program("f32_softmax", f32_softmax, [((B, H, N, D), "f16")] * 3,
            tolerance=4e-3),
    program("einsum_bnhd", einsum_bnhd, [((B, N, H, D), "f32")] * 3),
    program("einsum_bhnd", einsum_bhnd),
    program("repeat_kv", repeat_kv, GQA),
    program("expand_kv", expand_kv, GQA),
    program("cross", plain, CROSS),
    program("decoder_step", decoder_step,
            [((B, H, 1, D), "f32"), *[((B, H, 31, D), "f32")] * 2,
             *[((B, H, 1, D), "f32")] * 2]),
    program("baddbmm", baddbmm, FLAT),
    program("projected", projected, WIDE),
    program("softcap", softcap),
    program("alibi", alibi),
    program("alibi_causal", alibi_causal, windows=CAUSAL),
    program("t5_bias", t5_bias, QKV + [((1, H, N, N), "f32")]),
    program("temperature", lambda q, k, v, t: temperature(q, k, v, t.abs() + 1),
            QKV + [((1,), "f32")]),
    program("log_softmax", log_softmax),
    program("log_sum_exp", log_sum_exp),
    program("sink", sink, QKV + [((H,), "f32")]),
    program("sink_in_front", sink_in_front, QKV + [((H,), "f32")], CAUSAL),
    program("key_padding", key_padding, QKV + [((B, N), "bool")]),
    program("key_lengths", key_lengths, QKV + [((B,), f"i64<{N}")], [""]),
    program("key_padding_causal", key_padding_causal, QKV + [((B, N), "bool")],
            CAUSAL),
]
