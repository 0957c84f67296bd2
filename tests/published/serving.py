"""Rows of serving: weights, key-value cache, how an engine divides a card, memory measured while generating."""

from __future__ import annotations

from published import cases
from published.answers import GIB, D, needed, number_after
from published.cases import Case, coefficient
from published.rows import Call

from quoting.stages.demand.inference import cache_tokens, engine_cache_gb, kv_cache_gb
from quoting.stages.demand.shape import cache_bytes_per_token, embeddings_b
from quoting.stages.demand.states import quantised_weights_gb, training_states_gb


def weights(case: Case) -> Call:
    """Weights: at the bits named where the table counts nothing else, else as files hold them."""
    model, bits = cases.model_of(case), cases.bits(case)
    if model is not None and "fp8" in case["precision"].lower() and "safetensors" in case["meaning"]:
        return needed(case, lambda need: need.sharded_gb)
    if bits >= 16 or "weights only" in case["meaning"]:
        return Call(function=training_states_gb, inputs={"params_b": cases.params(case), "bytes_per_param": bits / 8})
    inputs = {
        "params_b": cases.params(case),
        "embeddings_b": embeddings_b(cases.shape(case)),
        "bytes_per_param": coefficient("sizing.weights", str(cases.base_precision(case))),
    }
    return Call(function=quantised_weights_gb, inputs=inputs)


def cache(case: Case) -> Call:
    """Key-value cache of the sequences in the row, or what an engine's log leaves for it."""
    if not case["batch"] and cases.has_log(case["source"]):
        return engine_split(case)
    inputs = {
        "bytes_per_token": cache_bytes_per_token(cases.shape(case), cases.model_of(case)),
        "concurrency": cases.batch(case),
        "context": cases.context(case),
    }
    return Call(function=kv_cache_gb, inputs=inputs)


def engine_tokens(case: Case) -> Call:
    """Tokens in the cache of a serving engine: what its split of the card leaves, in whole blocks."""
    split = engine_split(case)
    left = split.function(**split.inputs)
    inputs = {"cache_gb": left, "bytes_per_token": cache_bytes_per_token(cases.shape(case), cases.model_of(case))}
    return Call(function=cache_tokens, inputs=inputs)


def engine_split(case: Case) -> Call:
    """What a serving engine leaves of a card for the cache; the peak and the rest by its log, else by our reserve."""
    log = cases.logged(case["source"])
    inputs = {
        "memory_gb": D(case["gpu_mem_gb"]) * GIB,
        "utilisation": coefficient("sizing.usable", "inference"),
        "weights_gb": training_states_gb(cases.params(case), cases.bits(case) / 8),
        "activation_peak_gb": log["activation_peak_gib"] * GIB,
        "other_gb": log["other_gib"] * GIB,
        "tensor": cases.cards(case),
    }
    return Call(function=engine_cache_gb, inputs=inputs)


def served(case: Case) -> Call:
    """Memory measured while generating: weights, cache of the whole sequence, and what the row's library adds."""
    generated = number_after(case["notes"], r"input \+")
    length = cases.context(case) + int(generated or 0)
    beside = number_after(case["ref_rule"], r"\+(?=[\d.]+$)") or D(0)
    if "logits" in case["notes"]:
        beside += D(2) * cases.context(case) * cases.shape(case).vocab / 10**9
    changed = {"context": length, "concurrency": cases.batch(case)}
    return needed(case, lambda need: need.static_gb + need.kv_gb + beside, **changed)


def served_weights(case: Case) -> Call:
    """A least memory for serving without a stated context: the weights."""
    return needed(case, lambda need: need.static_gb)
