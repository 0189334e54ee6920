"""Functions of tensors: their text, what torch computes, and arguments."""

import numpy as np
import torch

F = torch.nn.functional
M, V = "tensor<?x?xf64>", "tensor<?xf64>"
SIZES = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %x, %c0 : tensor<?x?xf64>
  %n = tensor.dim %x, %c1 : tensor<?x?xf64>
"""
ROWS = """
  %er = tensor.empty(%m) : tensor<?xf64>
  %e = tensor.empty(%m, %n) : tensor<?x?xf64>
  %zr = linalg.fill ins(%zero : f64) outs(%er : tensor<?xf64>) -> tensor<?xf64>
"""
MAPS = """
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#turned = affine_map<(i, j) -> (j, i)>
"""


def write(arguments, body, result=M):
    return (f"{MAPS}\nfunc.func @f({arguments}) -> {result} {{"
            f"{SIZES}{ROWS}{body}\n  return %r : {result}\n}}\n")


def arrays(*shapes):
    return lambda rng: [rng.normal(size=shape) for shape in shapes]


DENSE = f"""
  %k = tensor.dim %w, %c1 : {M}
  %eo = tensor.empty(%m, %k) : {M}
  %zo = linalg.fill ins(%zero : f64) outs(%eo : {M}) -> {M}
  %p = linalg.matmul ins(%x, %w : {M}, {M}) outs(%zo : {M}) -> {M}
  %b2 = linalg.broadcast ins(%b : {V}) outs(%eo : {M}) dimensions = [0]
  %s = arith.addf %p, %b2 : {M}
  %r = math.tanh %s : {M}
"""

# The last axis of x: mean and variance, then scaled.
NORM = f"""
  %ni = arith.index_cast %n : index to i64
  %nf = arith.sitofp %ni : i64 to f64
  %eps = arith.constant 1.0e-5 : f64
  %sum = linalg.reduce ins(%x : {M}) outs(%zr : {V}) dimensions = [1]
    (%a: f64, %acc: f64) {{
      %y = arith.addf %a, %acc : f64
      linalg.yield %y : f64
    }}
  %squares = linalg.generic {{indexing_maps = [#id, #row, #row],
      iterator_types = ["parallel", "reduction"]}}
      ins(%x, %sum : {M}, {V}) outs(%zr : {V}) {{
    ^bb0(%a: f64, %t: f64, %acc: f64):
      %mean = arith.divf %t, %nf : f64
      %d = arith.subf %a, %mean : f64
      %y = math.fma %d, %d, %acc : f64
      linalg.yield %y : f64
  }} -> {V}
  %r = linalg.generic {{indexing_maps = [#id, #row, #row, #column, #id],
      iterator_types = ["parallel", "parallel"]}}
      ins(%x, %sum, %squares, %gain : {M}, {V}, {V}, {V}) outs(%e : {M}) {{
    ^bb0(%a: f64, %t: f64, %sq: f64, %g: f64, %o: f64):
      %mean = arith.divf %t, %nf : f64
      %var = arith.divf %sq, %nf : f64
      %stable = arith.addf %var, %eps : f64
      %inv = math.rsqrt %stable : f64
      %d = arith.subf %a, %mean : f64
      %y = arith.mulf %d, %inv : f64
      %z = arith.mulf %y, %g : f64
      linalg.yield %z : f64
  }} -> {M}
"""

# Mean over rows of logsumexp(row) - row[target].
CROSS_ENTROPY = f"""
  %low = arith.constant 0xFFF0000000000000 : f64
  %lr = linalg.fill ins(%low : f64) outs(%er : {V}) -> {V}
  %max = linalg.reduce {{arith.maximumf}} ins(%x : {M}) outs(%lr : {V}) dimensions = [1]
  %sum = linalg.generic {{indexing_maps = [#id, #row, #row],
      iterator_types = ["parallel", "reduction"]}}
      ins(%x, %max : {M}, {V}) outs(%zr : {V}) {{
    ^bb0(%a: f64, %top: f64, %acc: f64):
      %d = arith.subf %a, %top : f64
      %y = math.exp %d : f64
      %z = arith.addf %acc, %y : f64
      linalg.yield %z : f64
  }} -> {V}
  %es = tensor.empty() : tensor<f64>
  %zs = linalg.fill ins(%zero : f64) outs(%es : tensor<f64>) -> tensor<f64>
  %total = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>,
      affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]}}
      ins(%max, %sum, %t : {V}, {V}, tensor<?xi32>) outs(%zs : tensor<f64>) {{
    ^bb0(%a: f64, %q: f64, %u: i32, %acc: f64):
      %row = linalg.index 0 : index
      %column = arith.index_cast %u : i32 to index
      %chosen = tensor.extract %x[%row, %column] : {M}
      %l = math.log %q : f64
      %y = arith.addf %a, %l : f64
      %z = arith.subf %y, %chosen : f64
      %s = arith.addf %acc, %z : f64
      linalg.yield %s : f64
  }} -> tensor<f64>
  %mi = arith.index_cast %m : index to i64
  %mf = arith.sitofp %mi : i64 to f64
  %loss = tensor.extract %total[] : tensor<f64>
  %mean = arith.divf %loss, %mf : f64
  %r = tensor.from_elements %mean : tensor<f64>
"""

EMBEDDING = f"""
  %k = tensor.dim %t, %c0 : tensor<?xi32>
  %eo = tensor.empty(%k, %n) : {M}
  %r = linalg.generic {{indexing_maps = [#row, #id],
      iterator_types = ["parallel", "parallel"]}}
      ins(%t : tensor<?xi32>) outs(%eo : {M}) {{
    ^bb0(%u: i32, %o: f64):
      %row = arith.index_cast %u : i32 to index
      %column = linalg.index 1 : index
      %y = tensor.extract %x[%row, %column] : {M}
      %z = arith.mulf %y, %y : f64
      linalg.yield %z : f64
  }} -> {M}
"""

# Tensors of tensors: slices, concatenation, padding, reshapes, transposition.
SHAPES = f"""
  %two = arith.constant 2 : index
  %half = arith.divui %n, %two : index
  %left = tensor.extract_slice %x[0, 0] [%m, %half] [1, 1] : {M} to {M}
  %right = tensor.extract_slice %x[0, %half] [%m, %half] [1, 1] : {M} to {M}
  %swapped = tensor.concat dim(1) %right, %left : ({M}, {M}) -> {M}
  %padded = tensor.pad %swapped low[1, 0] high[0, 2] {{
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f64
  }} : {M} to {M}
  %m1 = arith.addi %m, %c1 : index
  %n2 = arith.addi %n, %two : index
  %et = tensor.empty(%n2, %m1) : {M}
  %turned = linalg.transpose ins(%padded : {M}) outs(%et : {M}) permutation = [1, 0]
  %squares = arith.mulf %turned, %turned : {M}
  %flat = tensor.collapse_shape %squares [[0, 1]] : {M} into {V}
  %count = arith.muli %n2, %m1 : index
  %pairs = arith.divui %count, %two : index
  %three = tensor.expand_shape %flat [[0, 1, 2]] output_shape [%pairs, 1, 2]
      : {V} into tensor<?x1x2xf64>
  %cast = tensor.cast %three : tensor<?x1x2xf64> to tensor<?x?x2xf64>
  %again = tensor.collapse_shape %cast [[0, 1], [2]]
      : tensor<?x?x2xf64> into tensor<?x2xf64>
  %first = tensor.extract_slice %x[0, 0] [%m, 2] [1, 1] : {M} to tensor<?x2xf64>
  %inserted = tensor.insert_slice %first into %again[1, 0] [%m, 2] [1, 1]
      : tensor<?x2xf64> into tensor<?x2xf64>
  %sin = math.sin %inserted : tensor<?x2xf64>
  %r = tensor.cast %sin : tensor<?x2xf64> to {M}
"""


def shapes(x):
    left, right = x.chunk(2, dim=1)
    y = F.pad(torch.cat([right, left], 1), (0, 2, 1, 0)).T ** 2
    y = y.reshape(-1, 2)
    return torch.sin(torch.cat([y[:1], x[:, :2], y[1 + len(x):]]))


# A generic op that transposes, broadcasts and selects a row, and adds to what is
# there.
MAPPED = f"""
  %et = tensor.empty(%n, %m) : {M}
  %start = linalg.generic {{indexing_maps = [#column, #id],
      iterator_types = ["parallel", "parallel"]}}
      ins(%v : {V}) outs(%et : {M}) {{
    ^bb0(%a: f64, %o: f64):
      linalg.yield %a : f64
  }} -> {M}
  %r = linalg.generic {{indexing_maps = [#turned,
      affine_map<(i, j) -> (0, i)>, #id],
      iterator_types = ["parallel", "parallel"]}}
      ins(%x, %x : {M}, {M}) outs(%start : {M}) {{
    ^bb0(%a: f64, %first: f64, %o: f64):
      %y = arith.mulf %a, %first : f64
      %z = arith.mulf %y, %o : f64
      linalg.yield %z : f64
  }} -> {M}
"""

BATCHES = f"""
  %x3 = tensor.expand_shape %x [[0], [1, 2]] output_shape [%m, %n, 1]
      : {M} into tensor<?x?x1xf64>
  %y3 = tensor.expand_shape %y [[0], [1, 2]] output_shape [%m, 1, %n]
      : {M} into tensor<?x1x?xf64>
  %eb = tensor.empty(%m, %n, %n) : tensor<?x?x?xf64>
  %zb = linalg.fill ins(%zero : f64) outs(%eb : tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %p = linalg.batch_matmul ins(%x3, %y3 : tensor<?x?x1xf64>, tensor<?x1x?xf64>)
      outs(%zb : tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %c = linalg.contract indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>,
      affine_map<(b, i, j, k) -> (b, j, k)>, affine_map<(b, i, j, k) -> (b, i, j)>]
      ins(%p, %p : tensor<?x?x?xf64>, tensor<?x?x?xf64>)
      outs(%zb : tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %ep = tensor.empty(%m, %n, %n) : tensor<?x?x?xf64>
  %r = linalg.exp ins(%c : tensor<?x?x?xf64>) outs(%ep : tensor<?x?x?xf64>)
      -> tensor<?x?x?xf64>
"""


def batches(x, y):
    p = x[:, :, None] * y[:, None, :]
    return torch.exp(p @ p.mT)


SOFTMAX = f"""
  %r = linalg.softmax dimension(1) ins(%x : {M}) outs(%e : {M}) -> {M}
"""

# The greatest element of each column, of which two are equal, and the start.
GREATEST = f"""
  %ec = tensor.empty(%n) : {V}
  %r = linalg.generic {{indexing_maps = [#turned, #row],
      iterator_types = ["parallel", "reduction"]}}
      ins(%x : {M}) outs(%start : {V}) {{
    ^bb0(%a: f64, %acc: f64):
      %y = arith.mulf %a, %a : f64
      %z = arith.maxnumf %acc, %y : f64
      linalg.yield %z : f64
  }} -> {V}
"""


def make_ties(rng):
    x = rng.normal(size=(5, 4))
    x[3] = -x[1]
    return [x, np.array([0.0, 9.0, 0.0, (x[:, 3] ** 2).max()])]


def make_table(rng):
    return [rng.normal(size=(5, 6)), rng.integers(0, 5, 9, dtype=np.int32)]


def make_targets(rng):
    return [rng.normal(size=(7, 6)), rng.integers(0, 6, 7, dtype=np.int32)]


X = f"%x: {M}"
PROGRAMS = {
    "dense": (write(f"{X}, %w: {M}, %b: {V}", DENSE),
              lambda x, w, b: torch.tanh(x @ w + b),
              arrays((3, 5), (5, 4), (4,))),
    "norm": (write(f"{X}, %gain: {V}", NORM),
             lambda x, g: F.layer_norm(x, x.shape[1:], g, eps=1e-5),
             arrays((4, 9), (9,))),
    "cross entropy": (write(f"{X}, %t: tensor<?xi32>", CROSS_ENTROPY,
                            "tensor<f64>"),
                      lambda x, t: F.cross_entropy(x, t.long()), make_targets),
    "embedding": (write(f"{X}, %t: tensor<?xi32>", EMBEDDING),
                  lambda x, t: F.embedding(t, x) ** 2, make_table),
    "shapes": (write(X, SHAPES), shapes, arrays((3, 8))),
    "mapped": (write(f"{X}, %v: {V}", MAPPED),
               lambda x, v: x.T * x[0][:, None] * v, arrays((4, 6), (4,))),
    "batches": (write(f"{X}, %y: {M}", BATCHES, "tensor<?x?x?xf64>"), batches,
                lambda rng: [0.3 * rng.normal(size=(2, 3)) for _ in "xy"]),
    "softmax": (write(X, SOFTMAX), lambda x: torch.softmax(x, 1),
                arrays((4, 7))),
    "greatest": (write(f"{X}, %start: {V}", GREATEST, V),
                 lambda x, s: torch.cat([x * x, s[None]]).amax(0), make_ties),
}
