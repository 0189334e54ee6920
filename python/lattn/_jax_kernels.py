"""lattn.attention as primitives of JAX: their transformations, and the kernels that XLA
calls."""

from __future__ import annotations

import functools
import re
from typing import Any, Callable, NamedTuple, Optional, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir, xla

from . import _attention_kernels, _lattn
from ._attention_kernels import Key
from ._scores import Program

_TYPES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32",
          "float64": "f64", "int32": "i32", "int64": "i64"}
_DIFFERENTIABLE = ("query", "key", "value", "sink", "bias")
_RESULTS = ("output", "lse")

jax.ffi.register_ffi_target("lattn_call", _lattn.xla_handlers, platform="cpu")


class Options(NamedTuple):
    """The arguments of the primitives other than arrays."""

    names: tuple[str, ...]  # of the arrays, in the order of kernels
    is_bnhd: bool
    window: tuple[Optional[int], ...]  # left, right, bucket, back, forward
    causal: bool
    scale: Optional[float]
    softcap: float
    program: Optional[Program]


#===------------------------------------------------------------------------===
# Kernels
#===------------------------------------------------------------------------===


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
        few=few if few[0] <= most else None,
        is_bnhd=options.is_bnhd, window=options.window, causal=options.causal,
        scale=options.scale, softcap=options.softcap, bias=get_type("bias"),
        bias_is_shared=find_shared("bias"), key_mask="key_mask" in arrays,
        lengths=get_type("kv_lens"),
        offset="i64" if "offset" in arrays else None,
        offset_is_one=offset_is_one, sink=get_type("sink"),
        dropout="seed" in arrays, mask="i8" if "mask" in arrays else None,
        mask_is_shared=find_shared("mask"), program=options.program,
        lse=not gradients, gradients=gradients, bias_gradient=of_bias,
        capture_gradients=of_captures)


def _find_captures(options: Options) -> list[str]:
    """The names of the captured arrays of floats."""
    arrays = options.program.arrays if options.program else ()
    return [f"c{i}" for i, (element, _) in enumerate(arrays)
            if element[0] != "i"]


def _find_names(options: Options, of_captures: bool) -> list[str]:
    """The names of what is differentiated by, in the order of kernels."""
    return [name for name in _DIFFERENTIABLE if name in options.names] + (
        _find_captures(options) if of_captures else [])


def _like(x: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def _call(text: str, results: Sequence[Any], *operands: Any) -> Sequence[Any]:
    return jax.ffi.ffi_call("lattn_call", [_like(x) for x in results])(
        *operands, text=text)


def _zeros(arrays: Sequence[Any]) -> list[Any]:
    return [jnp.zeros(x.shape, x.dtype) for x in arrays]


#===------------------------------------------------------------------------===
# Primitives
#===------------------------------------------------------------------------===


def _define(name: str, find_results: Callable[..., Sequence[Any]],
            run: Callable[..., Sequence[Any]], can_merge: Callable[..., bool]
            ) -> Primitive:
    """Defines a primitive. Its arrays begin with those of Options.names. `find_results`
    returns arrays with the shapes and types of the results; `run` returns the
    results, computed by XLA."""
    primitive = Primitive(name)
    primitive.multiple_results = True
    primitive.def_impl(functools.partial(xla.apply_primitive, primitive))

    def find_avals(query: Any, *others: Any, **params: Any) -> list[Any]:
        def make(x: Any) -> Any:
            axes = jax.sharding.PartitionSpec(*[None] * len(x.shape))
            return query.update(shape=x.shape, dtype=x.dtype,
                                sharding=query.sharding.update(spec=axes))
        return [make(x) for x in find_results(query, *others, **params)]

    primitive.def_abstract_eval(find_avals)
    mlir.register_lowering(
        primitive, mlir.lower_fun(run, multiple_results=True), platform="cpu")
    batching.primitive_batchers[primitive] = functools.partial(
        _batch, primitive, can_merge)
    return primitive


def _name(operands: Sequence[Any], options: Options) -> dict[str, Any]:
    return dict(zip(options.names, operands))


def _find_outputs(*operands: Any, options: Options) -> Sequence[Any]:
    query, _, value = operands[:3]
    b, h, n = query.shape[:3]
    if options.is_bnhd:
        h, n = n, h
    real = jnp.promote_types(query.dtype, np.float32)
    return (jax.ShapeDtypeStruct((*query.shape[:3], value.shape[3]), query.dtype),
            jax.ShapeDtypeStruct((b, h, n), real))


def _run(*operands: Any, options: Options) -> Sequence[Any]:
    results = _find_outputs(*operands, options=options)
    if results[0].size == 0:
        return _zeros(results)
    key = _make_key(options, _name(operands, options))
    return _call(_attention_kernels._text(key), results, *operands)


def _get_gradient_names(options: Options, of_bias: bool, of_captures: bool
                        ) -> list[str]:
    return [name for name in _find_names(options, of_captures)
            if name != "bias" or of_bias]


def _find_gradients(*operands: Any, options: Options, of_bias: bool,
                    of_captures: bool) -> Sequence[Any]:
    arrays = _name(operands, options)
    return [_like(arrays[name])
            for name in _get_gradient_names(options, of_bias, of_captures)]


def _run_gradients(*operands: Any, options: Options, of_bias: bool,
                   of_captures: bool) -> Sequence[Any]:
    """The operands are those of attention, output, lse, d_output and d_lse. The results
    are the gradients of query, key, value, sink and, if `of_bias`, bias; then, if
    `of_captures`, of the captured arrays of floats."""
    results = _find_gradients(*operands, options=options, of_bias=of_bias,
                              of_captures=of_captures)
    if operands[len(options.names)].size == 0:
        return _zeros(results)
    key = _make_key(options, _name(operands, options), True, of_bias, of_captures)
    return _call(_attention_kernels._text(key), results, *operands)


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


def _find_tangents(*operands: Any, options: Options, of_captures: bool
                   ) -> Sequence[Any]:
    return operands[len(options.names):len(options.names) + 2]


def _run_tangents(*operands: Any, options: Options, of_captures: bool
                  ) -> Sequence[Any]:
    """The operands are those of attention, output, lse, and the tangents of
    `_find_names`. The results are the tangents of output and lse."""
    count = len(options.names)
    results = operands[count:count + 2]
    if operands[0].size == 0 or operands[1].size == 0:
        return _zeros(results)
    arrays, tangents = _name(operands, options), operands[count + 2:]
    # Not of few queries, of which the kernel knows nothing.
    key = _make_key(options, arrays)._replace(few=None)
    text = _attention_kernels.write_tangents(
        key, _find_captures(options) if of_captures else ())
    return _call(text, [*results, *results],
                 *operands[:count], *tangents)[2:]


def _find_products(*operands: Any, options: Options, of_captures: bool
                   ) -> Sequence[Any]:
    return _find_gradients(*operands, options=options, of_bias=True,
                           of_captures=of_captures)


def _run_products(*operands: Any, options: Options, of_captures: bool
                  ) -> Sequence[Any]:
    """The operands are those of the gradients, and a vector for each differentiable
    operand. The results are the products of the second derivatives with the vectors.
    Second derivatives are symmetric, so the vectors are cotangents of gradients.
    output and lse depend on the arrays, too."""
    count = len(options.names)
    arrays = _name(operands, options)
    results = _find_products(*operands, options=options, of_captures=of_captures)
    if operands[0].size == 0 or operands[1].size == 0:
        return _zeros(results)
    numbers = map(options.names.index, _find_names(options, of_captures))
    of_results = operands[count:count + 2]
    text = _write_derivative(options, arrays, (*numbers, count, count + 1),
                             of_captures)
    *direct, d_output, d_lse = _call(text, [*results, *of_results], *operands)
    others = _run_gradients(*operands[:count + 2], d_output, d_lse,
                            options=options, of_bias="bias" in arrays,
                            of_captures=of_captures)
    return [x + y for x, y in zip(direct, others)]


#===------------------------------------------------------------------------===
# vmap
#===------------------------------------------------------------------------===

# Arrays whose first axis is that of batches.
_BATCHED = {"query", "key", "value", "bias", "key_mask", "kv_lens", "mask",
            *_RESULTS}


def _batch(primitive: Primitive, can_merge: Callable[..., bool],
           operands: Sequence[Any], axes: Sequence[Optional[int]], *,
           options: Options, **params: Any) -> tuple[Sequence[Any], Sequence[int]]:
    bind = functools.partial(primitive.bind, options=options, **params)
    count = next(x.shape[axis] for x, axis in zip(operands, axes)
                 if axis is not None)
    moved = [x if axis is None else jnp.moveaxis(x, axis, 0)
             for x, axis in zip(operands, axes)]
    names = dict(zip(range(len(options.names)), options.names))
    is_whole = all(axis is None or names.get(i, "query") in _BATCHED
                   or names[i] == "offset" and operands[i].ndim == 2
                   for i, axis in enumerate(axes))
    # Without its own queries a call would only be a copy of all arrays.
    if axes[0] is not None and is_whole and can_merge(options, **params):
        calls = moved[0].shape[:2]
        merged = [_merge(names.get(i, "query"), x, axes[i] is not None, calls)
                  for i, x in enumerate(moved)]
        found = [x.reshape(calls + x.shape[1:]) for x in bind(*merged)]
    elif count == 0:
        found = [jnp.zeros((0, *x.shape), x.dtype) for x in jax.eval_shape(
            bind, *(x if axis is None else jax.ShapeDtypeStruct(
                x.shape[1:], x.dtype) for x, axis in zip(moved, axes)))]
    else:
        def run(given: Sequence[Any]) -> Sequence[Any]:
            left = iter(given)
            return bind(*(x if axis is None else next(left)
                          for x, axis in zip(moved, axes)))
        found = jax.lax.map(run, [x for x, axis in zip(moved, axes)
                                  if axis is not None])
    return found, [0] * len(found)


def _merge(name: str, x: Any, is_mapped: bool, calls: tuple[int, int]) -> Any:
    """Merges the mapped axis and the axis of batches, which have these sizes."""
    if name not in _BATCHED and (name != "offset" or x.ndim == 0):
        return x
    if not is_mapped:
        if name in ("bias", "mask") and x.shape[0] == 1:
            return x
        x = x[None]
    rest = x.shape[2:]
    return jnp.broadcast_to(x, calls + rest).reshape(calls[0] * calls[1], *rest)


def _is_alike(options: Options) -> bool:
    """Whether no score depends on the number of its batch."""
    program = options.program
    return "seed" not in options.names and not (program and any(
        re.search(r"%b\b", line) for line in program.lines))


def _has_own_gradients(options: Options, of_captures: bool, **_: bool) -> bool:
    """Whether no gradient is a sum over batches."""
    return (_is_alike(options) and not of_captures
            and not {"sink", "bias"} & set(options.names))


attention = _define("lattn_attention", _find_outputs, _run, _is_alike)
_gradients = _define("lattn_attention_grad", _find_gradients, _run_gradients,
                     _has_own_gradients)
_tangents = _define("lattn_attention_jvp", _find_tangents, _run_tangents,
                    _has_own_gradients)
_products = _define("lattn_attention_hvp", _find_products, _run_products,
                    _has_own_gradients)


def call(arrays: Sequence[Any], options: Options) -> Sequence[Any]:
    """The output and lse. Arrays may differ in the mesh axes of shard_map."""
    axes = [jax.typeof(x).manual_axis_type.varying for x in arrays]
    every = frozenset().union(*axes)
    return attention.bind(*(
        jax.lax.pcast(x, tuple(every - own), to="varying") if every - own else x
        for x, own in zip(arrays, axes)), options=options)


#===------------------------------------------------------------------------===
# Derivatives
#===------------------------------------------------------------------------===


def _read_tangents(options: Options, tangents: Sequence[Any]
                   ) -> tuple[dict[str, Any], bool]:
    """The tangents by name, and whether a captured array has one."""
    given = dict(zip(options.names, tangents))
    has = {name for name, x in given.items() if type(x) is not ad.Zero}
    if "p" in has:
        raise NotImplementedError(
            "lattn.jax.attention: dropout_p: derivatives are not built yet; "
            "jax.lax.stop_gradient(dropout_p) makes it a constant")
    return given, not has.isdisjoint(_find_captures(options))


def _differentiate(operands: Sequence[Any], tangents: Sequence[Any], *,
                   options: Options) -> tuple[Sequence[Any], Sequence[Any]]:
    results = attention.bind(*operands, options=options)
    given, of_captures = _read_tangents(options, tangents)
    tangents = [ad.instantiate_zeros(given[name])
                for name in _find_names(options, of_captures)]
    return results, _tangents.bind(*operands, *results, *tangents,
                                   options=options, of_captures=of_captures)


def _transpose(cotangents: Sequence[Any], *operands: Any, options: Options,
               of_captures: bool) -> Sequence[Any]:
    count = len(options.names) + len(_RESULTS)
    known, tangents = operands[:count], operands[count:]
    names = _find_names(options, of_captures)
    wanted = {name for name, x in zip(names, tangents)
              if ad.is_undefined_primal(x)}
    of = dict(of_bias="bias" in wanted,
              of_captures=not wanted.isdisjoint(_find_captures(options)))
    found = _gradients.bind(
        *known, *map(ad.instantiate_zeros, cotangents), options=options, **of)
    made = dict(zip(_get_gradient_names(options, **of), found))
    return [None] * count + [made[name] if name in wanted else None
                             for name in names]


def _differentiate_gradients(operands: Sequence[Any], tangents: Sequence[Any], *,
                             options: Options, of_bias: bool, of_captures: bool
                             ) -> tuple[Sequence[Any], Sequence[Any]]:
    count = len(options.names)
    of = dict(of_bias=of_bias, of_captures=of_captures)
    found = _gradients.bind(*operands, options=options, **of)
    parts = []
    given, along_captures = _read_tangents(options, tangents)
    names = _find_names(options, of_captures or along_captures)
    vectors = [given[name] for name in names]
    # The tangents of output and lse follow from these.
    if any(type(x) is not ad.Zero for x in vectors):
        made = dict(zip(names, _products.bind(
            *operands, *map(ad.instantiate_zeros, vectors), options=options,
            of_captures=of_captures or along_captures)))
        parts.append([made[name] for name in _get_gradient_names(options, **of)])
    cotangents = tangents[count + 2:]
    if any(type(x) is not ad.Zero for x in cotangents):
        parts.append(_gradients.bind(
            *operands[:count + 2], *map(ad.instantiate_zeros, cotangents),
            options=options, **of))
    if not parts:
        return found, [ad.Zero.from_primal_value(x) for x in found]
    return found, [sum(xs[1:], xs[0]) for xs in zip(*parts)]


def _transpose_gradients(cotangents: Sequence[Any], *operands: Any,
                         options: Options, of_bias: bool, of_captures: bool
                         ) -> Sequence[Any]:
    """Gradients are linear in d_output and d_lse."""
    count = len(options.names) + len(_RESULTS)
    given = dict(zip(_get_gradient_names(options, of_bias, of_captures),
                     map(ad.instantiate_zeros, cotangents)))
    if "bias" in options.names and not of_bias:
        given["bias"] = jnp.zeros_like(operands[options.names.index("bias")])
    vectors = [given[name] for name in _find_names(options, of_captures)]
    found = _tangents.bind(*operands[:count], *vectors, options=options,
                           of_captures=of_captures)
    return [None] * count + [
        x if ad.is_undefined_primal(given) else None
        for given, x in zip(operands[count:], found)]


def _transpose_products(cotangents: Sequence[Any], *operands: Any,
                        options: Options, of_captures: bool) -> Sequence[Any]:
    """Second derivatives are symmetric."""
    count = len(options.names) + 2 * len(_RESULTS)
    if any(map(ad.is_undefined_primal, operands[:count])):
        _refuse()
    found = _products.bind(*operands[:count], *map(
        ad.instantiate_zeros, cotangents), options=options,
        of_captures=of_captures)
    return [None] * count + [
        x if ad.is_undefined_primal(given) else None
        for given, x in zip(operands[count:], found)]


def _refuse(*_: Any, **__: Any) -> Any:
    raise NotImplementedError("lattn.jax.attention: third derivatives, and "
                              "derivatives of tangents, are not built yet")


ad.primitive_jvps[attention] = _differentiate
ad.primitive_transposes[_tangents] = _transpose
ad.primitive_jvps[_gradients] = _differentiate_gradients
ad.primitive_transposes[_gradients] = _transpose_gradients
ad.primitive_transposes[_products] = _transpose_products
ad.primitive_jvps[_tangents] = ad.primitive_jvps[_products] = _refuse
