# RUN: %python %s 48 chain | lattn-opt --lattn-raise | FileCheck %s
# RUN: %python %s 48 both | lattn-opt --lattn-raise | FileCheck %s
# RUN: %python %s 50000 deep | lattn-opt --lattn-raise -o /dev/null 2>&1 \
# RUN:     | FileCheck %s --check-prefix=DEEP
# RUN: %python %s 64 wide | lattn-opt --lattn-raise -o /dev/null 2>&1 \
# RUN:     | FileCheck %s --check-prefix=WIDE

# Masks and scores whose size, were each use looked at for itself, is 2 to the
# power of the first argument; and scores deeper and wider than are looked at.

# CHECK: lattn.attention
# DEEP: not raised to lattn.attention: the scores have no product of queries and keys
# WIDE: not raised to lattn.attention: the scores are too large an expression

import sys

TEXT = """!t = tensor<8x160x4xf32>
!s = tensor<8x160x160xf32>
#all = affine_map<(a, b, c) -> (a, b, c)>
func.func @main(%q: !t, %k: tensor<8x4x160xf32>, %v: !t) -> !t {{
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, tensor<8x4x160xf32>)
      outs(%f : !s) -> !s
  %m = linalg.generic {{indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%s : !s) outs(%e : !s) {{
  ^bb0(%x0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
{body}
  }} -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %o = tensor.empty() : !t
  %g = linalg.fill ins(%zero : f32) outs(%o : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%g : !t) -> !t
  return %r : !t
}}
"""


def chain(count):
    """Exclusive ors of comparisons."""
    for t in range(count):
        yield f"%k{t} = arith.constant {3 * t + 1} : index"
        yield f"%a{t} = arith.cmpi eq, {'%i' if t % 2 else '%j'}, %k{t} : index"
        if t:
            last = f"%b{t - 1}" if t > 1 else "%a0"
            yield f"%b{t} = arith.xori {last}, %a{t} : i1"
    yield f"%y = arith.select %b{count - 1}, %none, %x0 : f32"
    yield "linalg.yield %y : f32"


def both(count):
    """Each is the sum of the one before it with itself."""
    for t in range(count):
        yield f"%x{t + 1} = arith.addf %x{t}, %x{t} : f32"
    yield f"linalg.yield %x{count} : f32"


def deep(count):
    for t in range(count):
        yield f"%x{t + 1} = math.tanh %x{t} : f32"
    yield f"linalg.yield %x{count} : f32"


def wide(count):
    """Sums of numbers of which each comparison chooses one."""
    yield "%y0 = arith.addf %zero, %zero : f32"
    for t in range(count):
        yield f"%k{t} = arith.constant {t} : index"
        yield f"%c{t} = arith.cmpi eq, %i, %k{t} : index"
        yield f"%n{t} = arith.constant {2.0**t} : f32"
        yield f"%p{t} = arith.addf %y{t}, %n{t} : f32"
        yield f"%y{t + 1} = arith.select %c{t}, %p{t}, %y{t} : f32"
    yield f"%z = arith.addf %x0, %y{count} : f32"
    yield "linalg.yield %z : f32"


lines = globals()[sys.argv[2]](int(sys.argv[1]))
print(TEXT.format(body="\n".join("    " + line for line in lines)))
