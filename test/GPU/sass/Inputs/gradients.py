"""Whether ptxas kept products beside arithmetic, in kernels of gradients with
warpgroups: nvdisasm -c kernel.cubin | gradients.py [--break MUTATION]

A step starts the products of what was copied, and waits for the first of them only:
the exponentials of weights come while the second one runs. Kernels of keys and
values also start the product of weights before they wait for the second one. No
step reads or writes local memory. Exit code 1 where that is not so.
"""

import argparse
import sys

import sass
from sass import Instruction


def is_wait(instruction):
    return instruction.opcode.startswith("WARPGROUP.DEPBAR")


def is_last(instruction):
    """Whether it ends a group of products."""
    return instruction.name == "HGMMA" and "gsb0" in instruction.operands


def step(kernel):
    """The shortest loop with three groups of products: the far ends of waits jump
    back, too."""
    loops = []
    for last, instruction in enumerate(kernel.code):
        first = kernel.labels.get(instruction.target, last + 1)
        code = kernel.code[first:last + 1]
        if sum(is_last(i) for i in code) >= 2 and sum(map(is_wait, code)) >= 2:
            loops.append(code)
    return min(loops, key=len, default=None)


def check(code):
    """What is wrong with a step."""
    groups = [place for place, i in enumerate(code) if is_last(i)]
    waits = [place for place, i in enumerate(code)
             if is_wait(i) and place > groups[0]]
    exponentials = [place for place, i in enumerate(code)
                    if i.opcode == "MUFU.EX2"]
    early = sum(place < waits[0] for place in groups)
    both = len(groups) >= 3
    if early < 1 + both:
        yield f"{early} products start before the first wait"
    if both and exponentials[0] < waits[0]:
        yield "exponentials come before the first wait"
    if both and exponentials[-1] > waits[-1]:
        yield "exponentials come after the last wait"
    if len(groups) == 4 and not groups[2] < waits[1]:
        yield "the product of weights starts after the second wait"
    local = sum(i.name in ("STL", "LDL") for i in code)
    if local:
        yield f"{local} accesses to local memory in a step"


def break_order(code, how):
    if how == "early-wait":
        place = next(p for p, i in enumerate(code) if is_last(i)) + 1
        wait = next(i for i in code[place:] if is_wait(i))
        rest = [i for i in code[place:] if i is not wait]
        return [*code[:place], wait, *rest]
    if how == "spill":
        return [*code, Instruction("STL", "[R1], R2")]
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--break", dest="how", default="nothing",
                        choices=["nothing", "early-wait", "spill"])
    arguments = parser.parse_args()

    def inspect(kernel):
        code = step(kernel)
        if not code:
            return [], ["no step waits for products"]
        products = sum(i.name == "HGMMA" for i in code)
        return ([f"{len(code)} instructions a step, {products} of them products"],
                list(check(break_order(code, arguments.how))))

    kernels = sass.with_warpgroups(sass.parse(sys.stdin.read()))
    return sass.report(kernels, inspect, "kernels with warpgroups")


if __name__ == "__main__":
    sys.exit(main())
