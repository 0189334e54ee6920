"""What the programs of this folder share: times by events, and lines of results."""

import json

import torch


def time_calls(call, calls, pairs=5):
    """Milliseconds of a call, for each of `pairs` pairs of events with `calls` calls
    between them."""
    times = []
    for _ in range(pairs):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) / calls)
    return times


def report(line, out=None):
    """Prints a line of results, and writes it to `out` as JSON."""
    print("  ".join(f"{key} {value:.4g}" if isinstance(value, float) else str(value)
                    for key, value in line.items()), flush=True)
    if out:
        out.write(json.dumps(line) + "\n")
        out.flush()
