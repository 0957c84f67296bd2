"""Memory of serving: key-value cache by attention kind, and how a serving engine divides a card."""

from __future__ import annotations

from decimal import Decimal

from quoting.figure import evaluate

KV_GROUPED = "2 * layers * kv_heads * head_dim * bytes"
KV_LATENT = "layers * (kv_lora_rank + rope_dim) * bytes"
KV_CACHE = "concurrency * context * bytes_per_token / 1000000000"
ENGINE_SPLIT = "memory * utilisation - weights / tensor - activation_peak - other"
ENGINE_TOKENS = "floor(cache * 1000000000 / bytes_per_token / block) * block"


def kv_bytes_per_token(layers: int, kv_heads: int, head_dim: int, bytes_each: int = 2) -> int:
    """Cache bytes of one token with grouped-query (or multi-head) attention: keys and values of every layer."""
    return int(
        evaluate(KV_GROUPED, {"layers": layers, "kv_heads": kv_heads, "head_dim": head_dim, "bytes": bytes_each})
    )


def latent_kv_bytes_per_token(layers: int, kv_lora_rank: int, rope_dim: int, bytes_each: int = 2) -> int:
    """Cache bytes of one token with multi-head latent attention: one compressed vector a layer."""
    inputs = {"layers": layers, "kv_lora_rank": kv_lora_rank, "rope_dim": rope_dim, "bytes": bytes_each}
    return int(evaluate(KV_LATENT, inputs))


def kv_cache_gb(bytes_per_token: int, concurrency: int, context: int) -> Decimal:
    """Cache of ``concurrency`` requests of ``context`` tokens each, GB."""
    inputs = {"bytes_per_token": bytes_per_token, "concurrency": concurrency, "context": context}
    return evaluate(KV_CACHE, inputs)


def engine_cache_gb(
    memory_gb: Decimal,
    utilisation: Decimal,
    weights_gb: Decimal,
    activation_peak_gb: Decimal,
    other_gb: Decimal,
    tensor: int = 1,
) -> Decimal:
    """What vLLM leaves for the cache on one card, in the unit of the inputs (its log prints GiB)."""
    inputs = {"memory": memory_gb, "utilisation": utilisation, "weights": weights_gb, "tensor": tensor}
    return evaluate(ENGINE_SPLIT, {**inputs, "activation_peak": activation_peak_gb, "other": other_gb})


def cache_tokens(cache_gb: Decimal, bytes_per_token: int, block: int = 16) -> int:
    """Tokens the cache holds, in whole blocks."""
    return int(evaluate(ENGINE_TOKENS, {"cache": cache_gb, "bytes_per_token": bytes_per_token, "block": block}))
