"""Prints the tables of GPU.md:
python3 docs/gpu_kernels.py build/bin/lattn-compile [--chip sm_80|sm_90a] [--gradients]
    [--dropout]

Needs ptxas and nvdisasm, on PATH or in .venv (scripts/setup tests)."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "test/GPU/ptxas/Inputs"),
                str(ROOT / "test/GPU/sass/Inputs")]
import attentions  # noqa: E402
import gradients  # noqa: E402
import overlap  # noqa: E402
import sass  # noqa: E402

# Keys before, after a query's.
VISIBLE = {"left": (256, 0), "both": (100, 50), "left-128": (128, 0),
           "left-1024": (1024, 0), "around-64": (64, 64)}
WARPGROUPS = [(128, "none"), (128, "causal"), (128, "left"), (128, "around-64"),
              (64, "none"), (64, "causal"), (64, "left-1024"),
              (64, "left-128"), (192, "left"), (256, "none"), (256, "left")]
GRADIENTS = [(64, "none"), (64, "causal"), (64, "left"), (128, "none"),
             (128, "causal"), (128, "left"), (128, "both"), (192, "left"),
             (256, "none"), (256, "left")]
SIZES = [32, 64, 128, 192, 256]
STAGES = 2


def find(tool):
    found = shutil.which(tool) or shutil.which(
        tool, path="/usr/local/cuda/bin") or next(
            map(str, ROOT.glob(f".venv/lib/*/site-packages/nvidia/cu*/bin/{tool}")),
            None)
    return found or sys.exit(f"{tool} is not on PATH, nor in .venv")


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout + done.stderr


def useful(window, queries, keys):
    """The share of the computed pairs that a window shows."""
    if window not in VISIBLE:
        return ""
    before, after = VISIBLE[window]
    tiles = -(-(queries + before + after) // keys)
    return f"{100 * (before + after + 1) / (tiles * keys):.0f} %"


def row(size, window, arguments, folder):
    text = attentions.attention(size, window, "bf16", "1x8x4096",
                                dropout=arguments.dropout)
    ptx = run(arguments.lattn_compile, "-", "-o", "-", "--emit=ptx",
              f"--chip={arguments.chip}", text=text)
    threads, shared, queries = map(int, re.search(
        r"blocks of (\d+) threads, (\d+) bytes of dynamic shared memory, tiles "
        r"of (\d+) queries", ptx).groups())
    # A tile of queries, and stages of one of keys and one of values.
    keys = (shared // 2 - queries * size) // (STAGES * 2 * size)
    source, cubin = folder / "kernel.ptx", folder / "kernel.cubin"
    source.write_text(ptx)
    report = run(find("ptxas"), f"-arch={arguments.chip}", "-v", source, "-o",
                 cubin)
    registers = re.search(r"Used (\d+) registers", report)[1]
    spills = sum(map(int, re.findall(r"(\d+) bytes spill", report)))
    kernel, = sass.parse(run(find("nvdisasm"), "-c", cubin))
    code = sass.interior(kernel)
    products = sass.worth(code)[0]
    return [size, window, f"{queries} x {keys}", threads // 32, STAGES,
            f"{shared / 1024:.0f} KiB", registers, spills,
            useful(window, queries, keys), len(code), products,
            f"{len(code) / products:.1f}"]


def step(kernel):
    """Instructions of a step that leaves a product under way."""
    code = overlap.step(kernel)
    return len(code) if code else ""


def warpgroup_row(size, window, arguments, folder):
    """The kernel with tensor maps, which is the first; spills of both."""
    text = attentions.attention(size, window, "bf16", "1x8x4096",
                                dropout=arguments.dropout)
    ptx = run(arguments.lattn_compile, "-", "-o", "-", "--emit=ptx",
              f"--chip={arguments.chip}", text=text)
    threads, shared = map(int, re.search(
        r"blocks of (\d+) threads, (\d+) bytes", ptx).groups())
    queries = (threads - 128) // 2
    keys = (shared // 2 - queries * size) // (STAGES * 2 * size)
    source, cubin = folder / "kernel.ptx", folder / "kernel.cubin"
    source.write_text(ptx)
    report = run(find("ptxas"), f"-arch={arguments.chip}", "-v", source, "-o",
                 cubin)
    spills = sum(map(int, re.findall(r"(\d+) bytes spill", report)))
    registers = re.search(r"setmaxnreg\.inc\S*\s+(\d+)", ptx)[1]
    blocks = re.search(r"\.minnctapersm (\d+)", ptx)[1]
    kernel = next(k for k in sass.parse(run(find("nvdisasm"), "-c", cubin))
                  if any(i.name == "HGMMA" for i in k.code))
    return [size, window, f"{queries} x {keys}", threads, blocks,
            f"{shared / 1024:.0f} KiB", registers, spills,
            useful(window, queries, keys), step(kernel)]


def gradient_rows(size, window, arguments, folder):
    """A row for each kernel that multiplies."""
    text = attentions.gradients(size, window, "bf16", "1x8x4096",
                                dropout=arguments.dropout)
    ptx = run(arguments.lattn_compile, "-", "-o", "-", "--emit=ptx",
              f"--chip={arguments.chip}", text=text)
    source, cubin = folder / "kernel.ptx", folder / "kernel.cubin"
    source.write_text(ptx)
    report = run(find("ptxas"), f"-arch={arguments.chip}", "-v", source, "-o",
                 cubin)
    used = {}
    for part in report.split("Compiling entry function '")[1:]:
        used[part.split("'")[0]] = (
            re.search(r"Used (\d+) registers", part)[1],
            sum(map(int, re.findall(r"(\d+) bytes spill", part))))
    for kernel in sass.parse(run(find("nvdisasm"), "-c", cubin)):
        name = kernel.name.split(f"_{window.replace('-', '_')}_bf16_")[1]
        registers, spills = used[kernel.name]
        if arguments.chip == "sm_90a":
            code = gradients.step(kernel)
            products = sum(i.name == "HGMMA" for i in code or [])
            registers = max(map(int, re.findall(r"setmaxnreg\.inc\S*\s+(\d+)", ptx)))
        else:
            code = sass.interior(kernel)
            products = sass.worth(code)[0]
        if products:
            yield [size, window, name, registers, spills, len(code), products,
                   f"{len(code) / products:.1f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lattn_compile")
    parser.add_argument("--chip", default="sm_80")
    parser.add_argument("--gradients", action="store_true")
    parser.add_argument("--dropout", action="store_true")
    arguments = parser.parse_args()
    columns = ["head size", "window", "queries x keys", "warps", "stages",
               "shared", "registers", "spilled bytes", "useful",
               "instructions", "mma", "per mma"]
    cases = [(size, window) for size in SIZES
             for window in ["none", "causal", "left", "both"]]
    build = row
    if arguments.chip == "sm_90a":
        columns = ["head size", "window", "queries x keys", "threads", "blocks",
                   "shared", "registers", "spilled bytes", "useful",
                   "instructions a tile"]
        cases, build = WARPGROUPS, warpgroup_row
    if arguments.gradients:
        columns = ["head size", "window", "kernel", "registers",
                   "spilled bytes", "instructions", "mma", "per mma"]
        cases = GRADIENTS if arguments.chip == "sm_90a" else cases
    print("| " + " | ".join(columns) + " |")
    print("|--:|---|---|" + "--:|" * (len(columns) - 3))
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            place = pathlib.Path(folder)
            rows = (gradient_rows(*case, arguments, place)
                    if arguments.gradients else
                    [build(*case, arguments, place)])
            for cells in rows:
                print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
