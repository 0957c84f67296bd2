"""Alternatives beside the plan, published rules that disagree, and the gap of every platform not chosen."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

from quoting.assets import templates_folder
from quoting.catalog import load_catalog
from quoting.documents.customer import CustomerView
from quoting.documents.proposal import proposal_html
from quoting.documents.view import customer_view
from quoting.documents.words import load_words
from quoting.forms import parse_form, read_form
from quoting.options import Beside, with_alternatives
from quoting.quote import ALTERNATIVES, make_alternative, make_quote
from quoting.records import Counting, Fit, Quote
from quoting.rows import Catalog

DAY = date(2026, 11, 30)
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@cache
def catalog() -> Catalog:
    return load_catalog()


@cache
def made(model: str, task: str, domestic: str = "no", deadline: str = "") -> Quote:
    load = {"model": model, "task": task} | ({"deadline": deadline} if deadline else {})
    data = {"form_version": 1, "customer": {"name": "A"}, "workload": [load], "compliance": {"domestic": domestic}}
    return make_quote(parse_form(data, catalog(), "form"), catalog(), DAY)


@cache
def example(name: str) -> Quote:
    return make_quote(read_form(EXAMPLES / f"{name}.toml", catalog()), catalog(), DAY)


def of(quote: Quote, change: str) -> Fit | None:
    return next((one for one in quote.choice.alternatives if one.change == change), None)


def counting(quote: Quote, rule: str) -> Counting:
    return next(one for one in quote.choice.countings if one.rule == rule)


def html(quote: Quote, language: str = "zh") -> str:
    words = load_words(language, (templates_folder(),))  # type: ignore[arg-type]
    return proposal_html(customer_view(quote, catalog(), words), words, (templates_folder(),))


@pytest.mark.parametrize("name", ["entry", "enterprise", "cluster"])
def test_faster_alternative_trains_faster_by_the_share_of_the_rule(name: str) -> None:
    chosen, faster = example(name).choice.chosen, of(example(name), "more_performance")
    assert chosen is not None
    assert faster is not None
    assert chosen.days_per_billion_tokens is not None
    assert faster.days_per_billion_tokens is not None
    gain = Decimal(catalog().rules["fit.more_performance"].values["gain"])
    assert chosen.days_per_billion_tokens >= faster.days_per_billion_tokens * gain


@pytest.mark.parametrize("name", ["entry", "enterprise", "cluster", "failing-room"])
def test_every_alternative_may_be_quoted_and_says_its_difference(name: str) -> None:
    quote = example(name)
    chosen = quote.choice.chosen
    assert chosen is not None
    assert chosen.node_cost is not None
    assert quote.choice.alternatives
    for one in quote.choice.alternatives:
        assert one.feasible
        assert catalog().platforms[one.platform].quotable
        assert catalog().accelerators[one.gpu].export != "stopped"
        assert one.node_cost is not None
        assert one.cost_difference == one.node_cost - chosen.node_cost


def test_domestic_plan_is_shown_unless_the_plan_is_domestic() -> None:
    found = of(example("enterprise"), "domestic")
    assert found is not None
    assert found.tier == "xinchuang"
    assert of(example("xinchuang"), "domestic") is None


def test_sixteen_eighteen_and_twenty_bytes_give_their_own_cards() -> None:
    quote = made("Llama-3-70B", "full")
    chosen = quote.choice.chosen
    assert chosen is not None
    params = quote.requirement.workloads[0].params_b
    for rule, bytes_per_param in (("regime.zero_paper", 16), ("regime.mixed", 18), ("sizing.full", 20)):
        one = counting(quote, rule)
        assert one.low_bytes == one.high_bytes == bytes_per_param
        assert one.low_gb == bytes_per_param * params
        memory = catalog().accelerators[chosen.gpu].memory_gb or Decimal(1)
        assert one.low_cards * memory * Decimal("0.8") >= one.low_gb > (one.low_cards - 8) * memory * Decimal("0.8")


def test_rules_in_circulation_are_counted_beside_the_regimes() -> None:
    quote = made("Llama-3-70B", "full")
    doubled = counting(quote, "published.doubled")
    assert doubled.low_bytes == 8
    assert doubled.high_bytes == 12
    assert counting(quote, "published.quarter").low_bytes == Decimal("2.5")
    assert [one.rule for one in quote.choice.countings if one.used] == ["sizing.full"]


def test_countings_never_shrink_with_the_bytes() -> None:
    rows = made("Llama-3-70B", "pretrain").choice.countings
    assert [one.high_bytes for one in rows] == sorted(one.high_bytes for one in rows)
    assert [one.high_cards for one in rows] == sorted(one.high_cards for one in rows)


@pytest.mark.parametrize(("task", "bytes_per_param"), [("lora", "2.5"), ("qlora", "0.75")])
def test_adapters_use_their_own_rule_beside_those_of_full_training(task: str, bytes_per_param: str) -> None:
    rows = made("Qwen2.5-7B", task).choice.countings
    used = [one for one in rows if one.used]
    assert [(one.rule, one.low_bytes) for one in used] == [(f"sizing.{task}", Decimal(bytes_per_param))]
    assert {Decimal(16), Decimal(18), Decimal(20)} <= {one.low_bytes for one in rows}
    assert len({(one.low_bytes, one.high_bytes, one.rule) for one in rows}) == len(rows)


def test_inference_has_no_rules_of_training() -> None:
    assert made("Qwen2.5-7B", "inference").choice.countings == ()


@pytest.mark.parametrize("name", ["entry", "enterprise", "cluster", "xinchuang", "failing-room"])
def test_gap_of_a_platform_not_chosen_is_available_against_required(name: str) -> None:
    quote = example(name)
    told = 0
    for one in quote.choice.others:
        if one.rejected_required and one.rejected_available is not None:
            assert one.rejected_margin == one.rejected_available / one.rejected_required - 1
            told += 1
        elif not one.rejected_by and one.node_cost is not None:
            assert one.rejected_margin is not None
            assert one.rejected_margin >= 0
            told += 1
    assert told


def test_larger_tier_says_what_its_nodes_cost_more() -> None:
    over = [one for one in example("entry").choice.others if one.rejected_by == "fit.tier" and one.node_cost]
    assert over
    assert all(one.rejected_margin is not None and one.rejected_margin > 0 for one in over)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_choice_page_lists_every_alternative_with_what_is_given_up(language: str) -> None:
    page = html(example("enterprise"), language)
    words = load_words(language, (templates_folder(),))  # type: ignore[arg-type]
    for change in ("recommended", "use_qlora", "more_performance", "domestic"):
        assert words.say(f"alternative.{change}.name") in page
        assert words.say(f"alternative.{change}.note") in page


def test_plan_without_alternatives_says_so() -> None:
    assert "故不列备选" in html(example("xinchuang"))


def test_basis_shows_where_published_rules_disagree() -> None:
    page = html(example("cluster"))
    for told in ("公开口径的分歧", "ZeRO 论文", "每 10 亿参数 2.5 GB", "参数量 × 4–6 字节", "本方案采用"):
        assert told in page


def test_range_says_which_bytes_its_ends_count() -> None:
    assert "18 与 30 字节" in html(example("cluster"))
    assert "18 与 30 字节" not in html(example("entry"))


@pytest.mark.parametrize(
    ("name", "asked", "change"),
    [
        ("enterprise", "economy", "use_qlora"),
        ("enterprise", "performance", "more_performance"),
        ("enterprise", "domestic", "domestic"),
        ("cluster", "performance", "more_performance"),
        ("entry", "domestic", "domestic"),
    ],
)
def test_alternative_is_quoted_in_full_as_it_was_shown(name: str, asked: str, change: str) -> None:
    main = example(name)
    shown, full = of(main, change), make_alternative(main, asked, catalog())
    assert shown is not None
    assert full is not None
    assert full.choice.chosen is not None
    taken = full.choice.chosen
    assert (taken.platform, taken.nodes, taken.change) == (shown.platform, shown.nodes, change)
    assert taken.node_cost == shown.node_cost
    assert full.number != main.number
    assert full.price.total != main.price.total
    assert all(one.platform != taken.platform for one in full.choice.others)


def test_recommended_plan_stands_beside_its_alternative() -> None:
    main = example("enterprise")
    full = make_alternative(main, "performance", catalog())
    assert full is not None
    beside = of(full, "recommended")
    assert beside is not None
    assert main.choice.chosen is not None
    assert (beside.platform, beside.nodes) == (main.choice.chosen.platform, main.choice.chosen.nodes)
    assert beside.cost_difference is not None
    assert beside.cost_difference < 0
    assert "推荐方案，见主报价书" in html(full)


def test_alternative_nobody_has_is_none() -> None:
    assert make_alternative(example("xinchuang"), "domestic", catalog()) is None


def test_fewest_nodes_are_quoted_in_full() -> None:
    main = made("Llama-3.1-405B", "full")
    full = make_alternative(main, "economy", catalog())
    assert full is not None
    assert full.choice.chosen is not None
    assert main.choice.chosen is not None
    assert full.choice.chosen.nodes == main.choice.chosen.minimum_nodes
    assert (full.choice.chosen.nodes or 0) < (main.choice.chosen.nodes or 0)
    assert full.figures["fit.nodes"].value == full.choice.chosen.nodes


def test_document_without_prices_shows_no_node_price() -> None:
    main = example("enterprise")
    document = replace(main.requirement.document, price_detail="none")
    page = html(replace(main, requirement=replace(main.requirement, document=document)))
    chosen = main.choice.chosen
    assert chosen is not None
    assert chosen.node_cost is not None
    assert f"{chosen.node_cost:,.0f}" in html(main)
    assert f"{chosen.node_cost:,.0f}" not in page


def test_tender_shows_no_alternative() -> None:
    main = example("enterprise")
    document = replace(main.requirement.document, mode="tender")
    page = html(replace(main, requirement=replace(main.requirement, document=document)))
    assert "放弃 16 位底座" in html(main)
    assert "放弃 16 位底座" not in page
    assert "故不列备选" not in page


def test_command_adds_each_alternative_once_and_names_what_there_is_none_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = [Beside.economy, Beside.economy, Beside.workstation]
    main = example("enterprise")
    found = with_alternatives([main], asked, catalog())
    assert [quote.choice.chosen.change for quote in found if quote.choice.chosen] == ["", "use_qlora"]
    assert f"{main.number} has no workstation alternative" in capsys.readouterr().err
    assert with_alternatives([main], None, catalog()) == [main]


def test_names_of_the_command_are_those_of_the_program() -> None:
    assert {one.value for one in Beside} == set(ALTERNATIVES)


def on(quote: Quote, platform: str) -> Fit:
    return next(one for one in quote.choice.others if one.platform == platform)


def test_a_domestic_project_says_where_a_platform_is_from_before_what_it_lacks() -> None:
    quote = made("DeepSeek-R1", "inference", "required")
    imported = [one for one in quote.choice.others if catalog().platforms[one.platform].family != "xinchuang"]
    assert imported
    assert {one.rejected_by for one in imported} == {"fit.imported"}
    assert on(quote, "srv-metax-8x-c550").rejected_by == "fit.imported_host"
    assert on(quote, "srv-cambricon-8x-mlu370").rejected_by == "fit.host_unknown"


def test_a_link_nobody_has_published_is_not_said_to_be_none() -> None:
    quote = made("Qwen2.5-72B", "lora")
    for platform in ("srv-metax-8x-c550", "srv-cambricon-8x-mlu370", "srv-iluvatar-8x-biv150"):
        assert (on(quote, platform).rejected_by, on(quote, platform).rejected_available) == ("fit.link_unknown", None)
    known = on(quote, "srv-pcie-8x-l20")
    assert (known.rejected_by, known.rejected_required, known.rejected_available) == ("interconnect", 200, 0)


@pytest.mark.parametrize(("model", "task", "needed"), [("DeepSeek-R1", "inference", 4), ("Llama-3-70B", "full", 4)])
def test_work_for_several_nodes_says_that_a_platform_cannot_join_them(model: str, task: str, needed: int) -> None:
    lone = on(made(model, task), "srv-metax-8x-c550")
    assert (lone.rejected_by, lone.rejected_required, lone.rejected_available) == ("fit.not_joined", needed, 1)


@pytest.mark.parametrize("name", ["entry", "enterprise", "cluster", "failing-room", "named-hardware"])
def test_an_outcome_is_what_the_alternative_quoted_in_full_comes_to(name: str) -> None:
    quote = example(name)
    assert [one.change for one in quote.outcomes] == [one.change for one in quote.choice.alternatives]
    for named, changes in ALTERNATIVES.items():
        full = make_alternative(quote, named, catalog())
        found = next((one for one in quote.outcomes if one.change in changes), None)
        assert (full is None) == (found is None)
        if full is None or found is None:
            continue
        assert (found.total, found.room) == (full.price.total, worst_room(full))
        assert (found.difference or 0) + (quote.price.total or 0) == found.total
        budget = next(one for one in full.price.checks if one.id == "budget")
        assert found.budget == budget.status
        assert found.over_budget == max(Decimal(0), (budget.required or 0) - (budget.available or 0))


def worst_room(quote: Quote) -> str:
    found = {one.status for one in quote.site.checks}
    return next(status for status in ("fail", "unknown", "warn", "pass") if status in found)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_summary_names_the_alternative_that_room_and_budget_hold(language: str) -> None:
    words = load_words(language, (templates_folder(),))  # type: ignore[arg-type]
    view = customer_view(example("failing-room"), catalog(), words)
    assert len(view.cures) == 1
    assert "RTX 4090 D" in view.cures[0]
    assert words.say("alternative.room.fail") in view.cures[0]
    assert words.say("alternative.use_qlora.name") in view.cures[0]
    assert len(view.beside) == 1
    assert words.say("alternative.domestic.why_not") in view.beside[0]


def test_summary_names_what_is_cheaper_or_domestic_and_why_it_is_not_the_plan() -> None:
    words = load_words("zh", (templates_folder(),))
    view = customer_view(example("enterprise"), catalog(), words)
    assert view.cures == ()
    assert [line.split("：")[0] for line in view.beside] == ["经济（QLoRA）", "信创"]
    owned = customer_view(example("named-hardware"), catalog(), words)
    assert (owned.cures, owned.beside) == ((), ())


def test_a_server_the_customer_owns_costs_nothing() -> None:
    quote = example("named-hardware")
    assert quote.choice.chosen is not None
    assert quote.choice.chosen.node_cost == 0
    assert of(quote, "use_qlora") is None
    assert all(one.cost_difference == one.node_cost for one in quote.choice.alternatives)


def viewed(name: str, language: str = "zh") -> CustomerView:
    words = load_words(language, (templates_folder(),))  # type: ignore[arg-type]
    return customer_view(example(name), catalog(), words)


def test_summary_says_the_week_of_first_use_beside_the_day_wanted() -> None:
    check = next(one for one in example("enterprise").price.checks if one.id == "lead_time")
    assert viewed("enterprise").ready == f"约 {check.required} 周可用，早于要求的 2027年5月31日"
    assert viewed("failing-room").ready == ""


def test_the_note_on_drafts_says_all_where_no_price_is_a_suppliers() -> None:
    words = load_words("zh", (templates_folder(),))
    assert words.say("proposal.draft_note_all") in html(example("enterprise"))
    typed = example("engineer-lines")
    assert any(line.price_typed for line in typed.price.lines)
    assert words.say("proposal.draft_note") in html(typed)


def test_ownership_page_adds_both_ways_up_over_the_months_asked() -> None:
    own = example("enterprise").ownership
    assert own.months == 36
    page = html(example("enterprise"))
    assert (
        f"按 36 个月计：自建累计约 {own.own_by_month[36]:,.0f} 元，租用累计约 {own.rent_by_month[36]:,.0f} 元" in page
    )


def test_summary_says_the_first_token_where_it_can_be_estimated() -> None:
    chosen = example("enterprise").choice.chosen
    assert chosen is not None
    first = next(one.first_token_s for one in chosen.workloads if one.first_token_s is not None)
    assert any(f"首字约 {first:.3g} 秒" in line for line in viewed("enterprise").results)


def test_a_server_the_customer_owns_is_counted_in_the_bill_as_reused() -> None:
    lines = [line for group in viewed("named-hardware").groups for line in group.lines if line.owned]
    assert [(line.quantity, line.subtotal) for line in lines] == [(1, Decimal("0.00"))]
