# Exchange within warps, some lanes of which stay away.

import numpy as np
import pytest
from harness import apply, kernel

import ptxemu

RNG = np.random.default_rng(0)
X = RNG.integers(0, 1 << 32, 128, dtype=np.uint32)
LANES = np.arange(128) % 32
ROWS = X.reshape(-1, 32)


@pytest.mark.parametrize("mode, by, control, source", [
    ("bfly", 5, 31, lambda i: i ^ 5), ("idx", 7, 31, lambda i: 0 * i + 7),
    ("up", 3, 0, lambda i: np.where(i >= 3, i - 3, i)),
    ("down", 4, 31, lambda i: np.where(i + 4 < 32, i + 4, i)),
    # Segments of 8 lanes.
    ("bfly", 1, 0x181F, lambda i: i ^ 1),
    ("idx", 3, 0x181F, lambda i: i // 8 * 8 + 3),
    ("up", 2, 0x1800, lambda i: np.where(i % 8 >= 2, i - 2, i)),
    ("down", 6, 0x181F, lambda i: np.where(i % 8 + 6 < 8, i + 6, i))])
def test_shuffle(mode, by, control, source):
    j = source(LANES)
    got = apply(f"shfl.sync.{mode}.b32 %r|%p0, %a, {by}, {control}, "
                "0xffffffff;", [("b32", X)], "b32")
    assert (got == ROWS[np.arange(128) // 32, j]).all()
    inside = apply(f"shfl.sync.{mode}.b32 _|%r, %a, {by}, {control}, -1;",
                   [("b32", X)], "pred")
    moved = j != LANES
    assert (inside[moved] == 1).all()
    if mode in ("up", "down"):
        assert (inside[~moved] == 0).all()


def test_vote():
    positive = X.view(np.int32) > 0
    head = "setp.gt.s32 %p0, %a, 0; "
    ballot = apply(head + "vote.sync.ballot.b32 %r, %p0, -1;", [("b32", X)],
                   "b32")
    want = (positive.reshape(-1, 32) * (1 << np.arange(32, dtype=np.uint64))) \
        .sum(1)
    assert (ballot.reshape(-1, 32) == want[:, None]).all()
    for mode, f in (("all", np.all), ("any", np.any)):
        got = apply(head + f"vote.sync.{mode}.pred %r, %p0, -1;",
                    [("b32", X)], "pred")
        want = f(positive.reshape(-1, 32), axis=1)
        assert (got.reshape(-1, 32) == want[:, None]).all()
    got = apply("setp.lt.u32 %p0, %a, 99; vote.sync.uni.pred %r, !%p0, -1;",
                [("b32", np.arange(128, dtype=np.uint32))], "pred")
    assert (got.reshape(-1, 32) == [[1], [1], [1], [0]]).all()


def test_match():
    x = RNG.integers(0, 3, 64).astype(np.uint32)
    x[32:] = 9
    got = apply("match.any.sync.b32 %r, %a, -1;", [("b32", x)], "b32")
    for i, row in enumerate(x.reshape(-1, 32)):
        want = [sum(1 << k for k in range(32) if row[k] == v) for v in row]
        assert got.reshape(-1, 32)[i].tolist() == want
    got = apply("match.all.sync.b32 %r|%p0, %a, -1;", [("b32", x)], "b32")
    assert got.tolist() == [0] * 32 + [0xFFFFFFFF] * 32


@pytest.mark.parametrize("name, t, f", [
    ("add", "s32", np.add), ("min", "s32", np.minimum),
    ("max", "u32", np.maximum), ("and", "b32", np.bitwise_and),
    ("or", "b32", np.bitwise_or), ("xor", "b32", np.bitwise_xor)])
def test_reduction(name, t, f):
    got = apply(f"redux.sync.{name}.{t} %r, %a, -1;", [("b32", X)], "b32")
    rows = ROWS.view(np.int32) if t == "s32" else ROWS
    want = f.reduce(rows, axis=1).astype(rows.dtype).view(np.uint32)
    assert (got.reshape(-1, 32) == want[:, None]).all()


def test_parts_of_a_warp():
    # Odd and even lanes go different ways and shuffle among themselves.
    code = ("and.b32 %t0, %thread, 1; setp.eq.u32 %p0, %t0, 1; @%p0 bra ODD;"
            "shfl.sync.bfly.b32 %r, %a, 2, 31, 0x55555555;"
            "activemask.b32 %t1; bra.uni MEET;"
            "ODD: shfl.sync.bfly.b32 %r, %a, 4, 31, 0xAAAAAAAA;"
            "activemask.b32 %t1;"
            "MEET: xor.b32 %r, %r, %t1;")
    got = apply(code, [("b32", X)], "b32").reshape(-1, 32)
    i = np.arange(32)
    want = np.where(i % 2 == 0, ROWS[:, i ^ 2] ^ 0x55555555,
                    ROWS[:, i ^ 4] ^ 0xAAAAAAAA)
    assert (got == want).all()


def test_elect_and_masks():
    i = np.arange(64, dtype=np.uint32)
    code = ("setp.ge.u32 %p0, %a, 5; @!%p0 bra OUT; mov.b32 %t1, 0xffffffe0;"
            "setp.ge.u32 %p1, %a, 32; @%p1 mov.b32 %t1, -1;"
            "elect.sync %t0|%p1, %t1; add.u32 %r, %t0, 100;"
            "@%p1 add.u32 %r, %r, 1000; bra DONE; OUT: mov.b32 %r, 0; DONE:")
    got = apply(code, [("b32", i)], "b32")
    want = np.where(i < 5, 0, np.where(i < 32, 105, 100))
    want[[5, 32]] += 1000
    assert (got == want).all()
    for name, f in (("eq", 1 << LANES[:64]), ("lt", (1 << LANES[:64]) - 1),
                    ("ge", 0xFFFFFFFF - ((1 << LANES[:64]) - 1))):
        got = apply(f"mov.u32 %r, %lanemask_{name};", [("b32", i)], "b32")
        assert (got == f).all()


def test_lanes_wait_for_one_another():
    # A lane that its warp waits for never comes: it spins first.
    text = kernel("mov.u32 %i, %laneid; setp.eq.u32 %p, %i, 3;"
                  "@%p bra ELSEWHERE; bar.warp.sync -1; bra OUT;"
                  "ELSEWHERE: bar.warp.sync 8; shfl.sync.idx.b32 %i, %i, 0,"
                  " 31, -1; OUT:", [], ".reg .b32 %i; .reg .pred %p;")
    with pytest.raises(ptxemu.Deadlock, match="31 threads.*bar.warp.sync"):
        ptxemu.load(text).launch("k", 1, 32)
    # Not so if it has exited.
    text = text.replace("ELSEWHERE: bar.warp.sync 8;", "ELSEWHERE: exit;")
    ptxemu.load(text).launch("k", 1, 32)


def test_what_precedes_a_wait_happens_once():
    # The upper half comes to X later, by a detour further down.
    code = ("mov.b32 %r, %a; mov.u32 %t0, %laneid; setp.ge.u32 %p0, %t0, 16;"
            "@%p0 bra FAR; X: add.u32 %r, %r, 1;"
            "shfl.sync.bfly.b32 %r, %r, 16, 31, -1; bra END;"
            "FAR: add.u32 %r, %r, 100; bra X; END:")
    got = apply(code, [("b32", X)], "b32").reshape(-1, 32)
    i = np.arange(32)
    assert (got == ROWS[:, i ^ 16] + np.where(i < 16, 101, 1)).all()


def test_own_mask():
    with pytest.raises(ptxemu.Fault, match="not in its own member mask"):
        apply("shfl.sync.idx.b32 %r, %a, 0, 31, 0xfffffffe;", [("b32", X)],
              "b32")
