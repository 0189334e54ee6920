"""bar.sync and its relatives: the sixteen barriers of each block."""

import numpy as np

from .faults import Fault


class Parked:
    def __init__(self, unit, block, lanes, ins):
        self.unit = unit
        self.block = block  # where they go on
        self.lanes = lanes
        self.ins = ins


class Barrier:
    def __init__(self, machine):
        blocks = machine.blocks
        self.arrived = np.zeros(blocks, np.int64)  # threads
        self.expected = np.zeros(blocks, np.int64)  # 0: all that are alive
        self.reduced = np.zeros((blocks, 3), np.int64)  # count, and, or
        self.parked = []


class Barriers:
    def __init__(self, machine):
        self.machine = machine
        self.table = {}

    def reset(self):
        self.table = {}

    def where(self):
        for barrier in self.table.values():
            for parked in barrier.parked:
                yield parked.lanes, parked.ins

    def arrive(self, number, lanes, expected, ins, go_on, aligned=True):
        """Lanes of one warp of each block arrive. expected: threads, or 0 for
        all. go_on: None for bar.arrive, else (unit, block). aligned: whole
        warps count, whatever threads they have."""
        m = self.machine
        if not 0 <= number < 16:
            raise Fault(f"barrier {number}: there are 0 to 15",
                        lane=int(lanes[0]))
        barrier = self.table.setdefault(number, Barrier(m))
        blocks = m.block[lanes]
        here, first, counts = np.unique(blocks, return_index=True,
                                        return_counts=True)
        if expected:
            if expected % 32:
                raise Fault(f"a barrier of {expected} threads: not a multiple "
                            "of 32", lane=int(lanes[0]))
            waiting = barrier.arrived[here] > 0
            if (waiting & (barrier.expected[here] != expected)).any():
                raise Fault(f"barrier {number} is used with {expected} threads "
                            "and with another number at once",
                            lane=int(lanes[0]))
            if aligned:
                counts = (counts + 31) // 32 * 32
        barrier.expected[here] = expected
        barrier.arrived[here] += counts
        if m.races:
            m.races.arrive(("bar", number), lanes[first])
        if go_on:
            barrier.parked.append(Parked(*go_on, lanes, ins))
        self.check(number, barrier, here, lanes)

    def check(self, number, barrier, here, lanes):
        m = self.machine
        expected = barrier.expected[here]
        alive = np.bincount(m.block[m.live], minlength=m.blocks)[here]
        expected = np.where(expected == 0, alive, expected)
        arrived = barrier.arrived[here]
        if (arrived > expected).any():
            raise Fault(f"barrier {number}: {int(arrived.max())} threads "
                        f"arrive where {int(expected.min())} are expected",
                        lane=int(lanes[0]))
        done = here[(arrived == expected) & (arrived > 0)]
        if len(done):
            self.release(number, barrier, done)

    def release(self, number, barrier, done):
        m = self.machine
        mask = np.zeros(m.blocks, bool)
        mask[done] = True
        barrier.arrived[done] = 0
        stay = []
        for parked in barrier.parked:
            free = mask[m.block[parked.lanes]]
            lanes = parked.lanes[free]
            if len(lanes):
                if m.races:
                    m.races.acquire(("bar", number), lanes)
                parked.unit.add(parked.block, lanes)
            if not free.all():
                parked.lanes = parked.lanes[~free]
                stay.append(parked)
        barrier.parked = stay
        if m.races:
            m.races.clear(("bar", number), done)

    def exited(self, lanes):
        """Exited threads are no longer waited for."""
        for number, barrier in list(self.table.items()):
            blocks = np.unique(self.machine.block[lanes])
            blocks = blocks[(barrier.expected[blocks] == 0) &
                            (barrier.arrived[blocks] > 0)]
            if len(blocks):
                self.check(number, barrier, blocks, lanes)
