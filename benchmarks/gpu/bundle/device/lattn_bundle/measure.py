"""Times by CUDA events, by turns, with the L2 cache flushed before each."""

import random
import statistics

import torch

from . import of_torch


class Flush:
    """Writes more than L2 holds."""

    def __init__(self):
        l2 = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 0)
        self.space = torch.empty(max(2 * l2, 2 ** 28), dtype=torch.uint8,
                                 device=of_torch.DEVICE)

    def __call__(self):
        self.space.zero_()


def take_turns(runs, rounds, flush, seed=0, step=lambda: None):
    """{name: [milliseconds]}; each round in another order."""
    order, times = list(runs), {name: [] for name in runs}
    shuffle = random.Random(seed).shuffle
    for run in runs.values():
        run()
    torch.cuda.synchronize()
    for _ in range(rounds):
        shuffle(order)
        for name in order:
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            flush()
            begin.record()
            runs[name]()
            end.record()
            torch.cuda.synchronize()
            times[name].append(begin.elapsed_time(end))
        step()
    return times


def summarise(times, flops):
    middle = statistics.median(times)
    return {"median_ms": middle, "least_ms": min(times), "rounds": len(times),
            "tflops": flops / middle / 1e9, "times_ms": times}
