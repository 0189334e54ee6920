"""Builds a folder that checks and times lattn's attention on any machine with an
NVIDIA GPU and torch: kernels as machine code for each of a space of tile sizes,
a manifest that says how they are launched, and a program that needs neither
lattn nor LLVM. There: python run.py

Kernels, workloads and tile sizes are those of a file (benchmarks/gpu/space.toml).
ptxas of CUDA 12 and of CUDA 13 is needed here: the driver there takes the machine
code of its own version or of an earlier one. `scripts/setup tests` installs both.
"""

import argparse
import os
import pathlib
import shutil
import sys

import assemble
import build
import space

try:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, \
        TimeRemainingColumn
except ImportError:
    sys.exit("rich is not installed: .venv/bin/pip install -r "
             "scripts/requirements-benchmarks.txt")

ROOT = pathlib.Path(__file__).resolve().parents[3]


def parse():
    parser = argparse.ArgumentParser(
        prog="bundle", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", metavar="DIR", type=pathlib.Path, required=True,
                        help="the folder to make; must not be there")
    parser.add_argument("--chip", metavar="CHIP", action="append",
                        help="compile for this GPU; may be repeated (all that "
                        "the file names)")
    parser.add_argument("--space", metavar="FILE", type=pathlib.Path,
                        default=ROOT / "benchmarks" / "gpu" / "space.toml")
    parser.add_argument("--lattn-compile", metavar="PROGRAM",
                        default=str(ROOT / "build" / "bin" / "lattn-compile"))
    parser.add_argument("--lattn-opt", metavar="PROGRAM",
                        help="which predicts cycles (beside lattn-compile)")
    parser.add_argument("--cuda", metavar="N", type=int, action="append",
                        help="machine code for drivers of this major version and "
                        "later ones; may be repeated (12 and 13)")
    parser.add_argument("--ptxas", metavar="FILE", action="append", default=[],
                        help="take this one; may be repeated (those found)")
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count())
    parser.add_argument("--keep-ptx", action="store_true",
                        help="PTX beside machine code, to read and to emulate")
    parser.add_argument("--limit", metavar="MIB", type=int, default=50,
                        help="the most that the folder may have (50)")
    return parser.parse_args()


def main():
    arguments = parse()
    if arguments.out.exists():
        raise ValueError(f"--out: '{arguments.out}' is there already")
    if arguments.jobs < 1:
        raise ValueError(f"--jobs: expected a number >= 1, got {arguments.jobs}")
    chosen = space.read(arguments.space)
    compiler = shutil.which(arguments.lattn_compile)
    if not compiler:
        raise ValueError(f"cannot run '{arguments.lattn_compile}': build it, or "
                         "name it by --lattn-compile")
    tools = build.Tools(
        compiler, arguments.lattn_opt or str(
            pathlib.Path(compiler).with_name("lattn-opt")),
        assemble.find(arguments.cuda or [12, 13], arguments.ptxas))
    chips = arguments.chip or sorted(
        {chip for s in chosen.spaces for chip in s["chips"]})
    count = len(list(chosen.kernels(chips)))
    columns = (TextColumn("kernels for " + " ".join(chips)), BarColumn(),
               MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=count)
        manifest, size = build.build(
            tools, chosen, chips, arguments.out, arguments.jobs,
            arguments.keep_ptx, arguments.limit * 2 ** 20,
            lambda: progress.advance(task))
    spilling = sum(any(k["spillBytes"] for k in entry["ptxas"])
                   for entry in manifest["kernels"])
    versions = " and ".join(f"{major}.{minor}" for major, minor
                            in sorted(tools.assemblers))
    print(f"{arguments.out}: {len(manifest['kernels'])} kernels for "
          f"{' '.join(chips)} and CUDA {versions}, {spilling} of which spill registers; "
          f"{len(manifest['skipped'])} combinations do not fit; "
          f"{size / 2**20:.1f} MiB")


if __name__ == "__main__":
    try:
        main()
    except (ValueError, RuntimeError, OSError) as error:
        sys.exit(f"bundle: error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
