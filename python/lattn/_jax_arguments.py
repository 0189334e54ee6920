"""Checks the arguments of lattn.jax.attention and turns them into the arrays of
kernels."""

from __future__ import annotations

from typing import Any, Optional

import jax
import jax.numpy as jnp
import numpy as np

from . import _lattn, _scores
from ._attention_options import Attributes
from ._checks import check_shape, check_type, flag, integer, real, type_name
from ._jax_kernels import Options
from ._window import Window, bounds

_FLOATS = "float16", "bfloat16", "float32", "float64"


def _to_array(name: str, x: Any) -> jax.Array:
    if not isinstance(x, (jax.Array, np.ndarray)):
        raise TypeError(f"{name}: expected an array of JAX or NumPy, got "
                        f"{type(x).__name__}")
    return jnp.asarray(x)


class Arguments:
    """Arrays, by the names of kernels' arguments. `n` and `m` are None where
    sequences are packed: only values say how long the longest one is."""

    n: Optional[int]
    m: Optional[int]

    def __init__(self, q: Any, k: Any, v: Any, layout: Any, pages: Any,
                 cu_seqlens_q: Any, cu_seqlens_k: Any) -> None:
        if layout not in ("bhnd", "bnhd"):
            raise ValueError("layout: expected 'bhnd' or 'bnhd', got "
                             f"{layout!r}")
        self.is_bnhd = layout == "bnhd"
        self.arrays = {}
        for name, operand, x in (("query", "q", q), ("key", "k", k),
                                 ("value", "v", v)):
            self.arrays[name] = _to_array(operand, x)
        q, k, v = self.arrays.values()
        check_type("q", q, *_FLOATS)
        self.type = type_name(q.dtype)
        self.real = "float64" if self.type == "float64" else "float32"
        for name, x in (("k", k), ("v", v)):
            check_type(name, x, self.type)
        if pages is not None and cu_seqlens_k is not None:
            raise ValueError("cu_seqlens_k: expected none with pages, whose "
                             "kv_lengths say how long sequences are")
        for name, x in (("pages", pages), ("cu_seqlens_q", cu_seqlens_q),
                        ("cu_seqlens_k", cu_seqlens_k)):
            if x is not None:
                self.arrays[name] = _to_array(name, x)
                check_type(name, self.arrays[name], "int32", "int64")
        self._check_shapes(q, k, v)

    def _count_sequences(self, name: str) -> int:
        x = self.arrays[name]
        check_shape(name, x, None, axes="S + 1")
        if x.size == 0:
            raise ValueError(f"{name}: expected at least 1 entry, the 0 that the "
                             "first sequence begins with, got none")
        return x.size - 1

    def _spell(self, sizes: str) -> str:
        b, heads, positions, size = sizes.split()
        return ", ".join((b, positions, heads, size) if self.is_bnhd
                         else (b, heads, positions, size))

    def _check_shapes(self, q: Any, k: Any, v: Any) -> None:
        h, n = (2, 1) if self.is_bnhd else (1, 2)
        is_packed = "cu_seqlens_q" in self.arrays
        check_shape("q", q, 1 if is_packed else None, None, None, None,
                    axes=self._spell("1 H T D" if is_packed else "B H N D"))
        self.batches, self.heads, self.rows = q.shape[0], q.shape[h], q.shape[n]
        if is_packed:
            self.batches = self._count_sequences("cu_seqlens_q")
        self.n = None if is_packed else self.rows
        self._check_keys(q, k, v, n)
        kv_heads = k.shape[h]
        for name, x in (("q", q), ("v", v)):
            if x.shape[3] == 0:
                raise ValueError(f"{name}: expected heads of a size of at least "
                                 "1, got 0")
        if self.heads % kv_heads if kv_heads else self.heads:
            raise ValueError("k: expected a number of heads that divides q's "
                             f"{self.heads}, got {kv_heads}")

    def _check_keys(self, q: Any, k: Any, v: Any, n: int) -> None:
        first: Optional[int] = self.batches
        names = "B Hkv M"
        if "pages" in self.arrays:
            check_shape("pages", self.arrays["pages"], self.batches, None,
                        axes="B, P")
            first, names = None, "pages Hkv S"
        elif "cu_seqlens_k" in self.arrays:
            count = self._count_sequences("cu_seqlens_k")
            if count != self.batches:
                raise ValueError(f"cu_seqlens_k: expected {self.batches} sequences, "
                                 f"as many as q has, got {count}")
            first, names = 1, "1 Hkv T"
        check_shape("k", k, first, None, None, q.shape[3],
                    axes=self._spell(f"{names} D"))
        check_shape("v", v, *k.shape[:3], None, axes=self._spell(f"{names} Dv"))
        self.keys = k.shape[n]
        if "pages" in self.arrays:
            if self.keys == 0:
                raise ValueError("k: expected pages of at least 1 key, got 0")
            self.keys *= self.arrays["pages"].shape[1]
            if self.keys >= 2**31:
                raise ValueError("q, k: expected less than 2**31 positions")
        self.m = None if "cu_seqlens_k" in self.arrays else self.keys

    def _read_pairs(self, name: str, x: Any, *types: str) -> jax.Array:
        """An array that broadcasts to (B, H, N, M), with four axes. Kernels check the
        axes of packed sequences."""
        x = _to_array(name, x)
        check_type(name, x, *types)
        whole = self.batches, self.heads, self.n, self.m
        sizes = (1,) * (4 - x.ndim) + tuple(x.shape)
        if x.ndim > 4 or any(all is not None and size not in (1, all)
                             for size, all in zip(sizes, whole)):
            wanted = ", ".join("any" if size is None else str(size) for size in whole)
            raise ValueError(f"{name}: expected a shape that broadcasts to (B, "
                             f"H, N, M) = ({wanted}), got {tuple(x.shape)}")
        return x.reshape(sizes)

    def _add_bias(self, x: jax.Array) -> None:
        given = self.arrays.get("bias")
        if given is not None:
            x = given.astype(self.real) + x.astype(self.real)
        self.arrays["bias"] = x

    def set_masks(self, bias: Any, key_mask: Any, attn_mask: Any) -> None:
        if bias is not None:
            self._add_bias(self._read_pairs("bias", bias, self.type, self.real))
        if key_mask is not None:
            x = _to_array("key_mask", key_mask)
            check_type("key_mask", x, "bool")
            check_shape("key_mask", x, self.batches, self.m, axes="B, M")
            self.arrays["key_mask"] = x
        if attn_mask is not None:
            x = self._read_pairs("attn_mask", attn_mask, "bool", self.type,
                                 self.real)
            if x.dtype == bool:
                self.arrays["mask"] = x
            else:
                self._add_bias(x)

    def set_positions(self, kv_lengths: Any, offset: Any) -> None:
        if kv_lengths is not None:
            if "cu_seqlens_k" in self.arrays:
                raise ValueError("kv_lengths: expected none with cu_seqlens_k, which "
                                 "says how long sequences are")
            x = _to_array("kv_lengths", kv_lengths)
            check_type("kv_lengths", x, "int32", "int64")
            check_shape("kv_lengths", x, self.batches, axes="B")
            self.arrays["kv_lens"] = x
        if offset is None:
            return
        if not isinstance(offset, (jax.Array, np.ndarray)):
            offset = np.int32(integer("offset", offset, -2**31, 2**31 - 1))
        x = jnp.asarray(offset)
        check_type("offset", x, "int32", "int64")
        if x.ndim:
            check_shape("offset", x, self.batches, axes="B")
        self.arrays["offset"] = x

    def set_sink(self, sink: Any) -> None:
        if sink is None:
            return
        x = _to_array("sink", sink)
        check_type("sink", x, self.type, self.real)
        check_shape("sink", x, self.heads, axes="H")
        self.arrays["sink"] = x

    def set_dropout(self, p: Any, seed: Any) -> None:
        if not isinstance(p, jax.core.Tracer):
            p = real("dropout_p", p)
            if not 0 <= p < 1:
                raise ValueError("dropout_p: expected a number from 0 to below "
                                 f"1, got {p}")
            if p == 0:
                return
        if seed is None:
            raise ValueError("seed: expected an integer, because dropout_p is not "
                             "0, for example jax.random.bits(key), got None")
        if not isinstance(seed, (jax.Array, np.ndarray)):
            number = integer("seed", seed, -2**31, 2**32 - 1)
            seed = (np.uint32 if number >= 2**31 else np.int32)(number)
        seed = jnp.asarray(seed)
        check_type("seed", seed, "int32", "uint32", "int64")
        check_shape("seed", seed)
        self.arrays["p"] = jnp.asarray(p, jnp.float32)
        self.arrays["seed"] = seed

    def set_score(self, *mods: Any) -> Optional[_scores.Program]:
        if all(x is None for x in mods):
            return None
        program, found = _scores.trace(
            mods, "f64" if self.real == "float64" else "f32",
            (self.batches, self.heads, self.rows, self.keys), _describe)
        arrays = [_sign(jnp.asarray(x)) for _, x in found]
        for i, x in enumerate(arrays):
            self.arrays[f"c{i}"] = x
        if program.reads_last:
            self.arrays["last"] = jnp.asarray(
                [size - 1 for x in arrays for size in x.shape], jnp.int32)
        return program


def _sign(x: jax.Array) -> jax.Array:
    """Kernels take unsigned numbers as the signed ones of the same bits."""
    if x.dtype.kind != "u":
        return x
    return jax.lax.bitcast_convert_type(x, f"int{8 * x.dtype.itemsize}")


def _describe(x: Any, name: str) -> tuple[str, tuple[int, ...]]:
    if isinstance(x, jax.Array):
        return x.dtype.name, tuple(x.shape)
    return _lattn.describe(x, name)


# As arguments of kernels.
_ORDER = ("query", "key", "value", "pages", "cu_seqlens_q", "cu_seqlens_k", "bias",
          "key_mask", "kv_lens", "offset", "sink", "p", "seed", "mask")


def read(q: Any, k: Any, v: Any, window: Any, causal: Any, scale: Any, bias: Any,
         key_mask: Any, attn_mask: Any, kv_lengths: Any, pages: Any,
         cu_seqlens_q: Any, cu_seqlens_k: Any, offset: Any, layout: Any,
         softcap: Any, mods: tuple[Any, ...], sink: Any, dropout_p: Any,
         seed: Any) -> tuple[list[jax.Array], Options]:
    """Reads the arguments. mods: score_mod, mask_mod, q_segments and kv_segments."""
    made = Arguments(q, k, v, layout, pages, cu_seqlens_q, cu_seqlens_k)
    window = bounds(Window(*bounds(window)))
    scale = None if scale is None else real("scale", scale)
    softcap = real("softcap", softcap)
    if softcap < 0:
        raise ValueError(f"softcap: expected a number of at least 0, got "
                         f"{softcap}")
    made.set_masks(bias, key_mask, attn_mask)
    made.set_positions(kv_lengths, offset)
    made.set_sink(sink)
    made.set_dropout(dropout_p, seed)
    program = made.set_score(*mods)
    names = [name for name in _ORDER if name in made.arrays]
    names += [name for name in made.arrays if name not in _ORDER]
    return [made.arrays[name] for name in names], Options(
        tuple(names), Attributes(made.is_bnhd, window, flag("causal", causal), scale,
                                 softcap), program)
