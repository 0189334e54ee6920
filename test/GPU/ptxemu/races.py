"""Who touched shared memory when, and whether a barrier lies between.

Every warp has a vector clock; barriers join them. An access is a race if the
last write to the same bytes (for writes, the last reads too) by another warp is
not known to its own clock. Copies that are under way count as later than
everything.
"""

import numpy as np

from .faults import Race

UNDER_WAY = np.iinfo(np.int32).max


class Races:
    def __init__(self, machine, shared, granule):
        self.machine = machine
        self.shared = shared
        self.granule = granule
        self.cells = shared.stride * machine.blocks // granule + 1
        self.width = machine.warps + 1  # the last stands for bulk copies
        blocks = machine.blocks
        self.clock = np.zeros((blocks, self.width, self.width), np.int32)
        self.write_clock = np.zeros(self.cells, np.int32)
        self.writer = np.zeros(self.cells, np.int16)
        self.strong = np.zeros(self.cells, bool)  # the last write was
        self.read_clock = np.zeros((self.width, self.cells), np.int32)
        self.joined = {}

    def reset(self):
        self.clock[:] = 0
        for w in range(self.width):
            self.clock[:, w, w] = 1
        self.write_clock[:] = 0
        self.read_clock[:] = 0
        self.joined = {}

    # ---- Order --------------------------------------------------------------

    def arrive(self, key, lanes):
        """What these warps did so far is seen by whoever acquires `key`.
        lanes: one lane of each warp."""
        joined = self.joined.get(key)
        if joined is None:
            joined = np.zeros(self.clock.shape[::2], np.int32)
            self.joined[key] = joined
        blocks, warps = self.machine.block[lanes], self.machine.warp[lanes]
        np.maximum.at(joined, blocks, self.clock[blocks, warps])
        self.clock[blocks, warps, warps] += 1

    def acquire(self, key, lanes):
        joined = self.joined.get(key)
        if joined is None:
            return
        m = self.machine
        pairs = np.unique(m.block[lanes] * self.width + m.warp[lanes])
        blocks, warps = pairs // self.width, pairs % self.width
        own = self.clock[blocks, warps]
        self.clock[blocks, warps] = np.maximum(own, joined[blocks])

    def clear(self, key, blocks):
        self.joined[key][blocks] = 0

    # ---- Accesses -----------------------------------------------------------

    def spread(self, s, at, size):
        """Cells of each access, and block and warp of each."""
        m, g = self.machine, self.granule
        cells = at // g
        block, warp = m.block[s], m.warp[s]
        if size > g:
            cells = cells[:, None] + np.arange(size // g)
            block, warp = block[:, None], warp[:, None]
        return cells, block, warp

    def read(self, s, at, size, strong=False):
        """strong: volatile or atomic, which do not race among themselves."""
        cells, block, warp = self.spread(s, at, size)
        self.check_writer(s, cells, block, warp, "reads", strong)
        if not strong:
            self.read_clock[warp, cells] = self.clock[block, warp, warp]

    def write(self, s, at, size, strong=False):
        cells, block, warp = self.spread(s, at, size)
        self.check_writer(s, cells, block, warp, "writes", strong)
        self.check_readers(s, cells, block, warp)
        self.write_clock[cells] = self.clock[block, warp, warp]
        self.writer[cells] = warp
        self.strong[cells] = strong

    def check_writer(self, s, cells, block, warp, what, strong=False):
        writer = self.writer[cells]
        bad = self.write_clock[cells] > self.clock[block, warp, writer]
        if strong:
            bad &= ~self.strong[cells]
        if bad.any():
            self.fail(s, bad, cells, writer, what, "wrote")

    def check_readers(self, s, cells, block, warp):
        for reader in range(self.width):
            last = self.read_clock[reader, cells]
            bad = last > self.clock[block, warp, reader]
            if bad.any():
                self.fail(s, bad, cells, np.full(cells.shape, reader),
                          "writes", "read")

    def fail(self, s, bad, cells, other, what, did):
        at = tuple(int(x[0]) for x in np.nonzero(bad))
        lane = int(self.machine.index[s][at[0]])
        cell = int(cells[at]) * self.granule
        byte = cell - int(self.machine.block[lane]) * self.shared.stride
        other = int(other[at])
        who = f"warp {other}" if other < self.machine.warps else "a bulk copy"
        raise Race(f"race: warp {int(self.machine.warp[lane])} {what} byte "
                   f"{byte} of shared memory, which {who} {did}, and nothing "
                   "orders the two", lane=lane)

    # ---- Copies that land later ---------------------------------------------

    def begin_copy(self, s, at, size):
        """A copy by these threads may write from now on."""
        cells, block, warp = self.spread(s, at, size)
        self.check_writer(s, cells, block, warp, "copies to")
        self.check_readers(s, cells, block, warp)
        self.write_clock[cells] = UNDER_WAY
        self.writer[cells] = warp
        self.strong[cells] = False

    def end_copy(self, s, at, size):
        """It has landed, and these threads know."""
        cells, block, warp = self.spread(s, at, size)
        self.write_clock[cells] = self.clock[block, warp, warp]
