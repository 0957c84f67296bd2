"""Demand: what the work needs, free of hardware."""

from quoting.stages.demand.needs import demand

__all__ = ["demand"]
