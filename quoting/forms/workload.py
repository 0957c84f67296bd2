"""[[workload]]: one job, its model, its size, and the defaults of its task."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, cast

from quoting.forms import quantities as q
from quoting.forms import words
from quoting.forms.names import find_model, read_params
from quoting.forms.reader import Notes, Table, choose
from quoting.forms.text import Wrong, key_of, shown
from quoting.kinds import Offload, Optimizer, Precision, Sharding, Targets, Task
from quoting.requirement import Workload
from quoting.rows import Model

_TRAINING = ("qlora", "lora", "full", "pretrain")
_BILLION = Decimal(10) ** 9


@dataclass(frozen=True, slots=True)
class Shape:
    """Which model, and how large."""

    model: str | None
    name: str
    params_b: Decimal
    active_params_b: Decimal
    official: bool
    precision: str
    context: int | None  # the longest the model reads


def read_workload(notes: Notes, number: int, count: int, data: object, keys: tuple[str, ...]) -> Workload | None:
    """The workload at ``number`` of ``count``, or None when it names no model or no task."""
    table = Table(notes, f"workload[{number}]", data, keys)
    shape, task = _shape(table), _task(table)
    precision = _precision(table, shape, task)
    rest = _numbers(table)
    if shape is None or task is None:
        return None
    training = task in _TRAINING
    return Workload(
        id=f"w{number}",
        model=shape.model,
        name=shape.name,
        params_b=shape.params_b,
        active_params_b=shape.active_params_b,
        official=shape.official,
        task=task,
        precision=precision,
        context=_context(table, shape, training, rest["context"]),
        batch=_or_default(table, "batch", rest["batch"], training),
        rank=_or_default(table, "rank", rest["rank"], task in ("lora", "qlora")),
        sharding=cast(Sharding, _or_default(table, "sharding", rest["sharding"], training)),
        offload=cast(Offload, _or_default(table, "offload", rest["offload"], training)),
        concurrency=_or_default(table, "concurrency", rest["concurrency"], not training),
        concurrent=_concurrent(table, rest["concurrent"], training, count),
        tokens_b=_tokens(table, training, rest),
        deadline_days=rest["deadline"],
        tokens_per_second=rest["tokens_per_second"],
        first_token_s=rest["first_token"],
        targets=cast(Targets, rest["targets"] or "all_linear"),
        optimizer=cast(Optimizer, rest["optimizer"] or "adamw"),
    )


def _numbers(table: Table) -> dict[str, Any]:
    """Every other answer, read whether or not model and task could be, so that all mistakes show at once."""
    return {
        "context": table.whole("context", q.CONTEXT),
        "tokens": table.quantity("tokens", q.TOKENS),
        "samples": table.whole("samples", q.SAMPLES),
        "tokens_per_sample": table.whole("tokens_per_sample", q.CONTEXT),
        "epochs": table.quantity("epochs", q.RATIO),
        "deadline": table.quantity("deadline", q.DURATION),
        "concurrency": table.whole("concurrency", q.COUNT),
        "tokens_per_second": table.quantity("tokens_per_second", q.SPEED),
        "first_token": table.quantity("first_token", q.LATENCY),
        "batch": table.whole("batch", q.COUNT),
        "rank": table.whole("rank", q.COUNT),
        "targets": table.choice("targets", words.TARGETS),
        "optimizer": table.choice("optimizer", words.OPTIMIZER),
        "sharding": table.choice("sharding", words.SHARDING),
        "offload": table.read("offload", _offload),
        "concurrent": table.flag("concurrent"),
    }


def _offload(raw: Any) -> str:
    if isinstance(raw, bool):
        return "all" if raw else "none"
    return choose(raw, words.OFFLOAD)


def _task(table: Table) -> Task | None:
    if not table.given("task"):
        table.notes.wrong(table.at("task"), Wrong("missing", "inference, qlora, lora, full or pretrain"))
        return None
    task = table.read("task", _task_code)
    if task and key_of(str(table.raw("task"))) in {key_of(word) for word in words.OPEN_TASK}:
        table.notes.ask(table.at("task"), "task_open", typed=shown(table.raw("task")), taken=task)
    if task:
        table.notes.read_as(table.at("task"), table.raw("task"), task)
    return cast("Task | None", task)


def _task_code(raw: Any) -> str:
    if isinstance(raw, str) and key_of(raw) in words.NO_TASK:
        raise Wrong(f"{shown(raw)} may be several tasks", "inference, qlora, lora, full or pretrain: say which")
    return choose(raw, words.TASK)


def _shape(table: Table) -> Shape | None:
    """Model and size; a mistake when neither is stated, or when the model has no published size."""
    sized = table.read("params", read_params)
    if sized is not None:
        table.notes.read_as(table.at("params"), table.raw("params"), sized[2])
        for code, arguments in sized[3]:
            table.notes.ask(table.at("params"), code, **dict(arguments))
    if not table.given("model"):
        if not table.given("params"):
            table.notes.wrong(table.at("model"), Wrong("missing", 'model = "Qwen2.5-14B" or params = "14B"'))
        return None if sized is None else Shape(None, _typed(table, "params"), sized[0], sized[1], True, "", None)
    size = None if sized is None else (sized[0], sized[1])
    return table.read("model", lambda raw: _named(table, raw, size))


def _typed(table: Table, key: str) -> str:
    return shown(table.raw(key)).strip()


def _named(table: Table, raw: Any, size: tuple[Decimal, Decimal] | None) -> Shape:
    if not isinstance(raw, str):
        raise Wrong(f"not a text: {shown(raw)}", 'a model name, such as "Qwen2.5-14B"')
    try:
        found = find_model(raw, table.notes.catalog)
    except Wrong:
        return _by_size(table, raw, size)
    model = found.model
    if not model.quotable or not model.official or model.params_b is None:
        return _unofficial(raw, model, size)
    if size is not None and _differs(table, model.params_b, size[0]):
        table.notes.ask(table.at("params"), "params_contradict", model=model.id, params=size[0], taken=model.params_b)
    table.notes.read_as(table.at("model"), raw, model.id)
    active = model.active_params_b or model.params_b
    return Shape(model.id, raw, model.params_b, active, True, found.precision, model.context)


def _by_size(table: Table, raw: str, size: tuple[Decimal, Decimal] | None) -> Shape:
    """An unknown model: its stated size stands for it; a name that is a size (671b) is read as one."""
    if size is not None:
        table.notes.ask(table.at("model"), "model_unknown", typed=shown(raw), taken=size[0])
        return Shape(None, raw, size[0], size[1], False, "", None)
    try:
        total, active, read, _ = read_params(raw)
    except Wrong:
        find_model(raw, table.notes.catalog)
        raise
    table.notes.read_as(table.at("model"), raw, read)
    table.notes.ask(table.at("model"), "model_by_size", typed=shown(raw), taken=total)
    return Shape(None, raw, total, active, True, "", None)


def _unofficial(raw: str, model: Model, size: tuple[Decimal, Decimal] | None) -> Shape:
    if size is None:
        instead = " or ".join(model.instead) or "a model with a published size"
        raise Wrong(f"no published size: {shown(raw)}", f"{instead}, or params as the customer states them")
    return Shape(model.id, raw, size[0], size[1], False, "", model.context)


def _differs(table: Table, published: Decimal, stated: Decimal) -> bool:
    tolerance = Decimal(table.notes.catalog.rules["form.params_tolerance"].values["value"])
    return abs(stated - published) > tolerance * published


def _precision(table: Table, shape: Shape | None, task: Task | None) -> Precision | None:
    stated = table.choice("precision", words.PRECISION)
    named = shape.precision if shape else ""
    if stated and named and stated != named:
        table.notes.ask(table.at("precision"), "precision_contradicts", model=named, taken=stated)
    taken = stated or named or None
    if (task, taken) == ("lora", "int4"):
        table.notes.ask(table.at("precision"), "lora_on_int4", taken=task)
    if task == "qlora" and taken not in (None, "int4"):
        table.notes.ask(table.at("precision"), "qlora_not_int4", stated=taken)
        taken = None
    return cast("Precision | None", taken)


def _or_default(table: Table, key: str, value: Any, matters: bool) -> Any:
    """The answer, or the default; a default that changes nothing for this task is not listed."""
    if value is not None:
        return value
    rule = f"default.{key}"
    found = table.notes.default(table.at(key), rule) if matters else table.notes.catalog.rules[rule].values["value"]
    return int(found) if isinstance(found, Decimal) else found


def _context(table: Table, shape: Shape, training: bool, stated: int | None) -> int:
    if stated is None:
        return int(table.notes.default(table.at("context"), "default.context", "training" if training else "inference"))
    if shape.context is not None and stated > shape.context:
        table.notes.ask(table.at("context"), "context_beyond_model", stated=stated, model=shape.context)
    return stated


def _concurrent(table: Table, stated: bool | None, training: bool, count: int) -> bool:
    if stated is not None:
        return stated
    key = "training" if training else "inference"
    if count == 1:
        return bool(table.notes.catalog.rules["default.concurrent"].values[key])
    return bool(table.notes.default(table.at("concurrent"), "default.concurrent", key))


def _tokens(table: Table, training: bool, rest: dict[str, Any]) -> Decimal | None:
    """Training tokens in billions, epochs included; None when neither tokens nor samples are stated."""
    if not training:
        return None
    tokens, samples = rest["tokens"], rest["samples"]
    if tokens is not None and samples is not None:
        table.notes.ask(table.at("samples"), "tokens_and_samples", taken=tokens)
    if tokens is None and samples is None:
        if rest["deadline"] is not None:
            table.notes.ask(table.at("tokens"), "tokens")
        return None
    if tokens is None:
        length = _or_default(table, "tokens_per_sample", rest["tokens_per_sample"], True)
        tokens = Decimal(samples) * length / _BILLION
    epochs = rest["epochs"]
    if epochs is None:
        epochs = Decimal(table.notes.default(table.at("epochs"), "default.epochs"))
    return Decimal(tokens) * Decimal(epochs)
