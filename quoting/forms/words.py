"""The spellings of every answer that is a choice: code by spelling, the code's own name first."""

from __future__ import annotations

from collections.abc import Mapping


def _spellings(**codes: str) -> Mapping[str, str]:
    """``code="a|b"`` as {code: code, a: code, b: code}; a trailing underscore escapes a keyword."""
    found = {}
    for code, words in codes.items():
        for word in (code.replace("__", "+"), *filter(None, words.split("|"))):
            found[word] = code.replace("__", "+")
    return found


TASK = _spellings(
    inference="推理|推理部署|本地部署|私有化部署|推理服务|大模型推理|模型推理|在线推理|部署推理|部署|serving|serve|infer|deployment|deploy",
    qlora="q-lora微调|qlora微调|qlora finetune|4bit微调|4bit lora|量化微调|int4 lora",
    lora="lora微调|lora finetune|lora fine-tuning|lora sft|sft lora|低秩微调|lora训练",
    full="全参|全参微调|全量|全量微调|全参数|全参数微调|全参训练|全参sft|全量sft|full finetune|full fine-tuning|"
    "full fine tuning|full sft|full parameter|full-parameter fine-tuning|fft",
    pretrain="预训练|增量预训练|继续预训练|二次预训练|从头训练|从零训练|pretraining|pre-training|"
    "pre-train|continued pretraining|cpt",
)
# Answers that are no task: each needs one more word from the customer.
NO_TASK = frozenset(
    (
        "微调",
        "训练",
        "sft",
        "finetune",
        "finetuning",
        "指令微调",
        "监督微调",
        "grpo",
        "rlhf",
        "dpo",
        "peft",
        "推理+训练",
    )
)
OPEN_TASK = frozenset(("部署", "deployment", "deploy"))

PRECISION = _spellings(
    bf16="bfloat16|16bit|16-bit|半精度",
    fp16="float16|half",
    fp8="float8|8bit float|e4m3",
    int8="8bit|8-bit|w8a8|w8a16|gptq-int8|8位",
    int4="4bit|4-bit|w4a16|gptq-int4|gptq|awq|nf4|4位|q4",
)
SHARDING = _spellings(
    zero3="ds_z3|deepspeed zero3|zero stage 3|3|stage3|zero-3 offload|zero3+offload|ds_z3_offload",
    zero2="ds_z2|deepspeed zero2|zero stage 2|2|stage2",
    ddp="数据并行|data parallel|none|device_map|zero1|zero0",
    fsdp="fsdp full_shard|full_shard|fsdp2",
)
OFFLOAD = _spellings(
    none="no|无|不卸载|false|否",
    optimizer="optimiser|优化器|优化器卸载|adam|adam to cpu|optimizer offload",
    all="全部|cpu|cpu offload|全部卸载|yes|optimizer+params",
)
TARGETS = _spellings(
    all_linear="all|all-linear|全部线性层|所有线性层|全部",
    attention="attn|注意力|注意力层|q_proj,v_proj|qv|qkvo|q_proj,k_proj,v_proj,o_proj",
)
OPTIMIZER = _spellings(
    adamw="adam|adamw_torch|默认",
    adam_8bit="8bit adam|adamw_8bit|adam8bit|paged_adamw_8bit|8位adam|8 bit adamw",
    pure_bf16="pure bf16|纯bf16|bf16 adam",
)
FORM_FACTOR = _spellings(
    rack="机架|机架式|机柜|服务器", workstation="工作站|塔式|tower|桌面", any="不限|均可|任意|都可以"
)
FEEDS = _spellings(
    N="单路|单路市电|单路供电|1N|A路|单电源",
)
FEEDS = {
    **FEEDS,
    **dict.fromkeys(
        ("2N", "双路", "双路市电", "双路供电", "A/B", "AB路", "A/B路", "A+B", "两路", "两路市电", "N+N"), "2N"
    ),
}
COOLING_REDUNDANCY = {
    "N": "N",
    "无冗余": "N",
    "无": "N",
    "没有": "N",
    "N+1": "N+1",
    "N＋1": "N+1",
    "有": "N+1",
    "2N": "2N",
}
DOMESTIC = _spellings(
    required="信创|必须|必须国产|国产|国产化|全国产|全国产化|拒绝进口|要求|yes|是|强制",
    preferred="信创优先|国产优先|优先|优先国产|倾向",
    no="否|不要求|无|无要求|不需要|不限|none",
)
CONTROLLED = _spellings(allow="允许|可以", exclude="排除|不允许|禁止|不要")
LANGUAGE = _spellings(zh="中文|zh-cn|chinese|简体中文|cn", en="英文|english|en-us|en-gb")
MODE = _spellings(proposal="方案|建议书|报价", tender="投标|招标|标书")
PRICE_DETAIL = _spellings(lines="明细|逐行|分项", groups="分组|汇总|按组", none="不显示|总价|无")
CLAUSES = _spellings(
    goods="货物|货物采购", integration="集成|系统集成", services="服务|技术服务", tender="投标|招标|标书"
)
ACTION = _spellings(
    add="增加|新增|加",
    replace="替换|更换",
    remove="删除|去掉|移除",
    quantity="数量|改数量",
    price="价格|改价|单价",
    note="备注|说明",
)
SCOPE = _spellings(
    node="服务器|整机|主机",
    rack="机柜",
    pdu="配电单元",
    switch="交换机|网络|网络设备",
    cabling="布线|线缆|综合布线",
    software="软件|软件平台",
    deployment="部署|安装部署|安装",
    service="服务|维保|质保|售后",
    ups="不间断电源",
    battery="电池|蓄电池",
    cooling="空调|制冷|精密空调",
    transformer="变压器",
    room_works="机房改造|机房|机房装修|装修",
    storage="存储|共享存储",
    database="数据库",
    training="培训",
    tuning="调优|模型调优",
    hosting="托管|模型托管",
    inspection="巡检|年度巡检",
    spares="备件|备品备件",
)
