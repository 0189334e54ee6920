"""To run it from the repository's root:

    .venv/bin/python examples/byte_transformer.py

A LocalTransformer learns to write Python, byte by byte. The program reads the
sources of Python's standard library, trains on random pieces of them, and generates
text with the cache of keys and values. --steps and --tokens set how much.
"""

import argparse
import pathlib
import sys
import sysconfig

try:
    import torch
except ImportError:
    sys.exit("torch is not installed: scripts/setup torch, or pip install torch")

from lattn import nn

LENGTH, BATCH = 256, 4


def read_sources(limit=1 << 20):
    text = b""
    folder = pathlib.Path(sysconfig.get_path("stdlib"))
    for path in sorted(folder.glob("*.py")):
        text += path.read_bytes()
        if len(text) >= limit:
            break
    return torch.frombuffer(bytearray(text[:limit]), dtype=torch.uint8).long()


def train(model, text, steps):
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for step in range(steps):
        starts = torch.randint(len(text) - LENGTH, (BATCH,))
        pieces = torch.stack([text[i:i + LENGTH + 1] for i in starts])
        loss = model(pieces, return_loss=True)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0 or step == steps - 1:
            print(f"step {step:4d}  loss {loss.item():.3f}")
    return loss.item()


def main():
    parser = argparse.ArgumentParser(description="Trains a LocalTransformer on Python's sources.")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--tokens", type=int, default=400)
    options = parser.parse_args()
    torch.manual_seed(0)
    text = read_sources()
    model = nn.LocalTransformer(
        num_tokens=256, max_seq_len=1024, dim=64, depth=2, heads=4, dim_head=16,
        local_attn_window_size=32, num_residual_streams=1)
    print(f"{len(text)} bytes of text, "
          f"{sum(p.numel() for p in model.parameters())} parameters")
    train(model, text, options.steps)

    prime = torch.tensor([list(b"def ")])
    written = model.generate(prime, options.tokens, temperature=0.8)
    print(bytes(prime[0].tolist() + written[0].tolist()).decode(errors="replace"))
    # The cache changes no token.
    likeliest = model.generate(prime, 40, temperature=0.0)
    same = model.generate(prime, 40, temperature=0.0, use_kv_cache=False)
    print(f"{(likeliest == same).sum()} of 40 tokens are those without a cache")


if __name__ == "__main__":
    main()
