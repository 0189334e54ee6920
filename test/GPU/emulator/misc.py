# Hints and fences, which change nothing, and text around the code.

import numpy as np
import pytest
from harness import kernel

import ptxemu

HINTS = """
  createpolicy.fractional.L2::evict_last.b64 %policy, 1.0;
  griddepcontrol.wait;
  prefetch.global.L2 [%p];
  prefetchu.L1 [%p];
  ld.global.L1::no_allocate.L2::cache_hint.b32 %x, [%p], %policy;
  fence.acq_rel.gpu;
  fence.sc.cluster;
  fence.proxy.async.global;
  fence.mbarrier_init.release.cluster;
  membar.cta;
  nanosleep.u32 20;
  setmaxnreg.inc.sync.aligned.u32 240;
  griddepcontrol.launch_dependents;
  mapa.shared::cluster.u32 %y, %x, 0;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  discard.global.L2 [%p], 128;
  mov.u32 %z, %clusterid.x;
  mov.u32 %n, %cluster_nctaid.x;
  mad.lo.u32 %y, %z, %n, %y;
  mov.u64 %t, %globaltimer;
  mov.u32 %w, %clock;
  mov.u64 %t, %clock64;
  isspacep.shared %c, %p;
  @%c trap;
  st.global.L2::cache_hint.b32 [%p], %y, %policy;
"""


def test_hints():
    x = np.full(1, 42, np.uint32)
    text = kernel("ld.param.u64 %p, [k_param_0];" + HINTS, [".u64 k_param_0"],
                  ".reg .b64 %p, %policy, %t; .reg .b32 %x, %y, %z, %w, %n;"
                  ".reg .pred %c;", "sm_90a")
    ptxemu.load(text).launch("k", 1, 32, [x])
    assert x[0] == 42


TEXT = """//
.version 8.6
.target sm_90a, debug
.address_size 64

	// .globl	k                       // a comment; with a semicolon
.file 1 "kernel.cu", 1700000000, 1234
.extern .func (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0,
	.param .b64 vprintf_param_1
)
;
.extern .shared .align 1024 .b8 dynamic[];
.visible .const .align 4 .b8 text[6] = {104, 101, 108, 108, 111, 0};
.weak .global .align 8 .f64 values[2] = {0d3FF0000000000000, -0.5};
/* a comment
   of two lines */
.visible .entry k(
	.param .u64 .ptr .global .align 4 k_param_0,
	.param .align 4 .b8 k_param_1[12]
)
.maxntid 128, 1, 1
.reqntid 32
.minnctapersm 2
{
	.reg .pred 	%p<3>;
	.reg .b32 	%r<8>, %extra;
	.reg .b64 	%rd<6>;
	.loc	1 12 3
	.pragma "nounroll";
	ld.param.b64 	%rd1, [k_param_0];
	mov.u32 %r1, %tid.x;
	.loc	1 13 7, function_name $L__info_string0, inlined_at 1 12 3
	{ // a scope
	.reg .b32 %r1;
	mov.b32 %r1, 0x10001;
	mov.b32 %extra, %r1;
	}
	bra.uni $L__BB0_1;
$L__tmp0:
$L__BB0_1: mad.wide.u32 %rd2, %r1, 4, %rd1;
	// implicit-def: %r5
	add.s32 %r3, %extra, 0b101;
	add.s32 %r3, %r3, 010;
	mul.wide.u32 	%rd3, %r1, 0;
	ld.const.u8 %r4, [text+1];
	add.s32 %r3, %r3, %r4;
	ld.param.b32 %r6, [k_param_1+8];
	sub.s32 %r3, %r3, %r6;
	mov.b32 %r7, %r5;
	mov.u32 %r4, dynamic;
	st.shared.b32 [%r4], %r7;
	st.global.b32 	[%rd2], %r3;
	ret;
}
	.section	.debug_str
	{
$L__info_string0:
.b8 104,101,0
.b32 $L__info_string0
	}
"""


def test_text():
    module = ptxemu.load(TEXT)
    assert module.kernels == ["k"] and module.ir.target == "sm_90a"
    out = np.zeros(1, np.uint32)
    module.launch("k", 1, 1, [out, np.array([0, 0, 5], np.int32)], shared=64)
    assert out[0] == 0x10001 + 5 + 8 + ord("e") - 5
    assert module.variable("values").view("f8").tolist() == [1, -0.5]


def test_errors_point_at_the_line():
    with pytest.raises(ptxemu.PTXError, match="line 37.*mov.b32 of"):
        ptxemu.load(TEXT.replace("mov.b32 %r1, 0x10001", "mov.b32 of nine"))
    with pytest.raises(ptxemu.PTXError, match="k does not end"):
        ptxemu.load(TEXT[:TEXT.index("\tret;")])


@pytest.mark.parametrize("code, what", [
    ("add.rn.mystery.f32 %f, %f, %f;", ".mystery is not modelled"),
    ("cvt.rn.satfinite.bf16x2.f32 %x, %f, %f;", ".satfinite is not modelled"),
    ("shfl.up.b32 %x, %x, 1, 0;", "without .sync is not modelled"),
    ("mul24.lo.s32 %x, %x, %x;", "mul24 is not modelled"),
    ("setp.lt.ftz.f16 %c, %h, %h;", ".ftz of .f16 is not modelled"),
    ("cp.async.bulk.prefetch2.global [%p], 16;", "is not modelled")])
def test_unknown_qualifiers_are_refused(code, what):
    text = kernel(code, [], ".reg .f32 %f; .reg .b32 %x; .reg .b16 %h;"
                  ".reg .pred %c; .reg .b64 %p;")
    with pytest.raises(ptxemu.PTXError, match=what):
        ptxemu.load(text).check("k")
