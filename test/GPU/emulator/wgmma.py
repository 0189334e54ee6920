# wgmma against NumPy, with operands laid out by the manual's canonical layouts.

import numpy as np
import pytest
from harness import kernel

import ptxemu

RNG = np.random.default_rng(0)
SWIZZLE_BITS = {0: 0, 128: 1, 64: 2, 32: 3}
SMEM = 1 << 16


def canonical(matrix, span, dense_rows, lead, stride):
    """(row, column) -> byte, for a tile of 16-bit elements whose columns run
    along k. In units of 16 bytes, as cute writes them:
      k dense:  ((8,n),2) : ((W,SBO), 1 or, unswizzled, LBO)
      else:     ((W,n),(8,k)) : ((1,LBO),(W,SBO)), unswizzled ((1,n),(8,k)) :
                ((X,SBO),(1,LBO))"""
    w = max(span // 16, 1)
    places = {}
    for r in range(matrix.shape[0]):
        for c in range(matrix.shape[1]):
            if not dense_rows:
                row, chunk, rest = r, c // 8, c % 8
                at = row % 8 * w * 16 + row // 8 * stride + \
                    chunk * (16 if span else lead)
            else:
                chunk, rest = r // 8, r % 8
                if span:
                    at = chunk % w * 16 + chunk // w * lead + \
                        c % 8 * w * 16 + c // 8 * stride
                else:
                    at = chunk * stride + c % 8 * 16 + c // 8 * lead
            places[r, c] = at + 2 * rest
    return places


def swizzle(at, span):
    return at ^ (at >> 7 & {0: 0, 32: 1, 64: 3, 128: 7}[span]) << 4


def place(memory, bits, base, span, dense_rows, lead, stride):
    """Puts a tile into the image of shared memory; returns its descriptor."""
    for (r, c), at in canonical(bits, span, dense_rows, lead, stride).items():
        at = swizzle(base + at, span)
        assert memory[at // 2] == 0xFFFF, "the layout overlaps"
        memory[at // 2] = bits[r, c]
    at = base + 1024  # where shared memory begins
    return at >> 4 | lead >> 4 << 16 | stride >> 4 << 32 | \
        SWIZZLE_BITS[span] << 62


def strides(rows, span, dense_rows):
    """LBO and SBO of a dense tile of 16 columns."""
    if not dense_rows:
        return (rows * 16, 128) if span == 0 else (16, 8 * span)
    if span == 0:
        return rows * 16, 128
    return 16 * span, 8 * span


BODY = ("mov.u32 %i, %tid.x; ld.param.u64 %p, [k_param_0];"
        "LOOP: mov.u32 %s, buffer; mad.lo.u32 %s, %i, 16, %s;"
        "mad.wide.u32 %q, %i, 16, %p; ld.global.v2.b64 {{%u, %v}}, [%q];"
        "st.shared.v2.b64 [%s], {{%u, %v}}; add.u32 %i, %i, 128;"
        f"setp.lt.u32 %c, %i, {SMEM // 16}; @%c bra LOOP; mov.u32 %i, %tid.x;"
        "{fence} bar.sync 0; ld.param.u64 %a, [k_param_1];"
        "ld.param.u64 %b, [k_param_2]; {start}"
        "wgmma.fence.sync.aligned; {multiply}"
        "wgmma.commit_group.sync.aligned; {wait} {finish}")
WAIT = "wgmma.wait_group.sync.aligned 0;"
FENCE = "fence.proxy.async;"


def run(memory, descriptors, n, op, a, flags, c, a_registers=None, repeat=1,
        fence=FENCE, wait=WAIT, races=True, seed=0):
    half = op.startswith("f16")
    count = n // 4 if half else n // 2
    names = ", ".join(f"%d{i}" for i in range(count))
    start = f"ld.param.u64 %q, [k_param_3]; mad.wide.u32 %q, %i, {4 * count}," \
        " %q;" + "".join(f"ld.global.b32 %d{i}, [%q + {4 * i}];"
                         for i in range(count))
    finish = "".join(f"st.global.b32 [%q + {4 * i}], %d{i};"
                     for i in range(count))
    args = [memory, descriptors[0], descriptors[1], c]
    if a_registers is not None:
        start += "ld.param.u64 %v, [k_param_4]; mad.wide.u32 %v, %i, 16, %v;" \
            "ld.global.v4.b32 {%x0, %x1, %x2, %x3}, [%v];"
        args.append(a_registers)
    multiply = f"setp.ne.b32 %c, 1, 0; wgmma.mma_async.sync.aligned.m64n{n}" \
        f"k16.{op} {{{names}}}, {a}, %b, {flags};"
    body = BODY.format(fence=fence, start=start, multiply=multiply * repeat,
                       wait=wait, finish=finish)
    params = [".u64 k_param_" + str(i) for i in range(len(args))]
    text = kernel(body, params, ".reg .b32 %i, %s, %x<4>, %d<128>;"
                  ".reg .b64 %p, %q, %a, %b, %u, %v; .reg .pred %c;"
                  f".shared .align 1024 .b8 buffer[{SMEM}];", "sm_90a")
    ptxemu.load(text).launch("k", 1, 128, args, races=races, seed=seed)


def numbers(t, shape):
    x = RNG.integers(-8, 8, shape).astype(np.float32) / 4
    bits = ptxemu.to_bf16(x) if t == "bf16" else \
        x.astype(np.float16).view(np.uint16)
    return x, bits


def fragment(matrix, columns):
    """Elements of each thread, in the order of its registers."""
    out = np.zeros((128, columns // 2), matrix.dtype)
    for thread in range(128):
        for i in range(columns // 2):
            row = thread // 32 * 16 + thread % 32 // 4 + 8 * (i // 2 % 2)
            out[thread, i] = matrix[row, thread % 4 * 2 + i // 4 * 8 + i % 2]
    return out


def case(n, t, span_a, span_b, tnsp_a, tnsp_b, registers=False):
    memory = np.full(SMEM // 2, 0xFFFF, np.uint16)
    a, a_bits = numbers(t, (64, 16))
    b, b_bits = numbers(t, (n, 16))
    da = 0 if registers else place(memory, a_bits, 0, span_a, tnsp_a,
                                   *strides(64, span_a, tnsp_a))
    db = place(memory, b_bits, 1 << 15, span_b, tnsp_b,
               *strides(n, span_b, tnsp_b))
    a_registers = fragment(a_bits, 16).view(np.uint32) if registers else None
    return memory, (da, db), a @ b.T, a_registers


@pytest.mark.parametrize("tnsp_a, tnsp_b", [(0, 0), (0, 1), (1, 0), (1, 1)])
@pytest.mark.parametrize("span", [0, 32, 64, 128])
def test_descriptors(span, tnsp_a, tnsp_b):
    for n, t in ((64, "bf16"), (128, "f16"), (8 if span < 32 else 72 if
                                              not tnsp_b else 192, "bf16")):
        memory, descriptors, product, _ = case(n, t, span, span, tnsp_a,
                                               tnsp_b)
        c = RNG.integers(-9, 9, (64, n)).astype(np.float32)
        d = fragment(c, n)
        run(memory, descriptors, n, f"f32.{t}.{t}", "%a",
            f"%c, 1, 1, {tnsp_a}, {tnsp_b}", d)
        assert (d == fragment(product + c, n)).all()


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("t", ["bf16", "f16"])
def test_a_in_registers(t, seed):
    memory, descriptors, product, a = case(96, t, 0, 64, 0, 0, True)
    d = fragment(np.full((64, 96), 3, np.float32), 96)
    run(memory, descriptors, 96, f"f32.{t}.{t}", "{%x0, %x1, %x2, %x3}",
        "%c, 1, -1, 0", d, a, seed=seed)
    assert (d == fragment(3 - product, 96)).all()


def test_scale_repetition_and_half_accumulators():
    memory, descriptors, product, _ = case(64, "f16", 128, 128, 0, 0)
    d = fragment(np.full((64, 64), np.nan, np.float32), 64)
    run(memory, descriptors, 64, "f32.f16.f16", "%a", "0, 1, 1, 0, 0", d)
    assert (d == fragment(product, 64)).all()
    d = fragment(np.ones((64, 64), np.float32), 64)
    run(memory, descriptors, 64, "f32.f16.f16", "%a", "%c, 1, 1, 0, 0", d,
        repeat=3)
    assert (d == fragment(1 + 3 * product, 64)).all()
    d = fragment(np.ones((64, 64), np.float16), 64)
    run(memory, descriptors, 64, "f16.f16.f16", "%a", "%c, 1, 1, 0, 0", d)
    assert (d == fragment((1 + product).astype(np.float16), 64)).all()


def arguments():
    memory, descriptors, product, _ = case(64, "bf16", 128, 128, 0, 0)
    d = fragment(np.zeros((64, 64), np.float32), 64)
    return (memory, descriptors, 64, "f32.bf16.bf16", "%a", "%c, 1, 1, 0, 0",
            d), product


def test_missing_wait_and_fences():
    args, product = arguments()
    with pytest.raises(ptxemu.Fault, match="exited without waiting for the"):
        run(*args, wait="")
    run(*args, wait="wgmma.wait_group.sync.aligned 1;" + WAIT)
    assert (args[-1] == fragment(product, 64)).all()
    # Accumulators that are read too early hold what they held before.
    args, product = arguments()
    run(*args, wait="mov.b32 %x0, %d0;" + WAIT + "mov.b32 %d0, %x0;")
    assert (args[-1][:, 0] == 0).all()
    with pytest.raises(ptxemu.Race, match="without a fence.proxy.async"):
        run(*arguments()[0], fence="")
    with pytest.raises(ptxemu.Fault, match="without a wgmma.fence"):
        run(*arguments()[0], wait=WAIT + "wgmma.mma_async.sync.aligned.m64n8k16"
            ".f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %a, %b, %c, 1, 1, 0, 0;")
    with pytest.raises(ptxemu.Race, match="which a wgmma of warpgroup 0 read"):
        run(*arguments()[0], wait="mov.u32 %s, buffer; st.shared.b32 [%s], 0;"
            + WAIT)


def test_swapped_strides():
    memory, (da, db), product, _ = case(128, "bf16", 128, 128, 0, 1)
    lead, stride = db >> 16 & 0x3FFF, db >> 32 & 0x3FFF
    swapped = db & ~(0x3FFF << 16 | 0x3FFF << 32) | stride << 16 | lead << 32
    d = fragment(np.zeros((64, 128), np.float32), 128)
    run(memory, (da, swapped), 128, "f32.bf16.bf16", "%a", "%c, 1, 1, 0, 1",
        d)
    assert not np.array_equal(d, fragment(product, 128))


def test_warps_differ():
    args, _ = arguments()
    with pytest.raises(ptxemu.Fault, match="not the same in the whole warp"):
        run(*args, wait=WAIT + "cvt.u64.u32 %b, %i; wgmma.fence.sync.aligned;"
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
            "{%d0, %d1, %d2, %d3}, %a, %b, %c, 1, 1, 0, 0;")
    with pytest.raises(ptxemu.Fault, match="with different descriptors"):
        run(*args, wait=WAIT + "shr.u32 %i, %i, 5; cvt.u64.u32 %a, %i;"
            "add.u64 %b, %b, %a; wgmma.fence.sync.aligned;"
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
            "{%d0, %d1, %d2, %d3}, %b, %b, %c, 1, 1, 0, 0;")
    with pytest.raises(ptxemu.Deadlock, match="wgmma.wait_group"):
        run(*args, wait=WAIT + "setp.ge.u32 %c, %i, 96; @%c exit;"
            "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16"
            ".f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %b, %b, 1, 1, 1, 0, 0;"
            "wgmma.commit_group.sync.aligned;" + WAIT)
