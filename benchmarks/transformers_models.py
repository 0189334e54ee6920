#!/usr/bin/env python
"""Times models of Hugging Face transformers with attn_implementation="lattn" and
with "sdpa", in turns: the prompt of a decoder like Mistral, an encoder like
ModernBERT, and one decoded token after caches of several lengths. Parameters are
random.

Prints the least times and sdpa's time over lattn's. Times on one thread are CPU times,
so that other work on the machine counts less.
"""

import argparse
import json
import time

import torch
import transformers as hf

import lattn.transformers

IMPLEMENTATIONS = "lattn", "sdpa"
SIZES = dict(vocab_size=1000, hidden_size=512, num_hidden_layers=4,
             num_attention_heads=8, max_position_embeddings=1 << 16,
             pad_token_id=0, bos_token_id=1, eos_token_id=2)
MODELS = {
    "decoder": lambda: (hf.MistralForCausalLM, hf.MistralConfig(
        **SIZES, num_key_value_heads=2, intermediate_size=1408,
        sliding_window=512)),
    "encoder": lambda: (hf.ModernBertModel, hf.ModernBertConfig(
        **SIZES, cls_token_id=1, sep_token_id=2, intermediate_size=768,
        local_attention=128, global_attn_every_n_layers=4)),
}
TOLERANCE = 2e-4


def make(kind):
    """The model, once with each implementation and the same parameters."""
    found = {}
    for name in IMPLEMENTATIONS:
        model, config = MODELS[kind]()  # a model keeps and changes its own
        torch.manual_seed(0)
        found[name] = model._from_config(config, attn_implementation=name).eval()
    return found


def measure(calls, turns, clock):
    """The least time of each call; the first of each counts not."""
    results = {name: call() for name, call in calls.items()}
    difference = (results["lattn"] - results["sdpa"]).abs().max().item()
    assert difference < TOLERANCE, difference
    times = {name: [] for name in calls}
    for _ in range(turns):
        for name, call in calls.items():
            start = clock()
            call()
            times[name].append(clock() - start)
    return {name: min(x) for name, x in times.items()}


def run_prompt(kind, length):
    ids = torch.randint(3, 1000, (1, length))
    options = dict(use_cache=False, logits_to_keep=1) if kind == "decoder" else {}

    def call(model):
        found = model(input_ids=ids, **options)
        return found[0]

    return {name: lambda m=m: call(m) for name, m in make(kind).items()}


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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--length", type=int, default=8192, help="of prompts")
    parser.add_argument("--cached", type=int, nargs="*",
                        default=[128, 1024, 8192])
    parser.add_argument("--json", help="a file for the seconds")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    lattn.set_num_threads(arguments.threads)
    clock = time.process_time if arguments.threads == 1 else time.perf_counter
    found = {}

    def report(name, calls, turns):
        seconds = found[name] = measure(calls, turns, clock)
        print(f"{name:24}" + "".join(
            f"  {key} {1e3 * x:9.2f} ms" for key, x in seconds.items())
            + f"  ratio {seconds['sdpa'] / seconds['lattn']:.2f}", flush=True)

    with torch.inference_mode():
        for kind in MODELS:
            report(f"{kind}, {arguments.length} tokens",
                   run_prompt(kind, arguments.length), arguments.turns)
        models = make("decoder")
        for length in arguments.cached:
            report(f"a token behind {length}", run_token(models, length),
                   20 * arguments.turns)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
