"""What an overlay may change of a rule: the values it has, each by one of its own kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from quoting.catalog.files import Raw
from quoting.catalog.shape import Place, nearest
from quoting.errors import Mistake

_NUMBERS = re.compile(r"\d+(\.\d+)?(,\d+(\.\d+)?)*")


def new_rule_mistakes(rules: Iterable[Raw], known: Mapping[str, Any]) -> Iterator[Mistake]:
    """An overlay's rule that nothing reads: it is neither known nor of a known family, such as ``mfu.``."""
    families = {id.partition(".")[0] for id in known if "." in id}
    for raw in rules:
        if raw.id not in known and raw.id.partition(".")[0] not in families:
            yield Mistake(raw.file, raw.place, "unknown rule", "a rule of the catalogue", nearest(raw.id, known))


def changed_rule_mistakes(old: Mapping[str, Any], new: Mapping[str, Any], place: Place) -> Iterator[Mistake]:
    """Values laid over a rule that it does not have, or of another kind than its own."""
    for key, value in new.items():
        where = place.at(key).path
        if key not in old:
            yield Mistake(place.file, where, "unknown key", "a value of this rule", nearest(key, old))
        elif type(value) is not type(old[key]):
            yield Mistake(place.file, where, f"wrong value {str(value)[:40]}", f"{_kind(old[key])}, as {old[key]}")
        elif isinstance(value, str) and _NUMBERS.fullmatch(old[key]) and not _NUMBERS.fullmatch(value):
            yield Mistake(place.file, where, f"wrong value {value[:40]}", f"numbers with commas, as {old[key]}")


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    return "a number" if isinstance(value, Decimal) else "a text"
