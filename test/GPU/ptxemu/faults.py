"""What goes wrong, while reading PTX and while running it."""


class PTXError(Exception):
    """Text that is not PTX, or PTX that is not modelled."""


class Fault(Exception):
    """A running kernel did what it must not do."""

    def __init__(self, what, lane=None):
        super().__init__(what)
        self.what = what
        self.lane = lane


class Race(Fault):
    """Two warps touched the same byte and nothing orders them."""


class Deadlock(Fault):
    """Nobody can go on."""
