# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# Functions of scores over the whole range of their type: values, gradients, tangents
# and second derivatives of lattn.math's functions, and of formulas that users write
# with them. With one key the log-sum-exp is the score, so each query is a point.
# The oracle is torch in float64, by functions that are right everywhere.

import functools
import math

import pytest
import torch
import torch.nn.functional as F

import lattn
from lattn import math as lm

F64 = torch.float64
SMALL = [0.0, 1e-45, 1e-38, 3e-30, 1e-20, 1e-8, 1e-3, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0,
         5.0, 10.0, 20.0, 44.0, 60.0, 80.0, 87.0, 88.0]
LARGE = [88.5, 89.0, 95.0, 103.0, 104.5, 150.0, 709.0, 711.0, 1e3, 1e5, 1e10, 1e13,
         1e18, 1e20, 1e30, 3e38]
ENDS = {torch.float32: [], F64: [1e-300, 1e100, 1e160, 1e300]}
# (ours, torch's in float64, and below which magnitude ours does not overflow)
FUNCTIONS = {
    "exp": (lm.exp, torch.exp), "exp2": (lm.exp2, torch.exp2),
    "expm1": (lm.expm1, torch.expm1), "log": (lm.log, torch.log),
    "log2": (lm.log2, torch.log2), "log10": (lm.log10, torch.log10),
    "log1p": (lm.log1p, torch.log1p), "sqrt": (lm.sqrt, torch.sqrt),
    "sin": (lm.sin, torch.sin), "cos": (lm.cos, torch.cos), "tan": (lm.tan, torch.tan),
    "rsqrt": (lm.rsqrt, torch.rsqrt), "tanh": (lm.tanh, torch.tanh),
    "erf": (lm.erf, torch.erf), "floor": (lm.floor, torch.floor),
    "ceil": (lm.ceil, torch.ceil), "trunc": (lm.trunc, torch.trunc),
    "round": (lm.round, torch.round), "sigmoid": (lm.sigmoid, torch.sigmoid),
    "square": (lm.square, torch.square), "sign": (lm.sign, torch.sign),
    "reciprocal": (lm.reciprocal, torch.reciprocal), "abs": (lm.abs, torch.abs),
    "x^3": (lambda x: x ** 3,) * 2, "x^-2": (lambda x: x ** -2,) * 2,
    "x^0": (lambda x: x ** 0,) * 2, "x^0.5": (lambda x: x ** 0.5, torch.sqrt),
    "x^2.5": (lambda x: x ** 2.5,) * 2, "x^-1.5": (lambda x: x ** -1.5,) * 2,
    "2^x": (lambda x: 2.0 ** x,) * 2,
    "clip": (lambda x: lm.clip(x, -2, 3), lambda x: torch.minimum(
        torch.maximum(x, torch.full_like(x, -2)), torch.full_like(x, 3))),
    "maximum": (lambda x: lm.maximum(x, 0.25), lambda x: x.clamp(min=0.25)),
    "minimum": (lambda x: lm.minimum(x, 0.25), lambda x: x.clamp(max=0.25)),
    "fmax": (lambda x: lm.fmax(x, 0.25), lambda x: x.clamp(min=0.25)),
    "fmin": (lambda x: lm.fmin(x, 0.25), lambda x: x.clamp(max=0.25)),
    "where": (lambda x: lm.where(x > 0, lm.sqrt(x), 0.0),
              lambda x: torch.where(x > 0, x.clamp(min=1e-320).sqrt(), 0)),
    # What users write.
    "1/(1+exp(-x))": (lambda x: 1 / (1 + lm.exp(-x)), torch.sigmoid),
    "exp(x)/(1+exp(x))": (lambda x: 1 - 1 / (1 + lm.exp(x)), torch.sigmoid),
    "1/(1+exp2(-x))": (lambda x: 1 / (1 + lm.exp2(-x)),
                       lambda x: torch.sigmoid(x * math.log(2))),
    "x/(1+exp(-x))": (lambda x: x / (1 + lm.exp(-x)), F.silu),
    "x*sigmoid(x)": (lambda x: x * lm.sigmoid(x), F.silu),
    "softplus": (lambda x: lm.where(x > 0, x + lm.log1p(lm.exp(-x)),
                                    lm.log1p(lm.exp(x))),
                 lambda x: -F.logsigmoid(-x)),
    "log(1+exp(x))": (lambda x: lm.log(1 + lm.exp(x)), lambda x: -F.logsigmoid(-x),
                      85),
    "-log1p(exp(-x))": (lambda x: -lm.log1p(lm.exp(-x)), F.logsigmoid, 85),
    "log(sigmoid(x))": (lambda x: lm.log(lm.sigmoid(x)), F.logsigmoid, 85),
    "2*sigmoid(2x)-1": (lambda x: 2 / (1 + lm.exp(-2 * x)) - 1, torch.tanh),
    "gelu": (lambda x: x * 0.5 * (1 + lm.erf(x * 0.5 ** 0.5)), F.gelu),
    "tanh gelu": (lambda x: x * 0.5 * (1 + lm.tanh(
        (2 / math.pi) ** 0.5 * (x + 0.044715 * x * x * x))),
        functools.partial(F.gelu, approximate="tanh")),
    "exp(-x*x)": (lambda x: lm.exp(-x * x), lambda x: torch.exp(-x * x)),
    "1/(1+x*x)": (lambda x: 1 / (1 + x * x),) * 2,
    "x/(1+abs(x))": (lambda x: x / (1 + lm.abs(x)), F.softsign),
    "tanh(exp(x))": (lambda x: lm.tanh(lm.exp(x)),
                     lambda x: x.clamp(max=700).exp().tanh()),
    "exp(-exp(x))": (lambda x: lm.exp(-lm.exp(x)),
                     lambda x: (-x.clamp(max=700).exp()).exp()),
    "erf(x^3)": (lambda x: lm.erf(x ** 3), lambda x: torch.erf(x ** 3)),
}


def points(dtype):
    ends = [-x for x in SMALL] + [s * x for x in LARGE + ENDS[dtype] for s in (1, -1)]
    x = torch.tensor(SMALL + ends, dtype=F64).to(dtype)
    return x.expand(1, len(FUNCTIONS), -1)[..., None].clone()


def scores(q, door=lattn.attention):
    """Each head has its function."""
    def score_mod(s, b, h, i, j):
        found = s
        for number, (function, *_) in enumerate(FUNCTIONS.values()):
            found = lm.where(h == number, function(s), found)
        return found
    one = torch.ones_like(q[:, :1, :1])
    return door(q, one, one, scale=1.0, score_mod=score_mod, return_lse=True)[1]


def expected(q):
    """Values, and first and second derivatives."""
    rows = []
    for (_, function, *_), x in zip(FUNCTIONS.values(), q[0, :, :, 0].double()):
        x.requires_grad_()
        found = [function(x)]
        for _ in range(2):
            y = found[-1]
            found.append(torch.autograd.grad(y.sum(), x, create_graph=True)[0]
                         if y.requires_grad else torch.zeros_like(x))
        rows.append(torch.stack([y.detach() for y in found]))
    return torch.stack(rows, 1)


def check(what, got, wanted, where, error=0.0):
    got, dtype = got.double(), got.dtype
    most = torch.finfo(dtype).max
    # What is beyond the type is infinite.
    wanted = torch.where(wanted.abs() > most, wanted.sign() * torch.inf, wanted)
    tolerance = 2e-5 if dtype == torch.float32 else 1e-10
    wrong = (got - wanted).abs() > error + tolerance * (wanted.abs() + 0.1)
    wrong |= ~(got.isfinite() & wanted.isfinite()) & (got != wanted)
    # Near the end of the type either is right.
    wrong &= ~((wanted.abs() > most / 8) & (got.abs() > most / 8))
    wrong &= where & ~wanted.isnan()
    names = [*FUNCTIONS]
    x = points(dtype)[0, :, :, 0]
    return [f"{what} of {names[f]} at {x[f, i]:.9g}: got {got[f, i]:.9g}, expected "
            f"{wanted[f, i]:.9g}" for f, i in wrong.nonzero().tolist()]


@pytest.mark.parametrize("dtype", ENDS, ids=str)
def test_everywhere(dtype):
    q = points(dtype).requires_grad_()
    wanted = expected(q.detach())
    most = torch.finfo(dtype).max
    # Scores of -inf are hidden, those of +inf or NaN make their row NaN.
    most_seen = torch.tensor([(*x, torch.inf)[2] for x in FUNCTIONS.values()])
    seen = (wanted[0].abs() <= most) & (
        q.detach()[0, :, :, 0].abs() < most_seen[:, None])
    lse = scores(q)
    first, = torch.autograd.grad(lse.sum(), q, create_graph=True)
    second, = torch.autograd.grad(first.sum(), q)
    tangent = torch.func.jvp(scores, (q.detach(),), (torch.ones_like(q),))[1]
    # The softmax's second derivative adds and subtracts the square of the first one.
    square = wanted[1] ** 2
    calm = seen & (square < most)
    wrong = [*check("value", lse.detach()[0], wanted[0], seen),
             *check("gradient", first.detach()[0, :, :, 0], wanted[1], seen),
             *check("tangent", tangent[0], wanted[1], seen),
             *check("second derivative", second[0, :, :, 0], wanted[2], calm,
                    error=(4 * square + 50) * torch.finfo(dtype).eps)]
    assert not wrong, "\n".join([f"{len(wrong)} are wrong", *wrong])
