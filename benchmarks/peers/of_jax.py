"""JAX: its dot_product_attention, and attention on blocks as one writes it."""

import numpy as np

from harness import window

from . import Prepared, peer, skip_unless

MOST_SCORES = 1 << 28  # it stores all scores
TYPES = ("f32", "bf16")


def _check(w):
    skip_unless(w.dtype in TYPES, "f32 and bf16 only")
    skip_unless(not (w.score or w.rotary or w.width), "plain attention only")


@peer("jax", "jax")
def attention(w, arrays, threads):
    import jax
    import jax.numpy as jnp
    _check(w)
    skip_unless(w.D == w.Dv, "it needs Dv = D")
    begin, end = window.seen_keys(w)
    skip_unless(w.B * w.H * w.N * (end - begin) <= MOST_SCORES,
                "it stores all scores")
    q, k, v = (jnp.asarray(np.ascontiguousarray(x.swapaxes(1, 2)))
               for x in (arrays.q, arrays.k[:, :, begin:end],
                         arrays.v[:, :, begin:end]))
    options = dict(implementation="xla")
    shown = window.mask(w, begin, end)
    if w.is_plainly_causal and w.N == w.M:
        options["is_causal"] = True
    elif not shown.all():
        options["mask"] = jnp.asarray(shown)[None, None]
    run = jax.jit(lambda q, k, v: jax.nn.dot_product_attention(
        q, k, v, **options))
    return Prepared(lambda: run(q, k, v).block_until_ready(),
                    lambda out: np.asarray(out).astype("f8").swapaxes(1, 2))


@peer("jax-blocks", "jax", "torch")
def blocks(w, arrays, threads):
    import jax
    import jax.numpy as jnp

    from .torch_arrays import Buckets
    _check(w)
    skip_unless(not (w.is_full or w.is_plainly_causal), "no window")
    buckets = Buckets(w)
    mask = jnp.asarray(buckets.mask)
    around = ((0, 0), (buckets.back * buckets.size, buckets.forward * buckets.size),
              (0, 0))

    def gather(x):
        x = jnp.pad(x, around).reshape(len(x), -1, buckets.size, x.shape[-1])
        return jnp.concatenate([x[:, i:i + buckets.count] for i in range(
            buckets.width // buckets.size)], axis=2)

    @jax.jit
    def run(q, k, v):
        q = q.reshape(len(q), buckets.count, buckets.size, w.D)
        s = jnp.einsum("hwid,hwjd->hwij", q, gather(k),
                       preferred_element_type=jnp.float32) * w.D ** -0.5
        p = jax.nn.softmax(jnp.where(mask, s, -1e30), axis=-1).astype(q.dtype)
        return jnp.einsum("hwij,hwjd->hwid", p, gather(v)).reshape(
            w.B, w.H, w.N, w.Dv)
    inputs = [jnp.asarray(np.ascontiguousarray(x).reshape(-1, *x.shape[2:]))
              for x in (arrays.q, arrays.k, arrays.v)]
    return Prepared(lambda: run(*inputs).block_until_ready(),
                    lambda out: np.asarray(out).astype("f8"))
