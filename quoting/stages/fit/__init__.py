"""Fit: how every platform would do the work, which one is chosen, and whether named hardware holds."""

from quoting.stages.fit.choose import fit

__all__ = ["fit"]
