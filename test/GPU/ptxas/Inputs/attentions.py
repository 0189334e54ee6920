"""A module with an attention for each combination:
attentions.py --head-sizes 64 128 --windows none left [--elements bf16] [--any]
    [--bias] [--key-mask] [--dropout] [--gradients] [--every 7 --first 2]
"""

import argparse
from itertools import product

WINDOWS = {
    "none": "",
    "causal": "{causal}",
    "both": "{window = #lattn.window<left = 100, right = 50>}",
    "left": "{window = #lattn.window<left = 256, right = 0>}",
    "left-only": "{window = #lattn.window<left = 256>}",
    "left-128": "{window = #lattn.window<left = 128, right = 0>}",
    "left-1024": "{window = #lattn.window<left = 1024, right = 0>}",
    "around-64": "{window = #lattn.window<left = 64, right = 64>}",
}


# Parameters and operand.
DROPOUT = (", %p: f32, %seed: i64", "dropout(%p, %seed, %seed : f32, i64, i64)")


def attention(head_size, window, element, extents, bias=False, dropout=False,
              key_mask=False):
    array = f"memref<{extents}x{head_size}x{element}>"
    name = f"d{head_size}_{window.replace('-', '_')}_{element}"
    pairs = f"memref<{extents[2:]}x{extents.split('x')[-1]}x{element}>"
    parameter, operand = (f", %b: {pairs}", f"bias(%b : {pairs})") if bias else ("", "")
    if key_mask:
        flags = f"memref<{extents.split('x')[0]}x{extents.split('x')[-1]}xi1>"
        parameter += f", %m: {flags}"
        operand += f" key_mask(%m : {flags})"
    dropped, drop = DROPOUT if dropout else ("", "")
    return f"""func.func @{name}(%q: {array}, %k: {array}, %v: {array}, %o: {array}{parameter}{dropped}) {{
  lattn.attention query(%q : {array}) key(%k : {array}) value(%v : {array})
      {operand} {drop} outs(%o : {array}) {WINDOWS[window]}
  return
}}
"""


def gradients(head_size, window, element, extents, bias=False, dropout=False):
    """Of two query heads for each head of keys, if the extents are known."""
    batch, heads, positions = extents.split("x")
    shared = heads if heads == "?" else int(heads) // 2
    q = f"memref<{extents}x{head_size}x{element}>"
    k = f"memref<{batch}x{shared}x{positions}x{head_size}x{element}>"
    lse = f"memref<{extents}xf32>"
    dropped, drop = DROPOUT if dropout else ("", "")
    array = f"memref<{heads}x{positions}x{positions}xf32>"
    biased, read, differentiate = ("", "", "")
    if bias:
        biased = f", %b: {array}, %db: {array}"
        read, differentiate = f"bias(%b : {array})", f"d_bias(%db : {array})"
    name = f"grad_d{head_size}_{window.replace('-', '_')}_{element}"
    return f"""func.func @{name}(%q: {q}, %k: {k}, %v: {k}, %o: {q}, %l: {lse}, %do: {q}, %dq: {q}, %dk: {k}, %dv: {k}{biased}{dropped}) {{
  lattn.attention_grad query(%q : {q}) key(%k : {k}) value(%v : {k}) {read} {drop}
      output(%o : {q}) lse(%l : {lse}) d_output(%do : {q})
      outs(%dq, %dk, %dv : {q}, {k}, {k}) {differentiate} {WINDOWS[window]}
  return
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--head-sizes", type=int, nargs="+", required=True)
    parser.add_argument("--windows", choices=WINDOWS, nargs="+",
                        default=list(WINDOWS)[:5])
    parser.add_argument("--elements", choices=["bf16", "f16"], nargs="+",
                        default=["bf16"])
    parser.add_argument("--any", action="store_true",
                        help="of any extents, which takes several kernels each")
    parser.add_argument("--bias", action="store_true", help="one of all pairs")
    parser.add_argument("--key-mask", action="store_true", help="of attention")
    parser.add_argument("--dropout", action="store_true")
    parser.add_argument("--gradients", action="store_true",
                        help="of attention, instead of attention itself")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="only one of N combinations")
    parser.add_argument("--first", type=int, default=0, metavar="I",
                        help="from the I-th on, modulo N")
    arguments = parser.parse_args()
    extents = "?x?x?" if arguments.any else "1x8x4096"
    cases = list(product(arguments.head_sizes, arguments.windows,
                         arguments.elements))
    for case in cases[arguments.first % arguments.every::arguments.every]:
        if arguments.gradients:
            print(gradients(*case, extents, arguments.bias, arguments.dropout))
        else:
            print(attention(*case, extents, arguments.bias, arguments.dropout,
                            arguments.key_mask))


if __name__ == "__main__":
    main()
