"""An attention kernel as MLIR."""


def get_bounds(w):
    return ", ".join(f"{name} = {value}" for name, value in (
        ("left", w.left), ("right", w.right)) if value is not None)


def write(w, arrays):
    arguments = ", ".join(f'%{name}: {type} {{lattn.name = "{name}"}}'
                          for name, type in arrays.items())
    return f"""func.func @attention({arguments}) {{
  lattn.attention query(%q : {arrays["q"]}) key(%k : {arrays["k"]})
      value(%v : {arrays["v"]}) outs(%out : {arrays["out"]})
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
    return write(w, {"q": q, "k": q, "v": v, "out": v})


def workload(w):
    """Of a workload's own sizes."""
    def array(heads, positions, size):
        return f"memref<{w.B}x{heads}x{positions}x{size}x{w.dtype}>"
    return write(w, {"q": array(w.H, w.N, w.D), "k": array(w.Hkv, w.M, w.D),
                     "v": array(w.Hkv, w.M, w.Dv),
                     "out": array(w.H, w.N, w.Dv)})
