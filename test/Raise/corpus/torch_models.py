"""Whole models of torch, small."""

import torch
import torch.nn.functional as F
from corpus import Program
from torch import nn

DIM, HEADS, N = 16, 2, 32


def encoder():
    layer = nn.TransformerEncoderLayer(DIM, HEADS, 2 * DIM, batch_first=True,
                                       norm_first=True, activation="gelu")
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


class Heads(nn.Module):
    """Projections for attention, and back."""

    def __init__(self, dim=DIM):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim, bias=False)
                                          for _ in range(4))

    def split(self, x):
        return x.view(*x.shape[:2], HEADS, -1).transpose(1, 2)

    def merge(self, x):
        return self.o(x.transpose(1, 2).flatten(2))


class Decoder(nn.Module):
    """One step: its token's keys and values behind those of the cache."""

    def __init__(self):
        super().__init__()
        self.attention, self.norm = Heads(), nn.LayerNorm(DIM)
        self.out = nn.Linear(DIM, 24)

    def forward(self, x, keys, values):
        a, y = self.attention, self.norm(x)
        keys = torch.cat([keys, a.split(a.k(y))], 2)
        values = torch.cat([values, a.split(a.v(y))], 2)
        y = F.scaled_dot_product_attention(a.split(a.q(y)), keys, values)
        return self.out(x + a.merge(y)), keys, values


class ViT(nn.Module):
    """Patches of an image, a token of the class, an encoder's layer."""

    def __init__(self):
        super().__init__()
        self.patches = nn.Linear(3 * 4 * 4, DIM)
        self.token = nn.Parameter(torch.randn(1, 1, DIM))
        self.positions = nn.Parameter(torch.randn(1, 17, DIM))
        self.layer = nn.TransformerEncoderLayer(DIM, HEADS, 2 * DIM,
                                                batch_first=True)
        self.head = nn.Linear(DIM, 10)

    def forward(self, image):
        b = image.shape[0]
        x = image.view(b, 3, 4, 4, 4, 4).permute(0, 2, 4, 1, 3, 5).reshape(b, 16, 48)
        x = torch.cat([self.token.expand(b, 1, DIM), self.patches(x)], 1)
        return self.head(self.layer(x + self.positions)[:, 0])


class T5(nn.Module):
    """T5's self-attention: no scale, a bias of distances in buckets, a norm of
    root mean squares."""

    def __init__(self):
        super().__init__()
        self.attention = Heads()
        self.bias = nn.Embedding(16, HEADS)
        self.weight = nn.Parameter(torch.ones(DIM))
        self.wi, self.wo = nn.Linear(DIM, 2 * DIM), nn.Linear(2 * DIM, DIM)

    def norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight

    def forward(self, x):
        a, y = self.attention, self.norm(x)
        i = torch.arange(N)
        distance = (i[None, :] - i[:, None]).clamp(-8, 7) + 8
        scores = a.split(a.q(y)) @ a.split(a.k(y)).transpose(-2, -1)
        scores = scores + self.bias(distance).permute(2, 0, 1)
        x = x + a.merge(torch.softmax(scores, -1) @ a.split(a.v(y)))
        return x + self.wo(torch.relu(self.wi(self.norm(x))))


def local_transformer():
    from local_attention import LocalTransformer
    return LocalTransformer(num_tokens=24, dim=DIM, depth=2, max_seq_len=N,
                            heads=HEADS, dim_head=8, local_attn_window_size=8,
                            causal=True, use_xpos=False)


class CausalLM(nn.Module):
    """A decoder's two layers over a whole text."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Heads() for _ in range(2))
        self.tokens = nn.Embedding(24, DIM)

    def forward(self, ids):
        x = self.tokens(ids)
        for a in self.layers:
            y = F.layer_norm(x, (DIM,))
            y = F.scaled_dot_product_attention(a.split(a.q(y)), a.split(a.k(y)),
                                               a.split(a.v(y)), is_causal=True)
            x = x + a.merge(y)
        return x @ self.tokens.weight.T


X = ((1, N, DIM), "f32")
CACHE = ((1, HEADS, 31, DIM // HEADS), "f32")
PROGRAMS = [
    Program("model_encoder", encoder, [X], ["", ""]),
    Program("model_decoder_step", Decoder, [((1, 1, DIM), "f32"), CACHE, CACHE],
            [""]),
    Program("model_vit", ViT, [((2, 3, 16, 16), "f32")], [""]),
    Program("model_t5", T5, [X], [""]),
    Program("model_causal_lm", CausalLM, [((1, N), "i64<24")],
            ["right = 0", "right = 0"]),
    Program("model_local_transformer", local_transformer, [((1, N), "i64<24")],
            ["left = 8, right = 0, bucket = 8, back = 1"] * 2, tolerance=1e-4),
]
