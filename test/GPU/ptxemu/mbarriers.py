"""The mbarrier objects of all blocks."""

import numpy as np

from .faults import Fault

MOST = (1 << 20) - 1  # arrivals, and bytes


class MBarrier:
    """One address in shared memory, in every block."""

    def __init__(self, blocks):
        self.count = np.zeros(blocks, np.int64)  # 0: not initialised
        self.pending = np.zeros(blocks, np.int64)
        self.bytes = np.zeros(blocks, np.int64)  # still to come
        self.phase = np.zeros(blocks, np.int64)


class MBarriers:
    def __init__(self, machine):
        self.machine = machine
        self.reset()

    def reset(self):
        self.table = {}
        self.events = 0  # shows that somebody makes progress

    def at(self, address, lane):
        """The object that this lane's block has at an address."""
        barrier = self.table.get(address)
        if barrier is None or not barrier.count[self.machine.block[lane]]:
            raise Fault(f"no mbarrier was initialised at byte {address - 1024}"
                        " of shared memory", lane=int(lane))
        return barrier

    def groups(self, lanes, addresses):
        """(object, lanes) for each address."""
        for address in np.unique(addresses):
            mine = addresses == address
            group = lanes[mine]
            barrier = self.at(int(address), group[0])
            if not barrier.count[self.machine.block[group]].all():
                for lane in group:
                    self.at(int(address), lane)
            yield int(address), barrier, mine, group

    def initialise(self, lanes, addresses, counts):
        for address, lane, count in zip(addresses, lanes, counts):
            if not 0 < count <= MOST:
                raise Fault(f"an mbarrier of {int(count)} arrivals",
                            lane=int(lane))
            barrier = self.table.setdefault(
                int(address), MBarrier(self.machine.blocks))
            block = self.machine.block[lane]
            if barrier.count[block] and (
                    barrier.pending[block] != barrier.count[block] or
                    barrier.bytes[block]):
                raise Fault("an mbarrier is initialised again while in use",
                            lane=int(lane))
            barrier.count[block] = barrier.pending[block] = count
            barrier.bytes[block] = barrier.phase[block] = 0

    def invalidate(self, lanes, addresses):
        for _, barrier, _, group in self.groups(lanes, addresses):
            barrier.count[self.machine.block[group]] = 0

    def expect(self, lanes, addresses, amounts):
        for _, barrier, mine, group in self.groups(lanes, addresses):
            np.add.at(barrier.bytes, self.machine.block[group], amounts[mine])

    def arrive(self, lanes, addresses, counts, drop=False):
        """Returns the phases in which they arrived."""
        m = self.machine
        phases = np.zeros(len(lanes), np.int64)
        for address, barrier, mine, group in self.groups(lanes, addresses):
            blocks = m.block[group]
            phases[mine] = barrier.phase[blocks]
            if m.races:
                first = np.unique(group >> 5, return_index=True)[1]
                m.races.arrive(("mbarrier", address), group[first])
            total = np.zeros(m.blocks, np.int64)
            np.add.at(total, blocks, counts[mine])
            for block in np.flatnonzero(total):
                if drop:
                    barrier.count[block] -= total[block]
                self.arrivals(address, barrier, block, int(total[block]),
                              group[0])
        self.events += 1
        return phases

    def arrivals(self, address, barrier, block, n, lane):
        while n:
            taken = min(n, int(barrier.pending[block]))
            if not taken:
                raise Fault("more threads arrive at the mbarrier than its "
                            "phase expects, while bytes are still to come",
                            lane=int(lane))
            barrier.pending[block] -= taken
            n -= taken
            self.check(address, barrier, block)

    def complete(self, address, block, amount):
        """Bytes of a copy have landed."""
        barrier = self.table.get(address)
        if barrier is None or not barrier.count[block]:
            raise Fault(f"a copy completes at byte {address - 1024} of shared "
                        "memory, where no mbarrier is")
        barrier.bytes[block] -= amount
        if abs(barrier.bytes[block]) > MOST:
            raise Fault("an mbarrier counts more bytes than it can")
        self.check(address, barrier, block)

    def check(self, address, barrier, block):
        if barrier.pending[block] or barrier.bytes[block]:
            return
        barrier.phase[block] += 1
        barrier.pending[block] = barrier.count[block]
        self.events += 1
        if self.machine.races:
            self.machine.races.complete(("mbarrier", address), block)

    def done(self, lanes, addresses, phases, parity):
        """Whether the phases, or those of a parity, are over."""
        m = self.machine
        result = np.zeros(len(lanes), bool)
        for address, barrier, mine, group in self.groups(lanes, addresses):
            now = barrier.phase[m.block[group]]
            over = now & 1 != phases[mine] if parity else now > phases[mine]
            result[mine] = over
            if over.any():
                self.events += 1
                if m.races:
                    m.races.acquire(("mbarrier", address, "done"),
                                    group[over])
        return result

    def where(self):
        for address, barrier in sorted(self.table.items()):
            for block in np.flatnonzero(barrier.count):
                yield (f"  mbarrier at byte {address - 1024}, block {block} of "
                       f"the batch: phase {barrier.phase[block]}, "
                       f"{barrier.pending[block]} of {barrier.count[block]} "
                       f"arrivals and {barrier.bytes[block]} bytes to come")
