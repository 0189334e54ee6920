# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# Functions written for torch: the same functions on whole tensors are the
# oracle.

import pytest
import torch

import lattn

torch.manual_seed(0)
Q, K, V = (torch.randn(2, 4, n, 8) for n in (19, 37, 37))
SLOPES, TEMPERATURE = torch.rand(4), torch.tensor(0.5)


class Table(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.rand(4, 60))

    def forward(self, s, b, h, i, j):
        return s + self.table[h, (j - i).clamp(0, 40)]


class Holder:
    tensors = {"table": torch.rand(4, 60)}


def expect(mod):
    at = torch.meshgrid(*(torch.arange(n) for n in (2, 4, 19, 37)),
                        indexing="ij")
    scores = Q @ K.transpose(-1, -2) / 8**0.5
    return torch.softmax(mod(scores, *at), -1) @ V


@pytest.mark.parametrize("mod", [
    lambda s, b, h, i, j: s + SLOPES[h] * (j - i),
    lambda s, b, h, i, j: torch.where(i + 18 >= j, s * TEMPERATURE,
                                      -float("inf")),
    lambda s, b, h, i, j: TEMPERATURE * torch.tanh(s) - s / TEMPERATURE,
    lambda s, b, h, i, j: torch.exp(s.clamp(max=1.0)) - torch.maximum(
        s, torch.tensor(0.2)),
    lambda s, b, h, i, j: 2.0 - s.abs() + (i // 3).to(torch.float32) * 0.1
    + (i - j).float().pow(2) * 0.01,
    lambda s, b, h, i, j: s.masked_fill(i % 2 == 0, 0.5).sigmoid()
    + torch.log1p(torch.abs(s)),
    lambda s, b, h, i, j: 1 - s + (torch.tensor(3.0) > s),
    lambda s, b, h, i, j: s + Holder.tensors["table"][h, j],
    lambda s, b, h, i, j: torch.logical_and(i > j, h != 2) * s,
    Table(),
])
def test_numbers(mod):
    with torch.no_grad():
        actual = lattn.attention(Q, K, V, score_mod=mod)
        torch.testing.assert_close(actual, expect(mod), rtol=1e-5, atol=1e-5)


def test_captured_on_another_device():
    slopes = torch.rand(4, device="meta")
    with pytest.raises(NotImplementedError, match="'slopes': .*CPU.*meta"):
        lattn.attention(Q, K, V, score_mod=lambda s, b, h, i, j: s * slopes[h])
