"""Derivatives that the compiler writes of functions of scalars, as arrays."""

import re
import subprocess

import numpy as np

import lattn


def differentiate(tool, texts, *passes):
    """The modules after passes of lattn-opt, all in one call of it."""
    result = subprocess.run(
        [tool, "-", "--split-input-file", *passes],
        input="\n// -----\n".join(texts), text=True, capture_output=True)
    if result.returncode:
        raise RuntimeError(result.stderr)
    return result.stdout.split("// -----\n")


TWICE = ["--lattn-differentiate=functions=f results",
         "--lattn-differentiate=functions=f mode=forward",
         "--lattn-differentiate=functions=f_grad",
         "--lattn-differentiate=functions=f_grad mode=forward"]


def call_all(module, names, arguments, pipeline):
    """What functions of a module return, as lists: compiled and called as one."""
    header, calls, values, types, counts = [], "", [], [], []
    for i, name in enumerate(names):
        found = re.search(rf"func.func @{name}\((.*)\) -> (.*) {{", module)
        takes = re.findall(r": ([^,]*?)(?:, %|$)", found[1])
        gives = found[2].strip("()").split(", ")
        own = [f"%x{i}_{k}" for k in range(len(takes))]
        header += [f"{a}: {type_}" for a, type_ in zip(own, takes, strict=True)]
        calls += (f"  %y{i}:{len(gives)} = call @{name}({', '.join(own)}) : "
                  f"({', '.join(takes)}) -> ({', '.join(gives)})\n")
        values += [f"%y{i}#{k}" for k in range(len(gives))]
        types += gives
        counts.append(len(gives))
    main = (f"func.func @main({', '.join(header)}) -> ({', '.join(types)}) {{\n"
            f"{calls}  return {', '.join(values)} : {', '.join(types)}\n}}\n")
    compiled = lattn.compile(module[:module.rindex("}")] + main + "}", "main",
                             pipeline=pipeline)
    results = list(compiled(*(a for own in arguments for a in own)))
    return [[results.pop(0) for _ in range(count)] for count in counts]


def _call_for_each(parts, inputs, type_):
    """@main calls functions for each element of arrays.

    parts: (function, numbers of its arguments among the inputs, its results).
    """
    array, outputs = f"tensor<?x{type_}>", sum(part[2] for part in parts)

    def join(form, count=outputs):
        return ", ".join(form.format(i) for i in range(count))

    calls, values = "", []
    for i, (name, taken, count) in enumerate(parts):
        arguments = ", ".join(f"%x{k}" for k in taken)
        calls += (f"%y{i}:{count} = func.call @{name}({arguments}) : "
                  f"({join(type_, len(taken))}) -> ({join(type_, count)})\n")
        values += [f"%y{i}#{k}" for k in range(count)]
    maps = join("affine_map<(d0) -> (d0)>", inputs + outputs)
    return f"""
func.func @main({join(f"%a{{}}: {array}", inputs)}) -> ({join(array)}) {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a0, %c0 : {array}
  %e = tensor.empty(%n) : {array}
  %r:{outputs} = linalg.generic {{indexing_maps = [{maps}],
      iterator_types = ["parallel"]}}
      ins({join("%a{}", inputs)} : {join(array, inputs)})
      outs({join("%e")} : {join(array)}) {{
  ^bb0({join(f"%x{{}}: {type_}", inputs)}, {join(f"%o{{}}: {type_}")}):
    {calls}
    linalg.yield {", ".join(values)} : {join(type_)}
  }} -> ({join(array)})
  return {join("%r#{}")} : {join(array)}
}}
"""


def compile_derivatives(module, inputs, type_="f64"):
    """A function of arrays from a module after TWICE, whose f takes `inputs`.

    It takes x, g, t, all as many as f's arguments but for g, the cotangent of
    f's result. It returns what these four do:
    grad(x, g) -> value, cotangents of x
    jvp(x, t) -> tangent
    reverse over reverse(x, g, 0, t) -> cotangents of x, of g
    forward over reverse(x, g, t, 0) -> tangents of value, of the cotangents
    """
    n = inputs
    x, g, t, zero = [*range(n)], [n], [*range(n + 1, 2 * n + 1)], [2 * n + 1]
    parts = [("f_grad", x + g, n + 1), ("f_jvp", x + t, 1),
             ("f_grad_grad", x + g + zero + t, n + 1),
             ("f_grad_jvp", x + g + t + zero, n + 1)]
    text = (module[:module.rindex("}")] +
            _call_for_each(parts, 2 * n + 2, type_) + "}")
    compiled = lattn.compile(text, "main", pipeline="loops")

    def call(x, g, t):
        results = list(compiled(*x, g, *t, np.zeros_like(g)))
        return [[results.pop(0) for _ in range(part[2])] for part in parts]

    return call
