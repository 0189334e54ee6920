"""Workloads as text of MLIR. Outputs are memrefs that callers keep."""

from harness.scores import SCORES


def _window_attribute(w):
    right = 0 if w.causal else w.right
    fields = {"left": w.left, "right": right, "bucket": w.bucket,
              "back": w.back or None, "forward": w.forward or None}
    inner = ", ".join(f"{name} = {value}" for name, value in fields.items()
                      if value is not None)
    return f"window = #lattn.window<{inner}>"


def _layout_attribute(w):
    return f"layout = #lattn.layout<{'bhnd' if w.layout == 'bhnd' else 'bnhd'}>"


def _array(w, heads, length, size):
    sizes = [w.B, heads, length, size] if w.static else ["?", "?", "?", size]
    if w.layout != "bhnd":
        sizes[1:3] = sizes[2], sizes[1]
    return f"memref<{'x'.join(map(str, sizes))}x{w.dtype}>"


def _attention(w):
    q, out = _array(w, w.H, w.N, w.D), _array(w, w.H, w.N, w.Dv)
    k, v = _array(w, w.Hkv, w.M, w.D), _array(w, w.Hkv, w.M, w.Dv)
    arguments = f"%q: {q}, %k: {k}, %v: {v}"
    operands = f"query(%q : {q}) key(%k : {k}) value(%v : {v})"
    region = ""
    text = SCORES[w.score].text if w.score else ""
    if text:
        block = "%score: f32, %b: i32, %head: i32, %row: i32, %column: i32"
        if w.score == "alibi":
            arguments += ", %slopes: memref<?xf32>"
            operands += " captures(%slopes : memref<?xf32>)"
            block += ", %table: memref<?xf32>"
        region = (f" score {{\n    ^bb0({block}):{text}\n"
                  "      lattn.yield %result : f32\n  }")
    elif w.score == "bias":
        bias = f"memref<1x1x?x?x{w.dtype}>"
        arguments += f", %bias: {bias}"
        operands += f" bias(%bias : {bias})"
    return f"""func.func @attention({arguments}, %out: {out}) {{
  lattn.attention {operands} outs(%out : {out})
      {{{_window_attribute(w)}, {_layout_attribute(w)}}}{region}
  return
}}
"""


def _rotary(w):
    array = _array(w, w.H, w.N, w.D)
    return f"""func.func @rotary(%q: {array}, %k: {array}, %v: {array},
                  %out: {array}) {{
  lattn.local_attention query(%q : {array}) key(%k : {array})
      value(%v : {array}) outs(%out : {array})
      {{window_size = {w.left} : i64, causal, exact_windowsize, autopad,
       dim = {w.D} : i64, {_layout_attribute(w)}}}
  return
}}
"""


def _projections(w):
    n = w.N if w.static else "?"
    inner, t = w.H * w.D, w.dtype
    x = f"{w.B}x{n}x{w.width}x{t}"
    flat, flat_qkv, flat_heads = (f"tensor<?x{size}x{t}>" for size in (
        w.width, 3 * inner, inner))
    heads = f"tensor<{w.B}x{n}x{w.H}x{w.D}x{t}>"
    packed = f"tensor<{w.B}x{n}x3x{w.H}x{w.D}x{t}>"
    if w.static:
        flat, flat_qkv, flat_heads = (f.replace("?", str(w.B * w.N)) for f in (
            flat, flat_qkv, flat_heads))
    size = "" if w.static else "%n"
    rows = "" if w.static else "%rows"
    slices = "\n".join(
        f"  %{name} = tensor.extract_slice %packed[0, 0, {i}, 0, 0] "
        f"[{w.B}, {size or n}, 1, {w.H}, {w.D}] [1, 1, 1, 1, 1] : {packed} to "
        f"{heads}" for i, name in enumerate("qkv"))
    return f"""func.func @projections(
    %x: memref<{x}>, %w_qkv: tensor<{w.width}x{3 * inner}x{t}>,
    %w_out: tensor<{inner}x{w.width}x{t}>, %out: memref<{x}>) {{
  %zero = arith.constant 0.0 : {t}
  %c1 = arith.constant 1 : index
  %batches = arith.constant {w.B} : index
  %n = memref.dim %x, %c1 : memref<{x}>
  %rows = arith.muli %n, %batches : index
  %xt = bufferization.to_tensor %x restrict : memref<{x}> to tensor<{x}>
  %xf = tensor.collapse_shape %xt [[0, 1], [2]] : tensor<{x}> into {flat}
  %e0 = tensor.empty({rows}) : {flat_qkv}
  %f0 = linalg.fill ins(%zero : {t}) outs(%e0 : {flat_qkv}) -> {flat_qkv}
  %qkv = linalg.matmul ins(%xf, %w_qkv : {flat}, tensor<{w.width}x{3 * inner}x{t}>)
      outs(%f0 : {flat_qkv}) -> {flat_qkv}
  %packed = tensor.expand_shape %qkv [[0, 1], [2, 3, 4]]
      output_shape [{w.B}, {size or n}, 3, {w.H}, {w.D}] : {flat_qkv} into {packed}
{slices}
  %e1 = tensor.empty({size}) : {heads}
  %o = lattn.attention query(%q : {heads}) key(%k : {heads}) value(%v : {heads})
      outs(%e1 : {heads})
      {{{_window_attribute(w)}, layout = #lattn.layout<bnhd>}}
  %of = tensor.collapse_shape %o [[0, 1], [2, 3]] : {heads} into {flat_heads}
  %e2 = tensor.empty({rows}) : {flat}
  %f2 = linalg.fill ins(%zero : {t}) outs(%e2 : {flat}) -> {flat}
  %y = linalg.matmul ins(%of, %w_out : {flat_heads}, tensor<{inner}x{w.width}x{t}>)
      outs(%f2 : {flat}) -> {flat}
  %yx = tensor.expand_shape %y [[0, 1], [2]]
      output_shape [{w.B}, {size or n}, {w.width}] : {flat} into tensor<{x}>
  bufferization.materialize_in_destination %yx in restrict writable %out
      : (tensor<{x}>, memref<{x}>) -> ()
  return
}}
"""


def build(w):
    if w.width:
        return _projections(w)
    return _rotary(w) if w.rotary else _attention(w)
