"""SASS as nvdisasm -c prints it: kernels, their loops over tiles, and what an
iteration of one executes."""

import re
from dataclasses import dataclass, field

INSTRUCTION = re.compile(r"\s*/\*[0-9a-f]+\*/\s+(?:@(!?U?P\w+)\s+)?"
                         r"([A-Z][\w.]*)\s*(.*?)\s*;")
LABEL = re.compile(r"(\.[\w.]+):$")


@dataclass(frozen=True)
class Instruction:
    opcode: str
    operands: str = ""
    predicate: str | None = None

    @property
    def name(self):
        return self.opcode.split(".")[0]

    @property
    def target(self):
        """Where it may go to, if it is a branch."""
        if self.name not in ("BRA", "CALL"):
            return None
        label = re.search(r"`\((\.\w+)\)", self.operands)
        return label and label[1]

    def registers(self):
        """Numbers of the registers of each operand, the first one written."""
        return [[int(r) for r in re.findall(r"\bR(\d+)", operand)]
                for operand in self.operands.split(",")]


@dataclass
class Kernel:
    name: str
    code: list = field(default_factory=list)  # of Instruction
    labels: dict = field(default_factory=dict)  # to places in code

    def tile_loops(self):
        """Outermost loops that multiply, as (first, last) places in code."""
        loops = []
        for last, instruction in enumerate(self.code):
            first = self.labels.get(instruction.target, last + 1)
            if first <= last and self.has(first, last, "HMMA"):
                loops = [l for l in loops if l[0] < first] + [(first, last)]
        return loops

    def multiplies_in_loop(self, first, last):
        """Whether a loop inside multiplies: such do the special values."""
        return any(
            first < self.labels.get(self.code[place].target, -1) <= place and
            self.has(self.labels[self.code[place].target], place, "HMMA")
            for place in range(first, last))

    def has(self, first, last, name):
        return any(i.name == name for i in self.code[first:last + 1])

    def iteration(self, first, last):
        """What an iteration executes: of all ways the one with most copies that
        are asynchronous and most products, and of these the shortest."""
        starts = sorted({first} | {p for p in self.labels.values()
                                   if first <= p <= last} |
                        {p + 1 for p in range(first, last)
                         if self.code[p].target})
        ends = dict(zip(starts, [s - 1 for s in starts[1:]] + [last]))
        best = {}
        for start in reversed(starts):  # what follows is further down
            end = ends[start]
            branch = self.code[end]
            ways = []
            target = self.labels.get(branch.target)
            if target is not None and start < target <= last:
                ways.append(best[target])
            if end < last and (not branch.target or branch.predicate):
                ways.append(best[end + 1])
            if end == last:
                ways.append([])
            code = self.code[start:end + 1]
            if ways:
                best[start] = code + max(ways, key=worth)
            else:
                best[start] = code
        return best[first]


def worth(code):
    names = [i.name for i in code]
    return names.count("HMMA"), names.count("LDGSTS"), -len(code)


def parse(text):
    kernels = []
    for line in text.splitlines():
        label = LABEL.match(line.strip())
        if label and label[1].startswith(".text."):
            kernels.append(Kernel(label[1].removeprefix(".text.")))
        elif label and kernels:
            kernels[-1].labels[label[1]] = len(kernels[-1].code)
        elif (found := INSTRUCTION.match(line)) and kernels:
            predicate, opcode, operands = found.groups()
            kernels[-1].code.append(Instruction(opcode, operands, predicate))
    return kernels


def interior(kernel):
    """An iteration of the loop over tiles that need no mask; empty without
    one. The loop that repeats work has smaller tiles."""
    loops = [kernel.iteration(*l) for l in kernel.tile_loops()
             if not kernel.multiplies_in_loop(*l)]
    loops = [l for l in loops if worth(l)[1]]
    most = max((worth(l)[0] for l in loops), default=0)
    return min((l for l in loops if worth(l)[0] == most), key=len, default=[])


def with_warpgroups(kernels):
    return [k for k in kernels if any(i.name == "HGMMA" for i in k.code)]


def report(kernels, inspect, kind):
    """Prints what `inspect` says of each kernel: lines of text, and problems. The
    exit code: 1 if there is a problem, or no kernel."""
    wrong = 0
    for kernel in kernels:
        text, problems = inspect(kernel)
        for line in (*text, *problems):
            print(f"{kernel.name}: {line}")
        wrong += len(problems)
    print(f"{len(kernels)} {kind}, {wrong} out of order")
    return 1 if wrong or not kernels else 0
