"""Bulk copies: jobs of the async proxy, each issued by one thread."""

import numpy as np

from .types import UNSIGNED


class Load:
    """To shared memory; an mbarrier counts its bytes."""

    def __init__(self, machine, lane, target, source, inside, width, fill,
                 mbarrier):
        self.machine = machine
        self.block = int(machine.block[lane])
        self.target = target  # offsets in all shared memory
        self.source = source  # offsets in global memory
        self.inside = inside
        self.width = width
        self.fill = fill
        self.mbarrier = mbarrier
        self.cells = None
        if machine.races:
            self.cells = machine.races.cells_of(target)
            machine.races.begin_bulk_write(lane, self.cells)

    def run(self):
        m, w = self.machine, self.width
        data = np.full(len(self.target), self.fill, UNSIGNED[w])
        data[self.inside] = m.launch.memory.load(self.source, w, 1)
        m.shared.store(self.target, data, w)
        if m.races:
            m.races.end_bulk_write(self.block, self.cells,
                                   ("mbarrier", self.mbarrier))
        m.mbarriers.complete(self.mbarrier, self.block,
                             len(self.target) * w)
        return True


class Store:
    """From shared memory: it reads, and later writes."""

    def __init__(self, machine, lane, group, target, source, inside, width,
                 reduce=None):
        self.machine = machine
        self.lane = int(lane)
        self.group = group
        self.target = target
        self.source = source
        self.inside = inside
        self.width = width
        self.reduce = reduce
        self.data = None
        self.written = False
        if machine.races:
            self.cells = machine.races.cells_of(source)
            machine.races.begin_bulk_read(lane, self.cells)

    def read(self):
        if self.data is None:
            m = self.machine
            self.data = m.shared.load(self.source, self.width, 1)[self.inside]

    def known(self):
        """Its issuer knows that it has read."""
        if self.machine.races and self.cells is not None:
            self.machine.races.end_bulk_read(self.lane, self.cells)
            self.cells = None

    def write(self):
        self.read()
        if self.written:
            return
        self.written = True
        memory = self.machine.launch.memory
        data = self.data
        if self.reduce:
            data = self.reduce(memory.load(self.target, self.width, 1), data)
        memory.store(self.target, data, self.width)


class Stores:
    """Those under way, in groups of each thread."""

    def __init__(self, machine):
        self.machine = machine
        self.reset()

    def reset(self):
        self.group = np.zeros(self.machine.lanes, np.int64)
        self.list = []

    def commit(self, s):
        self.group[s] += 1

    def wait(self, s, left, only_read):
        here = np.zeros(self.machine.lanes, bool)
        here[s] = True
        stay = []
        order = self.machine.rng.permutation(len(self.list))
        for store in (self.list[i] for i in order):
            if here[store.lane] and \
                    store.group < self.group[store.lane] - left:
                store.read()
                store.known()
                if not only_read:
                    store.write()
            if not store.written:
                stay.append(store)
        self.list = stay

    def deliver(self, rng):
        if self.list and rng.random() < 0.3:
            store = self.list[int(rng.integers(len(self.list)))]
            if store.data is None:
                store.read()
            else:
                store.write()

    def finish(self):
        """Returns whether one had not been waited for, so that it may read
        what is no longer there."""
        early = any(s.cells is not None if self.machine.races
                    else s.data is None for s in self.list)
        for store in self.list:
            store.write()
        self.list = []
        return early
