"""The shape of a model: layers and widths, and what follows from them by counting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from quoting.figure import evaluate
from quoting.kinds import Targets
from quoting.requirement import Workload
from quoting.rows import Model
from quoting.stages.demand.inference import kv_bytes_per_token, latent_kv_bytes_per_token

BILLION = 1_000_000_000
SCALE = "(params / nearest_params) ** (1 / 3)"
EMBEDDINGS = "copies * vocab * hidden / 1000000000"
LARGEST_LAYER = "max(vocab * hidden, layer) / 1000000000"
ADAPTERS = "rank * widths * layers / 1000000000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Published layer numbers, or those of the nearest published model scaled to the size (``like`` names it)."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    moe_ffn: int = 0
    experts: int = 0
    experts_per_token: int = 0
    shared_experts: int = 0
    dense_layers: int = 0
    tied: bool = False
    fused_qkv: bool = False
    latent: bool = False
    kv_lora_rank: int = 0
    rope_dim: int = 0
    q_lora_rank: int = 0
    nope_dim: int = 0
    value_dim: int = 0
    like: str = ""


def has_shape(model: Model) -> bool:
    """Whether the layer numbers of a model are published."""
    return bool(model.layers and model.hidden and model.heads and model.vocab)


def published(model: Model) -> Shape:
    """The shape of a catalogue model whose layer numbers are known; the feed-forward width may be inferred."""
    layers, hidden, heads = model.layers or 0, model.hidden or 0, model.heads or 0
    return Shape(
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=model.kv_heads or heads,
        head_dim=model.head_dim or hidden // heads,
        ffn=model.ffn or _inferred_ffn(model),
        vocab=model.vocab or 0,
        moe_ffn=model.moe_ffn or (model.ffn or 0 if model.experts else 0),
        experts=model.experts or 0,
        experts_per_token=model.experts_per_token or 0,
        shared_experts=model.shared_experts or 0,
        dense_layers=model.dense_layers or 0,
        tied=model.tied_embeddings,
        fused_qkv=model.fused_qkv,
        latent=model.attention == "mla",
        kv_lora_rank=model.kv_lora_rank or 0,
        rope_dim=model.qk_rope_head_dim or 0,
        q_lora_rank=model.q_lora_rank or 0,
        nope_dim=model.qk_nope_head_dim or 0,
        value_dim=model.v_head_dim or 0,
    )


def _inferred_ffn(model: Model) -> int:
    """The width that makes the parameter count come out, where the source prints none."""
    layers, hidden, heads = model.layers or 1, model.hidden or 1, model.heads or 1
    head_dim = model.head_dim or hidden // heads
    attention = 2 * hidden * head_dim * (heads + (model.kv_heads or heads))
    left = int((model.params_b or Decimal(0)) * BILLION) - 2 * (model.vocab or 0) * hidden - layers * attention
    return max(left // (3 * hidden * layers), hidden)


def shape_of(workload: Workload, models: Mapping[str, Model]) -> Shape:
    """The workload's shape: its model's, else that of the nearest published model by size, scaled.

    Raises ValueError when the catalogue has no model with a published shape.
    """
    model = models.get(workload.model or "")
    if model is not None and has_shape(model):
        return published(model)
    return scaled(nearest(workload, models), workload.params_b)


def nearest(workload: Workload, models: Mapping[str, Model]) -> Model:
    """The published model nearest in parameter count, sparse ones for sparse; ties by id."""
    sparse = workload.active_params_b < workload.params_b
    known = [model for model in models.values() if has_shape(model) and model.params_b]
    alike = [model for model in known if (model.type == "moe") == sparse] or known
    if not alike:
        raise ValueError("no model of the catalogue has a published shape")
    return min(alike, key=lambda model: (_apart(model.params_b or Decimal(1), workload.params_b), model.id))


def _apart(one: Decimal, other: Decimal) -> Decimal:
    return max(one / other, other / one)


def scaled(model: Model, params_b: Decimal) -> Shape:
    """A shape of another size: depth and width each grow with the cube root, heads and vocabulary stay."""
    shape, size = published(model), model.params_b or Decimal(1)
    factor = evaluate(SCALE, {"params": params_b, "nearest_params": size})
    return Shape(
        layers=max(1, round(shape.layers * factor)),
        hidden=max(shape.heads, round(shape.hidden * factor)),
        heads=shape.heads,
        kv_heads=shape.kv_heads,
        head_dim=shape.head_dim,
        ffn=round(shape.ffn * factor),
        vocab=shape.vocab,
        moe_ffn=round(shape.moe_ffn * factor),
        experts=shape.experts,
        experts_per_token=shape.experts_per_token,
        shared_experts=shape.shared_experts,
        dense_layers=shape.dense_layers,
        tied=shape.tied,
        fused_qkv=shape.fused_qkv,
        latent=shape.latent,
        kv_lora_rank=shape.kv_lora_rank,
        rope_dim=shape.rope_dim,
        q_lora_rank=shape.q_lora_rank,
        nope_dim=shape.nope_dim,
        value_dim=shape.value_dim,
        like=model.id,
    )


def attention_maps(shape: Shape) -> tuple[tuple[int, int], ...]:
    """(inputs, outputs) of every linear map in one layer's attention.

    Latent attention presses queries and keys with values through a narrow vector each (DeepSeek-V2, arXiv:2405.04434).
    """
    hidden, queries, keys = shape.hidden, shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    if shape.latent and shape.nope_dim:
        return _latent_maps(shape)
    if shape.fused_qkv:
        return (hidden, queries + 2 * keys), (queries, hidden)
    return (hidden, queries), (hidden, keys), (hidden, keys), (queries, hidden)


def _latent_maps(shape: Shape) -> tuple[tuple[int, int], ...]:
    queries = shape.heads * (shape.nope_dim + shape.rope_dim)
    pressed = ((shape.hidden, shape.q_lora_rank), (shape.q_lora_rank, queries)) if shape.q_lora_rank else ()
    return (
        *(pressed or ((shape.hidden, queries),)),
        (shape.hidden, shape.kv_lora_rank + shape.rope_dim),
        (shape.kv_lora_rank, shape.heads * (shape.nope_dim + shape.value_dim)),
        (shape.heads * shape.value_dim, shape.hidden),
    )


def attention_params(shape: Shape) -> int:
    """Parameters of one layer's attention, without biases and norms."""
    return sum(inputs * outputs for inputs, outputs in attention_maps(shape))


def parameter_count(shape: Shape, active: bool = False, qkv_bias: bool = False, qk_norm: bool = False) -> int:
    """Parameters counted from the configuration; ``active``: only the experts one token visits.

    L·(attention + feed-forward + norms) + embedding and head + last norm.
    """
    extras = 2 * shape.hidden + (shape.q_lora_rank + shape.kv_lora_rank if shape.latent else 0)
    extras += (shape.heads + 2 * shape.kv_heads) * shape.head_dim if qkv_bias else 0
    extras += 2 * shape.head_dim if qk_norm else 0
    sparse_layers = shape.layers - shape.dense_layers if shape.experts else 0
    dense = (shape.layers - sparse_layers) * 3 * shape.hidden * shape.ffn
    visited = shape.experts_per_token if active else shape.experts
    sparse = sparse_layers * (3 * shape.hidden * shape.moe_ffn * (visited + shape.shared_experts))
    sparse += sparse_layers * shape.experts * shape.hidden
    body = shape.layers * (attention_params(shape) + extras) + dense + sparse
    return body + (1 if shape.tied else 2) * shape.vocab * shape.hidden + shape.hidden


def embeddings_b(shape: Shape) -> Decimal:
    """Parameters of embedding and head, billions: the part that stays in 16 bit when the rest is quantised."""
    return evaluate(EMBEDDINGS, {"copies": 1 if shape.tied else 2, "vocab": shape.vocab, "hidden": shape.hidden})


def largest_layer_b(shape: Shape) -> Decimal:
    """Parameters of the largest layer that is gathered at once, billions; experts are gathered one by one."""
    width = shape.moe_ffn if shape.experts and not shape.dense_layers else shape.ffn
    layer = attention_params(shape) + 3 * shape.hidden * width
    return evaluate(LARGEST_LAYER, {"vocab": shape.vocab, "hidden": shape.hidden, "layer": layer})


def linear_widths(shape: Shape, targets: Targets = "all_linear") -> int:
    """Sum of input and output widths over the adapted linear maps of a mean layer, experts included."""
    attention = sum(inputs + outputs for inputs, outputs in attention_maps(shape))
    if targets == "attention":
        return attention
    dense = 3 * (shape.hidden + shape.ffn)
    if not shape.experts:
        return attention + dense
    sparse = 3 * (shape.hidden + shape.moe_ffn) * (shape.experts + shape.shared_experts)
    return attention + (shape.dense_layers * dense + (shape.layers - shape.dense_layers) * sparse) // shape.layers


def adapters_b(shape: Shape, rank: int, targets: Targets = "all_linear") -> Decimal:
    """LoRA parameters on the adapted linear maps, billions: rank times (in + out) of each (Hu et al. 2021)."""
    return evaluate(ADAPTERS, {"rank": rank, "widths": linear_widths(shape, targets), "layers": shape.layers})


def cache_bytes_per_token(shape: Shape, model: Model | None) -> int:
    """Key-value bytes of a token: the published figure where the catalogue has one, else by attention kind."""
    if model is not None and model.kv_bytes_per_token and not shape.like:
        return model.kv_bytes_per_token
    if shape.latent:
        return latent_kv_bytes_per_token(shape.layers, shape.kv_lora_rank, shape.rope_dim)
    return kv_bytes_per_token(shape.layers, shape.kv_heads, shape.head_dim)
