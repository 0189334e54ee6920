"""Whole models, small and random: what makes each, and its inputs for a batch and a
length."""

import torch
import transformers as hf
from torch import nn

DIM, HEADS = 32, 4
SIZES = dict(vocab_size=97, hidden_size=DIM, intermediate_size=48, num_hidden_layers=1,
             num_attention_heads=HEADS, max_position_embeddings=256, pad_token_id=0,
             bos_token_id=1, eos_token_id=2)
GROUPED = dict(num_key_value_heads=2)
MIXED = GROUPED | dict(sliding_window=8, num_hidden_layers=2)


def hugging_face(model, config, **options):
    def make():
        return model._from_config(config(**options))
    return make


def tokens(b, n):
    return dict(input_ids=torch.randint(3, 97, (b, n)))


def padded(b, n):
    mask = torch.ones(b, n, dtype=torch.long)
    mask[-1, n // 2:] = 0
    return tokens(b, n) | dict(attention_mask=mask)


def decoder(b, n):
    return tokens(b, n) | dict(use_cache=False)


def both(b, n):
    return tokens(b, n) | dict(decoder_input_ids=torch.randint(3, 97, (b, n // 2 + 1)),
                               use_cache=False)


def sequence(b, n):
    return dict(x=torch.randn(b, n, DIM))


class Einsum(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(DIM, 3 * DIM), nn.Linear(DIM, DIM)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, HEADS, -1).unbind(2)
        w = torch.softmax(torch.einsum("bihd,bjhd->bhij", q, k) * 0.35, -1)
        return self.out(torch.einsum("bhij,bjhd->bihd", w, v).reshape(b, n, DIM))


class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(DIM, HEADS, batch_first=True)

    def forward(self, x, weights=False):
        return self.attention(x, x, x, need_weights=weights)


class Encoder(nn.Module):
    def __init__(self, **options):
        super().__init__()
        layer = nn.TransformerEncoderLayer(DIM, HEADS, 48, batch_first=True, **options)
        self.layers = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)

    def forward(self, x, keep=None):
        mask = None if keep is None else ~keep
        return self.layers(x, src_key_padding_mask=mask)


class EncoderDecoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Transformer(DIM, HEADS, 1, 1, 48, batch_first=True)

    def forward(self, x, y):
        mask = nn.Transformer.generate_square_subsequent_mask(y.shape[1])
        return self.layers(x, y, tgt_mask=mask, tgt_is_causal=True)


class Wkv(nn.Module):
    """RWKV's mixing of channels and of times, with decay in log space."""

    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(DIM)
        self.decay, self.first = (nn.Parameter(torch.randn(DIM)) for _ in range(2))
        self.mix = nn.Parameter(torch.rand(3, DIM))
        self.key, self.value, self.gate, self.out = (
            nn.Linear(DIM, DIM, bias=False) for _ in range(4))

    def forward(self, x):
        y = self.norm(x)
        before = nn.functional.pad(y, (0, 0, 1, -1))
        k, v, r = (f(torch.lerp(before, y, m)) for f, m in zip(
            (self.key, self.value, self.gate), self.mix))
        n = x.shape[1]
        i = torch.arange(n)
        past = (i[:, None] - i[None, :] - 1)[..., None]
        w = -torch.exp(self.decay) * past + k[:, None]
        w = torch.where(past == -1, self.first + k[:, None], w)
        w = w.masked_fill(past < -1, float("-inf"))
        mixed = (torch.softmax(w, 2) * v[:, None]).sum(2)
        return x + self.out(torch.sigmoid(r) * mixed)


class Conformer(nn.Module):
    """Half a feed-forward network, attention, a convolution, and the other half."""

    def __init__(self):
        super().__init__()
        self.networks = nn.ModuleList(nn.Sequential(
            nn.LayerNorm(DIM), nn.Linear(DIM, 64), nn.SiLU(), nn.Linear(64, DIM))
            for _ in range(2))
        self.norms = nn.ModuleList(nn.LayerNorm(DIM) for _ in range(3))
        self.attention = nn.MultiheadAttention(DIM, HEADS, batch_first=True)
        self.first, self.last = nn.Conv1d(DIM, 2 * DIM, 1), nn.Conv1d(DIM, DIM, 1)
        self.depthwise = nn.Conv1d(DIM, DIM, 7, padding=3, groups=DIM)
        self.batch = nn.BatchNorm1d(DIM)

    def forward(self, x):
        x = x + 0.5 * self.networks[0](x)
        y = self.norms[0](x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        y = nn.functional.glu(self.first(self.norms[1](x).transpose(1, 2)), 1)
        y = nn.functional.silu(self.batch(self.depthwise(y)))
        x = x + self.last(y).transpose(1, 2)
        return self.norms[2](x + 0.5 * self.networks[1](x))


class Blocks(nn.Module):
    """Longformer's local attention: each block sees its neighbours; the length is
    padded to whole blocks."""

    def __init__(self, size=8):
        super().__init__()
        self.size = size
        self.qkv, self.out = nn.Linear(DIM, 3 * DIM), nn.Linear(DIM, DIM)

    def forward(self, x):
        b, n, _ = x.shape
        s = self.size
        more = -n % s
        x = nn.functional.pad(x, (0, 0, 0, more))
        q, k, v = self.qkv(x).view(b, n + more, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        count = (n + more) // s
        q = q.reshape(b, HEADS, count, s, -1)
        k, v = (nn.functional.pad(y, (0, 0, s, s)).unfold(2, 3 * s, s).transpose(-1, -2)
                for y in (k, v))
        at = torch.arange(n + more).view(count, s, 1)
        seen = at.view(count, 1, s)[:, :, :1] - s + torch.arange(3 * s)
        hidden = ((at - seen).abs() > s) | (seen < 0) | (seen >= n)
        scores = (q @ k.transpose(-1, -2)) * q.shape[-1] ** -0.5
        w = torch.softmax(scores.masked_fill(hidden, float("-inf")), -1)
        y = (w @ v).reshape(b, HEADS, n + more, -1).transpose(1, 2)
        return self.out(y.reshape(b, n + more, DIM)[:, :n])


def mel(b, n):
    return dict(input_features=torch.randn(b, 8, 40))


def image(b, n):
    return dict(pixel_values=torch.randn(b, 3, 16, 16))


def any_image(b, n):
    return dict(pixel_values=torch.randn(b, 3, 4 * (n // 4), 4 * (n // 4 + 1)),
                interpolate_pos_encoding=True)


def keep(b, n):
    return sequence(b, n) | dict(keep=torch.arange(n).expand(b, n) % 5 != 3)


def two(b, n):
    return sequence(b, n) | dict(y=torch.randn(b, n // 2 + 2, DIM))


def waves(b, n):
    return dict(input_values=torch.randn(b, 40 * n))


def _whisper():
    from transformers.models.whisper.modeling_whisper import WhisperEncoder
    return WhisperEncoder(hf.WhisperConfig(
        vocab_size=97, d_model=DIM, encoder_layers=1, encoder_attention_heads=HEADS,
        encoder_ffn_dim=48, num_mel_bins=8, max_source_positions=20))


def _hf(name, options=None, config=None, sizes=SIZES):
    model = getattr(hf, name)
    return hugging_face(model, getattr(hf, config) if config else model.config_class,
                        **(sizes | (options or {})))


BART = dict(vocab_size=97, d_model=DIM, encoder_layers=1, decoder_layers=1,
            encoder_attention_heads=HEADS, decoder_attention_heads=HEADS,
            encoder_ffn_dim=48, decoder_ffn_dim=48, max_position_embeddings=128,
            pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1)
T5 = dict(vocab_size=97, d_model=DIM, d_kv=8, d_ff=48, num_layers=1, num_heads=HEADS,
          decoder_start_token_id=0, pad_token_id=0)
GPT2 = dict(vocab_size=97, n_embd=DIM, n_layer=1, n_head=HEADS, n_positions=256,
            bos_token_id=1, eos_token_id=2)
VIT = dict(hidden_size=DIM, num_hidden_layers=1, num_attention_heads=HEADS,
           intermediate_size=48, image_size=16, patch_size=4)
SPEECH = dict(vocab_size=32, hidden_size=DIM, num_hidden_layers=1,
              num_attention_heads=HEADS, intermediate_size=48, conv_dim=(16, 16),
              conv_stride=(5, 4), conv_kernel=(10, 8), num_feat_extract_layers=2,
              num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=2)

MODELS = {
    "bert_padded": (_hf("BertModel"), padded),
    "einsum": (Einsum, sequence),
    "llama": (_hf("LlamaForCausalLM", GROUPED), decoder),
    "bert": (_hf("BertModel"), tokens),
    "bert_eager": (_hf("BertModel", dict(attn_implementation="eager")), padded),
    "distilbert": (_hf("DistilBertModel", dict(dim=DIM, n_layers=1, n_heads=HEADS,
                                              hidden_dim=48)), padded),
    "roberta": (_hf("RobertaModel"), padded),
    "modernbert": (_hf("ModernBertModel", dict(
        local_attention=8, num_hidden_layers=2, global_attn_every_n_layers=2,
        cls_token_id=1, sep_token_id=2)), padded),
    "gpt2": (_hf("GPT2LMHeadModel", sizes=GPT2), decoder),
    "gpt2_cache": (_hf("GPT2LMHeadModel", sizes=GPT2), tokens),
    "gpt_neo": (_hf("GPTNeoForCausalLM", dict(
        num_hidden_layers=2, num_heads=HEADS, attention_types=[[["global", "local"], 1]],
        window_size=8)), decoder),
    "gpt_neox": (_hf("GPTNeoXForCausalLM"), decoder),
    "llama_cache": (_hf("LlamaForCausalLM", GROUPED), tokens),
    "llama_padded": (_hf("LlamaForCausalLM", GROUPED),
                     lambda b, n: padded(b, n) | dict(use_cache=False)),
    "llama_eager": (_hf("LlamaForCausalLM", GROUPED | dict(
        attn_implementation="eager")), decoder),
    "mistral": (_hf("MistralForCausalLM", GROUPED | dict(sliding_window=8)), decoder),
    "qwen2": (_hf("Qwen2ForCausalLM", GROUPED), decoder),
    "qwen3": (_hf("Qwen3ForCausalLM", GROUPED | dict(head_dim=8)), decoder),
    "gemma": (_hf("GemmaForCausalLM", GROUPED | dict(head_dim=8)), decoder),
    "gemma2": (_hf("Gemma2ForCausalLM", MIXED | dict(head_dim=8)),
               decoder),
    "gemma3": (_hf("Gemma3ForCausalLM", MIXED | dict(head_dim=8),
                   config="Gemma3TextConfig"), decoder),
    "phi": (_hf("PhiForCausalLM"), decoder),
    "phi3": (_hf("Phi3ForCausalLM", GROUPED), decoder),
    "falcon": (_hf("FalconForCausalLM", dict(num_kv_heads=2)), decoder),
    "bloom": (_hf("BloomForCausalLM", dict(n_layer=1, n_head=HEADS)), decoder),
    "opt": (_hf("OPTForCausalLM", dict(ffn_dim=48, word_embed_proj_dim=DIM)), decoder),
    "mixtral": (_hf("MixtralForCausalLM", GROUPED | dict(
        num_local_experts=4, num_experts_per_tok=2)), decoder),
    "t5": (_hf("T5ForConditionalGeneration", sizes=T5), both),
    "t5_encoder": (_hf("T5EncoderModel", sizes=T5), padded),
    "bart": (_hf("BartForConditionalGeneration", sizes=BART), both),
    "longformer": (_hf("LongformerModel", dict(attention_window=8)), tokens),
    "bigbird": (_hf("BigBirdModel", dict(attention_type="original_full")), tokens),
    "deberta": (_hf("DebertaV2Model", dict(
        relative_attention=True, pos_att_type=["p2c", "c2p"])), padded),
    "mpnet": (_hf("MPNetModel"), padded),
    "vit": (_hf("ViTModel", sizes=VIT), image),
    "vit_any": (_hf("ViTModel", sizes=VIT), any_image),
    "whisper_encoder": (_whisper, mel),
    "wav2vec2": (_hf("Wav2Vec2Model", sizes=SPEECH), waves),
    "conformer_hf": (_hf("Wav2Vec2ConformerModel", sizes=SPEECH), waves),
    "mha": (SelfAttention, sequence),
    "mha_weights": (SelfAttention, lambda b, n: sequence(b, n) | dict(weights=True)),
    "encoder": (Encoder, sequence),
    "encoder_padded": (Encoder, keep),
    "encoder_norm_first": (lambda: Encoder(norm_first=True, activation="gelu"), keep),
    "transformer": (EncoderDecoder, two),
    "wkv": (Wkv, sequence),
    "conformer": (Conformer, sequence),
    "blocks": (Blocks, sequence),
}
SHAPES = ((2, 16), (3, 21), (4, 37))
