"""space.toml: workloads, checks and the kernels that they need."""

import dataclasses
import itertools
import tomllib

TYPES = ("bf16", "f16")
ROLES = ("model", "variant", "tuning")
MOST_QUERIES = 192        # of a tile
FEWEST_ITEMS = 1501       # of the ragged check
CHECK_KEYS = {"B", "H", "Hkv", "N", "M", "layout", "skew"}


@dataclasses.dataclass(frozen=True)
class Workload:
    """N = 0 is not timed."""

    name: str
    D: int
    N: int = 0
    M: int = 0            # 0: N
    B: int = 1
    H: int = 1
    Hkv: int = 0          # 0: H
    Dv: int = 0           # 0: D
    dtype: str = "bf16"
    left: int | None = None
    right: int | None = None
    backward: bool = False

    def __post_init__(self):
        for name, value in (("M", self.N), ("Hkv", self.H), ("Dv", self.D)):
            if not getattr(self, name):
                object.__setattr__(self, name, value)
        if self.dtype not in TYPES:
            raise ValueError(f"workload {self.name}: dtype: expected one of "
                             f"{', '.join(TYPES)}, got {self.dtype!r}")
        if self.H % self.Hkv:
            raise ValueError(f"workload {self.name}: Hkv: expected a divisor of "
                             f"{self.H}, got {self.Hkv}")

    @property
    def family(self):
        """What its kernels are compiled for."""
        def bound(letter, value):
            return f"{letter}{'x' if value is None else value}"
        size = f"d{self.D}" + (f"v{self.Dv}" if self.Dv != self.D else "")
        return (f"{size}-{bound('l', self.left)}-{bound('r', self.right)}-"
                f"{self.dtype}" + "-backward" * self.backward)


@dataclasses.dataclass(frozen=True)
class Kernel:
    workload: Workload
    chip: str
    role: str
    options: tuple        # of (name, value)

    @property
    def id(self):
        shape = "-".join(f"{''.join(w[0] for w in name.split('-'))}{value}"
                         for name, value in self.options)
        return f"{self.workload.family}.{shape or 'model'}.{self.chip}"


@dataclasses.dataclass(frozen=True)
class Space:
    workloads: list
    checks: list
    ragged: dict
    spaces: list

    def timed(self, family):
        return [w for w in self.workloads if w.family == family and w.N]

    def kernels(self, chips):
        """One for each family, chip and combination of options; what is not
        timed has no tuning, and backward passes have the model's kernels alone."""
        families = {w.family: w for w in self.workloads}
        for chip in chips:
            spaces = [s for s in self.spaces if chip in s["chips"]]
            if not spaces:
                raise ValueError(f"chip {chip}: no [[space]] names it")
            for workload, space in itertools.product(families.values(), spaces):
                role = space.get("role", "tuning")
                if role != "model" and workload.backward or (
                        role == "tuning" and not self.timed(workload.family)):
                    continue
                names = [n for n in space if n not in ("chips", "role")]
                for values in itertools.product(*(space[n] for n in names)):
                    if fits(dict(zip(names, values))):
                        yield Kernel(workload, chip, role,
                                     tuple(zip(names, values)))


def fits(options):
    """Each warp has rows of 16 queries."""
    queries, warps = options.get("query-tile", 0), options.get("warps", 4)
    return not queries or queries % (16 * warps) == 0


def count_items(sizes):
    """The fewest work items: tiles of queries, which heads of a group may
    share."""
    group = sizes["H"] // sizes["Hkv"]
    return (sizes["B"] * sizes["Hkv"] *
            min(-(-sizes["N"] * group // MOST_QUERIES),
                group * -(-sizes["N"] // MOST_QUERIES)))


def check_keys(path, what, sizes):
    for name in sizes.keys() - CHECK_KEYS:
        raise ValueError(f"{path}: {what}: unknown key {name!r}")
    for name in ("B", "H", "Hkv", "N", "M"):
        if name not in sizes:
            raise ValueError(f"{path}: {what}: {name} is missing")


def read(path):
    with open(path, "rb") as file:
        data = tomllib.load(file)
    known = {"workload", "check", "ragged", "space"}
    for name in data.keys() - known:
        raise ValueError(f"{path}: expected workload, check, ragged and space, "
                         f"got {name!r}")
    for name in sorted(known - data.keys()):
        raise ValueError(f"{path}: {name} is missing")
    try:
        workloads = [Workload(**w) for w in data["workload"]]
    except TypeError as error:
        raise ValueError(f"{path}: a workload: {error}") from None
    for check in data["check"]:
        check_keys(path, "a check", check)
    check_keys(path, "ragged", data["ragged"])
    if (items := count_items(data["ragged"])) < FEWEST_ITEMS:
        raise ValueError(f"{path}: ragged: expected at least {FEWEST_ITEMS} work "
                         f"items, got {items}")
    for space in data["space"]:
        if space.get("role", "tuning") not in ROLES:
            raise ValueError(f"{path}: a space: role: expected one of "
                             f"{', '.join(ROLES)}, got {space['role']!r}")
    return Space(workloads, data["check"], data["ragged"], data["space"])
