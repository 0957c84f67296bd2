"""The proof of the chosen plan: every number a reader would ask about."""

from __future__ import annotations

from decimal import Decimal

from quoting.figure import Figure, Ledger
from quoting.parts import Accelerator
from quoting.records import Fit, WorkloadFit
from quoting.rows import Catalog
from quoting.stages.fit.candidates import own_cards
from quoting.stages.fit.cards import PER_CARD
from quoting.stages.fit.jobs import Job, serving
from quoting.stages.fit.rules import number
from quoting.stages.fit.speed import DAYS

TOTAL_MEMORY = "cards * memory"
ROOM_TRAINING = "memory * usable"
ROOM_SERVING = "memory * usable - reserve"
PER_BILLION = "flops_per_token * 1000000000"


def figures(chosen: Fit, jobs: tuple[Job, ...], catalog: Catalog) -> tuple[Figure, ...]:
    """Figures ``fit.*`` of the chosen plan; ``demand.*`` figures they refer to are those of the demand stage."""
    return _Proof(chosen, jobs, catalog).write()


class _Proof:
    """Writes the ledger of one plan; values it takes from the demand stage are repeated as known leaves."""

    def __init__(self, chosen: Fit, jobs: tuple[Job, ...], catalog: Catalog) -> None:
        self.chosen, self.jobs, self.catalog = chosen, jobs, catalog
        self.accelerator = catalog.accelerators[chosen.gpu]
        self.ledger = Ledger(known=_known(jobs))

    def write(self) -> tuple[Figure, ...]:
        memory = self.card("memory_gb", "GB")
        nodes, minimum = self.chosen.nodes or 0, self.chosen.minimum_nodes or 0
        self.ledger.rule("fit.minimum_nodes", minimum, "node", "fit.nodes", self.decided_by())
        self.ledger.rule("fit.nodes", nodes, "node", "fit.nodes", self.decided_by(), minimum="fit.minimum_nodes")
        self.ledger.rule("fit.cards", self.chosen.cards or 0, "card", "fit.nodes", "", nodes="fit.nodes")
        if memory:
            self.ledger.formula("fit.memory_gb", "GB", TOTAL_MEMORY, cards="fit.cards", memory=memory)
            wanted = [fitted.recommended_cards for fitted in self.chosen.workloads]
            shares = own_cards(self.jobs, wanted, self.chosen.cards or 1)
            for job, fitted, cards in zip(self.jobs, self.chosen.workloads, shares, strict=True):
                self.workload(job, fitted, memory, cards)
        return self.ledger.figures()

    def decided_by(self) -> str:
        return "deadline" if any(job.need.deadline_days for job in self.jobs) else "vram_total"

    def card(self, field: str, unit: str) -> str:
        """Write down a value of the accelerator; its id, or "" when the catalogue does not know it."""
        value = getattr(self.accelerator, field)
        if value is None:
            return ""
        id = f"catalog.{self.accelerator.sku}.{field}"
        self.ledger.leaf(id, value, unit, _source(self.accelerator, field))
        return id

    def rule(self, id: str, key: str) -> str:
        row = self.catalog.rules[id]
        provenance = row.provenance.get(key)
        source = provenance.source if provenance else row.source
        self.ledger.leaf(f"rule.{id}.{key}", number(self.catalog, id, key), row.units[key], source, row.note)
        return f"rule.{id}.{key}"

    def workload(self, job: Job, fitted: WorkloadFit, memory: str, cards: int) -> None:
        area = f"fit.{job.need.workload}"
        if cards != self.chosen.cards:
            self.ledger.rule(f"{area}.cards", cards, "card", "fit.nodes", "per_card_memory")
        else:
            self.ledger.formula(f"{area}.cards", "card", "cards", cards="fit.cards")
        if job.training:
            self.training(job, area, memory)
        elif fitted.tensor_parallel:
            self.serving(job, fitted, area, memory)

    def training(self, job: Job, area: str, memory: str) -> None:
        demand = f"demand.{job.need.workload}"
        self.ledger.formula(
            f"{area}.room_gb", "GB", ROOM_TRAINING, memory=memory, usable=self.rule("sizing.usable", "training")
        )
        static, sharding = f"{demand}.static_gb", job.workload.sharding
        for name, value in (("sharded", job.need.sharded_gb), ("replicated", job.need.replicated_gb)):
            self.ledger.rule(f"{area}.{name}_gb", value, "GB", "sharding", sharding, static=static)
        self.ledger.rule(f"{area}.gather_gb", self.gather(job), "GB", "sizing.gather", sharding)
        self.ledger.formula(
            f"{area}.per_card_gb",
            "GB",
            PER_CARD,
            sharded=f"{area}.sharded_gb",
            cards=f"{area}.cards",
            replicated=f"{area}.replicated_gb",
            activations=f"{demand}.activation_gb",
            overhead="rule.sizing.overhead.training",
            gather=f"{area}.gather_gb",
        )
        self.time(job, area, demand)

    def gather(self, job: Job) -> Decimal:
        return job.shares.gather if (self.ledger.number(f"fit.{job.need.workload}.cards")) > 1 else Decimal(0)

    def time(self, job: Job, area: str, demand: str) -> None:
        peak = self.card("bf16_tflops", "TFLOPS")
        if not peak:
            return
        share = self.rule(f"mfu.{self.accelerator.mfu}", "pretrain" if job.need.task == "pretrain" else "finetune")
        inputs = {"cards": f"{area}.cards", "peak": peak, "utilisation": share}
        self.ledger.formula(
            f"{area}.flops_per_billion", "FLOP", PER_BILLION, flops_per_token=f"{demand}.flops_per_token"
        )
        self.ledger.formula(f"{area}.days_per_billion_tokens", "day", DAYS, flops=f"{area}.flops_per_billion", **inputs)
        if job.need.flops is not None:
            self.ledger.formula(f"{area}.days", "day", DAYS, flops=f"{demand}.flops", **inputs)

    def serving(self, job: Job, fitted: WorkloadFit, area: str, memory: str) -> None:
        tensor, model = fitted.tensor_parallel or 1, serving(job, self.accelerator)
        self.ledger.formula(
            f"{area}.room_gb",
            "GB",
            ROOM_SERVING,
            memory=memory,
            usable=self.rule("sizing.usable", "inference"),
            reserve=self.rule("sizing.overhead", "inference"),
        )
        self.ledger.rule(f"{area}.tensor_parallel", tensor, "card", "fit.layout", "kv_cache_room")
        self.ledger.rule(f"{area}.per_card_gb", fitted.per_card_gb, "GB", "fit.layout", "kv_cache_room")
        self.ledger.rule(f"{area}.weights_gb", model.weights, "GB", "fp8_support", "fp8_support")
        for name, unit in (("tokens_per_second", "tokens/s"), ("first_token_s", "s")):
            value = getattr(fitted, name)
            if value is not None:
                self.ledger.rule(f"{area}.{name}", value, unit, "sizing.decode", "throughput")


def _source(accelerator: Accelerator, field: str) -> str:
    provenance = accelerator.provenance.get(field)
    return provenance.source if provenance else accelerator.source


def _known(jobs: tuple[Job, ...]) -> list[Figure]:
    """Figures of the demand stage that the plan's formulas name."""
    known = []
    for job in jobs:
        need, area = job.need, f"demand.{job.need.workload}"
        values = {
            f"{area}.static_gb": need.static_gb,
            f"{area}.activation_gb": need.activation_gb,
            f"{area}.flops_per_token": need.flops_per_token,
            f"{area}.flops": need.flops,
        }
        if job.training:
            values["rule.sizing.overhead.training"] = need.overhead_gb
        known += [Figure(id, value, "", "leaf") for id, value in values.items()]
    return known
