# Tensor maps: tiles of one to five dimensions, swizzled, with zeros outside.

import numpy as np
import pytest
from harness import kernel

import ptxemu
from ptxemu import TensorMap

RNG = np.random.default_rng(0)
DECLARE = (".reg .b32 %i, %s, %x<4>; .reg .b64 %m, %p, %q; .reg .pred %c<2>;"
           ".shared .align 1024 .b8 buffer[{}]; .shared .align 8 .b64 bar;")
HEAD = ("mov.u32 %i, %tid.x; setp.eq.u32 %c0, %i, 0; mov.b64 %m, k_param_0;"
        "cvta.param.u64 %m, %m; ld.param.u64 %p, [k_param_1];")
# Shared memory word by word, to or from global memory.
LOOP = ("LOOP: mov.u32 %s, buffer; mad.lo.u32 %s, %i, 4, %s;"
        "mad.wide.u32 %q, %i, 4, %p; {} add.u32 %i, %i, 32;"
        "setp.lt.u32 %c1, %i, {}; @%c1 bra LOOP;")


def launch(body, tensor_map, words, array, seed=0):
    text = kernel(HEAD + body, [".align 64 .b8 k_param_0[128]",
                                ".u64 k_param_1"],
                  DECLARE.format(4 * words), "sm_90a")
    ptxemu.load(text).launch("k", 1, 32, [tensor_map, array], seed=seed)


def load(tensor_map, coordinates, seed=0):
    """The tile as it lies in shared memory."""
    n = tensor_map.bytes
    out = np.zeros(n // 4, np.uint32)
    c = ", ".join(str(x) for x in coordinates)
    body = (
        "@%c0 mbarrier.init.shared.b64 [bar], 1; bar.sync 0;"
        f"@%c0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], {n};"
        f"@%c0 cp.async.bulk.tensor.{len(coordinates)}d.shared::cluster.global"
        ".tile.mbarrier::complete_tx::bytes.L2::cache_hint [buffer], "
        f"[%m, {{{c}}}], [bar], %p;"
        "W: mbarrier.try_wait.parity.shared.b64 %c1, [bar], 0; @!%c1 bra W;" +
        LOOP.format("ld.shared.b32 %x0, [%s]; st.global.b32 [%q], %x0;",
                    n // 4))
    launch(body, tensor_map, n // 4, out, seed)
    return out.view(f"u{tensor_map.width}").reshape(tensor_map.box)


def store(tensor_map, coordinates, tile, kind="", seed=0):
    c = ", ".join(str(x) for x in coordinates)
    op = "cp.async.bulk" if not kind else "cp.reduce.async.bulk"
    body = (LOOP.format("ld.global.b32 %x0, [%q]; st.shared.b32 [%s], %x0;",
                        tensor_map.bytes // 4) +
            "fence.proxy.async; bar.sync 0;"
            f"@%c0 {op}.tensor.{len(coordinates)}d.global.shared::cta{kind}"
            f".tile.bulk_group [%m, {{{c}}}], [buffer];"
            "@%c0 cp.async.bulk.commit_group;"
            "@%c0 cp.async.bulk.wait_group 0;")
    launch(body, tensor_map, tensor_map.bytes // 4,
           np.ascontiguousarray(tile).view(np.uint32), seed)


def expected(array, box, start):
    """The tile at `start`, in the array's order, with zeros outside."""
    tile = np.zeros(box, array.dtype)
    for index in np.ndindex(*box):
        at = tuple(s + i for s, i in zip(start, index))
        if all(0 <= a < n for a, n in zip(at, array.shape)):
            tile[index] = array[at]
    return tile


@pytest.mark.parametrize("shape, box, start", [
    ((100,), (64,), (48,)), ((20, 40), (8, 16), (3, 5)),
    ((20, 40), (8, 16), (-3, 30)), ((4, 20, 24), (1, 16, 8), (2, 9, 16)),
    ((3, 2, 9, 16), (2, 1, 4, 16), (1, 1, 7, -8)),
    ((2, 3, 2, 5, 8), (1, 2, 2, 3, 8), (1, 2, 0, 4, 0))])
def test_tiles(shape, box, start):
    array = RNG.integers(0, 1 << 16, shape).astype(np.uint16)
    got = load(TensorMap(array, box), start[::-1])
    assert (got == expected(array, box, start)).all()
    # And back: what lies outside is not written.
    tile = RNG.integers(0, 1 << 16, box).astype(np.uint16)
    want = array.copy()
    inside = expected(np.ones_like(array), box, start) == 1
    for index in zip(*np.nonzero(inside)):
        want[tuple(s + i for s, i in zip(start, index))] = tile[index]
    store(TensorMap(array, box), start[::-1], tile)
    assert (array == want).all()


@pytest.mark.parametrize("span", [32, 64, 128])
@pytest.mark.parametrize("dtype", [np.uint16, np.float32])
def test_swizzle(span, dtype):
    # The chunk of 16 bytes at row r and column c lies in column c ^ f(r).
    n = span // np.dtype(dtype).itemsize
    array = RNG.integers(0, 1000, (40, 2 * n)).astype(dtype)
    got = load(TensorMap(array, (16, n), span), (n // 2, 7))
    chunks = got.reshape(16, span // 16, -1)
    per = 128 // span  # rows in 128 bytes
    want = array[7:23, n // 2:n // 2 + n].view(got.dtype) \
        .reshape(chunks.shape).copy()
    for r in range(16):
        for c in range(span // 16):
            assert (chunks[r, c ^ (r // per % (span // 16))] ==
                    want[r, c]).all()
    store(TensorMap(array, (16, n), span), (0, 20), got)
    assert (array[20:36, :n].view(got.dtype) ==
            want.reshape(16, n)).all()


def test_strided_views_and_fill():
    base = RNG.standard_normal((6, 5, 3, 16)).astype(np.float32)
    view = base[:, :, 1]  # one head of several
    got = load(TensorMap(view, (1, 4, 16), fill="nan"), (0, 3, 2))
    got = got.view(np.float32)[0]
    assert (got[:2] == base[2, 3:5, 1]).all() and np.isnan(got[2:]).all()


def test_reduction():
    array = np.ones((8, 8), np.float32)
    tile = RNG.standard_normal((4, 8)).astype(np.float32)
    store(TensorMap(array, (4, 8)), (0, 2), tile, ".add")
    assert (array[2:6] == 1 + tile).all() and (array[6:] == 1).all()


def test_swapped_strides_show():
    array = RNG.integers(0, 99, (32, 32)).astype(np.uint32)
    right = load(TensorMap(array, (8, 8)), (8, 16))
    wrong = load(TensorMap(array, (8, 8)), (16, 8))
    assert (right == array[16:24, 8:16]).all() and (right != wrong).any()


def test_several_seeds_and_blocks():
    array = RNG.integers(0, 1 << 16, (64, 64)).astype(np.uint16)
    for seed in range(4):
        got = load(TensorMap(array, (64, 64), 128), (0, 0), seed)
        assert (np.sort(got.reshape(-1)) == np.sort(array.reshape(-1))).all()


@pytest.mark.parametrize("shape, box, options, what", [
    ((8, 4), (4, 4), {}, "stride of 8 bytes"),
    ((8, 16), (4, 4), {}, "rows of a box have 8 bytes"),
    ((8, 512), (4, 512), {}, "1 to 256"),
    ((8, 64), (4, 64), {"swizzle": 64}, "more than the swizzle of 64"),
    ((8, 64), (4, 8), {"swizzle": 48}, "a swizzle of 48"),
    ((8, 64), (4,), {}, "2 dimensions with a box of 1")])
def test_what_no_map_describes(shape, box, options, what):
    with pytest.raises(ptxemu.PTXError, match=what):
        TensorMap(np.zeros(shape, np.uint16), box, **options)


def test_faults():
    array = np.zeros((16, 64), np.uint16)
    with pytest.raises(ptxemu.Fault, match="a tensor map of 2 dimensions"):
        load(TensorMap(array, (4, 64)), (0, 0, 0))
    array.flags.writeable = False
    with pytest.raises(ptxemu.Fault, match="read only"):
        store(TensorMap(array, (4, 64)), (0, 0), np.zeros((4, 64), np.uint16))

    def at(place, what):
        text = kernel(HEAD + "@%c0 cp.async.bulk.tensor.2d.global.shared::cta."
                      f"tile.bulk_group {place};",
                      [".align 64 .b8 k_param_0[128]", ".u64 k_param_1"],
                      DECLARE.format(1024), "sm_90a")
        with pytest.raises(ptxemu.Fault, match=what):
            ptxemu.load(text).launch("k", 1, 32, [TensorMap(array, (4, 64)),
                                                  array])

    at("[%p, {0, 0}], [buffer]", "no tensor map lies")
    at("[%m, {0, 0}], [buffer + 64]", "byte 64 .* not a multiple of 128")
    at("[%m, {0, 0}], [buffer + 640]", "reads 2 bytes at byte 1032 of shared")
