"""To run it from the repository's root:

    .venv/bin/python examples/alibi_slopes.py
    .venv/bin/python examples/alibi_slopes.py --torch    # by PyTorch's operations

Fine-tunes the slopes of ALiBi, an array that a score function reads. First a layer of
attention learns Python's standard library, byte by byte, with the usual slopes. Then
all weights stay as they are, and only the slopes are trained. --torch computes the
same on all pairs of positions. --steps sets the number of steps.
"""

import argparse
import pathlib
import sys
import sysconfig

try:
    import torch
except ImportError:
    sys.exit("torch is not installed: scripts/setup torch, or pip install torch")
from torch import nn
from torch.nn import functional as F

import lattn

DIM, HEADS, WINDOW = 64, 8, 64
LENGTH, BATCH = 256, 4


def attend(q, k, v, slopes):
    def alibi(score, batch, head, q_idx, kv_idx):
        return score + slopes[head] * (kv_idx - q_idx)
    return lattn.attention(q, k, v, window=(WINDOW, 0), score_mod=alibi)


def attend_in_torch(q, k, v, slopes):
    at = torch.arange(q.shape[2])
    distance = at - at[:, None]  # of the key from the query
    scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    scores = scores + slopes[:, None, None] * distance
    seen = (distance <= 0) & (distance >= -WINDOW)
    return scores.masked_fill(~seen, float("-inf")).softmax(-1) @ v


class Layer(nn.Module):
    def __init__(self, attend):
        super().__init__()
        self.attend = attend
        self.embedding = nn.Embedding(256, DIM)
        self.to_qkv = nn.Linear(DIM, 3 * DIM, bias=False)
        self.to_out = nn.Linear(DIM, DIM, bias=False)
        self.to_logits = nn.Linear(DIM, 256)
        self.slopes = nn.Parameter(2.0 ** -torch.arange(1, HEADS + 1))

    def forward(self, tokens):
        """The mean cross entropy of each byte's successor."""
        x = self.embedding(tokens[:, :-1])
        qkv = self.to_qkv(x).unflatten(-1, (3, HEADS, -1)).permute(2, 0, 3, 1, 4)
        out = self.attend(*qkv, self.slopes)
        x = x + self.to_out(out.transpose(1, 2).flatten(2))
        return F.cross_entropy(self.to_logits(x).transpose(1, 2), tokens[:, 1:])


def read_pieces(count):
    """Pieces of the standard library's sources, spread over 1 MB."""
    text = b""
    for path in sorted(pathlib.Path(sysconfig.get_path("stdlib")).glob("*.py")):
        text += path.read_bytes()
    text = torch.frombuffer(bytearray(text[:1 << 20]), dtype=torch.uint8).long()
    starts = torch.linspace(0, len(text) - LENGTH - 1, count).long()
    return torch.stack([text[i:i + LENGTH + 1] for i in starts])


def train(layer, parameters, pieces, steps, lr):
    optimizer = torch.optim.Adam(parameters, lr=lr)
    for _ in range(steps):
        loss = layer(pieces[torch.randint(len(pieces), (BATCH,))])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def show(name, values):
    print(f"{name:16s}", " ".join(f"{x:8.5f}" for x in values.tolist()))


def main():
    parser = argparse.ArgumentParser(description="Fine-tunes the slopes of ALiBi.")
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--torch", action="store_true")
    options = parser.parse_args()
    if options.steps < 1:
        parser.error(f"--steps: expected a number >= 1, got {options.steps}")
    torch.manual_seed(0)
    layer = Layer(attend_in_torch if options.torch else attend)
    pieces = read_pieces(1000)[torch.randperm(1000)]
    pieces, held_out = pieces[:-16], pieces[-16:]
    weights = [p for p in layer.parameters() if p is not layer.slopes]

    layer.slopes.requires_grad_(False)
    train(layer, weights, pieces, 2 * options.steps, lr=5e-3)
    before = layer(held_out).item()
    show("slopes", layer.slopes)

    for p in weights:
        p.requires_grad_(False)
    layer.slopes.requires_grad_(True)
    layer(held_out).backward()
    show("their gradients", layer.slopes.grad)
    train(layer, [layer.slopes], pieces, options.steps, lr=2e-2)
    show("fine-tuned", layer.slopes.detach())
    print(f"loss of held-out text: {before:.4f} before, {layer(held_out).item():.4f} "
          "after")


if __name__ == "__main__":
    main()
