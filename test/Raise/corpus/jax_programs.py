"""Programs of JAX."""

import functools

import jax
import jax.numpy as jnp
from corpus import Program

B, N, H, D = 1, 48, 2, 8
BNHD = [((B, N, H, D), "f32")] * 3
BHND = [((B, H, N, D), "f32")] * 3
W = 9
attention = jax.nn.dot_product_attention


def einsum(q, k, v, change=lambda s: s):
    s = change(jnp.einsum("bhid,bhjd->bhij", q, k) * D**-0.5)
    return jnp.einsum("bhij,bhjd->bhid", jax.nn.softmax(s, -1), v)


def distances():
    i = jnp.arange(N)
    return i[:, None] - i[None, :]


def causal(s):
    return jnp.where(jnp.tril(jnp.ones((N, N), bool)), s, -jnp.inf)


def banded(s):
    return jnp.where(jnp.abs(distances()) <= W, s, -jnp.inf)


def finite(s):
    d = distances()
    return jnp.where((d >= 0) & (d <= W), s, -1e9)


def mqa(q, k, v):
    s = jnp.einsum("bhid,bjd->bhij", q, k) * D**-0.5
    return jnp.einsum("bhij,bjd->bhid", jax.nn.softmax(s, -1), v)


def program(name, function, inputs, windows, **options):
    function = functools.partial(function, **options) if options else function
    return Program(f"jax_{name}", lambda: function, inputs, windows)


GQA = [((B, N, 4, D), "f32"), *[((B, N, 2, D), "f32")] * 2]
PROGRAMS = [
    program("attention", attention, BNHD, [""]),
    program("attention_causal", attention, BNHD, ["right = 0"], is_causal=True),
    program("attention_window", attention, BNHD, ["left = 4, right = 2"],
            local_window_size=(4, 2)),
    program("attention_window_causal", attention, BNHD, ["left = 7, right = 0"],
            local_window_size=7, is_causal=True),
    program("attention_gqa", attention, GQA, [""]),
    program("attention_bias", lambda q, k, v, b: attention(q, k, v, b),
            BNHD + [((B, H, N, N), "f32")], [""]),
    program("einsum", einsum, BHND, [""]),
    program("einsum_causal", einsum, BHND, ["right = 0"], change=causal),
    program("einsum_band", einsum, BHND, [f"left = {W}, right = {W}"],
            change=banded),
    program("einsum_finite", einsum, BHND, [f"left = {W}, right = 0"],
            change=finite),
    program("softcap", einsum, BHND, [""], change=lambda s: 5 * jnp.tanh(s / 5)),
    program("multi_query", mqa, [((B, H, N, D), "f32"), *[((B, N, D), "f32")] * 2],
            [""]),
    program("vmap", lambda q, k, v: jax.vmap(jax.vmap(
        lambda q, k, v: jax.nn.softmax(q @ k.T * D**-0.5) @ v))(q, k, v), BHND, [""]),
    program("sigmoid", lambda q, k, v: jax.nn.sigmoid(
        jnp.einsum("bhid,bhjd->bhij", q, k)) @ v, BHND, []),
    program("other_axis", lambda q, k, v: jax.nn.softmax(
        jnp.einsum("bhid,bhjd->bhij", q, k), -2) @ v, BHND, []),
]
