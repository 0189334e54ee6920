# ldmatrix, stmatrix and mma.sync, from the manual's figures of fragments: each
# test computes where an element lies by the formulas for one thread.

import numpy as np
import pytest
from harness import kernel

import ptxemu

RNG = np.random.default_rng(0)


def launch(body, declarations, args, target="sm_80", **options):
    params = [f".u64 k_param_{i}" for i in range(len(args))]
    head = "mov.u32 %i, %tid.x;" + "".join(
        f"ld.param.u64 %p{i}, [k_param_{i}];" for i in range(len(args)))
    text = kernel(head + body, params, ".reg .b32 %i, %n, %m;"
                  ".reg .b64 %p<8>, %q<8>;" + declarations, target)
    ptxemu.load(text).launch("k", 1, 32, args, **options)


def names(prefix, n):
    return ", ".join(f"%{prefix}{i}" for i in range(n))


def to_memory(pointer, prefix, n):
    """Stores n registers of each thread in a row."""
    return f"mad.wide.u32 %q0, %i, {4 * n}, {pointer};" + "".join(
        f"st.global.b32 [%q0 + {4 * i}], %{prefix}{i};" for i in range(n))


def from_memory(pointer, prefix, n):
    return f"mad.wide.u32 %q0, %i, {4 * n}, {pointer};" + "".join(
        f"ld.global.b32 %{prefix}{i}, [%q0 + {4 * i}];" for i in range(n))


# Thread i holds the 16 bytes of row i, at an odd place.
ROWS = (".shared .align 16 .b8 buffer[1024];", "mov.u32 %m, buffer;"
        "mul.lo.u32 %n, %i, 5; and.b32 %n, %n, 31; mad.lo.u32 %m, %n, 32, %m;")


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_load_and_store_matrix(n, transposed):
    rows = RNG.integers(0, 1 << 16, (32, 8)).astype(np.uint16)
    registers = np.zeros((32, n, 2), np.uint16)
    trans = ".trans" if transposed else ""
    fill = ("mad.wide.u32 %q0, %i, 16, %p0;"
            "ld.global.v2.b64 {%q1, %q2}, [%q0];"
            "st.shared.v2.b64 [%m], {%q1, %q2}; bar.warp.sync -1;")
    load = (f"ldmatrix.sync.aligned.m8n8.x{n}{trans}.shared.b16 "
            f"{{{names('r', n)}}}, [%m];")
    launch(ROWS[1] + fill + load + to_memory("%p1", "r", n),
           ROWS[0] + ".reg .b32 %r<4>;", [rows, registers])
    for thread in range(32):
        for k in range(n):
            matrix = rows[8 * k:8 * k + 8]
            matrix = matrix.T if transposed else matrix
            want = matrix[thread // 4, thread % 4 * 2:][:2]
            assert (registers[thread, k] == want).all()
    # And back.
    again = np.zeros_like(rows)
    store = (f"stmatrix.sync.aligned.m8n8.x{n}{trans}.shared.b16 [%m], "
             f"{{{names('r', n)}}}; bar.warp.sync -1;"
             "ld.shared.v2.b64 {%q1, %q2}, [%m]; mad.wide.u32 %q0, %i, 16, "
             "%p1; st.global.v2.b64 [%q0], {%q1, %q2};")
    launch(ROWS[1] + from_memory("%p0", "r", n) + store,
           ROWS[0] + ".reg .b32 %r<4>;", [registers, again], "sm_90a")
    assert (again[:8 * n] == rows[:8 * n]).all()


def elements(t, shape):
    """Small numbers that are exact, and their bits; of tf32 with low bits that
    nobody looks at."""
    x = RNG.integers(-8, 8, shape).astype(np.float32) / 4
    if t == "bf16":
        return x, ptxemu.to_bf16(x)
    return x, x.astype(np.float16).view(np.uint16) if t == "f16" else \
        x.view(np.uint32) | RNG.integers(0, 1 << 13, shape).astype(np.uint32)


def a_place(t, k, thread, i):
    """Row and column of element i of a thread's A."""
    group, within = thread // 4, thread % 4
    if t == "tf32":
        return group + 8 * (i % 2), within + 4 * (i // 2)
    row = group if i % 4 < 2 else group + 8
    return row, within * 2 + i % 2 + 8 * (i // 4)


def b_place(t, k, thread, i):
    group, within = thread // 4, thread % 4
    if t == "tf32":
        return within + 4 * i, group
    return within * 2 + i % 2 + 8 * (i // 2), group


def c_place(thread, i):
    return thread // 4 + 8 * (i // 2), thread % 4 * 2 + i % 2


@pytest.mark.parametrize("t, k, accumulator", [
    ("f16", 16, "f32"), ("bf16", 16, "f32"), ("f16", 8, "f32"),
    ("bf16", 8, "f32"), ("tf32", 8, "f32"), ("tf32", 4, "f32"),
    ("f16", 16, "f16"), ("f16", 8, "f16")])
def test_multiply(t, k, accumulator):
    (a, a_bits), (b, b_bits) = elements(t, (16, k)), elements(t, (k, 8))
    c = RNG.integers(-8, 8, (16, 8)).astype(np.float32)
    per = 1 if t == "tf32" else 2
    na, nb = 16 * k // 32, 8 * k // 32
    a_regs = np.zeros((32, na), a_bits.dtype)
    b_regs = np.zeros((32, nb), b_bits.dtype)
    c_type = np.float32 if accumulator == "f32" else np.float16
    c_regs, d_regs = np.zeros((32, 4), c_type), np.zeros((32, 4), c_type)
    for thread in range(32):
        a_regs[thread] = [a_bits[a_place(t, k, thread, i)] for i in range(na)]
        b_regs[thread] = [b_bits[b_place(t, k, thread, i)] for i in range(nb)]
        c_regs[thread] = [c[c_place(thread, i)] for i in range(4)]
    nc = 4 if accumulator == "f32" else 2
    body = from_memory("%p0", "a", na // per) + \
        from_memory("%p1", "b", nb // per) + from_memory("%p2", "c", nc) + (
        f"mma.sync.aligned.m16n8k{k}.row.col.{accumulator}.{t}.{t}."
        f"{accumulator} {{{names('d', nc)}}}, {{{names('a', na // per)}}}, "
        f"{{{names('b', nb // per)}}}, {{{names('c', nc)}}};") + \
        to_memory("%p3", "d", nc)
    launch(body, ".reg .b32 %a<4>, %b<2>; .reg .b32 %c<4>, %d<4>;",
           [a_regs, b_regs, c_regs, d_regs])
    want = a @ b + c
    for thread in range(32):
        for i in range(4):
            assert d_regs[thread, i] == want[c_place(thread, i)]


def test_needs_the_whole_warp():
    body = ("setp.lt.u32 %c0, %i, 31; @!%c0 exit; mma.sync.aligned.m16n8k8.row"
            ".col.f32.bf16.bf16.f32 {%d0, %d1, %d2, %d3}, {%n, %m}, {%n}, "
            "{%d0, %d1, %d2, %d3};")
    with pytest.raises(ptxemu.Fault, match="needs all 32 threads"):
        launch("mov.b32 %n, 0; mov.b32 %m, 0;" + "".join(
            f"mov.b32 %d{i}, 0;" for i in range(4)) + body,
            ".reg .b32 %d<4>; .reg .pred %c0;", [])
    with pytest.raises(ptxemu.PTXError, match="is not modelled"):
        launch("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%q0}, {%q1},"
               " {%q2}, {%q3};", "", [])


def test_misaligned_row():
    with pytest.raises(ptxemu.Fault, match="not a multiple of 16"):
        launch("mov.u32 %m, buffer; mad.lo.u32 %m, %i, 24, %m;"
               "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%n}, [%m];",
               ROWS[0], [])
