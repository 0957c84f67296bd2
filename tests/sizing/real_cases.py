"""Requirements and reports from public sources, as workloads; what is expected of each is what is known to be true.

``tiers``: any of; ``fail``, ``warn``, ``not_fail``: all of; ``fail_any``, ``warn_any``: one of; ``days``: a range.
"""

from __future__ import annotations

from typing import Any

REAL_CASES: dict[str, dict[str, Any]] = {
    "T04": {
        "need": {"model": "Qwen2.5-72B", "task": "full"},
        "hardware": {"gpu": "gpu-h200-141g", "cards": 8, "nodes": 1},
        "expect": {"fail": ["export_control"]},
    },
    "O02": {
        "need": {"model": "DeepSeek-R1-Distill-Qwen-32B", "task": "full", "context": 1024},
        "hardware": {"gpu": "gpu-a800-80g-sxm", "cards": 7},
        "expect": {"tiers": ["cluster", "enterprise"], "fail": ["vram_total"]},
    },
    "O02-eight": {
        "need": {"model": "DeepSeek-R1-Distill-Qwen-32B", "task": "full", "context": 1024},
        "hardware": {"gpu": "gpu-a800-80g-sxm", "cards": 8},
        "expect": {"fail": ["vram_total"]},
    },
    "O05": {
        "need": {"params": "6.7", "task": "full"},
        "hardware": {"gpu": "gpu-a100-80g-sxm", "cards": 1},
        "expect": {"fail": ["vram_total"]},
    },
    "O09": {
        "need": {"params": "72", "task": "full", "context": 2048},
        "hardware": {"gpu": "gpu-a800-80g-sxm", "cards": 4},
        "expect": {"tiers": ["cluster"], "fail": ["vram_total"]},
    },
    "O10": {
        "need": {"model": "Qwen3-32B", "task": "full", "context": 1024, "sharding": "zero2"},
        "hardware": {"gpu": "gpu-h200-141g", "cards": 8},
        "expect": {"fail_any": ["per_card_memory", "vram_total"]},
    },
    "O12": {
        "need": {"model": "GLM-4-9B", "task": "lora", "sharding": "ddp"},
        "hardware": {"gpu": "gpu-a10-24g", "cards": 3},
        "expect": {"fail": ["per_card_memory"]},
    },
    "O13": {
        "need": {"model": "Qwen2.5-32B", "task": "qlora", "context": 16384},
        "hardware": {"gpu": "gpu-rtx3090-24g", "cards": 4},
        "expect": {"fail_any": ["per_card_memory", "long_context"]},
    },
    "O15": {
        "need": {"model": "DeepSeek-V3", "task": "inference"},
        "hardware": {"gpu": "gpu-a6000-48g", "cards": 8},
        "expect": {"fail": ["vram_total", "fp8_support"]},
    },
    "O16": {
        "need": {"model": "DeepSeek-V3", "task": "inference"},
        "hardware": {"gpu": "gpu-a800-80g-sxm"},
        "expect": {"tiers": ["cluster"], "fail": ["fp8_support"]},
    },
    "O17": {
        "need": {"model": "Qwen2-72B", "task": "lora", "context": 2048},
        "hardware": {"gpu": "gpu-910b3-64g", "cards": 16, "nodes": 2},
        "expect": {"warn": ["domestic_stack"], "not_fail": ["vram_total"]},
    },
    "O18": {
        "need": {"params": "3.1", "task": "full", "sharding": "ddp"},
        "hardware": {"gpu": "gpu-910b3-64g", "cards": 8},
        "expect": {"fail_any": ["per_card_memory", "sharding"]},
    },
    "O20": {
        "need": {"model": "Llama-2-7B", "task": "full"},
        "hardware": {"gpu": "gpu-v100-32g", "cards": 4},
        "expect": {"fail_any": ["vram_total", "per_card_memory"]},
    },
    "O21": {
        "need": {"model": "DeepSeek-V3", "task": "full", "context": 32768},
        "hardware": {"gpu": "gpu-h100-80g-sxm", "cards": 256, "nodes": 32},
        "expect": {"fail_any": ["long_context", "per_card_memory"]},
    },
    "O22": {
        "need": {"model": "DeepSeek-V3", "task": "inference", "precision": "fp8"},
        "hardware": {"gpu": "gpu-h800-80g-sxm", "cards": 8},
        "expect": {"fail": ["vram_total"]},
    },
    "O22-h20": {
        "need": {"model": "DeepSeek-V3", "task": "inference", "precision": "fp8", "concurrency": 8},
        "hardware": {"gpu": "gpu-h20-96g", "cards": 8},
        "expect": {"not_fail": ["vram_total", "per_card_memory", "kv_cache_room"], "verdict": "tight"},
    },
    "O23": {
        "need": {"model": "DeepSeek-R1", "task": "inference", "precision": "int8", "context": 1024},
        "hardware": {"gpu": "gpu-910b2-64g", "cards": 16, "nodes": 2},
        "expect": {"warn": ["domestic_stack"], "not_fail": ["vram_total"]},
    },
    "W03": {
        "need": {"model": "DeepSeek-R1-Distill-Qwen-14B", "task": "lora"},
        "expect": {"tiers": ["entry"]},
    },
    "W04": {
        "need": {"model": "DeepSeek-R1-Distill-Qwen-7B", "task": "lora"},
        "expect": {"tiers": ["entry"]},
    },
    "W05": {
        "need": {"model": "DeepSeek-R1-Distill-Llama-70B", "task": "lora"},
        "expect": {"tiers": ["enterprise"]},
    },
    "W06-full": {
        "need": {"model": "Llama-3-70B", "task": "full", "context": 3072},
        "expect": {"tiers": ["cluster"]},
    },
    "W06-lora": {
        "need": {"model": "Llama-3-70B", "task": "lora", "context": 3072},
        "expect": {"tiers": ["enterprise"]},
    },
    "W06-qlora": {
        "need": {"model": "Llama-3-70B", "task": "qlora", "context": 3072},
        "expect": {"tiers": ["entry"]},
    },
    "W07": {
        "need": {"model": "Llama-2-70B", "task": "qlora", "context": 512, "sharding": "fsdp"},
        "hardware": {"gpu": "gpu-rtx3090-24g", "cards": 2},
        "expect": {"not_fail": ["vram_total"], "warn_any": ["per_card_memory", "vram_total", "long_context"]},
    },
    "W08": {
        "need": {"model": "Llama-2-7B", "task": "full", "sharding": "fsdp"},
        "hardware": {"gpu": "gpu-a100-40g-sxm", "cards": 4},
        "expect": {"not_fail": ["vram_total", "per_card_memory"]},
    },
    "W09": {
        "need": {"model": "Qwen2.5-32B", "task": "full", "offload": "optimizer"},
        "hardware": {"gpu": "gpu-h20-96g", "cards": 8},
        "expect": {"not_fail": ["vram_total"]},
    },
    "W10": {
        "need": {"model": "DeepSeek-R1", "task": "inference", "precision": "fp8", "concurrency": 8, "context": 16384},
        "hardware": {"gpu": "gpu-h20-96g", "cards": 8},
        "expect": {"not_fail": ["vram_total"], "verdict": "tight"},
    },
    "W11": {
        "need": {"params": "13", "task": "lora", "precision": "int8", "context": 2048},
        "hardware": {"gpu": "gpu-rtx4090-24g", "cards": 1},
        "expect": {"not_fail": ["vram_total", "per_card_memory"]},
    },
    "W12": {
        "need": {"model": "DeepSeek-V3", "task": "full", "context": 32768, "offload": "all"},
        "hardware": {"gpu": "gpu-h100-80g-sxm", "ram_gb": 2048},
        "expect": {"tiers": ["cluster"], "fail": ["long_context"], "not_fail": ["vram_total", "host_ram"]},
    },
    "W13": {
        "need": {"model": "Llama-2-70B", "task": "full"},
        "hardware": {"gpu": "gpu-a100-80g-sxm", "cards": 8},
        "expect": {"tiers": ["cluster"], "fail": ["vram_total"]},
    },
    "W14": {
        "need": {"model": "Llama-2-70B", "task": "lora", "context": 32768},
        "hardware": {"gpu": "gpu-a100-80g-sxm", "cards": 8},
        "expect": {"not_fail": ["vram_total"]},
    },
    "W16": {
        "need": {"params": "0.11", "task": "full", "context": 512},
        "hardware": {"gpu": "gpu-v100-32g", "cards": 8, "nodes": 2, "interconnect_gbps": 40},
        "expect": {"fail": ["interconnect"]},
    },
    "W18": {
        "need": {"params": "65", "task": "pretrain", "tokens_b": 1400},
        "hardware": {"gpu": "gpu-a100-80g-sxm", "cards": 2048, "nodes": 256},
        "expect": {"days": [18, 36]},
    },
    "W19": {
        "need": {"params": "2.4", "task": "pretrain", "tokens_b": 1100},
        "hardware": {"gpu": "gpu-a100-80g-sxm", "cards": 160, "nodes": 20},
        "expect": {"days": [9, 20]},
    },
    "W20": {
        "need": {"model": "DeepSeek-R1", "task": "inference", "precision": "int8"},
        "compliance": {"domestic": "required"},
        "expect": {"tiers": ["xinchuang"], "nodes_at_least": 2},
    },
    "T13": {
        "need": {"params": "50", "task": "inference"},
        "compliance": {"domestic": "required"},
        "expect": {"tiers": ["xinchuang"]},
    },
    "P01": {
        "need": {"model": "Qwen2.5-72B", "task": "lora"},
        "hardware": {"gpu": "gpu-h800-80g-sxm", "cards": 8},
        "expect": {"fail": ["export_control"]},
    },
}
