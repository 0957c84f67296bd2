"""What a check leaves over, as a share of the limit it is held against."""

from __future__ import annotations

from decimal import Decimal

# The asked value is the limit and more is better; everywhere else what is there is the limit and less of it is used.
_AT_LEAST = frozenset({"throughput", "ups_runtime"})
# Degrees have no shares, and a card under a licence is not better for being far below the threshold.
_NO_SHARE = frozenset({"inlet_temperature", "export_control"})


def margin(id: str, required: Decimal | None, available: Decimal | None, unit: str = "") -> Decimal | None:
    """Share of the limit left: 0.25 is a quarter of it, -0.9 nine tenths beyond it.

    None where a side is not known, the limit is nothing or the unit has no shares. A time to the first token is at
    most what is asked, a speed at least.
    """
    if required is None or available is None or id in _NO_SHARE:
        return None
    if id in _AT_LEAST:
        beyond = required - available if unit == "s" else available - required
        return beyond / required if required else None
    return 1 - required / available if available else None
