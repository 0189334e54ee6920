"""ONNX Runtime: ONNX's Attention, and its own operators."""

import numpy as np

from harness import window

from . import Prepared, peer, skip_unless

MOST_SCORES = 1 << 28  # it stores all scores
NEEDS = ("onnxruntime", "onnx")


def _check(w):
    skip_unless(w.dtype == "f32", "f32 only")
    skip_unless(not (w.score or w.rotary or w.width), "plain attention only")
    skip_unless(w.B * w.H * w.N * w.M <= MOST_SCORES, "it stores all scores")


def _session(threads, nodes, inputs, outputs, constants=()):
    """inputs and outputs: {name: (type, shape)}."""
    import onnxruntime
    from onnx import TensorProto, helper

    def infos(values):
        return [helper.make_tensor_value_info(name, getattr(TensorProto, kind), shape)
                for name, (kind, shape) in values.items()]
    graph = helper.make_graph(nodes, "attention", infos(inputs), infos(outputs),
                              initializer=list(constants))
    model = helper.make_model(
        graph, ir_version=10, opset_imports=[
            helper.make_opsetid("", 23), helper.make_opsetid("com.microsoft", 1)])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Else its threads take the time of those that run next.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def _prepared(session, feed, result):
    return Prepared(lambda: session.run(["out"], feed)[0], result)


@peer("onnxruntime-attention", *NEEDS)
def attention(w, arrays, threads):
    """With a mask where there is a window."""
    from onnx import helper
    _check(w)
    begin, end = window.seen_keys(w)
    feed = {"q": arrays.q, "k": arrays.k[:, :, begin:end],
            "v": arrays.v[:, :, begin:end]}
    feed = {name: np.ascontiguousarray(x) for name, x in feed.items()}
    inputs = {name: ("FLOAT", x.shape) for name, x in feed.items()}
    options = dict(scale=w.D ** -0.5)
    shown = window.mask(w, begin, end)
    if w.is_plainly_causal and w.N == w.M:
        options["is_causal"] = 1
    elif not shown.all():
        feed["mask"] = shown
        inputs["mask"] = ("BOOL", shown.shape)
    node = helper.make_node("Attention", list(feed), ["out"], **options)
    outputs = {"out": ("FLOAT", (w.B, w.H, w.N, w.Dv))}
    session = _session(threads, [node], inputs, outputs)
    return _prepared(session, feed, lambda out: out.astype(np.float64))


def _packed(array):
    """(B, N, heads * size)."""
    batches, heads, length, size = array.shape
    return np.ascontiguousarray(array.swapaxes(1, 2)).reshape(
        batches, length, heads * size)


def _own(w, arrays, threads, operator, names, constants, options, extra=()):
    """An operator of com.microsoft on (B, N, heads * size)."""
    from onnx import helper
    feed = {name: _packed(x)
            for name, x in zip("qkv", (arrays.q, arrays.k, arrays.v))}
    inputs = {name: ("FLOAT", x.shape) for name, x in feed.items()}
    node = helper.make_node(operator, names, ["out", *extra],
                            domain="com.microsoft", scale=w.D ** -0.5, **options)
    outputs = {"out": ("FLOAT", (w.B, w.N, w.H * w.Dv))}
    outputs |= {name: ("FLOAT", (w.B, w.Hkv, w.M, w.D)) for name in extra}
    session = _session(threads, [node], inputs, outputs, constants)
    return _prepared(session, feed, lambda out: out.reshape(
        w.B, w.N, w.H, w.Dv).swapaxes(1, 2).astype(np.float64))


@peer("onnxruntime-gqa", *NEEDS)
def group_query(w, arrays, threads):
    """GroupQueryAttention, which is causal and has a window to the left."""
    from onnx import TensorProto, helper
    _check(w)
    skip_unless(w.causal or w.right == 0, "causal only")
    skip_unless(w.bucket is None, "no buckets")
    skip_unless((w.M, w.Dv) == (w.N, w.D), "it needs M = N and Dv = D")
    constants = [
        helper.make_tensor("last", TensorProto.INT32, [w.B], [w.M - 1] * w.B),
        helper.make_tensor("total", TensorProto.INT32, [1], [w.M])]
    options = dict(num_heads=w.H, kv_num_heads=w.Hkv)
    if w.left is not None:
        options["local_window_size"] = w.left + 1
    names = ["q", "k", "v", "", "", "last", "total"]
    return _own(w, arrays, threads, "GroupQueryAttention", names, constants,
                options, extra=("keys", "values"))


@peer("onnxruntime-mha", *NEEDS)
def multi_head(w, arrays, threads):
    """MultiHeadAttention, without a window."""
    _check(w)
    skip_unless(w.is_full or w.is_plainly_causal, "no windows")
    skip_unless((w.Hkv, w.M) == (w.H, w.N), "it needs Hkv = H and M = N")
    return _own(w, arrays, threads, "MultiHeadAttention", ["q", "k", "v"], (),
                dict(num_heads=w.H, unidirectional=int(not w.is_full)))
