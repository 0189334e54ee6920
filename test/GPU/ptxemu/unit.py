"""One warp of each block, and how its lanes part and meet again.

A fragment is a set of lanes at the same block of the program. The lowest runs
first: that is where lanes that parted meet in code that compilers emit. Threads
need no more than that, for what must wait for its warp waits by itself.
"""

from .faults import Fault
from .lanes import count, union


class Unit:
    def __init__(self, machine, program, start, stop):
        self.machine = machine
        self.program = program
        self.start, self.stop = start, stop
        self.fragments = {}  # block -> lanes
        self.stuck = set()  # blocks at which lanes wait for others
        self.idle = False

    def begin(self, block):
        self.fragments.clear()
        self.stuck.clear()
        lanes = self.machine.index[self.start:self.stop]
        lanes = lanes[self.machine.live[self.start:self.stop]]
        if len(lanes):
            self.add(block, lanes)

    def add(self, block, lanes):
        here = self.fragments.get(block)
        if here is not None:
            index = self.machine.index
            lanes = union(index[here], index[lanes])
        self.fragments[block] = self.compact(lanes)
        self.stuck.discard(block)

    def compact(self, lanes):
        """A slice where the lanes are neighbours."""
        if type(lanes) is not slice and len(lanes) and \
                lanes[-1] - lanes[0] + 1 == len(lanes) and \
                lanes[0] % 32 == 0 and len(lanes) % 32 == 0:
            return slice(int(lanes[0]), int(lanes[-1]) + 1)
        return lanes

    def runnable(self):
        return len(self.fragments) > len(self.stuck)

    def pick(self, rng, fair):
        ready = [b for b in self.fragments if b not in self.stuck]
        if fair:  # somebody may spin until a higher one has run
            return ready[int(rng.integers(len(ready)))]
        return min(ready)

    def run(self, fuel, rng):
        """Runs about `fuel` instructions; how many it ran."""
        m, blocks = self.machine, self.program.blocks
        left, fair = fuel, self.idle or rng.random() < 0.05
        self.idle = False
        while left > 0 and self.runnable():
            at = self.pick(rng, fair)
            lanes = self.fragments.pop(at)
            others = self.fragments
            while True:
                block = blocks[at]
                closure = None
                try:
                    for closure in block.body:
                        closure(lanes)
                    closure = block.end
                    to = block.end(lanes)
                except Fault as fault:
                    self.explain(fault, block, closure, lanes)
                    raise
                left -= len(block.lines)
                if type(to) is int and not others and left > 0 and \
                        not m.waiting:
                    at = to
                    continue
                break
            self.place(at, lanes, to)
            if m.waiting:
                m.waiting = False
                self.idle = True
                break
        m.steps += fuel - left
        return fuel - left

    def place(self, at, lanes, to):
        if type(to) is int:
            to = [(to, lanes)]
        gone = count(lanes) - sum(count(x) for _, x in to)
        for block, part in to:
            if not count(part):
                continue
            if block < 0:
                self.add(~block, part)
                self.stuck.add(~block)
            else:
                self.add(block, part)
        if gone:
            self.stuck.clear()  # the rest need not wait for those who left

    def explain(self, fault, block, closure, lanes):
        lines = block.lines
        at = len(lines) - 1
        if closure is not block.end:
            at = block.body.index(closure)
        function, ins = lines[at]
        lane = fault.lane
        if lane is None:
            lane = int(self.machine.index[lanes][0])
        fault.args = (f"{function.name}, line {ins.line}: "
                      f"{self.machine.describe(lane)}: {fault.what}: "
                      f"{ins.text}",)

    def where(self):
        """For a deadlock: where each fragment stands."""
        for at, lanes in sorted(self.fragments.items()):
            _, ins = self.program.blocks[at].lines[0]
            yield self.machine.index[lanes], ins


def units_of(machine, program):
    size = machine.blocks * 32
    return [Unit(machine, program, w * size, (w + 1) * size)
            for w in range(machine.warps)]
