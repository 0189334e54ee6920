"""Branches, calls and ends."""

import numpy as np

from ..faults import Fault, PTXError
from ..ir import Sym, Vec
from . import control


@control("bra")
def branch(ins, m, program, n):
    to = program.target(ins.args[0])
    return lambda s: to


@control("brx")
def branch_indexed(ins, m, program, n):
    index = m.read(ins.args[0], "u32")
    table = np.array(program.targets(ins.args[1]))

    def end(s):
        which = index[s]
        lanes = m.index[s]
        if (which >= len(table)).any():
            raise Fault(f"brx.idx with index {int(which.max())} of "
                        f"{len(table)} labels", lane=int(lanes[0]))
        to = table[which]
        return [(int(t), lanes[to == t]) for t in np.unique(to)]
    return end


def leave(m, s):
    lanes = m.index[s]
    m.live[lanes] = False
    m.barriers.exited(lanes)
    return []


@control("exit")
def exit_thread(ins, m, program, n):
    return lambda s: leave(m, s)


@control("ret")
def return_from(ins, m, program, n):
    if program.function.entry:
        return lambda s: leave(m, s)
    caller = callers(m, program.function.name)
    copies = copier(m, program.function.results)

    def end(s):
        lanes, back = m.index[s], caller[s]
        result = []
        for to in np.unique(back):
            mine = lanes[back == to]
            copies(mine, m.calls[int(to)].results)
            result.append((int(to), mine))
        return result
    return end


class Call:
    def __init__(self, results):
        self.results = results


def callers(m, name):
    """Where each lane returns to; functions do not call themselves."""
    if not hasattr(m, "returns"):
        m.returns, m.calls = {}, {}
    if name not in m.returns:
        m.returns[name] = np.zeros(m.lanes, np.int64)
    return m.returns[name]


def copier(m, variables):
    """Copies variables of the callee to those named, in local memory."""
    def run(lanes, to):
        for var, name in zip(variables, to):
            copy_local(m, lanes, var.name, name, var.bytes)
    return run


def copy_local(m, lanes, source, target, size):
    memory = m.local
    start = memory.start[lanes][:, None] + np.arange(size)
    memory.bytes[start + m.layout.address(target)] = \
        memory.bytes[start + m.layout.address(source)]


@control("call")
def call(ins, m, program, n):
    results, params, name = [], [], None
    for arg in ins.args:
        if isinstance(arg, Sym) and name is None:
            name = arg.name
        elif isinstance(arg, Vec):
            (params if name else results).extend(x.name for x in arg.items)
    callee = program.module.functions.get(name)
    if callee is None or not callee.body:
        return external(name, n)
    if len(params) != len(callee.params):
        raise PTXError(f"{name} takes {len(callee.params)} parameters, got "
                       f"{len(params)}")
    caller = callers(m, name)
    m.calls[n + 1] = Call(results)
    entry = program.entry_of(name)

    def end(s):
        lanes = m.index[s]
        for var, actual in zip(callee.params, params):
            copy_local(m, lanes, actual, var.name, var.bytes)
        caller[lanes] = n + 1
        return entry
    return end


def external(name, n):
    if name == "vprintf":
        return lambda s: n + 1

    def end(s):
        raise Fault(f"calls {name}, which has no body")
    return end


@control("trap", "brkpt")
def trap(ins, m, program, n):
    def end(s):
        raise Fault("trap")
    return end
