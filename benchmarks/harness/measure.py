"""Measures one workload: lattn and the others by turns, the peak between them.
Runs in a process of its own, see worker.py."""

import importlib
import math
import time

import numpy as np

from peers import TRAINING, Skip, load

from . import arrays, cold, modules, reference
from .peak import Peak, copy_speed

SHORT = 2e-3  # seconds: shorter calls are timed several at a time


class _Peer:
    def __init__(self, name, prepared, first_call, error, rounds, seconds,
                 before_each=None):
        self.name, self.call = name, prepared.call
        self.before_each = before_each
        self.first_call, self.error = first_call, error
        begin = time.perf_counter()
        self.call()
        estimate = time.perf_counter() - begin
        self.calls = 1 if before_each else max(
            1, math.ceil(SHORT / max(estimate, 1e-7)))
        fitting = int(seconds / (estimate * self.calls))
        self.rounds = min(rounds, max(3, fitting))
        self.times = []

    def has_turn(self, number, rounds):
        """Spreads its rounds over all of them."""
        return (number * self.rounds // rounds
                != (number - 1) * self.rounds // rounds)

    def sample(self):
        calls, call = range(self.calls), self.call
        if self.before_each:
            self.before_each()
        begin = time.perf_counter()
        for _ in calls:
            result = call()
        self.times.append((time.perf_counter() - begin) / self.calls)
        del result

    def describe(self):
        return {"first_call": self.first_call, "error": self.error,
                "calls": self.calls, "times": self.times}


def _first_line(error):
    text = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {text[0][:200]}"


def _prepare(workload, names, options, tell):
    """(peers, skipped, failed)."""
    inputs = arrays.make(workload)
    expected = reference.compute(workload, inputs)
    # Gradients of parameters have sizes of their own.
    scale = np.abs(expected).max() if workload.training else 1
    available, peers, skipped, failed = load(), [], {}, {}
    before_each = None
    if options["cold"]:
        cold.forbid_reuse()
        before_each = cold.Eviction()
    for name in names:
        tell("at", name)
        needs, prepare = available[name]
        try:
            if workload.module and name not in modules.PEERS:
                raise Skip("no torch modules")
            if workload.training and name not in TRAINING:
                raise Skip("no gradients")
            for package in needs:
                importlib.import_module(package)
            begin = time.perf_counter()
            prepared = prepare(workload, inputs, workload.threads)
            out = prepared.call()
            first_call = time.perf_counter() - begin
            error = float(np.abs(prepared.result(out) - expected).max() / scale)
            del out
            peers.append(_Peer(name, prepared, first_call, error,
                               options["rounds"], options["seconds"],
                               before_each))
        except Skip as reason:
            skipped[name] = str(reason)
        except Exception as error:
            failed[name] = _first_line(error)
    return peers, skipped, failed


def measure(workload, names, options, tell):
    """The report, in JSON's types. `tell(kind, text)` tells which implementation is at
    work: the kind "at" is shown, "turn" is not."""
    peers, skipped, failed = _prepare(workload, names, options, tell)
    tell("at", "the peak")
    peak = Peak(workload.threads)
    rounds = options["rounds"]
    for number in range(rounds):
        tell("at", f"round {number + 1} of {rounds}")
        peak.sample()
        for peer in peers:
            if peer.has_turn(number, rounds):
                tell("turn", peer.name)
                time.sleep(options["pause"])  # threads of the last one may spin
                peer.sample()
    peak.sample()
    return {"implementations": {p.name: p.describe() for p in peers},
            "skipped": skipped, "failed": failed, "peak": peak.samples,
            "copy": copy_speed()}
