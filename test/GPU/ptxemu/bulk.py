"""Bulk copies: jobs of the async proxy, each issued by one thread."""

import numpy as np

from .types import UNSIGNED


class Load:
    """To shared memory; an mbarrier counts its bytes."""

    def __init__(self, machine, lane, shared, memory, inside, width, fill,
                 mbarrier):
        self.machine = machine
        self.block = int(machine.block[lane])
        self.shared = shared  # offsets of all elements in shared memory
        self.memory = memory  # of those inside in global memory
        self.inside = inside
        self.width = width
        self.fill = fill
        self.mbarrier = mbarrier
        if machine.races:
            self.cells = machine.races.cells_of(shared)
            machine.races.begin_bulk_write(lane, self.cells)

    def run(self):
        m, w = self.machine, self.width
        data = np.full(len(self.shared), self.fill, UNSIGNED[w])
        data[self.inside] = m.launch.memory.load(self.memory, w, 1)
        m.shared.store(self.shared, data, w)
        if m.races:
            m.races.end_bulk_write(self.block, self.cells,
                                   ("mbarrier", self.mbarrier))
        m.mbarriers.complete(self.mbarrier, self.block, data.nbytes)


class Store:
    """From shared memory: it reads, and later writes."""

    def __init__(self, machine, lane, shared, memory, inside, width, reduce):
        self.machine = machine
        self.lane = int(lane)
        self.group = machine.stores.group[lane]
        self.shared = shared
        self.memory = memory
        self.inside = inside
        self.width = width
        self.reduce = reduce
        self.data = None
        self.waited = False  # its issuer knows that it has read
        self.written = False
        if machine.races:
            self.cells = machine.races.cells_of(shared)
            machine.races.begin_bulk_read(lane, self.cells)

    def read(self):
        if self.data is None:
            m = self.machine
            self.data = m.shared.load(self.shared, self.width, 1)[self.inside]

    def wait(self):
        self.read()
        if self.machine.races and not self.waited:
            self.machine.races.end_bulk_read(self.lane, self.cells)
        self.waited = True

    def write(self):
        self.read()
        if self.written:
            return
        self.written = True
        memory = self.machine.launch.memory
        data = self.data
        if self.reduce:
            data = self.reduce(memory.load(self.memory, self.width, 1), data)
        memory.store(self.memory, data, self.width)


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
                store.wait()
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
        early = not all(store.waited for store in self.list)
        for store in self.list:
            store.write()
        self.list = []
        return early
