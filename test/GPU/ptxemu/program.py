"""A function and what it calls as blocks of closures.

A closure takes the lanes for which it runs. A block's body runs straight
through; its end says where its lanes go: a block number, or a list of (block
number, lanes). A number ~n says that lanes wait at n for others of their warp.
"""

from dataclasses import dataclass, field

from . import ir
from .definedness import maybe_undefined
from .faults import PTXError
from .guards import guard_body, guard_end, sync_end
from .ops import BODY, CONTROL, sync_mask


@dataclass
class Block:
    body: list = field(default_factory=list)
    end: object = None
    lines: list = field(default_factory=list)  # instructions of body and end
    next: int = 0


def called_functions(module, entry):
    """The entry and all that it reaches, callees last."""
    order, active = [], []

    def visit(f):
        if f in active:
            raise PTXError(f"{f.name} calls itself: not modelled")
        if f in order:
            return
        active.append(f)
        order.append(f)
        for ins in f.code:
            if ins.parts[0] == "call":
                callee = module.functions.get(call_target(ins).name)
                if callee and callee.body:
                    visit(callee)
        active.pop()

    visit(entry)
    return order


def call_target(ins):
    for arg in ins.args:
        if isinstance(arg, ir.Sym):
            return arg
    raise PTXError(f"line {ins.line}: indirect calls are not modelled")


def is_control(ins):
    return ins.parts[0] in CONTROL and CONTROL[ins.parts[0]].applies(ins)


class Program:
    def __init__(self, module, functions, machine):
        self.module = module
        self.machine = machine
        self.starts = {}  # function name -> index of its first instruction
        self.code = []
        self.labels = {}
        for f in functions:
            self.starts[f.name] = len(self.code)
            for name, at in f.labels.items():
                self.labels[f.name, name] = len(self.code) + at
            self.code += [(f, ins) for ins in f.code]
            self.code.append((f, ir.Ins(f.line, None, "ret", [], "(end)")))
            machine.checks |= maybe_undefined(f)
        self.build()

    def leaders(self):
        """Where blocks begin. What may wait for other lanes begins one."""
        leaders = set(self.starts.values()) | set(self.labels.values())
        for at, (_, ins) in enumerate(self.code):
            if is_control(ins) or sync_mask(ins) is not None:
                leaders |= {at, at + 1}
        return sorted(x for x in leaders if x < len(self.code))

    def build(self):
        leaders = self.leaders()
        self.number = {at: n for n, at in enumerate(leaders)}
        self.blocks = []
        for n, at in enumerate(leaders):
            stop = leaders[n + 1] if n + 1 < len(leaders) else len(self.code)
            self.blocks.append(self.block(n, at, stop))

    def block(self, n, at, stop):
        block = Block(next=n + 1)
        for f, ins in self.code[at:stop]:
            self.function = f
            try:
                self.add(block, n, ins)
            except PTXError as error:
                raise PTXError(f"{f.name}, line {ins.line}: {error}: "
                               f"{ins.text}") from None
            block.lines.append((f, ins))
        if block.end is None:
            block.end = lambda s, to=block.next: to
        return block

    def add(self, block, n, ins):
        name, m = ins.parts[0], self.machine
        if is_control(ins):
            end = CONTROL[name].build(ins, m, self, n)
            block.end = guard_end(ins, m, end, block.next)
            return
        if name not in BODY:
            raise PTXError(f"{name} is not modelled")
        closure = BODY[name](ins, m)
        mask = sync_mask(ins)
        if mask is not None:
            end = sync_end(closure, mask, ins, m, n)
            block.end = guard_end(ins, m, end, block.next)
        else:
            block.body.append(guard_body(ins, m, closure))

    # ---- For builders of control instructions -------------------------------

    def target(self, sym):
        return self.number[self.labels[self.function.name, sym.name]]

    def targets(self, sym):
        return [self.target(t) for t in self.function.targets[sym.name]]

    def entry_of(self, name):
        return self.number[self.starts[name]]
