"""A PTX module as data: what the parser makes and everybody else reads."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Reg:
    name: str
    type: str


@dataclass(frozen=True)
class Imm:
    kind: str  # int, or the type of the bits: f32, f64
    value: int


@dataclass
class Sym:
    name: str  # of a variable, function or label; unique once all is parsed
    offset: int = 0


@dataclass(frozen=True)
class Special:
    name: str  # %tid.x


@dataclass(frozen=True)
class Not:
    reg: Reg


@dataclass(frozen=True)
class Mem:
    base: object  # Reg, Sym, or Imm
    offset: int = 0
    coords: tuple = ()  # of a tensor: [map, {x, y}]


@dataclass(frozen=True)
class Vec:
    items: tuple


@dataclass(frozen=True)
class Pair:
    first: object  # d|p
    second: object


@dataclass
class Var:
    """A variable or a parameter."""
    name: str
    space: str
    type: str
    align: int
    count: int | None  # None: the size is given at launch
    init: tuple = ()
    array: bool = False

    @property
    def bytes(self):
        from .types import TYPES
        return (self.count or 0) * TYPES[self.type].bytes


@dataclass
class Ins:
    line: int
    guard: object  # Reg, Not or None
    op: str
    args: list
    text: str

    def __post_init__(self):
        self.parts = self.op.split(".")


@dataclass
class Function:
    name: str
    entry: bool
    params: list
    results: list
    line: int
    code: list = field(default_factory=list)
    labels: dict = field(default_factory=dict)  # name -> index into code
    targets: dict = field(default_factory=dict)  # .branchtargets
    vars: list = field(default_factory=list)
    implicit: set = field(default_factory=set)  # left undefined on purpose
    body: bool = False


@dataclass
class Module:
    target: str = ""
    version: str = ""
    vars: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    storage: dict = field(default_factory=dict)  # bytes of .global variables
