"""Forms to requirements: all mistakes at once, nothing guessed in silence, text kept as text."""

from __future__ import annotations

import ast
import copy
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from forms_catalog import catalog

from quoting.errors import Mistakes
from quoting.forms import model, parse_form, read_form
from quoting.forms.fields import keys_by_table
from quoting.requirement import Requirement

HERE = Path(__file__).parent / "forms"
ATTACKS = tomllib.loads((HERE / "attacks.toml").read_text())
SIMPLE = """
[customer]
name = "示例制造有限公司"
[[workload]]
model = "qwen2.5 7b"
task = "LoRA微调"
samples = "2w条"
deadline = "7天"
[site]
rack_power = "单柜6kW"
circuit = "3x32A"
[commercial]
budget = "60万"
"""


def read(text: str) -> Requirement:
    return parse_form(tomllib.loads(text, parse_float=Decimal), catalog(), "form.toml")


def mistakes(text: str) -> list[str]:
    with pytest.raises(Mistakes) as caught:
        read(text)
    return [mistake.line() for mistake in caught.value.mistakes]


def asks(requirement: Requirement) -> list[tuple[str, str]]:
    return [(ask.key, ask.code) for ask in requirement.asks]


def with_answer(place: str, value: Any) -> dict[str, Any]:
    """The simple form with one more answer, at ``table.key``."""
    data: dict[str, Any] = copy.deepcopy(tomllib.loads(SIMPLE))
    table, key = place.split(".")
    tables = data[table] if table in data else data.setdefault(table, {})
    (tables[0] if isinstance(tables, list) else tables)[key] = value
    return data


def test_simple_form_is_read() -> None:
    found = read(SIMPLE)
    work = found.workloads[0]
    assert (work.model, work.task, work.params_b) == ("Qwen2.5-7B", "lora", Decimal("7.616"))
    assert (work.tokens_b, work.deadline_days) == (Decimal("0.02"), 7)
    assert (found.site.rack_power_kw, found.site.circuit and found.site.circuit.phases) == (6, 3)
    assert found.commercial.budget == Decimal("600000.00")


def test_spellings_are_echoed() -> None:
    echoed = {row.key: (row.typed, row.read) for row in read(SIMPLE).understood}
    assert echoed["workload[1].samples"] == ("2w条", "20,000 samples")
    assert echoed["commercial.budget"] == ("60万", "600,000 CNY")
    assert echoed["workload[1].model"] == ("qwen2.5 7b", "Qwen2.5-7B")


def test_every_default_that_counts_is_listed_with_its_rule() -> None:
    found = read(SIMPLE)
    listed = {row.key: (row.value, row.rule) for row in found.defaults}
    assert listed["workload[1].context"] == ("2048", "default.context")
    assert listed["workload[1].rank"] == ("16", "default.rank")
    assert listed["workload[1].sharding"] == ("zero3", "default.sharding")
    assert listed["workload[1].tokens_per_sample"] == ("1000", "default.tokens_per_sample")
    assert "workload[1].concurrency" not in listed
    assert all(row.rule in catalog().rules for row in found.defaults)


def test_inference_takes_its_own_defaults() -> None:
    found = read(SIMPLE.replace("LoRA微调", "推理"))
    listed = {row.key: row.value for row in found.defaults}
    assert (found.workloads[0].context, found.workloads[0].concurrency) == (8192, 16)
    assert listed["workload[1].concurrency"] == "16"
    assert "workload[1].rank" not in listed


def test_all_mistakes_come_at_once_with_place_and_nearest_name() -> None:
    text = SIMPLE.replace("model =", "modle =").replace("6kW", "6kVA").replace("60万", "60").replace("7天", "本季度")
    found = mistakes(text)
    assert len(found) == 5
    assert any("workload[1].modle: unknown key" in line and "did you mean model?" in line for line in found)
    assert any("site.rack_power: kVA is apparent power" in line for line in found)
    assert any("commercial.budget: 60元 or 60万元?" in line for line in found)
    assert any("workload[1].deadline" in line and "7天" in line for line in found)


def test_missing_task_is_a_mistake_and_never_guessed() -> None:
    assert any("workload[1].task: missing" in line for line in mistakes(SIMPLE.replace('task = "LoRA微调"', "")))


def test_form_without_anything_names_what_is_required() -> None:
    found = mistakes("")
    assert any("customer.name: missing" in line for line in found)
    assert any("workload: missing" in line for line in found)


def test_unknown_model_names_the_nearest() -> None:
    assert "did you mean Qwen2.5-7B?" in mistakes(SIMPLE.replace("qwen2.5 7b", "Qwen2.5-7T"))[0]


@pytest.mark.parametrize(
    "name",
    [
        "QWEN2.5_7B",
        "Ｑｗｅｎ２．５－７Ｂ",
        "Qwen2.5-7B-Instruct",
        "Qwen/Qwen2.5-7B-Instruct",
        "Qwen2.5 7B Chat",
        "通义千问2.5-7B",
    ],
)
def test_model_is_found_by_any_spelling(name: str) -> None:
    assert read(SIMPLE.replace("qwen2.5 7b", name)).workloads[0].model == "Qwen2.5-7B"


@pytest.mark.parametrize("name", ["R1-Distill-Qwen-32B", "满血版 DeepSeek-R1", "deepseek-ai/DeepSeek-R1", "R1"])
def test_model_is_found_without_its_maker(name: str) -> None:
    assert (read(SIMPLE.replace("qwen2.5 7b", name)).workloads[0].model or "").startswith("DeepSeek-R1")


def test_links_of_a_server_are_added_up() -> None:
    hardware = read(SIMPLE + '[hardware]\ninterconnect = "IB 8x400G"\nnodes = "2台"\n').hardware
    assert hardware is not None
    assert (hardware.interconnect_gbps, hardware.nodes) == (3200, 2)


def test_memory_modules_are_added_up() -> None:
    hardware = read(SIMPLE + '[hardware]\nram = "16x64GB"\n').hardware
    assert hardware is not None
    assert hardware.ram_gb == 1024


def test_yes_and_no_answer_a_choice() -> None:
    assert read(SIMPLE + "[compliance]\ndomestic = true\n").compliance.domestic == "required"
    assert read(SIMPLE + "[compliance]\ndomestic = false\n").compliance.domestic == "no"


def test_precision_in_the_model_name_is_taken() -> None:
    work = read(SIMPLE.replace("qwen2.5 7b", "Qwen1.5-72B-Chat-GPTQ-Int4").replace("LoRA微调", "推理")).workloads[0]
    assert (work.model, work.precision) == ("Qwen-72B", "int4")


def test_model_without_a_published_size_is_refused_with_what_to_offer() -> None:
    line = mistakes(SIMPLE.replace("qwen2.5 7b", "GPT4"))[0]
    assert "no published size" in line
    assert "DeepSeek-V3 or Qwen3-235B-A22B" in line


def test_model_without_a_published_size_is_sized_as_the_customer_states_it() -> None:
    work = read(SIMPLE.replace('model = "qwen2.5 7b"', 'model = "GPT-4"\nparams = "1.76T"')).workloads[0]
    assert (work.official, work.params_b) == (False, 1760)


def test_size_alone_is_a_dense_model() -> None:
    work = read(SIMPLE.replace('model = "qwen2.5 7b"', 'params = "700亿"')).workloads[0]
    assert (work.model, work.name, work.params_b, work.active_params_b) == (None, "700亿", 70, 70)


def test_active_parameters_may_be_stated() -> None:
    work = read(SIMPLE.replace('model = "qwen2.5 7b"', 'params = "671B-A37B"')).workloads[0]
    assert (work.params_b, work.active_params_b) == (671, 37)


def test_size_in_place_of_a_model_is_read_as_one_and_asked() -> None:
    found = read(SIMPLE.replace("qwen2.5 7b", "671b"))
    assert found.workloads[0].params_b == 671
    assert ("workload[1].model", "model_by_size") in asks(found)


def test_model_and_size_that_contradict_are_asked() -> None:
    found = read(SIMPLE.replace('model = "qwen2.5 7b"', 'model = "Qwen2.5-14B"\nparams = "13B"'))
    assert ("workload[1].params", "params_contradict") in asks(found)
    agreeing = read(SIMPLE.replace('model = "qwen2.5 7b"', 'model = "Qwen2.5-7B"\nparams = "7B"'))
    assert asks(agreeing) == []


def test_vague_size_and_open_task_are_asked() -> None:
    text = (
        SIMPLE.replace('model = "qwen2.5 7b"', 'params = "百亿参数"')
        .replace("LoRA微调", "部署")
        .replace('budget = "60万"', "")
    )
    assert asks(read(text)) == [
        ("workload[1].params", "order_of_magnitude"),
        ("workload[1].task", "task_open"),
        ("commercial.budget", "budget"),
    ]


def test_domestic_and_an_imported_card_contradict() -> None:
    text = SIMPLE + '[compliance]\ndomestic = "信创"\n[hardware]\ngpu = "H100 80G"\n'
    assert ("hardware.gpu", "domestic_contradicts") in asks(read(text))
    domestic = SIMPLE + '[compliance]\ndomestic = "信创"\n[hardware]\ngpu = "910B 64G"\n'
    assert asks(read(domestic)) == []


def test_untaxed_budget_is_kept_as_untaxed() -> None:
    found = read(SIMPLE.replace("60万", "55,054万元(不含税)"))
    assert (found.commercial.budget, found.commercial.budget_tax_included) == (Decimal("550540000.00"), False)


def test_foreign_budget_is_converted_and_asked() -> None:
    found = read(SIMPLE.replace("60万", "63200 GBP"))
    assert ("commercial.budget", "foreign_budget") in asks(found)
    assert dict(found.asks[0].arguments)["rate"] == "9.5"


def test_cards_and_servers_that_do_not_divide_are_a_mistake() -> None:
    assert "do not divide" in mistakes(SIMPLE + '[hardware]\ngpu = "L20"\ncards = 9\nnodes = 2\n')[0]


def test_contradicting_counts_are_asked() -> None:
    found = read(SIMPLE + '[hardware]\ngpu = "8卡 L20"\ncards = 4\n')
    assert ("hardware.cards", "cards_contradict") in asks(found)


def test_count_beside_a_name_is_of_one_server_when_servers_are_counted() -> None:
    found = read(SIMPLE + '[hardware]\ngpu = "8卡 L20"\nnodes = 4\n')
    assert found.hardware is not None
    assert (found.hardware.cards, found.hardware.nodes) == (32, 4)
    assert asks(read(SIMPLE + '[hardware]\ngpu = "8卡 L20"\ncards = 32\nnodes = 4\n')) == []


def test_hardware_of_the_customer_is_read() -> None:
    text = """
[hardware]
gpu = "A100 40G"
cards = "两机16卡"
ram = "1T"
interconnect = "InfiniBand 400G"
owned = true
power = "10.2kW"
psu = "6x3300W"
"""
    hardware = read(SIMPLE + text).hardware
    assert hardware is not None
    assert (hardware.gpu, hardware.cards, hardware.nodes, hardware.ram_gb) == ("gpu-a100-40g-sxm", 16, 2, 1024)
    assert (hardware.interconnect_gbps, hardware.node_power_kw) == (400, Decimal("10.2"))
    assert (hardware.psu_count, hardware.psu_w, hardware.owned) == (6, 3300, True)


def test_site_of_the_customer_is_read() -> None:
    answers = """
lift = "H210 W99 D137cm 630kg"
door = "1.2m x 2.2m"
floor_load = "500~1000kg/㎡"
existing_load = "21A"
cooling_redundancy = "N"
feeds = "双路市电"
accept = "all"
"""
    site = read(SIMPLE.replace("[site]", "[site]" + answers)).site
    assert (site.lift_kg, site.lift_mm, site.door_mm) == (630, (990, 1370, 2100), (1200, 2200))
    assert (site.floor_load_kg_m2, site.existing_amps, site.feeds) == (500, 21, "2N")
    assert (site.cooling_redundancy, site.accept) == ("N", ("all",))


def test_scope_is_read_in_both_languages_and_unknown_groups_are_refused() -> None:
    assert read(SIMPLE + '[scope]\ninclude = ["UPS", "精密空调"]\n').scope.include == ("ups", "cooling")
    assert "scope.include[1]" in mistakes(SIMPLE + '[scope]\ninclude = ["upss"]\n')[0]


LINE = '[[line]]\naction = "add"\nsku = "svc-training"\nquantity = 1\n'


def test_sales_engineers_lines_are_read() -> None:
    text = LINE + '[[line]]\naction = "replace"\nsku = "ssd-u2-3840g"\nwith = "ssd-u2-7680g"\nreason = "更多数据"\n'
    lines = read(SIMPLE + text).lines
    assert [line.action for line in lines] == ["add", "replace"]
    assert (lines[1].with_sku, lines[1].reason) == ("ssd-u2-7680g", "更多数据")


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("svc-training", "svc-traning", "line[1].sku: unknown SKU"),
        ("quantity = 1", "quantity = 0", "line[1].quantity: out of range"),
        ("quantity = 1", "quantity = 1\nunit_price = 12.345", "line[1].unit_price: more than two places"),
        ("quantity = 1", "quantity = 1\ntax_rate = 0.17", "line[1].tax_rate: not a tax rate"),
        ("quantity = 1", "", "line[1].quantity: missing"),
        ('"add"', '"drop"', "line[1].action: not one of the choices"),
        ('sku = "svc-training"', "", "line[1].sku: missing"),
        ('sku = "svc-training"', 'name = "支架"', "line[1].unit_price: missing"),
        ('"add"', '"price"', "line[1].unit_price: missing"),
    ],
)
def test_wrong_line_is_a_mistake(old: str, new: str, place: str) -> None:
    assert any(place in line for line in mistakes(SIMPLE + LINE.replace(old, new)))


@pytest.mark.parametrize("text", ATTACKS["keep"])
@pytest.mark.parametrize("place", ["customer.name", "project.name"])
def test_text_is_kept_as_typed(place: str, text: str) -> None:
    found = parse_form(with_answer(place, text), catalog(), "form.toml")
    assert text in (found.customer.name, found.project.name)


@pytest.mark.parametrize(("text", "point"), ATTACKS["refuse"])
@pytest.mark.parametrize(
    "place", ["customer.name", "project.name", "workload.model", "hardware.gpu", "site.rack_power"]
)
def test_unprintable_text_is_refused_by_code_point(place: str, text: str, point: str) -> None:
    with pytest.raises(Mistakes) as caught:
        parse_form(with_answer(place, text), catalog(), "form.toml")
    lines = [mistake.line() for mistake in caught.value.mistakes]
    key = place.split(".")[1]
    assert any(point in line and f".{key}" in line for line in lines)
    assert not any(character in line for line in lines for character in text if not character.isprintable())


def test_lone_surrogate_is_refused_by_code_point() -> None:
    with pytest.raises(Mistakes, match=r"U\+D800"):
        parse_form(with_answer("customer.name", "a\ud800"), catalog(), "form.toml")


def test_composed_and_decomposed_text_are_one() -> None:
    found = parse_form(with_answer("customer.name", "e\u0301cole"), catalog(), "form.toml")
    assert found.customer.name == "\u00e9cole"


def test_text_fields_are_capped() -> None:
    found = parse_form(with_answer("customer.name", "算" * 200), catalog(), "form.toml")
    assert len(found.customer.name) == 200
    with pytest.raises(Mistakes, match=r"customer\.name: 6000 characters are too many"):
        parse_form(with_answer("customer.name", "算" * 6000), catalog(), "form.toml")


def test_number_for_a_text_asks_for_quotes() -> None:
    with pytest.raises(Mistakes, match="a text in quotes"):
        parse_form(with_answer("customer.phone", 13800138000), catalog(), "form.toml")


FIELDS = [(field["place"], answer) for field in ATTACKS["field"] for answer in field["take"]]
WRONG = [(field["place"], answer) for field in ATTACKS["field"] for answer in field["refuse"]]


@pytest.mark.parametrize(("place", "answer"), FIELDS)
def test_answer_is_taken(place: str, answer: str) -> None:
    assert parse_form(with_answer(place, answer), catalog(), "form.toml").customer.name


@pytest.mark.parametrize(("place", "answer"), WRONG)
def test_answer_is_refused_at_its_place(place: str, answer: str) -> None:
    with pytest.raises(Mistakes) as caught:
        parse_form(with_answer(place, answer), catalog(), "form.toml")
    table, key = place.split(".")
    expected = f"workload[1].{key}" if table == "workload" else place
    assert [mistake.place for mistake in caught.value.mistakes] == [expected]


NUMERIC = [
    "workload.params", "workload.context", "workload.samples", "workload.epochs", "workload.concurrency",
    "workload.tokens", "workload.rank", "hardware.cards", "hardware.nodes", "site.racks", "site.rack_power",
    "site.rack_units", "site.transformer", "site.floor_load", "site.ups", "commercial.budget", "commercial.months",
    "commercial.utilisation", "commercial.validity_days", "workload.deadline", "hardware.ram", "site.lift",
]  # fmt: skip


@pytest.mark.parametrize("place", NUMERIC)
@pytest.mark.parametrize(
    "answer",
    [
        "NaN",
        "Infinity",
        "-1",
        "-0",
        "1e999",
        "0",
        "true",
        "0x10",
        True,
        Decimal("NaN"),
        Decimal("-Infinity"),
        -1,
        10**400,
        0,
        {},
        [],
    ],
    ids=lambda answer: str(answer)[:12],
)
def test_impossible_number_is_refused_at_its_place(place: str, answer: Any) -> None:
    with pytest.raises(Mistakes) as caught:
        parse_form(with_answer(place, answer), catalog(), "form.toml")
    key = place.split(".")[1]
    assert any(mistake.place.endswith(f".{key}") for mistake in caught.value.mistakes)
    assert all(len(mistake.line()) < 500 for mistake in caught.value.mistakes)


@pytest.mark.parametrize("answer", ["", "  "])
def test_empty_answer_is_no_answer(answer: str) -> None:
    assert parse_form(with_answer("site.racks", answer), catalog(), "form.toml").site.racks is None


def write(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_json_carries_the_same_fields(tmp_path: Path) -> None:
    data = tomllib.loads(SIMPLE)
    from_json = read_form(write(tmp_path, "a.json", json.dumps(data, ensure_ascii=False)), catalog())
    assert from_json == read_form(write(tmp_path, "a.toml", SIMPLE), catalog())


@pytest.mark.parametrize("name", ["a.toml", "a.json"])
def test_byte_order_mark_and_crlf_are_read(tmp_path: Path, name: str) -> None:
    text = SIMPLE if name == "a.toml" else json.dumps(tomllib.loads(SIMPLE))
    path = write(tmp_path, name, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert read_form(path, catalog()).customer.name == "示例制造有限公司"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.toml", "[customer\n", "line 1"),
        ("a.toml", '[customer]\nname = "甲"\nname = "乙"\n', "line 3"),
        ("a.toml", SIMPLE.encode("gb18030"), "not UTF-8"),
        ("a.toml", SIMPLE.encode("utf-16"), "is UTF-16"),
        ("a.toml", b"PK\x03\x04\0\0 not really", "binary"),
        ("a.toml", "#" * 300_000, "too large"),
        ("a.toml", "a = " + "[" * 3000, "nested too deeply"),
        ("a.toml", "a.b.c.d.e.f.g.h = 1", "nested too deeply"),
        ("a.toml", "\n" + "a." * 100_000 + "a = 1", "line 2: nested too deeply"),
        ("a.toml", "x = {" + "a." * 100_000 + "a = 1}", "line 1: nested too deeply"),
        ("a.toml", "[" + '"a".' * 50_000 + "a]", "line 1: nested too deeply"),
        ("a.toml", "a = 1e99999999999999999999", "not valid TOML"),
        ("a.toml", "a = " + "9" * 5000, "not valid TOML"),
        ("a.json", '{"customer": ', "line 1"),
        ("a.json", '{"customer": {}, "customer": {}}', "key twice"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.json", "[]", "is not a table"),
        ("a.json", '{"a": NaN}', "not a number"),
        ("a.json", "", "line 1"),
        ("a.yaml", "customer: 甲", "unknown kind of file"),
        ("a", "", "unknown kind of file"),
    ],
)
def test_unreadable_file_is_a_mistake_with_its_place(
    tmp_path: Path, name: str, content: bytes | str, said: str
) -> None:
    with pytest.raises(Mistakes) as caught:
        read_form(write(tmp_path, name, content), catalog())
    assert said in caught.value.mistakes[0].line()
    assert caught.value.exit_code == 2
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize("name", ["missing.toml", "folder.toml", "nul\0.toml", "x" * 300 + ".toml"])
def test_missing_file_folder_or_impossible_name_is_a_mistake(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(Mistakes):
        read_form(tmp_path / name, catalog())


def test_lower_limit_of_a_budget_is_asked() -> None:
    assert ("commercial.budget", "budget_floor") in asks(read(SIMPLE.replace("60万", "60万以上")))


def test_heaps_of_unknown_keys_stay_readable() -> None:
    with pytest.raises(Mistakes) as caught:
        parse_form({f"x{number}": 1 for number in range(5000)}, catalog(), "form.toml")
    assert len(caught.value.mistakes) < 30
    assert "5000 unknown keys" in str(caught.value)


def test_keys_are_those_of_the_schema() -> None:
    tables = {
        name.removesuffix("Model").lower(): table for name, table in vars(model).items() if name.endswith("Model")
    }
    for name, keys in keys_by_table().items():
        fields = tables[name or "form"].model_fields
        assert keys == tuple(field.alias or key for key, field in fields.items())


def test_reading_a_form_does_not_load_the_schema() -> None:
    code = "import sys, quoting.forms; sys.exit('quoting.forms.model' in sys.modules or 'pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_many_dots_in_a_text_are_text(tmp_path: Path) -> None:
    line = '[[line]]\naction = "note"\nsku = "svc-training"\nreason = "' + "." * 300 + '" # ' + "." * 300 + "\n"
    assert read_form(write(tmp_path, "a.toml", SIMPLE + line), catalog()).lines[0].reason == "." * 300


def test_later_form_version_is_refused() -> None:
    assert "form_version: unknown version: 2" in mistakes("form_version = 2\n" + SIMPLE)[0]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (SIMPLE.replace("[[workload]]", "[workload]"), "workload: not a list of tables"),
        (SIMPLE.replace("[site]", "[[site]]"), "site: not a table"),
        ('customer = "甲"\nworkload = [1]\n', "workload[1]: not a table"),
        (SIMPLE + "[sites]\n", "sites: unknown key"),
    ],
)
def test_wrong_shape_is_a_mistake(text: str, place: str) -> None:
    assert any(place in line for line in mistakes(text))


WORDS = {
    language: tomllib.loads((Path(__file__).parent.parent / f"templates/words/{language}/forms.toml").read_text())
    for language in ("zh", "en")
}


def codes_in(node: ast.AST) -> Iterator[ast.expr]:
    """Where a code of a question may stand: second argument of ask(), or before its arguments in a pair."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "ask":
        yield from node.args[1:2]
    if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.elts[1], ast.Tuple):
        yield node.elts[0]
    if isinstance(node, ast.List | ast.Tuple) and any(isinstance(entry, ast.Starred) for entry in node.elts):
        yield from node.elts
    if isinstance(node, ast.IfExp) and isinstance(node.body, ast.List | ast.Tuple):
        yield from node.body.elts


def ask_codes() -> set[str]:
    folder = Path(__file__).parent.parent / "quoting/forms"
    nodes = (node for path in folder.glob("*.py") for node in ast.walk(ast.parse(path.read_text())))
    found = (code for node in nodes for code in codes_in(node))
    texts = {code.value for code in found if isinstance(code, ast.Constant) and isinstance(code.value, str)}
    return {text for text in texts if re.fullmatch(r"[a-z][a-z0-9_]+", text)}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_question_is_worded(language: str) -> None:
    assert ask_codes() == set(WORDS[language]["ask"])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_default_and_field_is_worded(language: str) -> None:
    rules = {rule.removeprefix("default.") for rule in catalog().rules if rule.startswith("default.")}
    assert rules == set(WORDS[language]["default"]["default"])
    fields = {table: set(keys) for table, keys in keys_by_table().items() if table}
    assert fields == {table: set(names) for table, names in WORDS[language]["field"].items()}
