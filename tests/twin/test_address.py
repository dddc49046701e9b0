"""The twin reads every address as Python does, and says the same of what it refuses.

Settings, notices and the address that is written again are compared, over addresses
that anyone may type and moves of every type that a host may send.
"""

import json
from decimal import Decimal
from random import Random
from urllib.parse import quote, quote_plus

import pytest

from overlap_widget.app.address import address, read_address, state
from overlap_widget.app.catalogue import SHIPPED
from overlap_widget.app.changes import change
from overlap_widget.app.fields import CHOICES, NUMBERS, PARTS
from overlap_widget.app.settings import (
    DEFAULT,
    plan_of,
    restarted,
    settings_of,
    simulation_of,
)
from overlap_widget.app.twin_data import twin_data
from overlap_widget.model.layer import Layer
from overlap_widget.model.link import Link
from overlap_widget.model.plans import Filling
from overlap_widget.model.rules import filled
from overlap_widget.model.scenarios import COURSE, Scenario
from overlap_widget.model.units import PER_SECOND, RATES

READ = """([queries, given]) => {
  const catalogue = twin.createCatalogue(given ?? data);
  return JSON.stringify(queries.map((query) => {
    const { settings, notices } = twin.readAddress(catalogue, query);
    return [twin.stateOf(settings), notices, twin.address(settings)];
  }));
}"""
MOVE = """(moves) => {
  const catalogue = twin.createCatalogue(data);
  let settings = twin.settingsOf(catalogue, catalogue.start);
  return JSON.stringify(moves.map(([key, value]) => {
    const changed = twin.change(settings, key, value);
    settings = changed.settings;
    return [twin.stateOf(settings), changed.notices, twin.address(settings)];
  }));
}"""
SIMULATED = """(queries) => {
  const catalogue = twin.createCatalogue(data);
  return queries.map((query) => {
    const { settings } = twin.readAddress(catalogue, query);
    const fresh = twin.restarted(settings);
    const step = twin.simulationOf(settings);
    const most = twin.bucketMost(settings);
    const times = [step.tail.total_s, step.step_s];
    return [twin.planOf(settings), ...times, twin.address(fresh), most];
  });
}"""
UNITS = (
    *RATES,
    *PER_SECOND,
    "",
    "%",
    "US",
    "MS",
    "\u039cs",
    "gb/s",
    "parsecs",
    "toString",
)
SPACES = (
    "",
    "",
    "",
    " ",
    "+",
    "%20",
    "\u00a0",
    "\x85",
    "\u2009",
    "\ufeff",
    "\x1c",
    "\t",
)
UNKNOWN = (
    "zoom",
    "Bucket",
    "größe",
    "ключ",
    "\u5927",
    "\U0001f6b2",
    "__proto__",
    "toString",
)
MARKUP = (
    "<script>alert(1)</script>",
    "<img src=x>",
    "&amp;",
    '"',
    "'",
    "`",
    "\\",
    "\0",
)
TEXTS = (
    *(
        "",
        "on",
        "off",
        "last",
        "every",
        "dark",
        "explore",
        "measured",
        "overhead",
        "own",
    ),
    *(
        "course",
        "resnet-50",
        "gpt2-large",
        "ddp",
        "best",
        "a100-nvlink-8",
        "all",
        "none",
    ),
    *(
        "a100-ib-16-table",
        "a100-zaratan-8-table",
        "x-table",
        "bucket,more",
        "lanes,verdict",
    ),
    *(
        "1_0",
        "nan",
        "inf",
        "-inf",
        "Infinity",
        "1e400",
        "-1e400",
        "0x10",
        "1,5",
        "½",
        "٣",
    ),
    *(
        "\uff11\uff12",
        "1e",
        "e5",
        ".",
        "..",
        "1.2.3",
        "+",
        "--1",
        "- 1",
        "1e5.5",
        "true",
        "None",
    ),
    *MARKUP,
    *("\U0001f6b2" * count for count in (59, 60, 61)),
    *("x" * count for count in (60, 61, 500)),
)
NASTY = (
    *(
        "",
        "?",
        "#",
        "?#?#bucket=2",
        "?bucket=2#plan=ddp",
        "&",
        "&&==&=%",
        "=",
        "==",
        "%",
    ),
    *(
        "bucket",
        "bucket=",
        "bucket=2=3",
        "bucket=2&bucket=3",
        "bucket=3&bucket=",
        "=5&=6",
    ),
    *(
        "bucket=%32",
        "%62ucket=2",
        "bucket=%3",
        "bucket=%",
        "bucket=%zz5",
        "bucket=2;plan=x",
    ),
    *("zoom=%FF", "%FF%FE=1", "%C3=1&%A9=1", "%C3ü%A9=1", "%ED%A0%80=1", "%F0%9F%9A=1"),
    *("%F4%90%80%80=1", "%E0%80%80=1", "%EF%BB%BFbucket=2", "\ufeffbucket=2", "%00=1"),
    *(
        "%C3%A9=1&é=2",
        "b+c=1&b%20c=2&b%2Bc=3",
        "\U0001f6b2=1&\uffee=2&\ue000=3",
        "a=1&A=2",
    ),
    *("&".join(f"k{n}={n}" for n in range(count)) for count in (98, 99, 100, 101)),
    *("&" * count for count in (97, 98, 99)),
    *(
        f"v={v}"
        for v in ("", "0", "1", "01", "2", "002", "10", "9" * 50, "1.5", "-3", " 1")
    ),
    *(
        f"v={v}"
        for v in ("v2", "\uff12", "٢", "1&v=2", "2&v=1", "%31", "<b>", "1" * 80, "1e1")
    ),
    *("bandwidth=NaN", "late=1e-13s", "overhead=-0us", "slowdown=-0", "slowdown=-0%"),
    *(
        "slowdown=5%25",
        "slowdown=5%25%25",
        "slowdown=5+%25+",
        "slowdown=%25",
        "slowdown=1%",
    ),
    *("ranks=1024&port=2000GB/s", "port=0.1GB/s&ranks=3", "ranks=2&bandwidth=1000GB/s"),
    *(
        "port=1&ranks=1024",
        "plan=best&bucket=2",
        "bucket=2&plan=best",
        "link=v100-pcie-4",
    ),
    *(
        "link=v100-pcie-4-table&bandwidth=3",
        "bandwidth=3&link=v100-pcie-4-table&ranks=8",
    ),
    *("show=" + ",".join(PARTS["show"].names), "show=map,,lanes", "controls=all,none"),
    *(
        "show=lanes+",
        "show=%2Clanes",
        "show=none,none",
        "controls=bucket,bucket,bucket",
    ),
    *(
        "scenario=Course",
        "scenario=course%00",
        "scenario=constructor",
        "plan=__proto__",
    ),
    *("scenario=resnet-50&bucket=161", "bucket=161&scenario=resnet-50", "bucket=4.5"),
    *(
        "bucket=4.499999999999999",
        "bucket=4.4999999999999999",
        "bucket=0.5",
        "bucket=12.5",
    ),
    *(
        f"overhead={n * 122.0703125}us" for n in range(1, 40)
    ),  # 2^-13 s: halfway at 1e-12
    *(f"bandwidth={n}.5B/s" for n in range(123_456_789_010, 123_456_789_030)),
    *(f"late={n / 2**13:.13f}s" for n in range(1, 40)),
    *(
        "overhead=" + "1" * 400 + "e-400s",
        "overhead=1" + "+" * 100_000 + "1",
        "overhead=0." + "0" * 350 + "1e350us",
    ),
)


def said(settings, notices):
    """What Python makes of an address, as the twin would hand it over."""
    told = [{"key": notice.key, "values": notice.values} for notice in notices]
    return [state(settings), told, address(settings)]


def number_text(random):
    """A number as people write it, or as they shouldn't."""
    digits = str(random.randrange(10 ** random.randint(1, 16)))
    at = random.randint(0, len(digits))
    text = random.choice([digits, f"{digits[:at]}.{digits[at:]}", f"{digits[:2]}"])
    text = random.choice(["", "", "", "", "-", "+", "--"]) + text
    exponent = random.choice(["", "", "", f"e{random.randint(-20, 20)}", "E+2", "e999"])
    space, unit = random.choice(SPACES), random.choice(UNITS)
    return (
        random.choice(SPACES) + text + exponent + space + unit + random.choice(SPACES)
    )


def value_text(random):
    kind = random.randrange(6)
    if kind < 3:
        return number_text(random)
    if kind == 3:
        return repr(10 ** random.uniform(-9, 14))
    if kind == 4:
        return "".join(
            f"%{random.randrange(256):02x}" for _ in range(random.randint(1, 6))
        )
    escape = random.choice([quote, quote_plus, lambda text: text.replace("&", "%26")])
    return escape(random.choice(TEXTS))


def drawn_query(random):
    known = ["scenario", *NUMBERS, *CHOICES, *PARTS]
    keys = [
        random.choice(known if random.random() < 0.9 else (*UNKNOWN, *MARKUP, "v"))
        for _ in range(random.choice([1, 1, 2, 3, 8]))
    ]
    return "&".join(f"{key}={value_text(random)}" for key in keys)


def assert_read_alike(twin, queries):
    found = json.loads(twin.evaluate(READ, [queries, None]))
    for query, one in zip(queries, found, strict=True):
        assert one == said(*read_address(query)), query


def test_the_nastiest_addresses_are_read_alike(twin):
    assert_read_alike(twin, NASTY)


def test_every_text_as_every_value_is_read_alike(twin):
    keys = ("v", "scenario", *NUMBERS, *CHOICES, *PARTS)
    assert_read_alike(twin, [f"{key}={quote(text)}" for key in keys for text in TEXTS])


def test_every_choice_is_read_and_written_alike(twin):
    options = [
        f"{key}={option}"
        for key, choice in CHOICES.items()
        for option in choice.options(DEFAULT)
    ]
    options += [f"scenario={name}&plan=best" for name in SHIPPED.scenarios]
    assert_read_alike(twin, options)


def test_every_stop_and_what_lies_past_the_ends_is_read_alike(twin):
    queries = []
    for key, number in NUMBERS.items():
        stops = number.control(DEFAULT).stops
        values = [*stops, stops[0] / 2, -stops[-1], stops[-1] * 1.001, stops[-1] + 1]
        unit = {"read_rate": "B/s", "time_s": "s"}.get(number.read.__name__, "")
        unit = "B/s" if key in ("bandwidth", "port") else unit
        queries += [f"{key}={value!r}{unit}" for value in values]
    assert_read_alike(twin, queries)


@pytest.mark.parametrize("seed", range(4))
def test_random_addresses_are_read_alike(twin, seed):
    random = Random(seed)
    assert_read_alike(twin, [drawn_query(random) for _ in range(2_000)])


def as_sent(value):
    """A number as JSON from a page has it: whole ones below 1e21 without a point."""
    if isinstance(value, float) and abs(value) < 1e21 and value.is_integer():
        return int(Decimal(repr(value)))
    return value


def drawn_move(random):
    """A key, and a value of any type that a host may send."""
    key = random.choice(["scenario", *NUMBERS, *CHOICES, *CHOICES, *PARTS])
    if key in CHOICES and random.random() < 0.5:
        return key, random.choice(CHOICES[key].options(DEFAULT))
    if key == "scenario" and random.random() < 0.5:
        return key, random.choice([*SHIPPED.scenarios])
    magnitude = 10 ** random.uniform(-14, 24)
    values = (
        *(None, True, False, -1, 0, -0.0, 0.5, 2.5, 1e21, 1e22, 5e-324, 1.8e308),
        *(float("nan"), float("inf"), float("-inf"), 1e-5, 0.0001, 123456789.123456789),
        *(magnitude, -magnitude, float(round(magnitude)), random.randint(-5, 1100)),
        *(random.randint(1, 2**13) / 2**13, random.randrange(10**11, 10**12) + 0.5),
        *(random.uniform(0, 1), random.uniform(1e8, 1e12), random.uniform(0, 0.1)),
        *(number_text(random), random.choice(TEXTS)),
    )
    return key, as_sent(random.choice(values))


@pytest.mark.parametrize("seed", range(4))
def test_thousands_of_moves_are_made_alike(twin, seed):
    random = Random(seed)
    moves = [drawn_move(random) for _ in range(2_000)]
    settings = DEFAULT
    found = json.loads(twin.evaluate(MOVE, [list(move) for move in moves]))
    for (key, value), one in zip(moves, found, strict=True):
        settings, notices = change(settings, key, value)
        assert one == said(settings, notices), (key, value)


@pytest.mark.parametrize(
    "key", ["colour", "", "__proto__", "constructor", "v", "table"]
)
def test_a_key_that_names_no_setting_is_refused_by_both(twin, key):
    with pytest.raises(KeyError):
        change(DEFAULT, key, 3)
    refused = """(key) => {
      const catalogue = twin.createCatalogue(data);
      const settings = twin.settingsOf(catalogue, catalogue.start);
      try { twin.change(settings, key, 3); } catch (error) { return error.message; }
    }"""
    assert "names no setting" in twin.evaluate(refused, key)


def test_settings_simulate_and_restart_alike(twin):
    random = Random(7)
    queries = [drawn_query(random) for _ in range(250)]
    queries += [f"plan={plan}&ranks=64" for plan in CHOICES["plan"].options(DEFAULT)]
    found = twin.evaluate(SIMULATED, queries)
    for query, one in zip(queries, found, strict=True):
        settings, _ = read_address(query)
        step, fresh = simulation_of(settings), address(restarted(settings))
        times = step.tail.total_s, step.step_s
        most = len(settings.scenario.layers)
        assert one == [list(plan_of(settings)), *times, fresh, most], query


def test_what_a_page_adds_is_named_and_used_alike(twin):
    name = "Größe <b>&/,+=#?%'s 50 % \U0001f6b2*(!)~"
    mine = Scenario(
        name, "", (Layer("a", 0.1, 3e6), *COURSE.layers), Link(0.001, 1e9), ""
    )
    offered = SHIPPED.with_scenario(mine).with_rule(
        "most 7", filled("", "", "", Filling(7e7, 7e7, is_most=True))
    )
    settings, _ = change(settings_of(mine, offered), "plan", "most 7")
    query = address(settings)

    found = twin.evaluate(READ, [[query], twin_data(offered)])
    ((of_state, notices, again),) = json.loads(found)
    assert read_address(query, settings_of(COURSE, offered)) == (settings, ())
    assert (of_state, notices, again) == (state(settings), [], query)
