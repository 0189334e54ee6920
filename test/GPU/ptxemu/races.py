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
        # Then one for bulk copies, and one for each warpgroup's wgmma.
        self.width = machine.warps + 1 + machine.warps // 4
        blocks = machine.blocks
        self.clock = np.zeros((blocks, self.width, self.width), np.int32)
        # What the async proxy sees: what a fence.proxy.async has passed on.
        self.proxy = np.zeros_like(self.clock)
        self.write_clock = np.zeros(self.cells, np.int32)
        self.writer = np.zeros(self.cells, np.int16)
        self.strong = np.zeros(self.cells, bool)  # the last write was
        self.read_clock = np.zeros((self.width, self.cells), np.int32)
        self.joined = {}

    def reset(self):
        self.clock[:] = 0
        for w in range(self.width):
            self.clock[:, w, w] = 1
        self.proxy[:] = 0
        self.write_clock[:] = 0
        self.read_clock[:] = 0
        self.joined = {}

    # ---- Order --------------------------------------------------------------

    def join(self, key):
        joined = self.joined.get(key)
        if joined is None:
            shape = (2,) + self.clock.shape[::2]
            joined = self.joined[key] = np.zeros(shape, np.int32)
        return joined

    def arrive(self, key, lanes):
        """What these warps did so far is seen by whoever acquires `key`.
        lanes: one lane of each warp."""
        m = self.machine
        self.publish(key, m.block[lanes], m.warp[lanes])

    def publish(self, key, blocks, warps):
        joined = self.join(key)
        np.maximum.at(joined[0], blocks, self.clock[blocks, warps])
        np.maximum.at(joined[1], blocks, self.proxy[blocks, warps])
        self.clock[blocks, warps, warps] += 1

    def acquire(self, key, lanes):
        joined = self.joined.get(key)
        if joined is None:
            return
        m = self.machine
        pairs = np.unique(m.block[lanes] * self.width + m.warp[lanes])
        blocks, warps = pairs // self.width, pairs % self.width
        for i, clock in enumerate((self.clock, self.proxy)):
            clock[blocks, warps] = np.maximum(clock[blocks, warps],
                                              joined[i][blocks])

    def clear(self, key, blocks):
        self.joined[key][:, blocks] = 0

    def complete(self, key, block):
        """A phase of an mbarrier is over: what was published is to be seen."""
        here, done = self.join(key), self.join(key + ("done",))
        done[:, block] = np.maximum(done[:, block], here[:, block])
        here[:, block] = 0

    def proxy_fence(self, s):
        m = self.machine
        blocks, warps = m.block[s], m.warp[s]
        self.proxy[blocks, warps] = np.maximum(self.proxy[blocks, warps],
                                               self.clock[blocks, warps])

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
        cell = int(np.broadcast_to(cells, bad.shape)[at]) * self.granule
        byte = cell - int(self.machine.block[lane]) * self.shared.stride
        other = int(np.broadcast_to(other, bad.shape)[at])
        warps = self.machine.warps
        who = f"warp {other}" if other < warps else "a bulk copy" \
            if other == warps else f"a wgmma of warpgroup {other - warps - 1}"
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

    # ---- The async proxy ----------------------------------------------------

    def cells_of(self, at):
        """Cells under byte offsets."""
        return np.unique(np.asarray(at) // self.granule)

    def begin_bulk_write(self, lane, cells):
        """A bulk copy issued by a thread writes cells of its block."""
        s, block, warp = self.issuer(lane)
        self.check_writer(s, cells, block, warp, "copies in bulk to")
        self.check_readers(s, cells, block, warp)
        self.write_clock[cells] = UNDER_WAY
        self.writer[cells] = self.machine.warps
        self.strong[cells] = False

    def end_bulk_write(self, block, cells, key):
        last = self.machine.warps
        self.write_clock[cells] = self.clock[block, last, last]
        self.publish(key, np.array([block]), np.array([last]))

    def begin_bulk_read(self, lane, cells, reader=None):
        """The async proxy reads cells for a thread."""
        s, block, warp = self.issuer(lane)
        self.check_writer(s, cells, block, warp, "reads asynchronously")
        self.check_proxy(s, cells, block, warp)
        self.read_clock[self.machine.warps if reader is None else reader,
                        cells] = UNDER_WAY

    def end_bulk_read(self, lane, cells):
        """It has read them, and the thread knows."""
        _, block, warp = (int(x.flat[0]) for x in self.issuer(lane))
        self.read_clock[self.machine.warps, cells] = 0
        self.read_clock[warp, cells] = np.maximum(
            self.read_clock[warp, cells], self.clock[block, warp, warp])

    def group_of(self, lane):
        m = self.machine
        return int(m.block[lane]), int(m.warp[lane]), \
            m.warps + 1 + int(m.warp[lane]) // 4

    def begin_group_read(self, lane, cells):
        """wgmma of a warpgroup read cells."""
        self.begin_bulk_read(lane, cells, self.group_of(lane)[2])

    def end_group_read(self, lane, done, pending):
        block, _, group = self.group_of(lane)
        for cells in done:
            self.read_clock[group, cells] = self.clock[block, group, group]
        for cells in pending:
            self.read_clock[group, cells] = UNDER_WAY
        self.clock[block, group, group] += 1

    def know_group(self, lane):
        """A warp has waited: it knows what its warpgroup's wgmma have read."""
        block, warp, group = self.group_of(lane)
        self.clock[block, warp, group] = self.clock[block, group, group] - 1

    def issuer(self, lane):
        m = self.machine
        return np.array([lane]), m.block[[lane]][:, None], \
            m.warp[[lane]][:, None]

    def check_proxy(self, s, cells, block, warp):
        """What threads wrote needs a fence between the proxies, too."""
        writer = self.writer[cells]
        seen = self.proxy[block, warp, writer]
        bad = (self.write_clock[cells] > seen) & \
            (writer != self.machine.warps)
        if bad.any():
            cell = int(cells[np.flatnonzero(bad.reshape(-1))[0]])
            byte = cell * self.granule - int(block[0, 0]) * self.shared.stride
            raise Race(f"race: the async proxy reads byte {byte} of shared "
                       "memory, which threads wrote, without a "
                       "fence.proxy.async in between", lane=int(s[0]))
