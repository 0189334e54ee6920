#!/usr/bin/env python3
"""Times lattn.attention with its options on a GPU, beside what PyTorch has for the
same: FlexAttention (compiled, with a block mask) and SDPA. It needs lattn and a
PyTorch with CUDA:

    .venv/bin/python benchmarks/gpu/options.py [--out FILE.jsonl] [NAME...]
    .venv/bin/python benchmarks/gpu/options.py --table FILE.jsonl

A time is the median of five pairs of events with ten calls between them. Each output
is compared with attention in float32 of some heads; a difference of more than 2^-7
times max(1, |expected|) is an error (weights and outputs are rounded to bf16).
"""

import argparse
import dataclasses
import json
import math
import statistics
import sys
import time
import typing

import torch
from torch.nn import functional

import lattn
import lattn.math
from timing import report, time_calls

TOLERANCE = 2.0 ** -7
GB, TERA = 1e9, 1e12


@dataclasses.dataclass
class Workload:
    """Sizes as in lattn.attention; `options` makes those of the call, and `scores`
    what they do to a matrix of scores and to the pairs that are seen."""

    B: int = 1
    H: int = 16
    Hkv: int = 0
    N: int = 8192
    M: int = 0
    D: int = 128
    options: typing.Callable = lambda w: {}
    visible: typing.Callable = lambda w, b, i, j: i >= i   # (batch, query, key)
    scores: typing.Callable = lambda w, s, h, i, j: s
    peers: tuple = ("flex",)
    mask: typing.Callable | None = None    # SDPA's attn_mask

    def __post_init__(self):
        self.Hkv, self.M = self.Hkv or self.H, self.M or self.N
        self.extra = {}

    def array(self, name, make):
        """An array of the workload, made once."""
        if name not in self.extra:
            torch.manual_seed(len(name))
            self.extra[name] = make()
        return self.extra[name]

    def bias(self):
        return self.array("bias", lambda: torch.randn(
            1, self.H, self.N, self.M, device="cuda", dtype=torch.bfloat16))

    def hidden(self):
        return self.array("hidden", lambda: torch.rand(
            self.B, self.M, device="cuda") < 0.7)

    def lengths(self):
        return self.array("lengths", lambda: torch.randint(
            self.M // 2, self.M + 1, (self.B,), device="cuda", dtype=torch.int32))

    def sink(self):
        return self.array("sink", lambda: torch.randn(self.H, device="cuda"))

    def documents(self):
        return self.array("documents", lambda: torch.arange(
            self.N, device="cuda", dtype=torch.int32)[None] // 1024)


def is_causal(w, b, i, j):
    return j <= i + (w.M - w.N)


def is_within(left):
    return lambda w, b, i, j: is_causal(w, b, i, j) & (j >= i + (w.M - w.N) - left)


def soften(w, s, h, i, j):
    return 30 * torch.tanh(s / 30)


def incline(w, s, h, i, j):
    return s - (i - j).abs() * torch.exp2(-(h + 1) / 2)


def incline_score(score, b, h, qi, ki):
    return score - lattn.math.abs(qi - ki) * lattn.math.exp2((h + 1) * -0.5)


WORKLOADS = {
    "causal": Workload(options=lambda w: {"causal": True}, visible=is_causal),
    "softcap, causal": Workload(
        options=lambda w: {"causal": True, "softcap": 30.0}, visible=is_causal,
        scores=soften),
    "ALiBi as score_mod, causal": Workload(
        options=lambda w: {"causal": True, "score_mod": incline_score},
        visible=is_causal, scores=incline),
    "bias of all pairs": Workload(
        N=4096, options=lambda w: {"bias": w.bias()},
        scores=lambda w, s, h, i, j: s + w.bias()[0, h][i, j],
        mask=lambda w: w.bias(), peers=("sdpa", "flex")),
    "key mask": Workload(
        B=4, N=4096, options=lambda w: {"key_mask": w.hidden()},
        visible=lambda w, b, i, j: w.hidden()[b, j] & (i >= 0),
        mask=lambda w: w.hidden()[:, None, None], peers=("sdpa", "flex")),
    "lengths of keys, causal": Workload(
        B=8, N=4096, options=lambda w: {
            "kv_lengths": w.lengths(), "causal": True, "offset": 0},
        visible=lambda w, b, i, j: (j < w.lengths()[b]) & (j <= i)),
    "documents, causal": Workload(
        N=8192, options=lambda w: {
            "causal": True, "q_segments": w.documents(),
            "kv_segments": w.documents()},
        visible=lambda w, b, i, j: is_causal(w, b, i, j) &
        (w.documents()[0, i] == w.documents()[0, j])),
    "sink, window 128, heads of 64 in groups of 8": Workload(
        H=64, Hkv=8, D=64, options=lambda w: {
            "window": (127, 0), "sink": w.sink()}, visible=is_within(127),
        peers=()),
    "window 512, softcap": Workload(
        N=32768, options=lambda w: {"window": (512, 0), "softcap": 30.0},
        visible=is_within(512), scores=soften),
    "heads of 72": Workload(D=72, options=lambda w: {}, peers=("sdpa",)),
    "heads of 192, causal": Workload(
        D=192, options=lambda w: {"causal": True}, visible=is_causal,
        peers=("sdpa",)),
    "heads of 32": Workload(H=32, D=32, peers=("sdpa",)),
    "one query, 32k keys": Workload(
        B=8, H=32, Hkv=8, N=1, M=32768, peers=("sdpa",)),
    "one query, 4k keys, batch of 64": Workload(
        B=64, H=32, Hkv=8, N=1, M=4096, peers=("sdpa",)),
    "one query, 128k keys, one sequence": Workload(
        B=1, H=32, Hkv=8, N=1, M=131072, peers=("sdpa",)),
    "16 queries, 8k keys, causal": Workload(
        B=8, H=32, Hkv=8, N=16, M=8192, options=lambda w: {"causal": True},
        visible=is_causal, peers=("flex",)),
}


def make_inputs(w):
    torch.manual_seed(0)
    return [torch.randn(w.B, heads, rows, w.D, device="cuda", dtype=torch.bfloat16)
            for heads, rows in ((w.H, w.N), (w.Hkv, w.M), (w.Hkv, w.M))]


def attend_head(w, q, k, v, b, h):
    """A head's output in float32, some rows at a time."""
    kv = h // (w.H // w.Hkv)
    keys, values = k[b, kv].float(), v[b, kv].float()
    j = torch.arange(w.M, device="cuda")[None]
    parts = []
    for rows in torch.arange(w.N, device="cuda").split(2048):
        i = rows[:, None]
        s = q[b, h, rows].float() @ keys.T * w.D ** -0.5
        s = w.scores(w, s, torch.tensor(h, device="cuda"), i, j).float()
        s = s.masked_fill(~w.visible(w, b, i, j), -math.inf)
        if "sink" in w.extra:
            sink = w.sink()[h].expand(len(rows), 1)
            weights = torch.cat([s, sink], -1).softmax(-1)[:, :-1]
        else:
            weights = s.softmax(-1)
        parts.append(weights @ values)
    return torch.cat(parts)


def find_error(w, out, q, k, v):
    """The largest difference of some heads, in tolerances."""
    worst = 0.0
    for b, h in {(0, 0), (w.B - 1, w.H - 1), (w.B // 2, w.H // 2)}:
        want = attend_head(w, q, k, v, b, h)
        error = (out[b, h].float() - want).abs() / want.abs().clamp(min=1)
        worst = max(worst, float(error.max()) / TOLERANCE)
    return worst


def count_visible(w):
    """Pairs of all heads that are seen."""
    total = 0
    j = torch.arange(w.M, device="cuda")[None]
    for b in range(w.B):
        for rows in torch.arange(w.N, device="cuda").split(2048):
            seen = w.visible(w, b, rows[:, None], j)
            total += int(seen.expand(len(rows), w.M).sum())
    return total * w.H


def measure(call):
    """Milliseconds of a call."""
    call()
    torch.cuda.synchronize()
    return statistics.median(time_calls(call, calls=10))


def make_flex(w, q, k, v):
    from torch.nn.attention import flex_attention as flex
    torch.compiler.reset()  # it compiles a function only eight times
    attend = torch.compile(flex.flex_attention, dynamic=False)

    def see(b, h, i, j):
        return w.visible(w, b, i, j)

    def score(s, b, h, i, j):
        return w.scores(w, s, h, i, j)
    mask = flex.create_block_mask(
        see, w.B if w.extra.keys() & {"hidden", "lengths"} else None, None, w.N, w.M)
    grouped = w.H != w.Hkv
    plain = w.scores is Workload.scores
    return lambda: attend(q, k, v, score_mod=None if plain else score,
                          block_mask=mask, enable_gqa=grouped)


def make_sdpa(w, q, k, v):
    mask = w.mask(w) if w.mask else None
    causal = w.visible is is_causal
    return lambda: functional.scaled_dot_product_attention(
        q, k, v, attn_mask=mask, is_causal=causal, enable_gqa=w.H != w.Hkv)


PEERS = {"flex": make_flex, "sdpa": make_sdpa}


def run(name, w, peers):
    """Lines of results."""
    q, k, v = make_inputs(w)
    options = w.options(w)
    begin = time.perf_counter()
    out = lattn.attention(q, k, v, **options)
    torch.cuda.synchronize()
    first = time.perf_counter() - begin
    line = {"workload": name, "by": "lattn", "first_call_s": first,
            "tolerances": find_error(w, out, q, k, v),
            "ms": measure(lambda: lattn.attention(q, k, v, **options))}
    line["tflops"] = 4 * w.D * count_visible(w) / line["ms"] / 1e-3 / TERA
    line["gb_per_s"] = sum(2 * a.numel() for a in (q, k, v, out)) / line["ms"] \
        / 1e-3 / GB
    yield line
    for peer in w.peers if peers else ():
        try:
            call = PEERS[peer](w, q, k, v)
            yield {"workload": name, "by": peer,
                   "tolerances": find_error(w, call(), q, k, v),
                   "ms": measure(call)}
        except Exception as error:  # of other projects; lattn's row stands
            yield {"workload": name, "by": peer,
                   "error": f"{type(error).__name__}: {str(error)[:200]}"}


def print_table(path):
    """Lines of --out as Markdown."""
    rows = {}
    with open(path) as lines:
        for line in map(json.loads, lines):
            rows.setdefault(line["workload"], {})[line["by"]] = line
    print("| attention | lattn, ms | TFLOP/s | GB/s | FlexAttention, ms | SDPA, ms |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, row in rows.items():
        own = row["lattn"]
        others = [f"{row[peer]['ms']:.3f}" if "ms" in row.get(peer, {}) else ""
                  for peer in ("flex", "sdpa")]
        print(f"| {name} | {own['ms']:.3f} | {own['tflops']:.0f} | "
              f"{own['gb_per_s']:.0f} | {' | '.join(others)} |")


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="workloads; all without")
    parser.add_argument("--out", help="write lines of JSON")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--table", metavar="FILE", help="print lines of --out as a "
                        "table, and time nothing")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in WORKLOADS:
            parser.error(f"no workload '{name}'; there are: {', '.join(WORKLOADS)}")
    return arguments


def main():
    arguments = parse()
    if arguments.table:
        try:
            return print_table(arguments.table)
        except OSError as error:
            sys.exit(f"options.py: error: --table: {error}")
    if not torch.cuda.is_available():
        sys.exit("options.py: error: PyTorch finds no GPU")
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, lattn "
          f"{lattn.__version__}")
    wrong = 0
    out = open(arguments.out, "w") if arguments.out else None
    for name in arguments.names or WORKLOADS:
        try:
            for line in run(name, WORKLOADS[name], not arguments.no_peers):
                wrong += line["by"] == "lattn" and not line["tolerances"] <= 1
                report(line, out)
        except Exception as error:
            wrong += 1
            print(f"{name}: {type(error).__name__}: {error}", flush=True)
        torch.cuda.empty_cache()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
