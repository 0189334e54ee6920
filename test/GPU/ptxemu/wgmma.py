"""wgmma under way. The four warps of a warpgroup compute together: operands are
read when the first of them waits, and each warp's accumulators are written when
it waits itself."""

import numpy as np

from .faults import Fault
from .ops.matrix import a_matrix, decode
from .tensor_map import swizzled

# Bits 62 and 63 of a descriptor: the swizzle in bytes.
SWIZZLES = {0: 0, 1: 128, 2: 64, 3: 32}


def tile_places(descriptor, rows, k, transposed):
    """Addresses in shared memory of a tile's elements, rows x k, of 16 bits.
    rows run along M or N; transposed: they are what is dense."""
    start = (descriptor & 0x3FFF) << 4
    leading = (descriptor >> 16 & 0x3FFF) << 4
    stride = (descriptor >> 32 & 0x3FFF) << 4
    span = SWIZZLES[descriptor >> 62]
    if descriptor >> 49 & 7:
        raise Fault("a matrix descriptor with a base offset is not modelled")
    i, j = np.arange(rows)[:, None], np.arange(k)[None, :]
    wide = max(span, 16)  # bytes of a row of the swizzled pattern
    if not transposed:
        chunk = leading if span == 0 else 16
        at = i % 8 * wide + i // 8 * stride + j // 8 * chunk + j % 8 * 2
    elif span == 0:
        at = i // 8 * stride + i % 8 * 2 + j % 8 * 16 + j // 8 * leading
    else:
        n = span // 2  # elements of a row
        at = i // n * leading + i % n * 2 + j % 8 * span + j // 8 * stride
    return swizzled(start + at, span)


class Form:
    """What one wgmma instruction says."""

    def __init__(self, line, n, type_name, accumulator, signs, transposed,
                 registers):
        self.line = line
        self.n = n
        self.type = type_name
        self.accumulator = accumulator
        self.sign = signs[0] * signs[1]
        self.transposed = transposed  # of A and B
        self.registers = registers  # of A, or None


class Product:
    """One wgmma of a warpgroup."""

    def __init__(self, machine, form, lane, descriptors):
        self.machine = machine
        self.form = form
        self.lane = int(lane)  # for messages
        self.descriptors = descriptors  # of A, unless in registers, and B
        self.block = int(machine.block[lane])
        self.warpgroup = int(machine.warp[lane]) // 4
        self.rows = {}  # warp of the group -> its lanes
        self.keep = {}  # and whether its accumulators count
        self.value = None  # 64 x n
        tiles = [(self.descriptors[-1], form.n, form.transposed[1])]
        if form.registers is None:
            tiles.append((self.descriptors[0], 64, form.transposed[0]))
        self.places = [machine.warpgroups.tile(self, *t) for t in tiles]

    def cells(self):
        base = self.block * self.machine.shared.stride
        races = self.machine.races
        return np.concatenate([cells + base // races.granule
                               for _, cells in self.places])

    def matrix(self, tile):
        shared = self.machine.shared
        places, _ = self.places[tile]
        at = places + self.block * shared.stride
        return decode(shared.view[2][at >> 1], self.form.type)

    def read(self):
        """Sums of 16 exact products: f64 keeps more than the hardware does."""
        if self.form.registers is None:
            a = self.matrix(1)
        else:
            lanes = np.concatenate([self.rows[w] for w in range(4)])
            a = a_matrix(self.form.registers, lanes, self.form.type, 16)
            a = a.reshape(64, 16)
        self.value = self.form.sign * (a @ self.matrix(0).T)


class WarpGroups:
    """What each warpgroup has issued."""

    def __init__(self, machine):
        self.machine = machine
        self.tiles = {}
        self.reset()

    def reset(self):
        m = self.machine
        warps = m.lanes // 32
        self.fenced = np.zeros(warps, bool)
        self.group = np.zeros(warps, np.int64)
        self.issued = [[] for _ in range(warps)]  # (group, product) of a warp
        self.count = np.zeros(warps, np.int64)
        self.products = {}  # (block, warpgroup) -> all not yet read, in order
        self.read = {}  # and how many have been

    def tile(self, product, descriptor, rows, transposed):
        """(offsets of a tile in the block's shared memory, its cells)"""
        key = descriptor, rows, transposed
        if key not in self.tiles:
            m = self.machine
            at = tile_places(descriptor, rows, 16, transposed)
            lanes = np.full(at.size, product.lane)
            m.shared.locate(lanes, at.reshape(-1), 2, False)
            at = at - 1024
            cells = m.races.cells_of(at) if m.races else None
            self.tiles[key] = at, cells
        return self.tiles[key]

    def fence(self, s):
        self.fenced[np.unique(self.machine.index[s] >> 5)] = True

    def commit(self, s):
        self.group[np.unique(self.machine.index[s] >> 5)] += 1

    # ---- Issue --------------------------------------------------------------

    def issue(self, form, lanes, descriptors, keep):
        """One warp."""
        m, lane = self.machine, lanes[0]
        row = int(lane) >> 5
        warp = int(m.warp[lane])
        if not self.fenced[row]:
            raise Fault("wgmma.mma_async without a wgmma.fence before it",
                        lane=int(lane))
        if (warp | 3) >= m.warps:
            raise Fault("the last warps do not make up a warpgroup",
                        lane=int(lane))
        key = int(m.block[lane]), warp // 4
        queue = self.products.setdefault(key, [])
        number = int(self.count[row]) - self.read.get(key, 0)
        self.count[row] += 1
        if number == len(queue):
            product = Product(m, form, lane, descriptors)
            if m.races:
                m.races.begin_group_read(lane, product.cells())
            queue.append(product)
        product = queue[number]
        if product.form is not form or product.descriptors != descriptors:
            raise Fault("the warps of a warpgroup execute different wgmma, or "
                        "with different descriptors", lane=int(lane))
        product.rows[warp % 4] = lanes
        product.keep[warp % 4] = keep
        self.issued[row].append((int(self.group[row]), product))
        if len(product.rows) == 4:  # others may wait for this
            for unit in m.units[warp & ~3:(warp & ~3) + 4]:
                unit.stuck.clear()

    # ---- Wait ---------------------------------------------------------------

    def due(self, row, left):
        """Products of a warp that a wait for all but `left` groups is for."""
        limit = self.group[row] - left
        return [p for group, p in self.issued[row] if group < limit]

    def ready(self, row, left):
        return all(len(p.rows) == 4 for p in self.due(row, left))

    def wait(self, s, left):
        for lanes in self.machine.index[s].reshape(-1, 32):
            self.wait_warp(lanes, left)

    def wait_warp(self, lanes, left):
        m, row = self.machine, int(lanes[0]) >> 5
        key = int(m.block[lanes[0]]), int(m.warp[lanes[0]]) // 4
        due = self.due(row, left)
        self.issued[row] = self.issued[row][len(due):]
        self.fenced[row] = False
        queue = self.products.get(key, [])
        late = [p for p in due if p.value is None]
        for product in late:
            product.read()
            queue.remove(product)
            self.read[key] = self.read.get(key, 0) + 1
        if m.races:
            if late:
                m.races.end_group_read(lanes[0], [p.cells() for p in late],
                                       [p.cells() for p in queue])
            m.races.know_group(lanes[0])
        self.accumulate(due, lanes, int(m.warp[lanes[0]]) % 4)

    def accumulate(self, due, lanes, warp):
        total, accumulator = None, None
        for product in due:
            if accumulator is None or \
                    accumulator.names != product.form.accumulator.names:
                if accumulator:
                    accumulator.store(lanes, total[None])
                accumulator = product.form.accumulator
                total = accumulator.load(lanes)[0]
            value = product.value[16 * warp:16 * warp + 16]
            total = accumulator.rounded(total + value if product.keep[warp]
                                        else value)
        if accumulator:
            accumulator.store(lanes, total[None])

    def finish(self):
        for issued in self.issued:
            if issued:
                raise Fault("all threads have exited without waiting for the "
                            f"wgmma of line {issued[0][1].form.line}")
