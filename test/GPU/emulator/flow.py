# Branches, calls and tables of labels.

import numpy as np
import pytest
from harness import HEADER, apply, kernel

import ptxemu

I = np.arange(128, dtype=np.uint32)  # noqa: E741


def test_loops_of_different_lengths():
    # The sum of 0 .. i, and then all meet in a shuffle.
    code = ("mov.b32 %t0, 0; mov.b32 %r, 0;"
            "LOOP: add.u32 %r, %r, %t0; add.u32 %t0, %t0, 1;"
            "setp.le.u32 %p0, %t0, %a; @%p0 bra LOOP;"
            "shfl.sync.bfly.b32 %r, %r, 1, 31, -1;")
    got = apply(code, [("b32", I)], "b32")
    i = (I ^ 1).astype(int)
    assert (got == i * (i + 1) // 2).all()


def test_nested_branches_and_early_exit():
    code = ("mov.b32 %r, 1; and.b32 %t0, %a, 3; setp.eq.u32 %p0, %t0, 0;"
            "@%p0 bra ZERO; setp.eq.u32 %p1, %t0, 1; @%p1 bra ONE;"
            "add.u32 %r, %r, 20; bra JOIN;"
            "ONE: { .reg .b32 %t0; LOCAL: mov.b32 %t0, 7; add.u32 %r, %r, %t0;"
            "} bra JOIN; ZERO: setp.gt.u32 %p2, %a, 64; @%p2 exit;"
            "JOIN: add.u32 %r, %r, %t0;")
    got = apply(code, [("b32", I)], "b32")
    m = I % 4
    want = np.where(m == 0, 1, np.where(m == 1, 9, 21 + m))
    want[(m == 0) & (I > 64)] = 0  # left before it stored
    assert (got == want).all()


def test_table_of_labels():
    code = ("rem.u32 %t0, %a, 3; TABLE: .branchtargets L0, L1, L2;"
            "brx.idx %t0, TABLE; L0: mov.b32 %r, 10; bra END;"
            "L1: mov.b32 %r, 20; bra END; L2: mov.b32 %r, 30; END:")
    assert (apply(code, [("b32", I)], "b32") == 10 * (I % 3 + 1)).all()
    with pytest.raises(ptxemu.Fault, match="brx.idx with index 127 of 3"):
        apply(code.replace("rem.u32 %t0, %a, 3", "mov.b32 %t0, %a"),
              [("b32", I)], "b32")


CALLS = HEADER.format("sm_80") + """
.func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [twice_param_0];
  add.s32 %r2, %r1, %r1;
  st.param.b32 [func_retval0], %r2;
  ret;
}
.func (.param .b32 func_retval0) both(.param .b32 both_param_0,
  .param .align 8 .b8 both_param_1[8])
{
  .reg .b32 %r<8>;
  .reg .pred %p<2>;
  ld.param.b32 %r1, [both_param_0];
  ld.param.v2.b32 {%r2, %r3}, [both_param_1];
  setp.gt.u32 %p1, %r1, 9;
  @%p1 bra $L__BB1_2;
  {
  .param .b32 param0;
  .param .b32 retval0;
  st.param.b32 [param0], %r2;
  call.uni (retval0), twice, (param0);
  ld.param.b32 %r4, [retval0];
  }
  bra.uni $L__BB1_3;
$L__BB1_2:
  {
  .param .b32 param0;
  .param .b32 retval0;
  st.param.b32 [param0], %r3;
  call (retval0), twice, (param0);
  ld.param.b32 %r4, [retval0];
  }
$L__BB1_3:
  st.param.b32 [func_retval0], %r4;
  ret;
}
.visible .entry k(.param .u64 .ptr .global .align 4 k_param_0)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<3>;
  mov.u32 %r1, %tid.x;
  add.s32 %r2, %r1, 100;
  {
  .param .b32 param0;
  .param .align 8 .b8 param1[8];
  .param .b32 retval0;
  st.param.b32 [param0], %r1;
  st.param.v2.b32 [param1], {%r1, %r2};
  call.uni (retval0), both, (param0, param1);
  ld.param.b32 %r3, [retval0];
  }
  ld.param.u64 %rd1, [k_param_0];
  mad.wide.u32 %rd1, %r1, 4, %rd1;
  st.global.b32 [%rd1], %r3;
  ret;
}
"""


def test_calls():
    out = np.zeros(32, np.uint32)
    ptxemu.load(CALLS).launch("k", 1, 32, [out])
    i = np.arange(32)
    assert (out == np.where(i > 9, 2 * (i + 100), 2 * i)).all()


def test_calls_that_are_not_modelled():
    body = "call.uni missing, ();"
    text = kernel(body, []).replace(
        ".visible .entry", ".extern .func missing();\n.visible .entry")
    with pytest.raises(ptxemu.Fault, match="calls missing, which has no body"):
        ptxemu.load(text).launch("k", 1, 1)
    text = CALLS.replace("call.uni (retval0), twice", "call.uni (retval0), "
                         "both2").replace("twice", "both2").replace(
        "add.s32 %r2, %r1, %r1;", "{ .param .b32 a; .param .b32 b; "
        "st.param.b32 [a], %r1; call (b), both2, (a); ld.param.b32 %r2, [b];}")
    with pytest.raises(ptxemu.PTXError, match="both2 calls itself"):
        ptxemu.load(text).launch("k", 1, 1, [None])


def test_spinning_on_another_warp_or_lane():
    # Lane 0 sets what the others of its warp, and other warps, wait for.
    text = kernel(
        "mov.u32 %i, %tid.x; setp.ne.u32 %c, %i, 40; ld.param.u64 %p, "
        "[k_param_0]; @%c bra WAIT; st.volatile.global.b32 [%p], 1; bra OUT;"
        "WAIT: ld.volatile.global.b32 %x, [%p]; setp.eq.u32 %c, %x, 0;"
        "@%c bra WAIT; OUT:", [".u64 k_param_0"],
        ".reg .b32 %i, %x; .reg .b64 %p; .reg .pred %c;")
    ptxemu.load(text).launch("k", 1, 64, [np.zeros(1, np.uint32)],
                             steps=100000)


def test_grid_and_special_registers():
    out = np.zeros((2, 3, 2, 4, 8, 5), np.uint32)
    names = "tid.x", "tid.y", "ctaid.x", "ctaid.y", "ctaid.z"
    body = "".join(f"mov.u32 %x{i}, %{n};" for i, n in enumerate(names)) + (
        "mov.u32 %i, %nctaid.y; mad.lo.u32 %i, %i, %x4, %x3;"
        "mov.u32 %n, %nctaid.x; mad.lo.u32 %i, %i, %n, %x2;"
        "mov.u32 %n, %ntid.y; mad.lo.u32 %i, %i, %n, %x1;"
        "mov.u32 %n, %ntid.x; mad.lo.u32 %i, %i, %n, %x0;"
        "ld.param.u64 %p, [k_param_0]; mad.wide.u32 %p, %i, 20, %p;") + \
        "".join(f"st.global.b32 [%p + {4 * i}], %x{i};" for i in range(5))
    text = kernel(body, [".u64 k_param_0"],
                  ".reg .b32 %i, %n, %x<5>; .reg .b64 %p;")
    for blocks in (None, 1, 5):  # together
        out[:] = 9
        ptxemu.load(text).launch("k", (2, 3, 2), (8, 4), [out], blocks=blocks)
        bz, by, bx, y, x = np.indices((2, 3, 2, 4, 8))
        assert (out == np.stack([x, y, bx, by, bz], -1)).all()
