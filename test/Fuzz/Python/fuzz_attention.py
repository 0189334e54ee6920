"""Calls of the Python package with right and wrong arguments.

Right ones agree with the oracle in float64; wrong ones raise an exception that
the documentation names, or are right after all. The interpreter survives.
"""

import argparse
import faulthandler
import os
import pathlib
import sys
import tempfile

import hypothesis
import ml_dtypes
import numpy as np
from hypothesis import HealthCheck, strategies as st

here = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(here.parents[2] / "Python" / "Inputs"))
os.environ.setdefault("LATTN_CACHE_DIR", tempfile.mkdtemp())

import cases  # noqa: E402
import lattn  # noqa: E402
import oracle  # noqa: E402
import score_functions  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

ATTENTION_ERRORS = (TypeError, ValueError, NotImplementedError)
# Those of the function's own doing come through.
FUNCTION_ERRORS = (*ATTENTION_ERRORS, AttributeError, IndexError,
                   ZeroDivisionError, OverflowError)
DTYPES = ["f4", "f8", "f2", ml_dtypes.bfloat16, "?", "i1", "i4", "i8", "u8",
          "c8", "O", "U3", ">f4", "M8[s]", [("x", "f4")]]
counts = {"right": 0, "refused": 0, "taken": 0}


class BrokenDLPack:
    """Says that it is an array and is none."""

    def __init__(self, result):
        self.result = result

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **kwargs):
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


@st.composite
def arrays(draw):
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = draw(st.lists(st.sampled_from([0, 1, 2, 3, 5, 8]), max_size=5))
    array = np.zeros(shape, dtype)
    how = draw(st.sampled_from(["plain", "read-only", "broadcast", "backwards",
                                "torch", "grad", "meta", "unaligned"]))
    if how == "read-only":
        array.flags.writeable = False
    elif how == "broadcast":
        array = np.broadcast_to(array[..., None], (*shape, 1 << 20))
    elif how == "backwards" and shape:
        array = array[::-1]
    elif how == "unaligned" and not dtype.hasobject:
        raw = np.zeros(array.nbytes + 1, "u1")
        array = np.ndarray(shape, dtype, raw, offset=1)
    elif torch is not None and dtype.kind == "f" and dtype.isnative:
        if how == "torch":
            return torch.from_numpy(array)
        if how == "grad":
            return torch.from_numpy(array).requires_grad_()
        if how == "meta":
            return torch.empty(shape, device="meta")
    return array


numbers = st.one_of(
    st.booleans(), st.integers(-3, 70),
    st.sampled_from([2**31, 2**40, 2**40 + 1, 2**63 - 1, 2**63, -2**63, 2**70]),
    st.floats(), st.just(np.float32(0.5)), st.just(np.int64(3)))
windows = st.builds(
    dict, left=st.none() | numbers, right=st.none() | numbers,
    bucket=st.none() | numbers, back=numbers, forward=numbers)
junk = st.one_of(
    st.none(), numbers, st.text(max_size=8), arrays(), st.binary(max_size=4),
    st.lists(numbers, max_size=4), st.tuples(numbers, numbers),
    st.tuples(st.none(), numbers), st.sampled_from(["bhnd", "bnhd", "llvm"]),
    st.builds(BrokenDLPack, st.sampled_from(
        [None, 1, "x", ValueError("no"), np.zeros(3)])),
    st.just(object()), st.just({}), st.just(...))
# What a function of symbols may do wrong, or right.
SLIPS = [
    lambda *at: at[0] if at[0] else at[-1], lambda *at: at[-1],
    lambda *at: at[0] + at, lambda *at: at[7], lambda: 1, lambda *at: at[0] / 0,
    lambda *at: at[0] + np.arange(3)[at[-1]], lambda *at: at[0] < at[-1],
    lambda *at: at[0] + "x", lambda *at: np.arange(3) + at[0],
    lambda *at: at[0] << at[1], lambda *at: at[0] + 2**65, lambda *at: -at[0],
    lambda *at: at[0].astype("i9"), lambda *at: at[0][at[1]],
    lambda *at, t=np.ones((2, 3)): at[0] + t[at[1], at[2] * at[3]],
    lambda *at, t=np.ones(2): at[0] + t[at[1]],
    lambda *at, t=np.ones(0): at[0] + t[at[-1] * 2],
    lambda *at: np.where(at[0] > 0, at[0], -np.inf), len, np.exp, int, print]
functions = st.one_of(
    st.sampled_from(SLIPS),
    st.functions(like=lambda s, b, h, q, k: 0, returns=junk),
    st.builds(lambda value: lambda *at: at[0] + value, junk),
    st.builds(lambda value: lambda *at: at[0] + value[at[1]], arrays()))
NAMES = ["q", "k", "v", "window", "causal", "scale", "bias", "key_mask",
         "attn_mask", "kv_lengths", "offset", "layout", "score_mod", "mask_mod",
         "softcap", "q_segments", "kv_segments", "sink", "dropout_p", "seed",
         "return_lse", "out"]


def make_arguments(seed):
    """Right ones, of few kernels."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(cases.TYPES[seed % 4])
    accumulator = np.dtype("float64" if dtype == "float64" else "float32")
    b, h, n, m, d = 2, 2, 3, 5, 8
    arguments = {"q": cases.make_array(rng, (b, h, n, d), dtype),
                 "k": cases.make_array(rng, (b, 1, m, d), dtype),
                 "v": cases.make_array(rng, (b, 1, m, d), dtype)}
    if seed % 3 == 0:
        arguments.update(
            cases.make_options(rng, dtype, accumulator, b, h, n, m))
    return arguments


def run_functions(seed):
    rng = np.random.default_rng(seed)
    score_mod, mask_mod = score_functions.make_functions(rng)
    q, k, v = (rng.standard_normal((2, 3, 11, 8)) for _ in range(3))
    options = dict(score_mod=score_mod, mask_mod=mask_mod)
    with np.errstate(divide="ignore"):
        expected, _ = oracle.attention(q, k, v, **options)
    np.testing.assert_allclose(lattn.attention(q, k, v, **options), expected,
                               1e-9, 1e-9, err_msg=f"functions of {seed}")


def try_functions(score_mod, mask_mod, arguments):
    q = np.zeros((2, 2, 3, 8), "f4")
    try:
        lattn.attention(q, q, q, score_mod=score_mod, mask_mod=mask_mod,
                        **arguments)
    except FUNCTION_ERRORS as error:
        assert str(error), "an exception without a message"
        counts["refused"] += 1
    else:
        counts["taken"] += 1


def check_result(result, arguments):
    output = result[0] if isinstance(result, tuple) else result
    q, v = np.shape(arguments["q"]), np.shape(arguments["v"])
    assert tuple(output.shape) == (*q[:3], v[3]), (output.shape, q, v)
    counts["taken"] += 1


def try_attention(seed, wrong):
    arguments = make_arguments(seed) | wrong
    try:
        result = lattn.attention(arguments.pop("q"), arguments.pop("k"),
                                 arguments.pop("v"), **arguments)
    except ATTENTION_ERRORS as error:
        assert str(error), "an exception without a message"
        counts["refused"] += 1
    else:
        check_result(result, make_arguments(seed) | wrong)


def try_window(fields):
    try:
        lattn.Window(**fields)
    except (TypeError, ValueError) as error:
        assert str(error)
        counts["refused"] += 1
    else:
        counts["taken"] += 1


TEXT = """\
!t = tensor<1x2x3x4xf32>
func.func @main(%q: !t, %k: !t, %n: i64) -> !t {
  %r = lattn.attention query(%q : !t) key(%k : !t) value(%k : !t)
      offset(%n : i64) outs(%q : !t) {window = #lattn.window<left = 2>}
  return %r : !t
}
"""


def try_compile(cut, insert, options, call):
    """A damaged module, and a call of what compiles with anything."""
    text = TEXT[:cut[0]] + insert + TEXT[sum(cut):] if cut[1] else TEXT
    try:
        callable_ = lattn.compile(text, **options)
    except (RuntimeError, TypeError, ValueError, OSError) as error:
        assert str(error)
        counts["refused"] += 1
        return
    try:
        callable_(*call)
    except (TypeError, ValueError) as error:
        assert str(error)
        counts["refused"] += 1
    else:
        counts["taken"] += 1


def fuzz(test, count, seed, *strategies):
    wrapped = hypothesis.given(*strategies)(test)
    wrapped = hypothesis.settings(
        max_examples=count, deadline=None, database=None,
        suppress_health_check=list(HealthCheck))(wrapped)
    hypothesis.seed(seed)(wrapped)()


def main():
    faulthandler.enable()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="calls")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count = max(options.count // 4, 1)
    for i in range(count):
        cases.run(options.seed * 1_000_000 + i)
        counts["right"] += 1
        if i % 500 == 499:
            print(f"{i + 1} of {count} right calls", file=sys.stderr)
    for i in range(count // 4):
        run_functions(options.seed * 1_000_000 + i)
        counts["right"] += 1
    good = [np.zeros((1, 2, 3, 4), "f4")] * 2 + [0]
    calls = st.one_of(st.just(good), st.lists(junk, max_size=4),
                      st.tuples(st.just(good[0]), junk, st.just(1)))
    compile_options = st.fixed_dictionaries({}, optional={
        "entry": junk, "mcpu": st.text(max_size=5), "mattr": junk,
        "pipeline": st.sampled_from(["llvm", "loops"]) | junk})
    fuzz(try_attention, 2 * count, options.seed, st.integers(0, 40),
         st.dictionaries(st.sampled_from(NAMES), junk, min_size=1, max_size=3))
    fuzz(try_functions, count, options.seed, st.none() | functions,
         st.none() | functions, st.dictionaries(
             st.sampled_from(["q_segments", "kv_segments", "dropout_p"]), junk,
             max_size=2))
    fuzz(try_window, count // 2, options.seed, windows)
    fuzz(try_compile, count // 2, options.seed,
         st.tuples(st.integers(0, len(TEXT)), st.integers(0, 30)),
         st.text(max_size=6), compile_options, calls)
    print(f"{sum(counts.values())} calls: {counts['right']} right ones agree "
          f"with the oracle; of the others {counts['refused']} were refused "
          f"and {counts['taken']} taken")


main()
