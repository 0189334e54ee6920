"""Prints the tables of GPU.md:
python3 docs/gpu_kernels.py build/bin/lattn-compile [--chip sm_80]

Wants ptxas and nvdisasm, on PATH or in .venv (scripts/setup tests)."""

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
import sass  # noqa: E402

VISIBLE = {"left": (256, 0), "both": (100, 50)}  # keys before, after a query's
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
    text = attentions.attention(size, window, "bf16", "1x8x4096")
    ptx = run(arguments.lattn_compile, "-", "-o", "-", "--emit=ptx",
              f"--chip={arguments.chip}", text=text)
    threads, shared, queries = map(int, re.search(
        r"blocks of (\d+) threads, (\d+) bytes of dynamic shared memory, a "
        r"block for each (\d+) queries", ptx).groups())
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lattn_compile")
    parser.add_argument("--chip", default="sm_80")
    arguments = parser.parse_args()
    columns = ["head size", "window", "queries x keys", "warps", "stages",
               "shared", "registers", "spilled bytes", "useful",
               "instructions", "mma", "per mma"]
    print("| " + " | ".join(columns) + " |")
    print("|--:|---|---|" + "--:|" * (len(columns) - 3))
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            for window in ["none", "causal", "left", "both"]:
                cells = row(size, window, arguments, pathlib.Path(folder))
                print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
