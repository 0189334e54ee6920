"""Of LLVM's assembly on stdin, made for a CPU: the innermost loop of most FMAs,
what it keeps on the stack, and its cycles by llvm-mca beside those that its FMAs
alone need.

llvm-mca takes every load for one that hits L1.
"""

import argparse
import pathlib
import re
import subprocess
import sys

from inner_loops import TARGETS, find_loops, find_spills

# LLVM knows one port for FMAs of 512 bits of Sapphire Rapids, which has two, as
# Cooper Lake has. (For dot products of bf16 its own model is right.)
MODELS = {("sapphirerapids", "zmm"): "cooperlake"}


def simulate(llvm_bin, cpu, triple, body):
    """Cycles of an iteration, and those that its resources are taken for."""
    iterations = 100
    done = subprocess.run(
        [pathlib.Path(llvm_bin, "llvm-mca"), f"-mcpu={cpu}",
         f"-mtriple={triple}", f"-iterations={iterations}"],
        input="\n".join(body) + "\n", text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"llvm-mca failed: {done.stderr}")
    cycles = re.search(r"Total Cycles: +(\d+)", done.stdout)
    bound = re.search(r"Block RThroughput: +([\d.]+)", done.stdout)
    return int(cycles[1]) / iterations, float(bound[1])


def correct(cpu, line):
    """Zen 4 broadcasts from memory to 512 bits in a load, not beside FMAs."""
    if cpu != "znver4":
        return line
    return re.sub(r"vbroadcasts[sd](\s.*\(.*%zmm)", r"vmovups\1", line)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cpu")
    parser.add_argument("triple")
    parser.add_argument("registers", choices=TARGETS)
    parser.add_argument("--llvm-bin", required=True)
    parser.add_argument("--all", action="store_true",
                        help="beside what all instructions need, not FMAs alone")
    options = parser.parse_args()
    fma, vector = (re.compile(p) for p in TARGETS[options.registers][:2])

    def fmas(body):
        return [part for part in body if fma.search(part)]

    loops = list(find_loops(sys.stdin.read().splitlines()))
    # A polynomial overwrites one of its factors, a sum the sum itself.
    body = max(loops, default=[], key=lambda body: sum(
        "vfmadd213" not in part for part in fmas(body)))
    if not fmas(body):
        sys.exit("no loop has an FMA")
    spills = find_spills(body)
    vectors = [part for part in spills if vector.search(part)]
    stored = [part for part in spills if "Spill" in part]
    print(f"{len(fmas(body))} FMAs, {len(vectors)} vectors on the stack, "
          f"{len(stored)} spills, {len(spills)} spills and reloads")
    model = MODELS.get((options.cpu, options.registers), options.cpu)
    body = [correct(options.cpu, part) for part in body]
    cycles, bound = simulate(options.llvm_bin, model, options.triple, body)
    needed = bound
    if not options.all:
        needed = simulate(options.llvm_bin, model, options.triple,
                          fmas(body))[1]
    print(f"{cycles} cycles, needed {needed}: {100 * needed / cycles:.0f} %")


if __name__ == "__main__":
    main()
