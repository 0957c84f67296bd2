"""Training regimes: the bytes a parameter takes by what is kept for it. Published rules differ because regimes do."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from quoting.figure import evaluate
from quoting.rows import Catalog

PREFIX = "regime."
BYTES_BY_PART = "weights + gradients + master + optimizer"
STATES_BY_PART = f"({BYTES_BY_PART}) * params"


@dataclass(frozen=True, slots=True, kw_only=True)
class Regime:
    """Bytes a parameter: working weights, gradients, a 32 bit master copy, optimizer states."""

    name: str
    weights: Decimal
    gradients: Decimal
    master: Decimal
    optimizer: Decimal
    source: str

    @property
    def bytes(self) -> Decimal:
        """Bytes a parameter in all."""
        return self.weights + self.gradients + self.master + self.optimizer


def regimes(catalog: Catalog) -> tuple[Regime, ...]:
    """Every regime of the catalogue's rules (``regime.<name>``), fewest bytes first."""
    names = [id.removeprefix(PREFIX) for id in catalog.rules if id.startswith(PREFIX)]
    return tuple(sorted((regime(catalog, name) for name in names), key=lambda one: (one.bytes, one.name)))


def regime(catalog: Catalog, name: str) -> Regime:
    """One regime; KeyError when the catalogue has none of that name."""
    row = catalog.rules[PREFIX + name]
    parts = {key: Decimal(row.values[key]) for key in ("weights", "gradients", "master", "optimizer")}
    return Regime(name=name, source=row.source, **parts)


def regime_states_gb(params_b: Decimal, regime: Regime) -> Decimal:
    """Model states of one whole copy under a regime, decimal GB, without activations."""
    parts = {"weights": regime.weights, "gradients": regime.gradients}
    return evaluate(
        STATES_BY_PART, {**parts, "master": regime.master, "optimizer": regime.optimizer, "params": params_b}
    )
