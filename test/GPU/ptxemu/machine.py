"""The blocks that run together: their lanes, registers and memories.

Lane (warp * blocks + block) * 32 + lane of warp: the same warp of all blocks is
one slice, so that one NumPy operation executes an instruction in all blocks.
"""

import numpy as np

from . import ir
from .barriers import Barriers
from .bulk import Stores
from .copies import Copies
from .faults import PTXError
from .mbarriers import MBarriers
from .memory import Local, Shared
from .races import Races
from .registers import Inverted, Registers, Sink, constant
from .spaces import Generic, Space
from .special import special_registers
from .wgmma import WarpGroups


class Machine:
    def __init__(self, launch, blocks, static_layout, options):
        self.launch = launch
        self.layout = static_layout
        self.options = options
        self.rng = np.random.default_rng(launch.seed)
        self.blocks = blocks
        self.threads = int(np.prod(launch.block))
        self.warps = (self.threads + 31) // 32
        self.lanes = self.warps * blocks * 32
        self.index = np.arange(self.lanes)
        self.lane = self.index % 32
        self.block = self.index // 32 % blocks
        self.warp = self.index // 32 // blocks
        self.thread = self.warp * 32 + self.lane
        self.live = np.zeros(self.lanes, bool)
        self.ctaid = np.zeros((self.lanes, 3), np.uint32)
        self.registers = Registers(self.lanes, self.rng)
        self.memories(launch)
        self.special = special_registers(self)
        self.barriers = Barriers(self)
        self.mbarriers = MBarriers(self)
        self.copies = Copies(self)
        self.stores = Stores(self)
        self.warpgroups = WarpGroups(self)
        self.checks = set()  # registers that may be read too early
        self.steps = 0
        self.waiting = False  # a poll that failed ends a burst

    def memories(self, launch):
        shared = Shared(self, self.layout.shared_bytes)
        self.races = None
        if self.options.races:
            self.races = Races(self, shared, self.layout.granule)
        local = Local(self, self.layout.local_bytes)
        self.spaces = {"global": Space(launch.memory),
                       "const": Space(launch.memory),
                       "shared": Space(shared, self.races),
                       "local": Space(local)}
        self.spaces["generic"] = Generic(self)
        self.shared = shared
        self.local = local

    def start(self, coordinates):
        """New blocks; those beyond the last coordinate do not exist."""
        self.shared.poison()
        self.local.poison()
        self.registers.poison()
        n = len(coordinates)
        self.live[:] = (self.block < n) & (self.thread < self.threads)
        table = np.zeros((self.blocks, 3), np.uint32)
        table[:n] = coordinates
        self.ctaid[:] = table[self.block]
        self.barriers.reset()
        self.mbarriers.reset()
        self.copies.reset()
        self.stores.reset()
        self.warpgroups.reset()
        if self.races:
            self.races.reset()

    # ---- Operands -----------------------------------------------------------

    def read(self, operand, type_name):
        """An array over lanes with the operand's values."""
        if isinstance(operand, ir.Reg):
            view = self.registers.typed(operand, type_name, False)
            if operand.name in self.checks:
                return self.registers.checked(operand, view)
            return view
        if isinstance(operand, ir.Imm):
            return self.spread(constant(operand, type_name))
        if isinstance(operand, ir.Not):
            return Inverted(self.read(operand.reg, "pred"))
        if isinstance(operand, ir.Special):
            return self.special.read(operand.name, type_name)
        if isinstance(operand, ir.Sym):
            value = self.layout.address(operand.name) + operand.offset
            return self.spread(constant(ir.Imm("int", value), type_name))
        raise PTXError(f"{operand} is no source of type .{type_name}")

    def read_unchecked(self, operand, type_name):
        """For what only passes values on: undefined ones, too, as poison.
        Compilers move them where nobody looks at them, such as one half of a
        pair."""
        if isinstance(operand, ir.Reg):
            return self.registers.typed(operand, type_name, False)
        return self.read(operand, type_name)

    def write(self, operand, type_name):
        """Like read, to be assigned to."""
        if operand is None:
            return Sink()
        if not isinstance(operand, ir.Reg):
            raise PTXError(f"{operand} is no destination")
        view = self.registers.typed(operand, type_name, True)
        if operand.name in self.checks:
            return self.registers.checked(operand, view)
        return view

    def spread(self, value):
        value = np.asarray(value)
        shape = (self.lanes,) + value.shape
        return np.broadcast_to(value, shape)

    def address(self, mem):
        """A function of lanes: addresses as int64."""
        base, offset = mem.base, mem.offset
        if isinstance(base, (ir.Sym, ir.Imm)):
            value = self.read(base, "u64").astype(np.int64) + offset
            return lambda s: value[s]
        array = self.read(base, "u64" if base.type in ("b64", "u64", "s64")
                          else "u32")
        if offset:
            return lambda s: array[s].astype(np.int64) + offset
        return lambda s: array[s].astype(np.int64)

    # ---- Warps --------------------------------------------------------------

    def whole_warps(self, s):
        """(lanes of the warps in s as rows, which of them are in s)"""
        lanes = self.index[s]
        if len(lanes) % 32 == 0 and (
                type(s) is slice or (lanes[::32] % 32 == 0).all() and
                (lanes[31::32] - lanes[::32] == 31).all()):
            return lanes.reshape(-1, 32), None
        rows = np.unique(lanes >> 5)
        active = np.zeros(self.lanes // 32 * 32, bool)
        active[lanes] = True
        rows = rows[:, None] * 32 + np.arange(32)
        return rows, active[rows]

    def describe(self, lane):
        x = self.thread[lane]
        bx, by, _ = self.launch.block
        return (f"block {tuple(int(c) for c in self.ctaid[lane])} thread "
                f"({x % bx}, {x // bx % by}, {x // bx // by})")

