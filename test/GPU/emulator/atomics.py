# atom and red, on addresses that many threads share.

import numpy as np
import pytest
from harness import kernel

import ptxemu

N = 96
X = np.random.default_rng(0).integers(-1000, 1000, N).astype(np.int32)


def run(code, start, space="global", x=X, width=4, grid=1):
    """Code on [%q], shared by all, with %x; %old goes to the result."""
    memory = np.array(start)
    old = np.zeros(N * grid, f"u{width}")
    reg = f".b{8 * width}"
    body = ("mov.u32 %i, %tid.x; ld.param.u64 %p, [k_param_0];"
            f"mad.wide.u32 %p, %i, {x.dtype.itemsize}, %p;"
            f"ld.global.b{8 * x.dtype.itemsize} %x, [%p];"
            "ld.param.u64 %q, [k_param_1];" + code +
            "ld.param.u64 %p, [k_param_2]; mov.u32 %n, %ctaid.x;"
            f"mad.lo.u32 %i, %n, {N}, %i;"
            f"mad.wide.u32 %p, %i, {width}, %p; st.global{reg} [%p], %old;")
    text = kernel(body, [f".u64 k_param_{i}" for i in range(3)],
                  f".reg .b64 %p, %q; .reg .b32 %i, %n; .reg .pred %c; "
                  f".reg {reg} %x, %old; .shared .align 8 .b8 cell[8];")
    ptxemu.load(text).launch("k", grid, N, [x, memory, old])
    return memory, old


@pytest.mark.parametrize("name, t, f", [
    ("add", "u32", np.add), ("min", "s32", np.minimum),
    ("max", "s32", np.maximum), ("and", "b32", np.bitwise_and),
    ("or", "b32", np.bitwise_or), ("xor", "b32", np.bitwise_xor)])
def test_operations(name, t, f):
    start = np.int32(77)
    want = f.reduce(np.append(X, start))
    memory, old = run(f"atom.global.{name}.{t} %old, [%q], %x;", [start])
    assert memory[0] == want
    assert start in old.view(np.int32)  # whoever came first
    memory, _ = run(f"mov.b32 %old, 0; red.relaxed.gpu.global.{name}.{t} "
                    "[%q], %x;", [start])
    assert memory[0] == want


def test_each_thread_sees_another_state():
    one = np.ones(N, np.int32)
    memory, old = run("atom.add.u32 %old, [%q], %x;", [np.int32(5)], x=one,
                      grid=3)
    assert memory[0] == 5 + 3 * N
    assert sorted(old) == list(range(5, 5 + 3 * N))


def test_exchange_passes_each_value_on():
    x = np.arange(1, N + 1, dtype=np.int32)
    memory, old = run("atom.global.exch.b32 %old, [%q], %x;", [np.int32(0)],
                      x=x)
    assert sorted(old.tolist() + memory.tolist()) == list(range(N + 1))


def test_compare_and_swap_takes_one():
    x = np.arange(1, N + 1, dtype=np.int32)
    memory, old = run("atom.global.cas.b32 %old, [%q], 0, %x;", [np.int32(0)],
                      x=x)
    assert (old == 0).sum() == 1 and set(old) <= {0, memory[0]}
    assert x[old == 0] == memory[0]


def test_increment_wraps():
    x = np.full(N, 9, np.int32)
    memory, old = run("atom.global.inc.u32 %old, [%q], %x;", [np.int32(0)],
                      x=x)
    assert memory[0] == N % 10
    assert np.bincount(old).max() - np.bincount(old).min() <= 1


def test_floats_and_wide():
    x = np.arange(N, dtype=np.float32)
    memory, _ = run("atom.global.add.f32 %old, [%q], %x;", [np.float32(0.5)],
                    x=x)
    assert memory[0] == N * (N - 1) / 2 + 0.5
    x = np.arange(N, dtype=np.uint64) << np.uint64(33)
    memory, _ = run("atom.global.add.u64 %old, [%q], %x;", [np.uint64(1)],
                    x=x, width=8)
    assert memory[0] == (N * (N - 1) // 2 << 33) + 1
    pairs = np.tile(np.array([1, 2], np.float16), N)
    memory, _ = run("atom.global.add.noftz.f16x2 %old, [%q], %x;",
                    np.zeros(2, np.float16), x=pairs.view(np.int32))
    assert memory.tolist() == [N, 2 * N]


def test_shared_memory():
    code = ("mov.b32 %old, 0; setp.eq.u32 %c, %i, 0;"
            "@%c st.shared.b32 [cell], %old; bar.sync 0;"
            "red.shared.add.u32 [cell], 2; bar.sync 0;"
            "ld.shared.b32 %old, [cell];")
    _, old = run(code, [np.int32(0)])
    assert (old == 2 * N).all()
    # An atomic and a plain access of two warps race.
    with pytest.raises(ptxemu.Race):
        run(code.replace("[cell], 2; bar.sync 0;", "[cell], 2;"),
            [np.int32(0)])


def test_misaligned():
    with pytest.raises(ptxemu.Fault, match="not a multiple of 4"):
        run("add.u64 %q, %q, 2; atom.global.add.u32 %old, [%q], %x;",
            np.zeros(2, np.int32))
