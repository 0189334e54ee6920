"""Small random models of transformers, by the names that tests give them."""

import torch
import transformers as hf

SIZES = dict(vocab_size=97, hidden_size=64, intermediate_size=96,
             num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
             max_position_embeddings=256, pad_token_id=0, bos_token_id=1,
             eos_token_id=None)
WINDOW = dict(sliding_window=7)
TYPES = dict(layer_types=["sliding_attention", "full_attention"])
EXPERTS = dict(num_local_experts=4, num_experts_per_tok=2)

# The model, its configuration, and what differs from SIZES.
MODELS = {
    "mistral": (hf.MistralForCausalLM, hf.MistralConfig, WINDOW),
    "llama": (hf.LlamaForCausalLM, hf.LlamaConfig, {}),
    "gemma2": (hf.Gemma2ForCausalLM, hf.Gemma2Config, dict(
        WINDOW, head_dim=16, attn_logit_softcapping=5.0,
        query_pre_attn_scalar=16)),
    "gemma3": (hf.Gemma3ForCausalLM, hf.Gemma3TextConfig, dict(
        WINDOW, **TYPES, head_dim=16, query_pre_attn_scalar=16)),
    "gpt_oss": (hf.GptOssForCausalLM, hf.GptOssConfig, dict(
        WINDOW, **TYPES, **EXPERTS, head_dim=16)),
    "llama4": (hf.Llama4ForCausalLM, hf.Llama4TextConfig, dict(
        EXPERTS, head_dim=16, attention_chunk_size=5, intermediate_size_mlp=96,
        layer_types=["chunked_attention", "full_attention"],
        no_rope_layers=[1, 0])),
    "qwen2": (hf.Qwen2ForCausalLM, hf.Qwen2Config, dict(
        WINDOW, **TYPES, use_sliding_window=True)),
    "qwen3": (hf.Qwen3ForCausalLM, hf.Qwen3Config, dict(
        WINDOW, **TYPES, head_dim=16, use_sliding_window=True)),
    "phi3": (hf.Phi3ForCausalLM, hf.Phi3Config, WINDOW),
    "cohere2": (hf.Cohere2ForCausalLM, hf.Cohere2Config, dict(
        WINDOW, **TYPES, logit_scale=1.0)),
}
# Its layers choose a class by the implementation's name. They have no scale.
GPT_NEO = (hf.GPTNeoForCausalLM, hf.GPTNeoConfig, dict(
    num_layers=2, num_heads=4, window_size=7, attention_types=[[["global", "local"], 1]],
    embed_dropout=0.0, resid_dropout=0.0, attention_dropout=0.0))
ENCODERS = {
    "modernbert": (hf.ModernBertForMaskedLM, hf.ModernBertConfig, dict(
        local_attention=8, global_attn_every_n_layers=2)),
}
OTHER_ENCODERS = {  # whose layers lattn.transformers.optimize does not know
    "ultrabert": (hf.UltrabertForMaskedLM, hf.UltrabertConfig, WINDOW),
    "xlm_roberta_xl": (hf.XLMRobertaXLForMaskedLM, hf.XLMRobertaXLConfig, dict(
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)),
}
SEQ2SEQ = {
    "t5": (hf.T5ForConditionalGeneration, hf.T5Config, dict(
        d_model=64, d_kv=16, d_ff=96, num_layers=2, num_heads=4,
        decoder_start_token_id=0, dropout_rate=0.0,
        initializer_factor=0.2)),
}


def make(entry, attn_implementation, **more):
    """A model with the same parameters at each call."""
    model, config, differences = entry
    options = {**SIZES, **differences, **more}
    torch.manual_seed(0)
    made = model._from_config(config(**options),
                              attn_implementation=attn_implementation)
    return spread(made)


def spread(made):
    """Larger parameters, so that which keys a query sees is seen in the output."""
    with torch.no_grad():
        for parameter in made.parameters():
            if parameter.ndim == 1:
                parameter.add_(torch.randn_like(parameter), alpha=0.1)
            else:
                parameter.mul_(4)
    return made.eval()


def make_whisper(attn_implementation):
    """Its cross attention sees 20 states of the encoder."""
    torch.manual_seed(0)
    config = hf.WhisperConfig(
        vocab_size=97, d_model=64, encoder_layers=2, decoder_layers=2,
        encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=96,
        decoder_ffn_dim=96, num_mel_bins=8, max_source_positions=20,
        max_target_positions=64, pad_token_id=0, bos_token_id=1, eos_token_id=2,
        decoder_start_token_id=1, suppress_tokens=None, begin_suppress_tokens=None)
    return spread(hf.WhisperForConditionalGeneration._from_config(
        config, attn_implementation=attn_implementation))
