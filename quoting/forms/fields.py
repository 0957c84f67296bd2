"""The keys each table of a form may hold. The schema in ``model.py`` has the same keys; a test compares them.

Kept apart from the schema, which takes longer to build than a form takes to read.
"""

from __future__ import annotations

_KEYS = {
    "": "form_version customer project workload hardware site scope compliance commercial line document",
    "customer": "name contact phone email industry city",
    "project": "name delivery_city needed_by form_factor",
    "workload": (
        "model params task precision context tokens samples tokens_per_sample epochs deadline concurrency "
        "tokens_per_second first_token batch rank targets optimizer sharding offload concurrent"
    ),
    "hardware": "gpu cards nodes ram interconnect owned power psu",
    "site": (
        "racks rack_power rack_units circuit feeds existing_load transformer transformer_load ups ups_load "
        "ups_minutes generator cooling cooling_redundancy supply_temperature liquid_ready floor_load "
        "floor_point spreader_frame door lift altitude accept"
    ),
    "scope": "include exclude reuse",
    "compliance": "domestic controlled_parts imports_allowed mlps_level",
    "commercial": (
        "budget budget_tax_included discount payment validity_days warranty_years currency utilisation "
        "electricity months"
    ),
    "line": "action sku name with quantity unit_price tax_rate reason",
    "document": "language mode price_detail clauses",
}


def keys_by_table() -> dict[str, tuple[str, ...]]:
    """Keys by table name; "" is the form itself."""
    return {table: tuple(keys.split()) for table, keys in _KEYS.items()}
