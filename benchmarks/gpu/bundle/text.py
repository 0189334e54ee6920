"""An attention kernel as MLIR, for all sizes and strides."""


def attention(w):
    def array(size):
        return (f"memref<?x?x?x{size}x{w.dtype}, "
                "strided<[?, ?, ?, ?], offset: ?>>")
    q, v = array(w.D), array(w.Dv)
    bounds = ", ".join(f"{name} = {value}" for name, value in (
        ("left", w.left), ("right", w.right)) if value is not None)
    names = {"q": q, "k": q, "v": v, "out": v}
    arguments = ", ".join(f'%{name}: {type} {{lattn.name = "{name}"}}'
                          for name, type in names.items())
    return f"""func.func @attention({arguments}) {{
  lattn.attention query(%q : {q}) key(%k : {q}) value(%v : {v})
      outs(%out : {v}) {{window = #lattn.window<{bounds}>}}
  return
}}
"""
