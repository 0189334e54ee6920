"""Small kernels around a few instructions."""

import os
import shutil
import subprocess
import tempfile

import numpy as np

import ptxemu

HEADER = ".version 8.6\n.target {}\n.address_size 64\n"
UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def kernel(body, params, declarations="", target="sm_80", top=""):
    """A module with one kernel k; params are declarations without .param."""
    params = ",\n".join(f"  .param {p}" for p in params)
    return (HEADER.format(target) + top +
            f"\n.visible .entry k(\n{params}\n)\n{{\n{declarations}\n{body}\n"
            "  ret;\n}\n")


def apply(code, inputs, result, threads=None, **options):
    """Runs `code` once per element. Sources are %a, %b, ... of the types in
    inputs, a list of (type of register, array); the result is %r, of the
    register type `result`. Returns its bits."""
    n = len(inputs[0][1])
    names = "abcdefgh"
    lines, declarations, args = [], [], []
    for i, (reg, array) in enumerate(inputs):
        array = np.ascontiguousarray(array)
        width = array.dtype.itemsize
        declarations.append(f".reg .{reg} %{names[i]};")
        lines += [f"ld.param.u64 %at, [k_param_{i}];",
                  f"mad.wide.u32 %at, %thread, {width}, %at;",
                  f"ld.global.b{8 * width} %{names[i]}, [%at];"]
        args.append(array)
    width = 4 if result == "pred" else int(result.strip("busf")) // 8
    out = np.zeros(n, UNSIGNED[width])
    args.append(out)
    lines.append(code)
    if result == "pred":
        declarations.append(".reg .b32 %bit;")
        lines.append("selp.b32 %bit, 1, 0, %r;")
    lines += [f"ld.param.u64 %at, [k_param_{len(inputs)}];",
              f"mad.wide.u32 %at, %thread, {width}, %at;",
              f"st.global.b{8 * width} [%at], "
              f"{'%bit' if result == 'pred' else '%r'};"]
    declarations += [f".reg .{result} %r;", ".reg .b64 %at;",
                     ".reg .b32 %thread, %block, %size, %t<8>;",
                     ".reg .b64 %w<4>;", ".reg .pred %p<4>;"]
    start = ["mov.u32 %thread, %tid.x;", "mov.u32 %block, %ctaid.x;",
             "mov.u32 %size, %ntid.x;",
             "mad.lo.u32 %thread, %block, %size, %thread;"]
    text = kernel("\n".join(start + lines),
                  [f".u64 k_param_{i}" for i in range(len(args))],
                  "\n".join(declarations))
    block = threads or min(n, 64)
    assert n % block == 0
    ptxemu.load(text).launch("k", n // block, block, args, **options)
    return out


def compile_cuda(source, arch="sm_80", options=()):
    """CUDA C++ to PTX by nvcc."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.cu")
        with open(path, "w") as f:
            f.write(source)
        nvcc = os.environ.get("NVCC") or shutil.which("nvcc")
        subprocess.run([nvcc, "-ptx", f"-arch={arch}", *options, path, "-o",
                        path + ".ptx"], check=True)
        with open(path + ".ptx") as f:
            return f.read()
