# REQUIRES: slow
# RUN: %pytest %s

# lattn.compile_ptx: kernels for GPUs as text, without a GPU.

import pathlib

import pytest

import lattn

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
FILE = EXAMPLES / "windowed_attention_bf16.mlir"


@pytest.mark.parametrize("chip, instruction", [("sm_80", "mma.sync"),
                                               ("sm_90a", "wgmma.mma_async")])
def test_kernels(chip, instruction):
    text = lattn.compile_ptx(FILE, chip)
    assert f"\n.target {chip}\n" in text and instruction in text
    assert text.startswith("// windowed_attention_kernel: blocks of ")
    assert text == lattn.compile_ptx(FILE.read_text(), chip)


def test_errors():
    with pytest.raises(RuntimeError, match="unknown GPU 'sm_0': expected one of sm_80"):
        lattn.compile_ptx(FILE, "sm_0")
    with pytest.raises(RuntimeError, match=r"<text>:.* f16 or bf16, got f32"):
        lattn.compile_ptx((EXAMPLES / "windowed_attention.mlir").read_text())
    with pytest.raises(RuntimeError, match="there is no attention to make a kernel of"):
        lattn.compile_ptx("func.func @f() {return}")
    with pytest.raises(OSError, match="no/such/file"):
        lattn.compile_ptx("no/such/file")
