"""Warps in random order, asynchronous copies in between, until all have
exited."""

from .faults import Deadlock, Fault
from .unit import units_of

PATIENCE = 50  # rounds in which everybody only polls
SPIN = 16  # longer bursts do more than poll


class Scheduler:
    def __init__(self, machine, program, entry):
        self.machine = machine
        self.program = program
        self.entry = program.entry_of(entry.name)
        self.name = entry.name
        self.units = units_of(machine, program)
        for n, unit in enumerate(self.units):
            unit.number = n
        machine.units = self.units
        machine.program = program

    def run(self):
        m, rng = self.machine, self.machine.rng
        limit = m.steps + m.options.steps
        for unit in self.units:
            unit.begin(self.entry)
        polls = 0
        while m.live.any():
            ready = [u for u in self.units if u.runnable()]
            if not ready or rng.random() < 0.2:
                polls = 0 if m.copies.deliver(rng) else polls
            events = m.mbarriers.events
            if not ready:
                if m.copies.pending():
                    continue
                self.deadlock()
            unit = ready[int(rng.integers(len(ready)))]
            ran = unit.run(int(rng.integers(1, 400)), rng)
            if m.copies.pending() or events != m.mbarriers.events or \
                    ran > SPIN and not unit.idle:
                polls = 0
            else:
                polls += unit.idle
            if polls > PATIENCE * len(self.units):
                self.deadlock()
            if m.steps > limit:
                raise Fault(f"{self.name}: more than {m.options.steps} steps; "
                            "it stands at\n" + self.report())
        m.copies.finish()
        m.warpgroups.finish()

    def deadlock(self):
        raise Deadlock(f"{self.name}: nobody can go on\n" + self.report())

    def report(self):
        lines = []
        for unit in self.units:
            for lanes, ins in unit.where():
                lines.append(self.line(lanes, ins))
        for lanes, ins in self.machine.barriers.where():
            lines.append(self.line(lanes, ins))
        lines += self.machine.mbarriers.where()
        return "\n".join(lines)

    def line(self, lanes, ins):
        return (f"  warp {self.machine.warp[lanes[0]]}, {len(lanes)} threads "
                f"from {self.machine.describe(int(lanes[0]))}: line "
                f"{ins.line}: {ins.text}")
