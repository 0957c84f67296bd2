"""Every question a form can lead to: what leads to it, and that its words can be filled in both languages."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path

import pytest
from forms_catalog import catalog

from quoting.assets import templates_folder
from quoting.documents.view_lines import question
from quoting.documents.words import load_words
from quoting.forms import parse_form
from quoting.kinds import Language
from quoting.requirement import Ask

ROOT = Path(__file__).parent.parent
BASE = """
[customer]
name = "示例制造有限公司"
[[workload]]
{work}
[commercial]
{money}
{rest}
"""
WORK = 'model = "Qwen2.5-7B"\ntask = "lora"'
MONEY = 'budget = "60万"'
QUESTIONS = {
    "range": (WORK + '\nsamples = "1万-2万"', MONEY, ""),
    "order_of_magnitude": ('params = "百亿"\ntask = "lora"', MONEY, ""),
    "foreign_budget": (WORK, 'budget = "63200 GBP"', ""),
    "budget": (WORK, "", ""),
    "budget_floor": (WORK, 'budget = "60万以上"', ""),
    "tax_contradicts": (WORK, 'budget = "60万(不含税)"\nbudget_tax_included = true', ""),
    "task_open": ('params = "7B"\ntask = "部署"', MONEY, ""),
    "params_contradict": (WORK + '\nparams = "13B"', MONEY, ""),
    "model_unknown": ('model = "自研模型"\nparams = "13B"\ntask = "lora"', MONEY, ""),
    "model_by_size": ('model = "671b"\ntask = "推理"', MONEY, ""),
    "precision_contradicts": ('model = "Qwen2.5-7B-AWQ"\ntask = "推理"\nprecision = "int8"', MONEY, ""),
    "lora_on_int4": (WORK + '\nprecision = "int4"', MONEY, ""),
    "qlora_not_int4": ('params = "7B"\ntask = "qlora"\nprecision = "bf16"', MONEY, ""),
    "context_beyond_model": ('model = "Llama-3-70B"\ntask = "lora"\ncontext = "32k"', MONEY, ""),
    "tokens_and_samples": (WORK + '\ntokens = "2B"\nsamples = "2万"', MONEY, ""),
    "tokens": (WORK + '\ndeadline = "7天"', MONEY, ""),
    "cards_contradict": (WORK, MONEY, '[hardware]\ngpu = "8卡 L20"\ncards = 4'),
    "cards_total_or_each": (WORK, MONEY, '[hardware]\ngpu = "两台4卡 L20"'),
    "cards_order": (WORK, MONEY, '[hardware]\ngpu = "L20"\ncards = "4*6"'),
    "memory_differs": (WORK, MONEY, '[hardware]\ngpu = "A10"\ncards = "24G、22G"'),
    "memory_free": (WORK, MONEY, '[hardware]\ngpu = "A10 22G"'),
    "card_size": (WORK, MONEY, '[hardware]\ngpu = "A800"'),
    "circuit_phases": (WORK, MONEY, '[site]\ncircuit = "15A"'),
    "scope_contradicts": (WORK, MONEY, '[scope]\ninclude = ["ups"]\nexclude = ["ups"]'),
    "domestic_contradicts": (WORK, MONEY, '[hardware]\ngpu = "L20"\n[compliance]\ndomestic = "required"'),
    "domestic_workstation": (WORK, MONEY, '[project]\nform_factor = "工作站"\n[compliance]\ndomestic = "required"'),
}
WORDS = {
    language: tomllib.loads((ROOT / f"templates/words/{language}/forms.toml").read_text())["ask"]
    for language in ("zh", "en")
}


def asked(code: str) -> tuple[Ask, ...]:
    work, money, rest = QUESTIONS[code]
    text = BASE.format(work=work, money=money, rest=rest)
    return parse_form(tomllib.loads(text, parse_float=Decimal), catalog(), "form.toml").asks


@pytest.mark.parametrize("code", QUESTIONS)
def test_question_is_asked_once_and_alone(code: str) -> None:
    assert [ask.code for ask in asked(code)] == [code]


@pytest.mark.parametrize("code", QUESTIONS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_words_of_a_question_are_filled_by_its_arguments(code: str, language: Language) -> None:
    words = load_words(language, (templates_folder(),))
    for ask in asked(code):
        sentence = question(ask.key, ask.code, ask.arguments, words)
        assert "{" not in sentence
        assert "None" not in sentence


def test_a_question_about_a_range_says_which_answer_and_in_what_unit() -> None:
    form = BASE.format(work=WORK, money='budget = "80-100万"', rest='[site]\nfloor_load = "500~1000kg/㎡"')
    asks = parse_form(tomllib.loads(form, parse_float=Decimal), catalog(), "form.toml").asks
    words = load_words("zh", (templates_folder(),))
    assert [question(ask.key, ask.code, ask.arguments, words) for ask in asks] == [
        "楼板承重：填写的是范围 500 kg/m² 至 1,000 kg/m²，本方案按 500 kg/m² 计算，请确认。",
        "预算上限：填写的是范围 800,000 元至 1,000,000 元，本方案按 1,000,000 元计算，请确认。",
    ]


def test_no_question_is_left_out() -> None:
    assert set(QUESTIONS) == set(WORDS["zh"])
