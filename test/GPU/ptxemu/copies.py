"""Copies that land late: cp.async by groups, and jobs of the async proxy.

Nothing lands before it must, or it lands at a random time before.
"""

import numpy as np

from .bulk import Load
from .faults import Fault


class Copy:
    """One cp.async of some lanes."""

    def __init__(self, lanes, target, source, size, wanted, group, number):
        self.lanes = lanes
        self.target = target  # offsets in shared memory
        self.source = source  # offsets in global memory
        self.size = size
        self.wanted = wanted  # bytes to read; the rest is zeros
        self.group = group
        self.number = number
        self.landed = False

    def land(self, machine):
        if self.landed:
            return
        self.landed = True
        shared, memory = machine.shared, machine.launch.memory
        if (self.wanted == self.size).all():
            shared.store(self.target, memory.load(self.source, 4,
                                                  self.size // 4), 4)
            return
        offset = np.arange(self.size)
        inside = offset < self.wanted[:, None]
        source = np.where(inside, self.source[:, None] + offset, 0)
        data = np.where(inside, memory.bytes[source], 0)
        shared.bytes[self.target[:, None] + offset] = data

    def pick(self, mask):
        """The part of the lanes in mask."""
        part = Copy(self.lanes[mask], self.target[mask], self.source[mask],
                    self.size, self.wanted[mask], self.group[mask],
                    self.number)
        part.landed = self.landed
        return part


class Arrival:
    """At mbarriers, after the copies that threads had issued before."""

    def __init__(self, copies, lanes, addresses):
        self.copies = copies
        self.lanes = lanes
        self.addresses = addresses
        warp = copies.machine.warp[lanes[0]]
        self.before = list(copies.by_warp[warp])
        self.warp = warp

    def run(self):
        m = self.copies.machine
        mine = np.zeros(m.lanes, bool)
        mine[self.lanes] = True
        numbers = {copy.number for copy in self.before}
        self.copies.land(self.warp, lambda copy: mine[copy.lanes] &
                         (copy.number in numbers))
        m.mbarriers.arrive(self.lanes, self.addresses,
                           np.ones(len(self.lanes), np.int64))


class Copies:
    def __init__(self, machine):
        self.machine = machine
        self.reset()

    def reset(self):
        self.group = np.zeros(self.machine.lanes, np.int64)
        self.by_warp = [[] for _ in range(self.machine.warps)]
        self.jobs = []  # anything with run(), by which something lands
        self.issued = 0

    def issue(self, s, target, source, size, wanted):
        m = self.machine
        lanes = m.index[s]
        if m.races:
            m.races.begin_copy(s, target, size)
        self.by_warp[m.warp[lanes[0]]].append(
            Copy(lanes, target, source, size, wanted, self.group[lanes],
                 self.issued))
        self.issued += 1

    def commit(self, s):
        self.group[s] += 1

    def wait(self, s, left):
        """Until at most `left` groups of each thread are under way; None:
        until nothing is, committed or not."""
        m = self.machine
        lanes = m.index[s]
        limit = np.full(m.lanes, -1)
        limit[lanes] = self.group[lanes] - (left if left is not None else -1)
        self.land(m.warp[lanes[0]], lambda copy: copy.group <
                  limit[copy.lanes])

    def land(self, warp, choose):
        """Lands the chosen lanes of a warp's copies, in random order."""
        m = self.machine
        stay, land = [], []
        for copy in self.by_warp[warp]:
            done = choose(copy)
            if done.all():
                land.append(copy)
            elif done.any():
                land.append(copy.pick(done))
                stay.append(copy.pick(~done))
            else:
                stay.append(copy)
        self.by_warp[warp] = stay
        for i in m.rng.permutation(len(land)):
            land[i].land(m)
            if m.races:
                m.races.end_copy(land[i].lanes, land[i].target, land[i].size)

    def arrive_later(self, lanes, addresses, counted):
        """Each thread arrives at an mbarrier once its copies have landed."""
        if not counted:  # this arrival comes on top of those expected
            for _, barrier, _, group in self.machine.mbarriers.groups(
                    lanes, addresses):
                np.add.at(barrier.pending, self.machine.block[group], 1)
        self.jobs.append(Arrival(self, lanes, addresses))

    # ---- Jobs ---------------------------------------------------------------

    def pending(self):
        return bool(self.jobs)

    def deliver(self, rng):
        """Lets something land; whether that may let somebody go on."""
        m = self.machine
        m.stores.deliver(rng)
        for copies in self.by_warp:
            if copies and rng.random() < 0.3:
                copies[int(rng.integers(len(copies)))].land(m)
        if not self.jobs:
            return False
        self.jobs.pop(int(rng.integers(len(self.jobs)))).run()
        return True

    def finish(self):
        """All threads have exited."""
        m = self.machine
        if any(isinstance(job, Load) for job in self.jobs):
            raise Fault("all threads have exited while a bulk copy still "
                        "writes shared memory")
        if m.stores.finish():
            raise Fault("all threads have exited without waiting until a bulk "
                        "store has read shared memory")
