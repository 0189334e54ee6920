"""A kernel of attention or of its gradients as MLIR."""


def get_bounds(w):
    return ", ".join(f"{name} = {value}" for name, value in (
        ("left", w.left), ("right", w.right)) if value is not None)


def write(w, arrays):
    arguments = ", ".join(f'%{name}: {type} {{lattn.name = "{name}"}}'
                          for name, type in arrays.items())
    op, outs = "attention", ("out",)
    inputs = {"query": "q", "key": "k", "value": "v"}
    if w.backward:
        op, outs = "attention_grad", ("dq", "dk", "dv")
        inputs |= {"output": "out", "lse": "lse", "d_output": "do"}
    operands = " ".join(f"{word}(%{name} : {arrays[name]})"
                        for word, name in inputs.items())
    return f"""func.func @attention({arguments}) {{
  lattn.{op} {operands}
      outs({", ".join("%" + name for name in outs)} : {", ".join(
          arrays[name] for name in outs)})
      {{window = #lattn.window<{get_bounds(w)}>}}
  return
}}
"""


def attention(w):
    """For all sizes and strides."""
    def array(size):
        return (f"memref<?x?x?x{size}x{w.dtype}, "
                "strided<[?, ?, ?, ?], offset: ?>>")
    q, v = array(w.D), array(w.Dv)
    arrays = {"q": q, "k": q, "v": v, "out": v}
    if w.backward:
        lse = "memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>"
        arrays |= {"lse": lse, "do": v, "dq": q, "dk": q, "dv": v}
    return write(w, arrays)


def workload(w):
    """Of a forward workload's own sizes."""
    def array(heads, positions, size):
        return f"memref<{w.B}x{heads}x{positions}x{size}x{w.dtype}>"
    return write(w, {"q": array(w.H, w.N, w.D), "k": array(w.Hkv, w.M, w.D),
                     "v": array(w.Hkv, w.M, w.Dv),
                     "out": array(w.H, w.N, w.Dv)})
