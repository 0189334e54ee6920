"""lattn.attention as primitives of JAX, and their transformations."""

from __future__ import annotations

import functools
import re
from typing import Any, Callable, Optional, Sequence

import jax
import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir, xla

from . import _jax_kernels
from ._jax_kernels import (
    RESULTS, Options, are_packed, find_captures, find_names, get_gradient_names)


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


#===------------------------------------------------------------------------===
# vmap
#===------------------------------------------------------------------------===

# Arrays whose first axis is that of batches.
_BATCHED = {"query", "key", "value", "pages", "bias", "key_mask", "kv_lens", "mask",
            *RESULTS}


def _find_batched(options: Options) -> set[str]:
    """All batches share a pool of pages."""
    return _BATCHED - {"key", "value"} if "pages" in options.names else _BATCHED


def _batch(primitive: Primitive, can_merge: Callable[..., bool],
           operands: Sequence[Any], axes: Sequence[Optional[int]], *,
           options: Options, **params: Any) -> tuple[Sequence[Any], Sequence[int]]:
    bind = functools.partial(primitive.bind, options=options, **params)
    count = next(x.shape[axis] for x, axis in zip(operands, axes)
                 if axis is not None)
    moved = [x if axis is None else jnp.moveaxis(x, axis, 0)
             for x, axis in zip(operands, axes)]
    names = dict(zip(range(len(options.names)), options.names))
    batched = _find_batched(options)
    is_whole = all(axis is None or names.get(i, "query") in batched
                   or names[i] == "offset" and operands[i].ndim == 2
                   for i, axis in enumerate(axes))
    # Without its own queries a call would only be a copy of all arrays.
    if axes[0] is not None and is_whole and can_merge(options, **params):
        calls = moved[0].shape[:2]
        merged = [_merge(names.get(i, "query"), x, axes[i] is not None, calls, batched)
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


def _merge(name: str, x: Any, is_mapped: bool, calls: tuple[int, int],
           batched: set[str]) -> Any:
    """Merges the mapped axis and the axis of batches, which have these sizes."""
    if name not in batched and (name != "offset" or x.ndim == 0):
        return x
    if not is_mapped:
        if name in ("bias", "mask") and x.shape[0] == 1:
            return x
        x = x[None]
    rest = x.shape[2:]
    return jnp.broadcast_to(x, calls + rest).reshape(calls[0] * calls[1], *rest)


def _is_alike(options: Options) -> bool:
    """Whether calls can be batches of one, and no score depends on their numbers."""
    program = options.program
    return not are_packed(options) and "seed" not in options.names and not (
        program and any(re.search(r"%b\b", line) for line in program.lines))


def _has_own_gradients(options: Options, of_captures: bool, **_: bool) -> bool:
    """Whether no gradient is a sum over batches."""
    return (_is_alike(options) and not of_captures
            and not {"sink", "bias"} & set(options.names))


attention = _define("lattn_attention", _jax_kernels.find_outputs, _jax_kernels.run,
                    _is_alike)
_gradients = _define("lattn_attention_grad", _jax_kernels.find_gradients,
                     _jax_kernels.run_gradients, _has_own_gradients)
_tangents = _define("lattn_attention_jvp", _jax_kernels.find_tangents,
                    _jax_kernels.run_tangents, _has_own_gradients)
_tangents_twice = _define("lattn_attention_jvp_jvp", _jax_kernels.find_tangents,
                          _jax_kernels.run_tangents_twice, _has_own_gradients)
_products = _define("lattn_attention_hvp", _jax_kernels.find_products,
                    _jax_kernels.run_products, _has_own_gradients)


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
    if "pages" in given and has:
        raise NotImplementedError(
            "lattn.jax.attention: pages: derivatives are not built for paged keys "
            "yet; jax.lax.stop_gradient of q, k, v and other arrays of numbers makes "
            "them constants")
    if "p" in has:
        raise NotImplementedError(
            "lattn.jax.attention: dropout_p: derivatives are not built yet; "
            "jax.lax.stop_gradient(dropout_p) makes it a constant")
    return given, not has.isdisjoint(find_captures(options))


def _refuse_packed(options: Options) -> None:
    if are_packed(options):
        names = " and ".join(name for name in ("cu_seqlens_q", "cu_seqlens_k")
                             if name in options.names)
        raise NotImplementedError(
            f"lattn.jax.attention: {names}: second derivatives are not built for "
            "packed sequences yet")


def _differentiate(operands: Sequence[Any], tangents: Sequence[Any], *,
                   options: Options) -> tuple[Sequence[Any], Sequence[Any]]:
    results = attention.bind(*operands, options=options)
    given, of_captures = _read_tangents(options, tangents)
    tangents = [ad.instantiate_zeros(given[name])
                for name in find_names(options, of_captures)]
    return results, _tangents.bind(*operands, *results, *tangents,
                                   options=options, of_captures=of_captures)


def _transpose(cotangents: Sequence[Any], *operands: Any, options: Options,
               of_captures: bool) -> Sequence[Any]:
    count = len(options.names) + len(RESULTS)
    known, tangents = operands[:count], operands[count:]
    names = find_names(options, of_captures)
    wanted = {name for name, x in zip(names, tangents)
              if ad.is_undefined_primal(x)}
    of = dict(of_bias="bias" in wanted,
              of_captures=not wanted.isdisjoint(find_captures(options)))
    found = _gradients.bind(
        *known, *map(ad.instantiate_zeros, cotangents), options=options, **of)
    made = dict(zip(get_gradient_names(options, **of), found))
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
    names = find_names(options, of_captures or along_captures)
    vectors = [given[name] for name in names]
    # The tangents of output and lse follow from these.
    if any(type(x) is not ad.Zero for x in vectors):
        _refuse_packed(options)
        made = dict(zip(names, _products.bind(
            *operands, *map(ad.instantiate_zeros, vectors), options=options,
            of_captures=of_captures or along_captures)))
        parts.append([made[name] for name in get_gradient_names(options, **of)])
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
    count = len(options.names) + len(RESULTS)
    given = dict(zip(get_gradient_names(options, of_bias, of_captures),
                     map(ad.instantiate_zeros, cotangents)))
    if "bias" in options.names and not of_bias:
        given["bias"] = jnp.zeros_like(operands[options.names.index("bias")])
    vectors = [given[name] for name in find_names(options, of_captures)]
    found = _tangents.bind(*operands[:count], *vectors, options=options,
                           of_captures=of_captures)
    return [None] * count + [
        x if ad.is_undefined_primal(given) else None
        for given, x in zip(operands[count:], found)]


def _differentiate_tangents(operands: Sequence[Any], tangents: Sequence[Any], *,
                            options: Options, of_captures: bool
                            ) -> tuple[Sequence[Any], Sequence[Any]]:
    """The tangents of output and lse follow from those of the arrays."""
    count = len(options.names)
    known, first = operands[:count + 2], operands[count + 2:]
    found = _tangents.bind(*operands, options=options, of_captures=of_captures)
    given, along_captures = _read_tangents(options, tangents)
    parts = []
    names = find_names(options, of_captures or along_captures)
    second = [given[name] for name in names]
    if any(type(x) is not ad.Zero for x in second):
        _refuse_packed(options)
        by_name = dict(zip(find_names(options, of_captures), first))
        first = [by_name[name] if name in by_name else jnp.zeros_like(
            known[options.names.index(name)]) for name in names]
        parts.append(_tangents_twice.bind(
            *known, *first, *map(ad.instantiate_zeros, second), options=options,
            of_captures=of_captures or along_captures))
    of_first = tangents[count + 2:]
    if any(type(x) is not ad.Zero for x in of_first):
        parts.append(_tangents.bind(
            *known, *map(ad.instantiate_zeros, of_first), options=options,
            of_captures=of_captures))
    if not parts:
        return found, [ad.Zero.from_primal_value(x) for x in found]
    return found, [sum(xs[1:], xs[0]) for xs in zip(*parts)]


def _transpose_tangents_twice(cotangents: Sequence[Any], *operands: Any,
                              options: Options, of_captures: bool) -> Sequence[Any]:
    """The tangents are products of second derivatives with both groups."""
    count = len(options.names) + len(RESULTS)
    known, given = operands[:count], operands[count:]
    half = len(given) // 2
    groups = [given[:half], given[half:]]
    is_unknown = [any(map(ad.is_undefined_primal, x)) for x in groups]
    if all(is_unknown) or any(map(ad.is_undefined_primal, known)):
        _refuse()
    made: list[Optional[Any]] = [None] * len(operands)
    for i, other in ((0, 1), (1, 0)):
        if is_unknown[i]:
            found = _products.bind(
                *known, *map(ad.instantiate_zeros, cotangents), *groups[other],
                options=options, of_captures=of_captures)
            start = count + i * half
            made[start:start + half] = [
                x if ad.is_undefined_primal(y) else None
                for x, y in zip(found, groups[i])]
    return made


def _transpose_products(cotangents: Sequence[Any], *operands: Any,
                        options: Options, of_captures: bool) -> Sequence[Any]:
    """Second derivatives are symmetric."""
    count = len(options.names) + 2 * len(RESULTS)
    if any(map(ad.is_undefined_primal, operands[:count])):
        _refuse()
    found = _products.bind(*operands[:count], *map(
        ad.instantiate_zeros, cotangents), options=options,
        of_captures=of_captures)
    return [None] * count + [
        x if ad.is_undefined_primal(given) else None
        for given, x in zip(operands[count:], found)]


def _refuse(*_: Any, **__: Any) -> Any:
    raise NotImplementedError(
        "lattn.jax.attention: third derivatives are not built yet")


ad.primitive_jvps[attention] = _differentiate
ad.primitive_transposes[_tangents] = _transpose
ad.primitive_jvps[_gradients] = _differentiate_gradients
ad.primitive_transposes[_gradients] = _transpose_gradients
ad.primitive_transposes[_products] = _transpose_products
ad.primitive_jvps[_tangents] = _differentiate_tangents
ad.primitive_transposes[_tangents_twice] = _transpose_tangents_twice
ad.primitive_jvps[_products] = ad.primitive_jvps[_tangents_twice] = _refuse
