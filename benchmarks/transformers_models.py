#!/usr/bin/env python
"""Models of Hugging Face transformers with attn_implementation="sdpa", with "lattn",
and with "lattn" and lattn.transformers.optimize(model), by turns: a prompt of a
Mistral-like decoder, the same of packed sequences, an encoder like ModernBERT, and one
decoded token behind caches of several lengths, and requests by continuous batching.
Parameters are random.

Prints the least times, and sdpa's time over each. Times on one thread are its CPU
time, so that other work on the machine counts less. With --memory it prints instead
how much a prompt's first pass adds to the process's memory at its peak.
"""

import argparse
import json
import resource
import subprocess
import sys
import time

from harness.needs import require

require("torch", "transformers", "numpy", "lattn.transformers")

import torch
import transformers as hf

import lattn.transformers

IMPLEMENTATIONS = "sdpa", "lattn", "optimized"
SIZES = dict(vocab_size=1000, hidden_size=512, num_hidden_layers=4,
             num_attention_heads=8, max_position_embeddings=1 << 16,
             pad_token_id=0, bos_token_id=1, eos_token_id=2)
MODELS = {
    "decoder": lambda: (hf.MistralForCausalLM, hf.MistralConfig(
        **SIZES, num_key_value_heads=2, intermediate_size=1408,
        sliding_window=512)),
    "global decoder": lambda: (hf.LlamaForCausalLM, hf.LlamaConfig(
        **SIZES, num_key_value_heads=2, intermediate_size=1408)),
    "encoder": lambda: (hf.ModernBertModel, hf.ModernBertConfig(
        **SIZES, cls_token_id=1, sep_token_id=2, intermediate_size=768,
        local_attention=128, global_attn_every_n_layers=4)),
}
KINDS = "decoder", "encoder"  # of prompts
TOLERANCE = 2e-4


def make(kind, names=IMPLEMENTATIONS):
    """The model, once with each implementation and the same parameters."""
    found = {}
    for name in names:
        model, config = MODELS[kind]()  # a model keeps and changes its own
        torch.manual_seed(0)
        found[name] = model._from_config(config, attn_implementation=(
            "sdpa" if name == "sdpa" else "lattn")).eval()
        if name == "optimized":
            lattn.transformers.optimize(found[name])
    return found


def measure(calls, turns, clock):
    """The least time of each call; the first of each counts not."""
    results = {name: call() for name, call in calls.items()}
    for name, x in results.items():
        difference = (x - results["sdpa"]).abs().max().item()
        assert difference < TOLERANCE, (name, difference)
    times = {name: [] for name in calls}
    for _ in range(turns):
        for name, call in calls.items():
            start = clock()
            call()
            times[name].append(clock() - start)
    return {name: min(x) for name, x in times.items()}


def run_prompt(kind, length, names=IMPLEMENTATIONS):
    ids = torch.randint(3, 1000, (1, length))
    options = dict(use_cache=False, logits_to_keep=1) if kind == "decoder" else {}

    def call(model):
        found = model(input_ids=ids, **options)
        return found[0]

    return {name: lambda m=m: call(m) for name, m in make(kind, names).items()}


def run_packed(lengths):
    """Logits of sequences that position_ids pack."""
    ids = torch.randint(3, 1000, (1, sum(lengths)))
    positions = torch.cat([torch.arange(n) for n in lengths])[None]
    return {name: lambda m=m: m(input_ids=ids, position_ids=positions,
                                use_cache=False).logits
            for name, m in make("decoder").items()}


def read_peak():
    """The peak of this process's memory, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def print_growth(kind, length, name):
    """In this process: of the peak, by the first pass of a whole prompt. Kernels
    are compiled before."""
    run_prompt(kind, 512, [name])[name]()
    call = run_prompt(kind, length, [name])[name]
    before = read_peak()
    call()
    print(read_peak() - before)


def measure_memory(arguments, found):
    for kind in KINDS:
        growth = {}
        for name in IMPLEMENTATIONS:
            done = subprocess.run(
                [sys.executable, __file__, f"--length={arguments.length}",
                 f"--threads={arguments.threads}", "--growth", kind, name],
                check=True, text=True, stdout=subprocess.PIPE)
            growth[name] = float(done.stdout)
        title = f"memory of {kind}, {arguments.length} tokens"
        found[title] = growth
        print(title + "".join(f"  {name} {x:.0f} MB"
                              for name, x in growth.items()), flush=True)


def run_token(models, length):
    """One token behind a cache of `length`, which is cut to that length again."""
    ids, token = torch.randint(3, 1000, (1, length)), torch.tensor([[5]])

    def prepare(model):
        cache = hf.DynamicCache()  # of all positions: windows may cut no more
        model(input_ids=ids, past_key_values=cache, logits_to_keep=1)

        def call():
            found = model(input_ids=token, past_key_values=cache).logits
            cache.crop(-1)
            return found

        return call

    return {name: prepare(model) for name, model in models.items()}


def run_batch(kind, count):
    """32 tokens of requests with 256 to 1,024 tokens, as log probabilities. "sdpa" gets
    a dense mask from transformers."""
    torch.manual_seed(1)
    prompts = [torch.randint(3, 1000, (n,)).tolist()
               for n in torch.linspace(256, 1024, count).int().tolist()]
    options = dict(
        generation_config=hf.GenerationConfig(
            max_new_tokens=32, do_sample=False, eos_token_id=-1, pad_token_id=0),
        continuous_batching_config=hf.ContinuousBatchingConfig(
            num_blocks=6 * count, max_batch_tokens=2048, return_logprobs=True))

    def call(name, model):
        if name == "sdpa":
            found = model.generate_batch(prompts, warmup=False, **options)
        else:
            found = lattn.transformers.generate_batch(model, prompts, **options)
        return torch.tensor([x.logprobs for x in found.values()])

    return {name: lambda n=name, m=m: call(n, m) for name, m in make(kind).items()}


def measure_times(arguments, found):
    clock = time.process_time if arguments.threads == 1 else time.perf_counter

    def report(name, calls, turns):
        seconds = found[name] = measure(calls, turns, clock)
        print(f"{name:24}" + "".join(
            f"  {key} {1e3 * x:9.2f} ms" for key, x in seconds.items())
            + "  ratios" + "".join(f" {seconds['sdpa'] / x:.2f}"
                                   for x in seconds.values()), flush=True)
    for kind in KINDS if arguments.length else ():
        report(f"{kind}, {arguments.length} tokens",
               run_prompt(kind, arguments.length), arguments.turns)
    for length in arguments.packed:
        count = max(1, arguments.length // 2 // length)
        report(f"packed, {count} of {length} tokens", run_packed([length] * count),
               arguments.turns)
    for kind in "decoder", "global decoder":
        for count in arguments.requests:
            report(f"{count} requests, {kind}", run_batch(kind, count),
                   arguments.turns)
    models = make("decoder")
    for length in arguments.cached:
        report(f"a token behind {length}", run_token(models, length),
               20 * arguments.turns)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--length", type=int, default=8192, help="of prompts")
    parser.add_argument("--cached", type=int, nargs="*",
                        default=[128, 1024, 8192])
    parser.add_argument("--packed", type=int, nargs="*", default=[128, 1024],
                        help="of sequences, which have half of a prompt's tokens")
    parser.add_argument("--requests", type=int, nargs="*", default=[16],
                        help="numbers of requests of continuous batching")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--growth", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--json", help="a file for the seconds")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    lattn.set_num_threads(arguments.threads)
    found = {}
    with torch.inference_mode():
        if arguments.growth:
            print_growth(arguments.growth[0], arguments.length,
                         arguments.growth[1])
        elif arguments.memory:
            measure_memory(arguments, found)
        else:
            measure_times(arguments, found)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
