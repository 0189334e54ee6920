"""Whether ptxas kept the order of kernels' inner loops:
nvdisasm -c kernel.cubin | check.py [--break MUTATION]

Prints what is out of order; exit code 1 where anything is. A mutation breaks
the order first, to show that it is noticed.
"""

import argparse
import sys

import sass
from sass import Instruction


def find(code, name):
    return [i for i, instruction in enumerate(code) if instruction.name == name]


def first_use(code, load):
    """Where what `load` loads is first multiplied."""
    base = code[load].registers()[0][0]
    loaded = set(range(base, base + 4))
    for place in range(load + 1, len(code)):
        if code[place].name == "HMMA" and any(
                loaded & set(r) for r in code[place].registers()[1:]):
            return place
    return None


def check_loop(code, ahead):
    """Of an iteration of the interior loop."""
    products, copies = find(code, "HMMA"), find(code, "LDGSTS")
    barriers, waits = find(code, "BAR"), find(code, "DEPBAR")
    loads = find(code, "LDSM")
    if not copies or copies[-1] > products[0]:
        yield "copies of the next tile do not all precede the products"
    if len(barriers) != 1:
        yield f"{len(barriers)} barriers in an iteration, expected 1"
    elif not waits or not waits[0] < barriers[0] < min(loads + copies):
        yield "the barrier is not between the wait and what it guards"
    uses = [(load, first_use(code, load)) for load in loads]
    late = sum(bool(use) and use - load < ahead for load, use in uses)
    if late:
        yield (f"{late} of {len(loads)} ldmatrix stand less than {ahead} "
               "instructions before the first product of theirs")


def break_order(code, how):
    products = find(code, "HMMA")
    if how == "late-copies":
        copies = [i for i in code if i.name == "LDGSTS"]
        return [i for i in code if i.name != "LDGSTS"] + copies
    if how == "late-ldmatrix":
        for load in reversed(find(code, "LDSM")):
            if use := first_use(code, load):
                code = code[:load] + code[load + 1:use] + [code[load]] + \
                    code[use:]
        return code
    if how == "barrier":
        return code[:products[0]] + [Instruction("BAR.SYNC", "0x0")] + \
            code[products[0]:]
    if how == "early-copies":
        copies = [i for i in code if i.name == "LDGSTS"]
        return copies + [i for i in code if i.name != "LDGSTS"]
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--break", dest="how", default="nothing", choices=[
        "nothing", "late-copies", "early-copies", "late-ldmatrix", "barrier",
        "spill"])
    parser.add_argument("--ahead", type=int, default=8, metavar="N",
                        help="instructions between ldmatrix and its products")
    arguments = parser.parse_args()

    def inspect(kernel):
        if arguments.how == "spill":
            kernel.code.append(Instruction("STL", "[R1], R2"))
        spills = sum(i.name in ("STL", "LDL") for i in kernel.code)
        problems = [f"{spills} accesses to local memory"] if spills else []
        code = sass.interior(kernel)
        if code:
            problems += check_loop(break_order(code, arguments.how),
                                   arguments.ahead)
        return [f"{len(code)} instructions an interior tile"], problems

    return sass.report(sass.parse(sys.stdin.read()), inspect, "kernels")


if __name__ == "__main__":
    sys.exit(main())
