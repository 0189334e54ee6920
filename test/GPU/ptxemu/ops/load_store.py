"""ld and st in all spaces, with vectors."""

import numpy as np

from ..faults import PTXError
from ..ir import Imm, Mem, Sym, Vec
from ..registers import constant
from ..types import SIGNED, TYPES, UNSIGNED
from . import body

SPACES = ("param", "global", "shared", "local", "const")
STRONG = {"volatile", "relaxed", "acquire", "release", "mmio"}


def space_name(ins):
    for part in ins.parts[1:]:
        if part.split("::")[0] in SPACES:
            return part.split("::")[0]
    return "generic"


def memory_space(ins, m):
    """The Space; .param of kernels lies in global memory, others in local."""
    name = space_name(ins)
    mem = next(a for a in ins.args if isinstance(a, Mem))
    if name == "param":
        name = "global"
        if isinstance(mem.base, Sym):
            name = m.layout.spaces.get(mem.base.name, "global")
            name = "local" if name == "local" else "global"
    return m.spaces[name]


def items_of(operand):
    return operand.items if isinstance(operand, Vec) else (operand,)


def is_strong(ins):
    return not STRONG.isdisjoint(ins.parts)


@body("ld", "ldu")
def load(ins, m):
    t = ins.parts[-1]
    if t not in TYPES:
        raise PTXError(f"{ins.op} is not modelled")
    mem, width = ins.args[1], TYPES[t].bytes
    to = [writer(m, x, t) for x in items_of(ins.args[0])]
    fixed = kernel_parameter(m, mem, t, len(to), space_name(ins))
    if fixed is not None:
        def parameter(s):
            for d, value in zip(to, fixed):
                d[s] = value
        return parameter
    space, address = memory_space(ins, m), m.address(mem)
    strong = is_strong(ins)
    count = len(to)
    if count == 1:
        d = to[0]

        def one(s):
            d[s] = space.read(s, address(s), width, 1, strong)
        return one

    def several(s):
        values = space.read(s, address(s), width, count, strong)
        for i, d in enumerate(to):
            d[s] = values[:, i]
    return several


class Extend:
    """The register of a load, as wide as the type or wider."""

    def __init__(self, array, signed):
        self.array = array
        self.signed = signed
        self.wide = (SIGNED if signed else UNSIGNED)[array.dtype.itemsize]

    def __setitem__(self, s, values):
        if self.signed:
            values = values.view(SIGNED[values.dtype.itemsize])
        self.array[s] = values.astype(self.wide).view(self.array.dtype)


def writer(m, operand, t):
    if operand is None:
        return m.write(None, t)
    array = m.registers.raw(operand)
    if array.dtype.itemsize < TYPES[t].bytes or array.dtype == bool:
        raise PTXError(f"{operand.name} does not hold a .{t}")
    if array.dtype.itemsize > TYPES[t].bytes:
        array = Extend(array, TYPES[t].signed)
    if operand.name in m.checks:
        return m.registers.checked(operand, array)
    return array


def kernel_parameter(m, mem, t, count, space):
    """Values of ld.param [name + offset], which are the same for all."""
    if space != "param" or not isinstance(mem.base, Sym) or \
            mem.base.name not in m.layout.params:
        return None
    at, param = m.layout.params[mem.base.name]
    size = TYPES[t].bytes
    if not 0 <= mem.offset <= param.bytes - size * count:
        raise PTXError(f"reads beyond parameter {mem.base.name}")
    data = m.launch.params[at + mem.offset:at + mem.offset + size * count]
    return list(np.frombuffer(data.tobytes(), UNSIGNED[size]))


def reader(m, operand, t, checked=True):
    """What st writes: the low part of a register, or a literal."""
    bits = f"b{8 * TYPES[t].bytes}"
    if isinstance(operand, Imm):
        value = constant(operand, t)
        return m.spread(np.array(value).view(UNSIGNED[TYPES[t].bytes]))
    return (m.read if checked else m.read_unchecked)(operand, bits)


@body("st")
def store(ins, m):
    t = ins.parts[-1]
    if t not in TYPES:
        raise PTXError(f"{ins.op} is not modelled")
    width = TYPES[t].bytes
    items = items_of(ins.args[1])
    source = [reader(m, x, t, checked=len(items) == 1) for x in items]
    space, address = memory_space(ins, m), m.address(ins.args[0])
    strong = is_strong(ins)
    if len(source) == 1:
        a = source[0]

        def one(s):
            space.write(s, address(s), a[s], width, strong)
        return one
    count = len(source)

    def several(s):
        first = source[0][s]
        values = np.empty((len(first), count), first.dtype)
        values[:, 0] = first
        for i in range(1, count):
            values[:, i] = source[i][s]
        space.write(s, address(s), values, width, strong)
    return several
