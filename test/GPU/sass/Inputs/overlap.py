"""Whether ptxas kept products beside the softmax, in kernels with warpgroups:
nvdisasm -c kernel.cubin | overlap.py [--break MUTATION]

In a step of the loop over tiles without a mask the product of queries and keys
is waited for, then come the exponentials, and only then the product of weights
and values is. Several groups of warps play ping-pong: a group waits for its own
before its products, and passes it on before it waits for them. Exit code 1
where that is not so.
"""

import argparse
import sys

import sass
from sass import Instruction


def is_wait(instruction, pending):
    return instruction.opcode.startswith("WARPGROUP.DEPBAR") and \
        instruction.operands.endswith(f"0x{pending}")


def step(kernel):
    """The loop that leaves a product under way: the shortest, for the far ends
    of waits jump back, too."""
    loops = []
    for last, instruction in enumerate(kernel.code):
        first = kernel.labels.get(instruction.target, last + 1)
        code = kernel.code[first:last + 1]
        if any(is_wait(i, 1) for i in code):
            loops.append(code)
    return min(loops, key=len, default=None)


def check(code, ping_pong):
    """What is wrong with a step."""
    products = [place for place, i in enumerate(code) if i.name == "HGMMA"]
    scores = next(place for place, i in enumerate(code) if is_wait(i, 1))
    ends = [place for place, i in enumerate(code) if is_wait(i, 0)]
    if not ends or ends[0] < scores:
        yield "the product with values is not waited for last"
        return
    exponentials = [place for place, i in enumerate(code)
                    if i.opcode == "MUFU.EX2"]
    beside = sum(scores < place < ends[0] for place in exponentials)
    if beside < len(exponentials):
        yield (f"{beside} of {len(exponentials)} exponentials stand between the "
               "waits")
    if products[-1] > scores:
        yield "a product starts after the wait for scores"
    turns = [place for place, i in enumerate(code) if i.opcode.startswith(
        "BAR.SYNC") and place < products[0]]
    passed = [place for place, i in enumerate(code) if i.opcode.startswith(
        "BAR.ARV") and products[-1] < place < scores]
    if ping_pong and not (turns and passed):
        yield "products do not start by ping-pong"


def break_order(code, how):
    if how == "ping-pong":
        return [i for i in code if i.name != "BAR"]
    if how == "hoist":  # what ptxas does of its own accord
        ends = [i for i in code if is_wait(i, 0)]
        rest = [i for i in code if not is_wait(i, 0)]
        at = next(place for place, i in enumerate(rest) if is_wait(i, 1)) + 1
        return rest[:at] + ends + rest[at:]
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--break", dest="how", default="nothing",
                        choices=["nothing", "hoist", "spill", "ping-pong"])
    arguments = parser.parse_args()

    def inspect(kernel):
        if arguments.how == "spill":
            kernel.code.append(Instruction("STL", "[R1], R2"))
        spills = sum(i.name in ("STL", "LDL") for i in kernel.code)
        problems = [f"{spills} accesses to local memory"] if spills else []
        code = step(kernel)
        if not code:
            return [], [*problems, "no step leaves a product under way"]
        ping_pong = any(i.opcode.startswith("BAR.ARV") for i in kernel.code)
        problems += check(break_order(code, arguments.how), ping_pong)
        return [f"{len(code)} instructions a tile without a mask"], problems

    kernels = sass.with_warpgroups(sass.parse(sys.stdin.read()))
    return sass.report(kernels, inspect, "kernels with warpgroups")


if __name__ == "__main__":
    sys.exit(main())
