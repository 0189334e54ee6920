# Loads, stores, state spaces, and what they refuse.

import numpy as np
import pytest
from harness import kernel

import ptxemu

TID = ".reg .b32 %i, %x<8>; .reg .b64 %p, %q, %y<4>; .reg .b16 %h<8>;"


def run(body, args, declarations="", block=32, top="", grid=1, **options):
    params = [f".u64 k_param_{n}" if isinstance(a, (np.ndarray, type(None),
                                                    ptxemu.Pointer))
              else f".u32 k_param_{n}" for n, a in enumerate(args)]
    text = kernel("mov.u32 %i, %tid.x;" + body, params, TID + declarations,
                  top=top)
    ptxemu.load(text).launch("k", grid, block, args, **options)


def address(n, scale, register="%p"):
    return (f"ld.param.u64 {register}, [k_param_{n}]; "
            f"mad.wide.u32 {register}, %i, {scale}, {register};")


def test_vectors_and_widths():
    source = np.arange(32 * 16, dtype=np.uint8)
    out = np.zeros_like(source)
    for code in ("ld.global.v4.b32 {%x0, %x1, %x2, %x3}, [%p];"
                 "st.global.v4.b32 [%q], {%x0, %x1, %x2, %x3};",
                 "ld.global.nc.L1::no_allocate.v2.b64 {%y0, %y1}, [%p];"
                 "st.global.v2.u64 [%q], {%y0, %y1};",
                 "ld.volatile.global.v4.u16 {%h0, %h1, %h2, %h3}, [%p];"
                 "st.global.v4.b16 [%q], {%h0, %h1, %h2, %h3};"
                 "ld.global.v4.u16 {%h0, %h1, %h2, %h3}, [%p + 8];"
                 "st.global.v4.b16 [%q + 8], {%h0, %h1, %h2, %h3};"):
        out[:] = 0
        run(address(0, 16) + address(1, 16, "%q") + code, [source, out])
        assert (out == source).all()


def test_extension():
    source = np.array([5, 0x85] * 16, np.uint8)
    for t, want in (("s8", [5, 0xFFFFFF85]), ("u8", [5, 0x85]),
                    ("b8", [5, 0x85])):
        out = np.zeros(32, np.uint32)
        run(address(0, 1) + address(1, 4, "%q") +
            f"ld.global.{t} %x0, [%p]; st.global.b32 [%q], %x0;",
            [source, out])
        assert out.tolist() == want * 16
    out = np.zeros(32, np.uint8)
    run(address(0, 1) + address(1, 1, "%q") +
        "ld.global.u8 %h0, [%p]; st.global.b8 [%q], %h0;", [source, out])
    assert (out == source).all()


def test_shared_local_and_generic():
    # The same detour in each space, by its own and by generic addresses.
    source = np.arange(32, dtype=np.uint32)
    for space, scale in (("shared", 4), ("local", 0)):
        for generic in (False, True):
            name = "" if generic else "." + space
            cast = f"cvta.{space}.u64 %y0, %y0;" if generic else ""
            out = np.zeros(32, np.uint32)
            run(address(0, 4) + address(1, 4, "%q") +
                f"mov.u64 %y0, buffer; {cast}"
                f"mad.wide.u32 %y0, %i, {scale}, %y0;"
                f"ld.global.b32 %x0, [%p]; st{name}.b32 [%y0 + 8], %x0;"
                f"ld{name}.b32 %x1, [%y0 + 8]; st.global.b32 [%q], %x1;",
                [source, out], f".{space} .align 8 .b8 buffer[136];")
            assert (out == source).all()


def test_generic_addresses_of_several_spaces_at_once():
    out = np.zeros(32, np.uint32)
    run(address(0, 4, "%q") + "mov.u64 %y0, buffer; cvta.shared.u64 %y0, %y0;"
        "mad.wide.u32 %y0, %i, 4, %y0; setp.lt.u32 %even, %i, 16;"
        "selp.b64 %y1, %y0, %q, %even; st.b32 [%y1], %i; ld.b32 %x0, [%y1];"
        "add.u32 %x0, %x0, 100; st.global.b32 [%q], %x0;", [out],
        ".shared .b32 buffer[32]; .reg .pred %even;")
    assert out.tolist() == list(range(100, 132))


def test_several_buffers_at_once():
    low, high = np.zeros(32, np.uint32), np.zeros(32, np.uint32)
    code = (address(0, 4) + address(1, 4, "%q") + "and.b32 %x0, %i, 1;"
            "setp.eq.u32 %odd, %x0, 1; selp.b64 %y0, %p, %q, %odd;"
            "st.global.b32 [%y0{}], %i;")
    run(code.format(""), [low, high], ".reg .pred %odd;")
    i = np.arange(32)
    assert (low == i * (i % 2)).all() and (high == i * (i % 2 == 0)).all()
    with pytest.raises(ptxemu.Fault, match="k_param_1, which has 120"):
        run(code.format(""), [low, high[:30].copy()], ".reg .pred %odd;")


def test_variables_of_the_module():
    top = """.const .align 4 .b32 table[4] = {10, 20, 30, 40};
.visible .global .align 4 .u32 counter = 7;
.global .f32 ratios[2] = {0f3F800000, 2.5};"""
    out = np.zeros(32, np.uint32)
    text = kernel(
        "mov.u32 %i, %tid.x; ld.param.u64 %q, [k_param_0];"
        "mad.wide.u32 %q, %i, 4, %q; and.b32 %x0, %i, 3;"
        "mov.u64 %p, table; mad.wide.u32 %p, %x0, 4, %p;"
        "ld.const.b32 %x1, [%p]; ld.global.b32 %x2, [counter];"
        "add.u32 %x1, %x1, %x2; st.global.b32 [%q], %x1;"
        "ld.global.b32 %x3, [ratios + 4]; setp.eq.u32 %z, %i, 0;"
        "@%z st.global.b32 [counter], %x3;",
        [".u64 k_param_0"], TID + ".reg .pred %z;", top=top)
    module = ptxemu.load(text)
    module.launch("k", 1, 32, [out])
    assert out.tolist() == [17, 27, 37, 47] * 8
    assert module.variable("counter").view(np.float32)[0] == 2.5


def test_parameters():
    # A structure by value, read by parts and by its generic address.
    out = np.zeros(3, np.uint32)
    text = kernel(
        "ld.param.u64 %q, [k_param_1]; ld.param.b32 %x0, [k_param_0 + 4];"
        "ld.param.v2.b32 {%x1, %x2}, [k_param_0 + 8]; mov.b64 %p, k_param_0;"
        "cvta.param.u64 %p, %p; ld.b32 %x3, [%p + 12];"
        "st.global.b32 [%q], %x0; st.global.b32 [%q + 4], %x1;"
        "st.global.b32 [%q + 8], %x3;",
        [".align 8 .b8 k_param_0[16]", ".u64 k_param_1"], TID)
    ptxemu.load(text).launch("k", 1, 1, [np.arange(4, dtype=np.uint32), out])
    assert out.tolist() == [1, 2, 3]


def test_views_share_their_buffer():
    base = np.zeros((8, 64), np.uint32)
    view = base[3:, 5:37]
    run(address(0, 4) + "st.global.b32 [%p], %i;", [view])
    assert base[3, 5:37].tolist() == list(range(32)) and base.sum() == 496
    run(address(0, 4) + "st.global.b32 [%p], 1;",
        [ptxemu.Pointer(base, 256 * 7)])
    assert (base[7, :32] == 1).all()


STORE = address(0, 4) + "st.global.b32 [%p], %i;"


@pytest.mark.parametrize("body, size, what", [
    (STORE, 31, "writes 4 bytes .*: byte 124 of global buffer k_param_0, "
     "which has 124"),
    (address(0, 4) + "st.global.b32 [%p - 4], %i;", 32, "byte -4 of global"),
    (address(0, 4) + "ld.global.b64 %y0, [%p];", 33,
     "is not a multiple of 8"),
    (address(0, 1 << 30) + "ld.global.b32 %x0, [%p];", 32, "reads 4 bytes"),
    ("mov.u64 %y0, 0; ld.global.b32 %x0, [%y0];", 32, "no global buffer"),
    ("ld.global.b32 %x0, [%y3];", 32, "%y3 is read before it was written"),
    ("mov.u64 %y0, buffer; st.shared.b32 [%y0 + 64], %i;", 32,
     "writes 4 bytes at byte 64 of shared memory, which has 64"),
    ("mov.u64 %y0, stack; ld.local.b32 %x0, [%y0 + 8];", 32,
     "reads 4 bytes at byte 8 of local memory, which has 8"),
    ("trap;", 32, "trap")])
def test_faults(body, size, what):
    with pytest.raises(ptxemu.Fault, match=what) as error:
        run(body, [np.zeros(size, np.uint32)], ".shared .b32 buffer[16];"
            ".local .b32 stack[2];")
    # The kernel, the line, the thread and the instruction are named.
    assert "k, line 10: block (0, 0, 0) thread (" in str(error.value)


def test_the_faulting_thread_is_named():
    with pytest.raises(ptxemu.Fault,
                       match=r"block \(2, 0, 0\) thread \(7, 1, 0\)"):
        run("mov.u32 %x0, %ctaid.x; mov.u32 %x1, %tid.y;"
            "mad.lo.u32 %i, %x1, 16, %i; mad.lo.u32 %i, %x0, 32, %i;" + STORE,
            [np.zeros(64 + 23, np.uint32)], block=(16, 2), grid=3)


def test_undefined_registers_are_moved_as_nan():
    out = np.zeros(64, np.uint32)
    run(address(0, 8) + "mov.b32 %x1, %x0; mov.b32 %x2, {%h0, %h1};"
        "st.global.v2.b32 [%p], {%x1, %x2};", [out])
    assert np.isnan(out.view(np.float32)).all()
    assert np.isnan(out.view(np.float16)).all()
    with pytest.raises(ptxemu.Fault, match="%x0 is read"):
        run(address(0, 8) + "st.global.b32 [%p], %x0;", [out])


def test_read_only_buffers():
    array = np.zeros(32, np.uint32)
    array.flags.writeable = False
    with pytest.raises(ptxemu.Fault, match="k_param_0 .read only"):
        run(STORE, [array])
    # A buffer is one buffer, however many arguments look into it.
    base = np.zeros(64, np.uint32)
    view = base[32:]
    view.flags.writeable = False
    run(address(0, 4) + "st.global.b32 [%p + 128], %i;" + address(1, 4) +
        "ld.global.b32 %x0, [%p]; st.global.b32 [%p - 128], %x0;",
        [base, view])
    assert base.tolist() == 2 * list(range(32))


def test_where_registers_may_be_undefined():
    # Only on the path that does not write it, and only when read.
    code = ("setp.lt.u32 %c, %i, {0}; @%c mov.b32 %x0, 3; "
            "setp.lt.u32 %c, %i, {1}; @%c add.u32 %x1, %x0, 1;")
    declare = ".reg .pred %c;"
    run(code.format(8, 8), [], declare)
    with pytest.raises(ptxemu.Fault, match=r"thread \(8, 0, 0\).*%x0 is read"):
        run(code.format(8, 9), [], declare)


@pytest.mark.parametrize("code, what", [
    ("add.s32 %x9, %x0, 1;", "line 10: register %x9 is not declared"),
    ("add.s32 %x0, %h0, 1;", "%h0 is a .b16: too narrow for a .s32"),
    ("frobnicate.b32 %x0;", "frobnicate is not modelled"),
    ("bra nowhere;", "label nowhere is not defined"),
    ("mov.b32 %x0, unknown;", "unknown is not a variable"),
    ("mov.b32 %x0, %nonsense;", "%nonsense"),
    ("mov.b32 %x0 ?;", "cannot read")])
def test_errors_of_the_text(code, what):
    with pytest.raises(ptxemu.PTXError, match=what):
        run(code, [])


def test_errors_of_a_launch():
    module = ptxemu.load(kernel("", [".u32 k_param_0"]))
    with pytest.raises(ptxemu.PTXError, match="takes 1 arguments, got 2"):
        module.launch("k", 1, 32, [1, 2])
    with pytest.raises(ptxemu.PTXError, match="no kernel j; there are k"):
        module.launch("j", 1, 32, [1])
    with pytest.raises(ptxemu.PTXError, match="at most 1024"):
        module.launch("k", 1, 1025, [1])
    with pytest.raises(ptxemu.PTXError, match="has 4 bytes, got 8 of ndarray"):
        module.launch("k", 1, 32, [np.zeros(2, np.float32)])
