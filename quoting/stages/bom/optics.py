"""Whether every plug has a socket it fits and a partner it talks to."""

from __future__ import annotations

from collections.abc import Iterable

from quoting.kinds import Status
from quoting.parts import Optic, Platform, Switch
from quoting.records import Check, Network
from quoting.requirement import LineChange, Requirement
from quoting.rows import Catalog
from quoting.stages.fabric import node_optic, node_transceivers, spares, switch_optic
from quoting.stages.leaves import rule_number


def optics_checks(
    requirement: Requirement, networks: Iterable[Network], platform: Platform, catalog: Catalog
) -> tuple[Check, ...]:
    """``optics_form_factor`` and ``optics_compatibility`` of the compute fabric and of plugs added by hand."""
    compute = next((network for network in networks if network.id == "compute"), None)
    by_hand = tuple(_changed(requirement.lines, compute, platform, catalog))
    if compute is None:
        return by_hand
    switch = catalog.parts[compute.leaf_sku]
    assert isinstance(switch, Switch)
    ends = (switch_optic(catalog, switch), node_optic(catalog, platform))
    if None in ends:
        return (
            Check(id="optics_form_factor", status="unknown", where="compute", source="optics_form_factor"),
            *by_hand,
        )
    optics = tuple(optic for optic in ends if optic is not None)
    planned = _bodies(optics, switch, platform)
    failed = [check for check in by_hand if check.status == "fail"]
    return (*(failed or (planned,)), _compatible(optics, switch))


def _bodies(optics: tuple[Optic, ...], switch: Switch, platform: Platform) -> Check:
    at_switch, at_node = optics
    good = at_switch.body == switch.body and at_node.body == socket(platform)
    arguments = (("plug", at_node.body), ("socket", socket(platform)), ("sku", at_node.sku))
    return _form_factor("pass" if good else "fail", "compute", arguments)


def socket(platform: Platform) -> str:
    """The body of plug a node's compute port takes."""
    return platform.rail_body.removesuffix("_twin") + ("_flat" if platform.rail_body in ("osfp", "osfp_twin") else "")


def _form_factor(status: Status, where: str, arguments: tuple[tuple[str, str | int], ...]) -> Check:
    source = "optics_form_factor"
    return Check(id=source, status=status, where=where, arguments=arguments, source=source)


def _compatible(optics: tuple[Optic, ...], switch: Switch) -> Check:
    """Fails where the two ends of a link cannot talk; warns where no maker's list covers the pair."""
    at_switch, at_node = optics
    if (at_switch.fibre, at_switch.gbps) != (at_node.fibre, at_node.gbps):
        status: Status = "fail"
    elif {at_switch.brand, at_node.brand} == {switch.brand} and at_switch.part_number and at_node.part_number:
        status = "pass"
    else:
        status = "warn"
    return Check(
        id="optics_compatibility",
        status=status,
        where="compute",
        arguments=(("switch", at_switch.sku), ("node", at_node.sku)),
        source="optics_compatibility",
    )


def _changed(
    lines: tuple[LineChange, ...], compute: Network | None, platform: Platform, catalog: Catalog
) -> Iterable[Check]:
    for line in lines:
        new = catalog.parts.get(line.with_sku if line.action == "replace" else line.sku)
        if isinstance(new, Optic) and line.action in ("add", "replace"):
            yield _form_factor_of(line, new, compute, platform, catalog)


def _form_factor_of(
    line: LineChange, new: Optic, compute: Network | None, platform: Platform, catalog: Catalog
) -> Check:
    """A plug put in by hand goes where the one it replaces went; one added beyond the spares goes to the cards.

    The plan fills every switch cage a link ends in, so what is ordered on top can only be meant for the other end.
    """
    old = catalog.parts.get(line.sku)
    if line.action == "replace" and isinstance(old, Optic):
        wanted = old.body
    elif (line.quantity or 1) <= _spare_plugs(new, compute, platform, catalog):
        wanted = new.body
    else:
        wanted = socket(platform)
    arguments = (("plug", new.body), ("socket", wanted), ("sku", new.sku))
    return _form_factor("pass" if new.body == wanted else "fail", "manual", arguments)


def _spare_plugs(new: Optic, compute: Network | None, platform: Platform, catalog: Catalog) -> int:
    """Plugs of this body that are spares of the plan, not an order for the other end of the links."""
    switch = catalog.parts.get(compute.leaf_sku) if compute else None
    if compute is None or not isinstance(switch, Switch) or new.body != switch.body:
        return 0
    used = node_transceivers(compute.nodes, platform.rails, platform.rail_cages)
    return spares(
        used, rule_number(catalog, "fabric.spares", "share"), int(rule_number(catalog, "fabric.spares", "extra"))
    )
