"""lattn: lattn.attention, or a module's text where a workload needs one; lattn.nn
where it is a torch module."""

import numpy as np

from harness import modules
from harness.arrays import empty_output
from harness.scores import SOFTCAP

from . import Prepared, peer
from .lattn_text import build


def _window(w):
    import lattn
    if w.bucket is None:
        return (w.left, w.right)
    return lattn.Window(left=w.left, right=w.right, bucket=w.bucket, back=w.back,
                        forward=w.forward)


def _stored(w, array):
    """The view with axes as in memory."""
    return array if w.layout == "bhnd" or array is None else array.swapaxes(1, 2)


def _program(w, arrays):
    import lattn
    program = lattn.compile(build(w))
    out = empty_output(w)
    if w.width:
        inputs = [arrays.x, arrays.w_qkv, arrays.w_out, out]
    else:
        inputs = [_stored(w, x) for x in (arrays.q, arrays.k, arrays.v)]
        inputs += [x for x in (arrays.slopes, arrays.bias) if x is not None]
        inputs.append(_stored(w, out))
    return lambda: program(*inputs), out


def _call(w, arrays):
    import lattn
    layout = "bhnd" if w.layout == "bhnd" else "bnhd"
    q, k, v = (_stored(w, x) for x in (arrays.q, arrays.k, arrays.v))
    out = empty_output(w)
    options = dict(window=_window(w), causal=w.causal, layout=layout,
                   out=_stored(w, out))
    if w.score == "softcap":
        options["softcap"] = SOFTCAP
    if w.score == "bias":
        options["bias"] = arrays.bias
    return lambda: lattn.attention(q, k, v, **options), out


def _module(w, arrays):
    from lattn import nn
    from .torch_arrays import prepared, tensor, tensor_type, with_gradients
    module = modules.build(w, nn).to(tensor_type(w))
    x = tensor(arrays.x)
    x = x.to(tensor_type(w)) if x.is_floating_point() else x
    if w.training:
        return with_gradients(lambda: module(x), modules.trained(module),
                              arrays.d_out)
    return prepared(lambda: module(x))


def _training(w, arrays):
    import lattn
    from .torch_arrays import prepared_for, tensor
    options = dict(window=_window(w), causal=w.causal)
    return prepared_for(w, arrays, lambda *x: lattn.attention(*x, **options),
                        [tensor(x) for x in (arrays.q, arrays.k, arrays.v)])


@peer("lattn", "lattn")
def prepare(w, arrays, threads):
    import lattn
    lattn.set_num_threads(threads)
    if w.module:
        return _module(w, arrays)
    if w.training:
        return _training(w, arrays)
    call, out = (_program if w.is_program else _call)(w, arrays)
    return Prepared(call, lambda _: out.astype(np.float64))
