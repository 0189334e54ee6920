# REQUIRES: jax, slow
# RUN: %cached_pytest %s

# What lattn.jax refuses, and how it says so.

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import lattn
import lattn.jax

attention = lattn.jax.attention
Q, K = jnp.ones((2, 4, 3, 8)), jnp.ones((2, 2, 5, 8))


@pytest.mark.parametrize("kind, message, options", [
    (TypeError, "q: expected an array of JAX or NumPy, got list", dict(q=[1])),
    (TypeError, "q: expected elements of float16 or bfloat16 or float32 or "
     "float64, got int32", dict(q=Q.astype(int))),
    (TypeError, "v: expected elements of float32, got bfloat16",
     dict(v=K.astype("bfloat16"))),
    (ValueError, r"q: expected the shape \(B, H, N, D\) = \(any, any, any, "
     r"any\), got \(4, 3, 8\)", dict(q=Q[0])),
    (ValueError, r"k: expected the shape \(B, M, Hkv, D\) = \(2, any, any, 8\), "
     r"got \(2, 2, 5, 7\)", dict(k=K[..., :7], layout="bnhd")),
    (ValueError, "k: expected a number of heads that divides q's 3, got 2",
     dict(q=Q[:, :3])),
    (ValueError, "q: expected heads of a size of at least 1, got 0",
     dict(q=Q[..., :0], k=K[..., :0])),
    (ValueError, "layout: expected 'bhnd' or 'bnhd', got 'nd'",
     dict(layout="nd")),
    (ValueError, r"window: expected \(left, right\), got 3 values",
     dict(window=(1, 2, 3))),
    (ValueError, "Window.left: expected an integer from 0", dict(window=(-1, 0))),
    (TypeError, r"window: expected None, .* got 3; \(3, 0\) shows", dict(window=3)),
    (ValueError, "scale: expected a finite number, got nan",
     dict(scale=float("nan"))),
    (ValueError, "softcap: expected a number of at least 0, got -1",
     dict(softcap=-1)),
    (ValueError, r"bias: expected a shape that broadcasts to \(B, H, N, M\) = "
     r"\(2, 4, 3, 5\), got \(3, 4\)", dict(bias=jnp.ones((3, 4)))),
    (TypeError, "bias: expected elements of float32 or float32, got bool",
     dict(bias=jnp.ones((3, 5), bool))),
    (TypeError, "key_mask: expected elements of bool, got float32",
     dict(key_mask=jnp.ones((2, 5)))),
    (ValueError, r"key_mask: expected the shape \(B, M\) = \(2, 5\), got \(5,\)",
     dict(key_mask=jnp.ones(5, bool))),
    (TypeError, "kv_lengths: expected elements of int32 or int64, got float32",
     dict(kv_lengths=jnp.ones(2))),
    (ValueError, r"offset: expected the shape \(B\) = \(2\), got \(3,\)",
     dict(offset=jnp.arange(3))),
    (ValueError, r"offset: expected an integer from -2147483648",
     dict(offset=2**40)),
    (ValueError, r"sink: expected the shape \(H\) = \(4\), got \(2,\)",
     dict(sink=jnp.ones(2))),
    (ValueError, "dropout_p: expected a number from 0 to below 1, got 1.0",
     dict(dropout_p=1, seed=1)),
    (ValueError, "seed: expected an integer, because dropout_p is not 0, for "
     r"example jax.random.bits\(key\), got None", dict(dropout_p=.5)),
    (ValueError, r"seed: expected an integer from .* got 4294967296",
     dict(dropout_p=.5, seed=2**32)),
    (ValueError, "q_segments: expected an array where", dict(
        kv_segments=jnp.ones((2, 5), int)))])
def test_arguments(kind, message, options):
    options = dict(q=Q, k=K, v=K) | options
    with pytest.raises(kind, match=message):
        attention(**options)
    with pytest.raises(kind, match=message):
        jax.jit(lambda: attention(**options))()


@pytest.mark.parametrize("name", ["causal", "scale", "softcap"])
def test_traced_constants(name):
    with pytest.raises(TypeError, match=f"{name}: expected .*, got .*Tracer"):
        jax.jit(lambda x: attention(Q, K, K, **{name: x}))(1.0)


X = jnp.ones(4)


@pytest.mark.parametrize("kind, message, score_mod", [
    (TypeError, "'X': expected the captured array of shape .* to be indexed",
     lambda s, b, h, i, j: s + X),
    (TypeError, "'X': expected the captured array of shape .* to be indexed",
     lambda s, b, h, i, j: s + X[1:][h]),
    (TypeError, "'X': expected the captured array of shape .* to be indexed",
     lambda s, b, h, i, j: s + jnp.exp(X)[h]),
    (TypeError, "'X': expected at most 1 indices, got 2",
     lambda s, b, h, i, j: s + X[h, i]),
    (TypeError, "'X': expected indices of integers, got a symbol of float32 for "
     "axis 0", lambda s, b, h, i, j: s + X[s]),
    (ValueError, "'X': expected at least M = 5 elements along axis 0, which kv_idx "
     "indexes, got 4", lambda s, b, h, i, j: s + X[j]),
    (ValueError, "'X': expected an index within the 4 elements of axis 0, got 4",
     lambda s, b, h, i, j: s + X[4]),
    (TypeError, "'Z': expected elements of bool, integers except uint64, or "
     "floats, got complex64", lambda s, b, h, i, j: s + Z[h]),
    (TypeError, "expected a number made of the score to be returned, got an array "
     r"of shape \(4,\)", lambda s, b, h, i, j: X),
    (TypeError, "jax.numpy.sort takes no symbols; use functions of lattn.math",
     lambda s, b, h, i, j: jnp.sort(s)),
    (TypeError, r"expected a function of \(score, batch, head, q_idx, kv_idx\), got "
     r"one of \(s, j\)", lambda s, j: s)])
def test_captures(kind, message, score_mod):
    with pytest.raises(kind, match="score_mod: .*" + message):
        attention(Q, K, K, score_mod=score_mod)
    with pytest.raises(kind, match="score_mod: .*" + message):
        jax.jit(jax.grad(lambda q: attention(
            q, K, K, score_mod=score_mod).sum()))(Q)


Z = X.astype("complex64")


def test_mapped_captures():
    """Each call's array is checked, without the mapped axis."""
    rows = jnp.ones((5, 4))
    with pytest.raises(ValueError, match="expected at least M = 5 elements along "
                       "axis 0, which kv_idx indexes, got 4"):
        jax.vmap(lambda x: attention(
            Q, K, K, mask_mod=lambda b, h, i, j: x[j] > 0))(rows)


def test_derivatives():
    with pytest.raises(NotImplementedError, match="dropout_p: derivatives"):
        jax.grad(lambda p: attention(Q, K, K, dropout_p=p, seed=1).sum())(.5)
    with pytest.raises(NotImplementedError, match="third derivatives"):
        jax.hessian(jax.grad(lambda x: attention(
            Q, K, K, score_mod=lambda s, b, h, i, j: s * x[h]).sum()))(X)
    loss = lambda q: (attention(q, K, K)**2).sum()
    with pytest.raises(NotImplementedError, match="third derivatives"):
        jax.grad(lambda q: jax.jvp(jax.grad(loss), (q,), (q,))[1].sum())(Q)
    with pytest.raises(NotImplementedError, match="third derivatives"):
        jax.jvp(jax.hessian(loss), (Q,), (Q,))


def test_names_of_other_libraries():
    with pytest.raises(TypeError, match="unexpected keyword argument 'is_causal'; "
                       "expected causal"):
        attention(Q, K, K, is_causal=True)


def test_traced_arrays_of_the_other_function():
    with pytest.raises(TypeError, match="q: expected an array .*, which "
                       "lattn.jax.attention takes"):
        jax.jit(lambda q: lattn.attention(q, K, K))(Q)


def test_implementation():
    x = jnp.ones((1, 3, 2, 8))
    for name in (None, "xla", "cudnn", "lattn"):  # as code for jax.nn names them
        lattn.jax.dot_product_attention(x, x, x, implementation=name)
    with pytest.raises(ValueError, match="implementation: expected None, 'xla', 'cudnn' "
                       "or 'lattn', got 'flash'"):
        lattn.jax.dot_product_attention(x, x, x, implementation="flash")
    with pytest.raises(ValueError, match=r"query: expected the shape \(B, T, N, "
                       r"H\) or \(T, N, H\), got \(8,\)"):
        lattn.jax.dot_product_attention(x[0, 0, 0], x, x)


def test_deleted_arrays():
    x = jnp.ones((1, 1, 3, 8))
    x.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        attention(x, x, x)


def test_donated_arrays():
    """XLA may give a result the memory of an operand."""
    x = np.random.default_rng(0).standard_normal((1, 2, 9, 8)).astype("f4")
    expected = lattn.attention(x, x, x)
    run = jax.jit(lambda q, k: attention(q, k, k), donate_argnums=0)
    np.testing.assert_array_equal(run(jnp.asarray(x), jnp.asarray(x)), expected)


@pytest.mark.parametrize("fake, message", [
    ("sys.modules['jax'] = None", "lattn.jax: expected jax 0.10 or newer: pip "
     "install 'jax>=0.10'; got: "),
    ("import jax; jax.__version__ = '0.4.38'", "; got jax 0.4.38"),
    ("import lattn._lattn as x; del x.xla_handlers",
     "this lattn was built without jaxlib")])
def test_imports(fake, message):
    run = subprocess.run([sys.executable, "-c", f"import sys; {fake}\n"
                          "import lattn.jax"], capture_output=True, text=True)
    assert run.returncode == 1
    assert message in run.stderr.splitlines()[-1]
