"""OpenVINO's scaled_dot_product_attention: with a mask, and on blocks."""

import numpy as np

from harness import window

from . import Prepared, peer, skip_unless

MOST_PAIRS = 1 << 26  # of a mask


def _check(w):
    skip_unless(w.dtype in ("f32", "bf16"), "f32 and bf16 only")
    skip_unless(not (w.score or w.rotary or w.width), "plain attention only")


def _request(w, threads, shapes, causal):
    """shapes of query, key, value and, where there is one, the mask."""
    import openvino
    from openvino import opset13
    parameters = [opset13.parameter(shape, openvino.Type.f32) for shape in shapes]
    node = opset13.scaled_dot_product_attention(*parameters, causal=causal)
    options = {"INFERENCE_PRECISION_HINT": w.dtype, "NUM_STREAMS": 1,
               "INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
    model = openvino.Core().compile_model(
        openvino.Model([node], parameters), "CPU", options)
    return model.create_infer_request()


def _run(request, arrays):
    """`arrays` must live until the next call."""
    import openvino
    for i, array in enumerate(arrays):
        request.set_input_tensor(i, openvino.Tensor(array, shared_memory=True))
    request.infer()
    return request.get_output_tensor(0).data


def _as_f32(array):
    return np.ascontiguousarray(array.astype(np.float32))


@peer("openvino", "openvino")
def masked(w, arrays, threads):
    _check(w)
    skip_unless(w.H == w.Hkv, "it needs Hkv = H")
    begin, end = window.seen_keys(w)
    inputs = [_as_f32(x) for x in (arrays.q, arrays.k[:, :, begin:end],
                                   arrays.v[:, :, begin:end])]
    causal = w.is_plainly_causal and w.N == w.M
    if not causal and not w.is_full:
        skip_unless(w.N * (end - begin) <= MOST_PAIRS,
                    f"a mask of {w.N} x {end - begin}")
        shown = window.mask(w, begin, end)
        if not shown.all():
            inputs.append(np.where(shown, 0, -np.inf).astype("f4")[None, None])
    request = _request(w, threads, [x.shape for x in inputs], causal)
    return Prepared(lambda: _run(request, inputs),
                    lambda out: out.astype(np.float64))


@peer("openvino-blocks", "openvino", "torch")
def blocks(w, arrays, threads):
    """Blocks, gathered by torch, take the batch's axis: the mask is one for all
    heads."""
    import torch

    from .torch_arrays import Buckets
    _check(w)
    skip_unless(not (w.is_full or w.is_plainly_causal), "no window")
    buckets = Buckets(w)
    q, k, v = (torch.from_numpy(_as_f32(x))
               for x in (arrays.q, arrays.k, arrays.v))
    mask = np.where(buckets.mask, 0, -3e38).astype("f4")[:, None]
    heads = w.B * w.H
    shapes = [(buckets.count, heads, rows, size) for rows, size in (
        (buckets.size, w.D), (buckets.width, w.D), (buckets.width, w.Dv))]
    request = _request(w, threads, [*shapes, mask.shape], False)
    kept = []

    def run():
        with torch.inference_mode():
            kept[:] = [x.transpose(0, 1).contiguous().numpy()
                       for x in buckets.split(q, k, v)]
            out = torch.from_numpy(_run(request, [*kept, mask]))
            return out.transpose(0, 1).reshape(w.B, w.H, w.N, w.Dv)
    return Prepared(run, lambda out: out.double().numpy())
