"""The kernels of lattn.attention and its derivatives, as custom calls of XLA."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, Optional, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from . import _attention_kernels, _kernels, _lattn
from ._attention_kernels import Key
from ._attention_options import Attributes
from ._scores import Program

_TYPES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32",
          "float64": "f64", "int32": "i32", "int64": "i64"}
_DIFFERENTIABLE = ("query", "key", "value", "sink", "bias")
RESULTS = ("output", "lse")

jax.ffi.register_ffi_target("lattn_call", _lattn.xla_handlers, platform="cpu")


class Options(NamedTuple):
    """The arguments of the primitives other than arrays."""

    names: tuple[str, ...]  # of the arrays, in the order of kernels
    attributes: Attributes
    program: Optional[Program]

    @property
    def is_bnhd(self) -> bool:
        return self.attributes.is_bnhd


def are_packed(options: Options) -> bool:
    """Whether sequences are packed."""
    return not {"cu_seqlens_q", "cu_seqlens_k"}.isdisjoint(options.names)


def _make_key(options: Options, arrays: dict[str, Any], gradients: bool = False,
              of_bias: bool = False, of_captures: bool = False) -> Key:
    def get_type(name: str) -> Optional[str]:
        return _TYPES[arrays[name].dtype.name] if name in arrays else None

    def find_shared(name: str) -> tuple[bool, ...]:
        return tuple(size == 1 for size in getattr(arrays.get(name), "shape", ()))

    query, key, value = (arrays[name] for name in _DIFFERENTIABLE[:3])
    h, n = (2, 1) if options.is_bnhd else (1, 2)
    # As in Attention::hasFewQueries.
    most = 1 if not gradients else 0 if of_bias or of_captures else 16
    few = (query.shape[n], query.shape[h], key.shape[h])
    offset_is_one = "offset" in arrays and not arrays["offset"].shape
    return Key(
        type=get_type("query"), head_size=query.shape[3],
        value_size=value.shape[3],
        few=few if few[0] <= most and "cu_seqlens_q" not in arrays else None,
        attributes=options.attributes, bias=get_type("bias"),
        bias_is_shared=find_shared("bias"), key_mask="key_mask" in arrays,
        lengths=get_type("kv_lens"),
        offset="i64" if "offset" in arrays else None,
        offset_is_one=offset_is_one, sink=get_type("sink"),
        dropout="seed" in arrays, mask="i8" if "mask" in arrays else None,
        mask_is_shared=find_shared("mask"), program=options.program,
        lse=not gradients, gradients=gradients, bias_gradient=of_bias,
        capture_gradients=of_captures,
        page_size=key.shape[n] if "pages" in arrays else 0,
        pages=get_type("pages"), cu_seqlens_q=get_type("cu_seqlens_q"),
        cu_seqlens_k=get_type("cu_seqlens_k"))


def find_captures(options: Options) -> list[str]:
    """The names of the captured arrays of floats."""
    arrays = options.program.arrays if options.program else ()
    return [f"c{i}" for i, (element, _) in enumerate(arrays)
            if element[0] != "i"]


def find_names(options: Options, of_captures: bool) -> list[str]:
    """The names of what is differentiated by, in the order of kernels."""
    return [name for name in _DIFFERENTIABLE if name in options.names] + (
        find_captures(options) if of_captures else [])


def _like(x: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def _call(text: str, options: Options, results: Sequence[Any], *operands: Any,
          of_singles: str = "", can_split: bool = False) -> Sequence[Any]:
    """The call checks tables of pages and borders of sequences, whose values nobody
    knows before. It finds them by the names of operands. It passes max_seqlen to the
    kernel behind each cu_seqlens. `of_singles` is the text where each of the packed
    sequences has one query, if that can be; if it `can_split`, also for the first
    ones."""
    checks = "pages" in options.names or are_packed(options)
    return jax.ffi.ffi_call("lattn_call", [_like(x) for x in results])(
        *operands, text=text, names=" ".join(options.names) if checks else "",
        layout="bnhd" if options.is_bnhd else "bhnd", of_singles=of_singles,
        can_split=can_split)


def _zeros(arrays: Sequence[Any]) -> list[Any]:
    return [jnp.zeros(x.shape, x.dtype) for x in arrays]


def _name(operands: Sequence[Any], options: Options) -> dict[str, Any]:
    return dict(zip(options.names, operands))


def find_outputs(*operands: Any, options: Options) -> Sequence[Any]:
    query, _, value = operands[:3]
    b, h, n = query.shape[:3]
    if options.is_bnhd:
        h, n = n, h
    real = jnp.promote_types(query.dtype, np.float32)
    return (jax.ShapeDtypeStruct((*query.shape[:3], value.shape[3]), query.dtype),
            jax.ShapeDtypeStruct((b, h, n), real))


def run(*operands: Any, options: Options) -> Sequence[Any]:
    results = find_outputs(*operands, options=options)
    if results[0].size == 0:
        return _zeros(results)
    arrays = _name(operands, options)
    key, of_singles = _make_key(options, arrays), ""
    query = arrays["query"]
    h, n = (2, 1) if options.is_bnhd else (1, 2)
    # As in Attention::runSingleQueries: what reads the numbers of batches, or has
    # arrays of pairs, does not split them.
    can_split = bool(key.cu_seqlens_q and not options.program and {
        "bias", "key_mask", "mask", "seed"}.isdisjoint(options.names))
    if can_split or key.cu_seqlens_q and (
            query.shape[n] == arrays["cu_seqlens_q"].size - 1):
        few = 1, query.shape[h], arrays["key"].shape[h]
        of_singles = _attention_kernels._text(
            key._replace(cu_seqlens_q=None, few=few))
    sequences = arrays["cu_seqlens_q"].size - 1 if key.cu_seqlens_q else 1
    # The longest sequence has so many at least.
    least = _lattn.get_least_queries(-(-query.shape[n] // max(1, sequences)))
    text = _attention_kernels._text(key._replace(least_queries=least))
    return _call(text, options, results, *operands, of_singles=of_singles,
                 can_split=can_split)


def get_gradient_names(options: Options, of_bias: bool, of_captures: bool
                        ) -> list[str]:
    return [name for name in find_names(options, of_captures)
            if name != "bias" or of_bias]


def find_gradients(*operands: Any, options: Options, of_bias: bool,
                    of_captures: bool) -> Sequence[Any]:
    arrays = _name(operands, options)
    return [_like(arrays[name])
            for name in get_gradient_names(options, of_bias, of_captures)]


def run_gradients(*operands: Any, options: Options, of_bias: bool,
                   of_captures: bool) -> Sequence[Any]:
    """The operands are those of attention, output, lse, d_output and d_lse. The results
    are the gradients of query, key, value, sink and, if `of_bias`, bias; then, if
    `of_captures`, of the captured arrays of floats."""
    results = find_gradients(*operands, options=options, of_bias=of_bias,
                              of_captures=of_captures)
    if operands[len(options.names)].size == 0:
        return _zeros(results)
    key = _make_key(options, _name(operands, options), True, of_bias, of_captures)
    return _call(_attention_kernels._text(key), options, results, *operands)


def _write_derivative(options: Options, arrays: dict[str, Any],
                      arguments: Sequence[int], of_captures: bool) -> str:
    """The text of the function for the cotangents of attention_grad's arguments with
    these numbers."""
    key = _make_key(options, arrays, True, "bias" in arrays, of_captures)
    listed = ",".join(map(str, arguments))
    text = _lattn.run_passes(
        _attention_kernels._text(key).encode(), "<text>",
        f"builtin.module(lattn-differentiate{{arguments={listed}}})")
    # Without the gradients themselves, and the names of arguments, of which some
    # are there twice.
    text = re.sub(r"\n  func\.func @attention_grad\(.*?\n  }\n", "\n", text,
                  count=1, flags=re.DOTALL)
    return re.sub(r' \{lattn\.name = "[^"]*"\}', "", text)


def find_tangents(*operands: Any, options: Options, of_captures: bool
                   ) -> Sequence[Any]:
    return operands[len(options.names):len(options.names) + 2]


def run_tangents(*operands: Any, options: Options, of_captures: bool
                  ) -> Sequence[Any]:
    """The operands are those of attention, output, lse, and the tangents of
    `find_names`. The results are the tangents of output and lse."""
    count = len(options.names)
    results = operands[count:count + 2]
    if operands[0].size == 0 or operands[1].size == 0:
        return _zeros(results)
    arrays, tangents = _name(operands, options), operands[count + 2:]
    return _call(_write_tangents(options, arrays, of_captures), options,
                 [*results, *results], *operands[:count], *tangents)[2:]


def _write_tangents(options: Options, arrays: dict[str, Any], of_captures: bool
                    ) -> str:
    # Not of few queries, of which the kernel knows nothing.
    key = _make_key(options, arrays)._replace(few=None)
    return _attention_kernels.write_tangents(
        key, find_captures(options) if of_captures else ())


def run_tangents_twice(*operands: Any, options: Options, of_captures: bool
                        ) -> Sequence[Any]:
    """The operands are those of `run_tangents`, and a second group of tangents of
    `find_names`. The results are the tangents, by the second, of what `run_tangents`
    makes of the first."""
    count = len(options.names)
    results = operands[count:count + 2]
    if operands[0].size == 0 or operands[1].size == 0:
        return _zeros(results)
    numbers = map(options.names.index, find_names(options, of_captures))
    text = _kernels.without_names(_kernels.derive(
        _write_tangents(options, _name(operands, options), of_captures),
        "attention_jvp", "_jvp", tuple(numbers)))
    return _call(text, options, [*results, *results],
                 *operands[:count], *operands[count + 2:])[2:]


def find_products(*operands: Any, options: Options, of_captures: bool
                   ) -> Sequence[Any]:
    return find_gradients(*operands, options=options, of_bias=True,
                           of_captures=of_captures)


def run_products(*operands: Any, options: Options, of_captures: bool
                  ) -> Sequence[Any]:
    """The operands are those of the gradients, and a vector for each differentiable
    operand. The results are the products of the second derivatives with the vectors.
    Second derivatives are symmetric, so the vectors are cotangents of gradients.
    output and lse depend on the arrays, too."""
    count = len(options.names)
    arrays = _name(operands, options)
    results = find_products(*operands, options=options, of_captures=of_captures)
    if operands[0].size == 0 or operands[1].size == 0:
        return _zeros(results)
    numbers = map(options.names.index, find_names(options, of_captures))
    of_results = operands[count:count + 2]
    text = _write_derivative(options, arrays, (*numbers, count, count + 1),
                             of_captures)
    *direct, d_output, d_lse = _call(text, options, [*results, *of_results],
                                      *operands)
    others = run_gradients(*operands[:count + 2], d_output, d_lse,
                            options=options, of_bias="bias" in arrays,
                            of_captures=of_captures)
    return [x + y for x, y in zip(direct, others)]
