"""The closed vocabularies of the records: every value a code field may take."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

Tier = Literal["entry", "enterprise", "cluster", "xinchuang"]
Task = Literal["inference", "qlora", "lora", "full", "pretrain"]
Precision = Literal["bf16", "fp16", "fp8", "int8", "int4"]
Sharding = Literal["zero3", "zero2", "ddp", "fsdp"]
Offload = Literal["none", "optimizer", "all"]
Targets = Literal["all_linear", "attention"]  # linear maps that adapters sit on
Optimizer = Literal["adamw", "adam_8bit", "pure_bf16"]  # pure_bf16: no 32 bit copy, moments in bf16
Status = Literal["pass", "warn", "fail", "unknown"]
Grade = Literal["quoted", "published", "estimate", "unverified"]
Export = Literal["free", "made_for_china", "licence", "stopped", "unknown"]
TaxClass = Literal["goods", "works", "service"]
Origin = Literal["domestic", "imported", "unknown", "none"]  # none: services, which have no country of origin
Language = Literal["zh", "en"]
Arguments = tuple[tuple[str, str | int | Decimal | None], ...]  # what a worded code needs, by name
