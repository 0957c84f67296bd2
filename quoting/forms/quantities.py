"""The kinds of quantity a form holds: their units, spellings and the bounds beyond which an answer is a slip.

Bounds are no limits of the product: they catch a missing or doubled unit.
"""

from __future__ import annotations

from decimal import Decimal

from quoting.forms.units import Quantity

D = Decimal


def _units(**units: str | int | Decimal) -> dict[str, Decimal]:
    return {unit: D(factor) for unit, factor in units.items()}


_KW = _units(kw=1, 千瓦=1, w="0.001", 瓦="0.001", mw=1000, 兆瓦=1000) | {"kw/柜": D(1), "kw/rack": D(1)}
_NOT_KW = {
    "kva": "kVA is apparent power: state the power in kW, or kVA times the power factor",
    "va": "VA is apparent power: state the power in W or kW",
    "a": "amperes are a current: state the power in kW, or use circuit",
    "度": "度 is energy (kWh), not power",
    "kwh": "kWh is energy, not power",
    "千瓦时": "千瓦时 is energy, not power",
}
_RACK_WORDS = (
    r"单柜|机柜|每柜|每个|功率|限制|供电|电力|整机|单机|每台|单台|额定|峰值|制冷量?|冷量|散热|负载|负荷|容量|[:：]"
)

_ONE_IN_BILLIONS = D("1e-9")

PARAMS = Quantity(
    unit="B",
    example="70B or 700亿",
    units=_units(b=1, bn=1, billion=1, t=1000, trillion=1000, m="0.001", million="0.001", 亿="0.1"),
    low=D("0.001"),
    high=D(100000),
    single=_ONE_IN_BILLIONS,
    refuse={"gb": "GB is memory: state the parameters, such as 70B", "g": "G is memory: state the parameters, 70B"},
    filler=r"参数量?|规模|模型|个|的|级|parameters?|params?",
    bare="70B, or 70 parameters? no unit",
)
TOKENS = Quantity(
    unit="B tokens",
    example="2B or 400B token",
    units=_units(b=1, bn=1, billion=1, t=1000, trillion=1000, m="0.001", million="0.001", k="0.000001", 亿="0.1"),
    low=D("0.000001"),
    high=D(10) ** 6,
    refuse={"gb": "GB is a file size: state tokens, such as 2B", "tb": "TB is a file size: state tokens, such as 2B"},
    filler=r"tokens?|词元|个|的|训练|语料|数据",
    bare="2B tokens, or 2 tokens? no unit",
    single=_ONE_IN_BILLIONS,
)
SAMPLES = Quantity(
    unit="samples",
    example="2w条 or 50万",
    units={"": D(1)} | _units(w=10000, k=1000, 万=10000, 亿=10**8, m=10**6, million=10**6, b=10**9),
    low=D(1),
    high=D(10) ** 13,
    refuse={"gb": "GB is a file size: state the number of samples", "g": "G is a file size: state the number"},
    filler=r"条|样本|数据|行|份|组|对话|samples?|rows?|examples?|个|的|[多余]|训练集|数据集",
    whole=True,
    single=D(1),
)
CONTEXT = Quantity(
    unit="tokens",
    example="4096 or 16k",
    units={"": D(1)} | _units(k=1024, 千=1000, 万=10000, m=1048576),
    low=D(16),
    high=D(20_000_000),
    filler=r"tokens?|上下文|长度|个|的|字",
    whole=True,
)
COUNT = Quantity(
    unit="",
    example="8",
    units={"": D(1)},
    low=D(1),
    high=D(1_000_000),
    filler=r"路|并发|个|人|用户|轮|次|epochs?|users?|requests?|x",
    whole=True,
)
SERVERS = Quantity(
    unit="servers", example="2", units=COUNT.units, low=D(1), high=D(100_000), whole=True,
    filler=r"台|个?节点|机|服务器|nodes?|servers?",
)  # fmt: skip
RACKS = Quantity(
    unit="racks", example="2", units=COUNT.units, low=D(1), high=D(100_000), whole=True, filler=r"个|机?柜|racks?"
)
PIECES = Quantity(
    unit="", example="2", units=COUNT.units, low=D(1), high=D(1_000_000), whole=True,
    filler=r"台|个|套|块|件|只|根|条|次|人天|项|pcs|pieces?|sets?",
)  # fmt: skip
RATIO = Quantity(unit="", example="3", units={"": D(1)}, low=D("0.01"), high=D(1000), filler=r"轮|次|epochs?")
SPEED = Quantity(
    unit="tokens/s",
    example="1000 tokens/s",
    units={"": D(1)} | _units(k=1000),
    low=D("0.1"),
    high=D(10) ** 9,
    take="high",
    filler=r"tokens?|tok|词元|个|/|每|秒|s(?:ec(?:ond)?)?|tps|per|吞吐",
)
LATENCY = Quantity(
    unit="s",
    example="2s",
    units={"": D(1)} | _units(s=1, 秒=1, 秒钟=1, ms="0.001", 毫秒="0.001", sec=1, second=1, seconds=1),
    low=D("0.001"),
    high=D(3600),
    take="low",
    filler=r"ttft|首字|延迟|=",
)
DURATION = Quantity(
    unit="days",
    example="7天, 两周 or 三个月",
    units=_units(天=1, 日=1, d=1, day=1, days=1, 周=7, 星期=7, 礼拜=7, w=7, week=7, weeks=7, 月=30, 月内=30)
    | _units(month=30, months=30, 年=365, year=365, years=365, 小时=D(1) / 24, h=D(1) / 24)
    | _units(hour=D(1) / 24, hours=D(1) / 24),
    low=D("0.04"),
    high=D(3650),
    take="low",
    refuse={
        "个工作日": "working days depend on the calendar: state days, such as 28天",
        "工作日": "working days depend on the calendar: state days, such as 28天",
        "季度": "state days, such as 90天",
        "m": "months or minutes? state days, such as 90天",
    },
    filler=r"个(?!工作)|日历(?=日)|自然(?=日)|训练|周期|完成|内|必须",
    bare="7 days or 7 weeks? no unit",
)
POWER_KW = Quantity(
    unit="kW",
    example="6kW or 15000W",
    units={"": D(1)} | _KW,
    low=D("0.05"),
    high=D(500),
    take="low",
    refuse=_NOT_KW,
    filler=_RACK_WORDS,
)
NODE_KW = Quantity(
    unit="kW",
    example="10.2kW",
    units={"": D(1)} | _KW,
    low=D("0.05"),
    high=D(500),
    refuse=_NOT_KW,
    filler=_RACK_WORDS,
)
PSU_W = Quantity(
    unit="W",
    example="4x1000W",
    units=_units(w=1, 瓦=1, kw=1000, 千瓦=1000),
    low=D(50),
    high=D(20000),
    filler=r"电源|psu",
)
ROOM_KW = Quantity(
    unit="kW",
    example="60kW",
    units={"": D(1)} | _KW | _units(rt="3.517", 冷吨="3.517"),
    low=D(0),
    high=D(1_000_000),
    take="low",
    refuse=_NOT_KW,
    filler=_RACK_WORDS,
)
LOAD_KW = Quantity(
    unit="kW", example="20kW", units=ROOM_KW.units, low=D(0), high=D(1_000_000), refuse=_NOT_KW, filler=_RACK_WORDS
)
_KVA = {"": D(1)} | _units(kva=1, va="0.001", mva=1000, 千伏安=1)
_NOT_KVA = {"kw": "kW is real power: a transformer or UPS is rated in kVA", "度": "度 is energy, not power"}
KVA = Quantity(
    unit="kVA",
    example="630kVA",
    units=_KVA,
    low=D(1),
    high=D(1_000_000),
    take="low",
    refuse=_NOT_KVA,
    filler=r"变压器|ups|容量|余量",
)
LOAD_KVA = Quantity(
    unit="kVA", example="200kVA", units=_KVA, low=D(0), high=D(1_000_000), refuse=_NOT_KVA, filler=r"变压器|负载|负荷"
)
AMPERES = Quantity(
    unit="A",
    example="21A",
    units={"": D(1)} | _units(a=1, 安=1, 安培=1),
    low=D(0),
    high=D(6300),
    refuse={"kw": "state the load in amperes a phase, such as 21A", "w": "state the load in amperes a phase: 21A"},
    filler=r"每相|约|各|phase|per|/相",
)
BREAKER = Quantity(unit="A", example="32A", units=AMPERES.units, low=D(6), high=D(6300), filler=AMPERES.filler)
RACK_UNITS = Quantity(unit="U", example="42U", units={"": D(1)} | _units(u=1), low=D(1), high=D(60), whole=True)
MINUTES = Quantity(
    unit="min",
    example="15分钟",
    units={"": D(1)}
    | _units(分钟=1, 分=1, min=1, mins=1, minute=1, minutes=1, 小时=60, h=60, hour=60, hours=60)
    | _units(秒=D(1) / 60, s=D(1) / 60),
    low=D(0),
    high=D(2880),
    take="low",
    filler=r"ups|后备|时间|飞轮|续航",
)
CELSIUS = Quantity(
    unit="°C",
    example="18°C",
    units={"": D(1)} | {unit: D(1) for unit in ("°c", "c", "℃", "度", "摄氏度", "°")},
    low=D(5),
    high=D(60),
    refuse={"°f": "state the temperature in °C", "f": "state the temperature in °C"},
    filler=r"送风|供水|温度|室温",
)
FLOOR = Quantity(
    unit="kg/m2",
    example="800kg/m2 or 8kN/m2",
    units={
        "kg/平方米": D(1),
        "公斤/平方米": D(1),
        "t/平方米": D(1000),
        "吨/平方米": D(1000),
        "kn/平方米": D("101.972"),
        "kpa": D("101.972"),
        "": D(1),
    },
    low=D(50),
    high=D(20000),
    take="low",
    refuse={"kg": "a load on an area is in kg/m2, such as 800kg/m2"},
    filler=r"承重|活荷载|均布荷载|荷载|均布|静载|楼板|按|设计",
)
KILOGRAMS = Quantity(
    unit="kg",
    example="1000kg",
    units={"": D(1)} | _units(kg=1, 公斤=1, 千克=1, t=1000, 吨=1000),
    low=D(1),
    high=D(100_000),
    take="low",
    filler=r"限重|载重|承重|电梯|货梯|静载",
)
METRES = Quantity(
    unit="m",
    example="1500m",
    units={"": D(1)} | _units(m=1, 米=1, km=1000, 公里=1000),
    low=D(0),
    high=D(9000),
    filler=r"海拔",
)
MEMORY_GB = Quantity(
    unit="GB",
    example="1TB or 512GB",
    units=_units(gb=1, g=1, gib=1, tb=1024, t=1024, tib=1024),
    low=D(1),
    high=D(131072),
    take="low",
    refuse={"gb/s": "GB/s is a speed: state a size, such as 512GB", "mb": "too small: state GB"},
    filler=r"内存|ddr[45]|ram|memory|host|每台|每节点",
    bare="512GB or 512TB? no unit",
    whole=True,
)
GBPS = Quantity(
    unit="Gb/s",
    example="400Gb/s",
    units=_units(gbps=1, g=1, gb=1, gbe=1, ge=1, 兆="0.001", tbps=1000, mbps="0.001"),
    low=D("0.001"),
    high=D(100_000),
    take="low",
    filler=r"infiniband|ethernet|roce(?:v2)?|ib(?![a-z])|ndr|hdr|以太网?|网络|互联|rdma|光纤|无|hba|/s",
    bare="400Gb/s? no unit",
)
YEARS = Quantity(
    unit="years", example="3年", units={"": D(1)} | _units(年=1, year=1, years=1, y=1, 月=D(1) / 12),
    low=D(0), high=D(10), filler=r"质保|保修|原厂|维保|个", whole=True,
)  # fmt: skip
DAYS = Quantity(
    unit="days", example="15天", units={"": D(1)} | _units(天=1, 日=1, day=1, days=1, 周=7, week=7, weeks=7, 月=30),
    low=D(1), high=D(365), filler=r"有效期|日历|自然|个", whole=True,
)  # fmt: skip
MONTHS = Quantity(
    unit="months", example="36个月", units={"": D(1)} | _units(月=1, month=1, months=1, 年=12, year=12, years=12),
    low=D(1), high=D(240), filler=r"个", whole=True,
)  # fmt: skip
ELECTRICITY = Quantity(
    unit="CNY/kWh",
    example="0.8元/度",
    units={"": D(1)}
    | {unit: D(1) for unit in ("元/度", "元/kwh", "元/千瓦时", "元", "元每度", "cny/kwh", "块/度", "rmb/kwh")}
    | {"分/度": D("0.01"), "分": D("0.01")},
    low=D("0.01"),
    high=D(10),
    filler=r"电价|电费|¥",
)
