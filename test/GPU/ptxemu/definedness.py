"""Registers that some path reads before it writes them. Only these are watched
while a kernel runs; all others are known to be written."""

from . import ir

# Their first operand is read, or is no register.
NO_RESULT = {
    "st", "red", "bra", "brx", "bar", "barrier", "ret", "exit", "trap",
    "membar", "fence", "prefetch", "prefetchu", "nanosleep", "stmatrix", "cp",
    "call", "griddepcontrol", "setmaxnreg", "brkpt", "discard", "pmevent",
    "applypriority", "createpolicy_"}


def registers(operand):
    if isinstance(operand, ir.Reg):
        yield operand.name
    elif isinstance(operand, ir.Not):
        yield operand.reg.name
    elif isinstance(operand, ir.Vec):
        for item in operand.items:
            yield from registers(item)
    elif isinstance(operand, ir.Pair):
        yield from registers(operand.first)
        yield from registers(operand.second)
    elif isinstance(operand, ir.Mem):
        yield from registers(operand.base)
        for item in operand.coords:
            yield from registers(item)


def uses(ins):
    """(registers read, registers written)"""
    name, args = ins.parts[0], ins.args
    written, read = [], []
    has_result = args and name not in NO_RESULT and not isinstance(
        args[0], ir.Mem)
    if ins.op.startswith(("wmma.store", "wgmma.fence", "bar.red_")):
        has_result = False
    if ins.op.startswith(("bar.red", "barrier.red", "barrier.cta.red")):
        has_result = True
    if has_result:
        written += registers(args[0])
    for arg in args[1 if has_result else 0:]:
        read += registers(arg)
    if ins.guard is not None:
        read += registers(ins.guard)
    return read, written


def successors(function):
    """Blocks of the function as (start, stop), and where each may go."""
    code, labels = function.code, function.labels
    jumps = {"bra", "brx", "ret", "exit", "trap"}
    leaders = {0} | set(labels.values())
    leaders |= {i + 1 for i, ins in enumerate(code) if ins.parts[0] in jumps}
    starts = sorted(x for x in leaders if x < len(code))
    edges = {}
    for n, start in enumerate(starts):
        stop = starts[n + 1] if n + 1 < len(starts) else len(code)
        last, to = code[stop - 1], []
        name = last.parts[0]
        if name == "bra":
            to.append(labels[last.args[0].name])
        elif name == "brx":
            to += [labels[t.name] for t in
                   function.targets[last.args[1].name]]
        if (name not in jumps or last.guard is not None) and stop < len(code):
            to.append(stop)
        edges[start] = (stop, [t for t in to if t < len(code)])
    return edges


def maybe_undefined(function):
    if not function.code:
        return set()
    numbers = {}

    def bit(name):
        return 1 << numbers.setdefault(name, len(numbers))

    edges = successors(function)
    summary = {}  # start -> (read before written here, written here)
    for start, (stop, _) in edges.items():
        early, done = 0, 0
        for ins in function.code[start:stop]:
            read, written = uses(ins)
            for name in read:
                early |= bit(name) & ~done
            for name in written:
                bit(name)
                if ins.guard is None:
                    done |= bit(name)
        summary[start] = early, done
    everything = (1 << len(numbers)) - 1
    defined = dict.fromkeys(edges, everything)
    defined[0] = 0
    work = [0]
    while work:
        start = work.pop()
        after = defined[start] | summary[start][1]
        for to in edges[start][1]:
            if defined[to] & after != defined[to] or to not in summary:
                defined[to] &= after
                work.append(to)
    bad = 0
    reached = reachable(edges)
    for start in reached:
        bad |= summary[start][0] & ~defined[start]
    return {name for name, n in numbers.items() if bad >> n & 1} - \
        function.implicit


def reachable(edges):
    seen, work = set(), [0]
    while work:
        start = work.pop()
        if start not in seen:
            seen.add(start)
            work += edges[start][1]
    return seen
