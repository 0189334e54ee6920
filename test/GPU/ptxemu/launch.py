"""One launch of a kernel: arguments, batches of blocks, and what comes back."""

from dataclasses import dataclass, field

import numpy as np

from .arguments import pack
from .faults import PTXError
from .layout import Layout, initial_bytes
from .machine import Machine
from .memory import GlobalMemory
from .program import Program, called_functions
from .schedule import Scheduler

LANES = 4096  # about as many threads run together
SHARED = 32 << 20  # and as many bytes of shared memory


@dataclass
class Options:
    races: bool = True
    steps: int = 20_000_000
    blocks: int | None = None  # together; None: as many as pay


@dataclass
class Result:
    """What a launch did."""
    steps: int = 0
    shared_bytes: int = 0
    options: Options = field(default_factory=Options)


class Launch:
    def __init__(self, module, entry, grid, block, args, shared, seed, options):
        self.grid, self.block = three(grid, "grid"), three(block, "block")
        if np.prod(self.block) > 1024:
            raise PTXError(f"a block of {np.prod(self.block)} threads: there "
                           "are at most 1024")
        self.shared = shared
        self.seed = seed
        self.options = options
        self.memory = GlobalMemory()
        self.entry = entry
        self.params = pack(entry, args, self.memory)
        functions = called_functions(module, entry)
        address = self.memory.allocate("the parameters", self.params, False)
        self.layout = Layout(module, functions, entry, address, shared)
        self.place_variables(module)
        self.module = module
        self.functions = functions

    def place_variables(self, module):
        for var in module.vars.values():
            if var.space in ("global", "const"):
                if var.name not in module.storage:
                    module.storage[var.name] = initial_bytes(var)
                address = self.memory.allocate(
                    var.name, module.storage[var.name], var.space == "global")
                self.layout.put(var.name, var.space, address)

    def batch(self):
        """How many blocks run together."""
        total = int(np.prod(self.grid))
        threads = (int(np.prod(self.block)) + 31) // 32 * 32
        most = self.options.blocks or max(1, min(
            LANES // threads, SHARED // (self.layout.shared_bytes + 1)))
        batches = -(-total // most)
        return -(-total // batches)

    def prepare(self):
        """A scheduler for as many blocks as run together."""
        self.memory.open()
        with np.errstate(all="ignore"):
            machine = Machine(self, self.batch(), self.layout, self.options)
            program = Program(self.module, self.functions, machine)
        return Scheduler(machine, program, self.entry)

    def run(self):
        total, (x, y, _) = int(np.prod(self.grid)), self.grid
        scheduler = self.prepare()
        machine = scheduler.machine
        order = np.random.default_rng(self.seed).permutation(total)
        coordinates = np.stack([order % x, order // x % y, order // x // y], 1)
        with np.errstate(all="ignore"):
            for at in range(0, total, machine.blocks):
                machine.start(coordinates[at:at + machine.blocks])
                scheduler.run()
        self.memory.close()
        return Result(machine.steps, self.layout.shared_bytes, self.options)


def three(size, what):
    size = (size,) if isinstance(size, int) else tuple(size)
    if not 1 <= len(size) <= 3 or min(size) < 1:
        raise PTXError(f"{what} {size}: expected one to three sizes")
    return size + (1,) * (3 - len(size))
