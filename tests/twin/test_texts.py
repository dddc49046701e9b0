"""The twin writes, rounds and sums numbers as Python does, also those halfway."""

import base64
import math
from random import Random

import numpy as np
import pytest

WRITE = """([text, count]) => {
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  return Array.from(new Float64Array(bytes.buffer), (value) => [
    twin.digitsText(value, count), twin.floatText(value), twin.fixedRound(value, count),
    Math.abs(value) < 1e15 ? twin.roundHalfEven(value) : 0]);
}"""


def drawn_numbers(random, count):
    """Any floats, those that people write, and those halfway between two such."""
    bits = np.array([random.getrandbits(64) for _ in range(count)], dtype=np.uint64)
    odd = bits.view(np.float64)
    plain = [
        round(random.uniform(-1e4, 1e4), random.randint(0, 9)) for _ in range(count)
    ]
    halfway = [
        random.choice([-1, 1])
        * random.randrange(10 ** random.randint(1, 15))
        / 2**power
        for power in range(16)
        for _ in range(count // 16)
    ]
    edges = [0.0, -0.0, 5e-324, 1.7976931348623157e308, 1e21, 1e22, 9.5, 99.5, 999999.5]
    edges += [math.inf, -math.inf, *(10.0**power for power in range(-30, 30))]
    return [*odd[np.isfinite(odd)].tolist(), *plain, *halfway, *edges]


@pytest.mark.parametrize("count", [1, 2, 3, 6, 12, 15, 17])
def test_a_number_has_the_same_digits(twin, count):
    numbers = drawn_numbers(Random(count), 1_500)
    text = base64.b64encode(np.array(numbers).tobytes()).decode()
    for number, found in zip(numbers, twin.evaluate(WRITE, [text, count]), strict=True):
        digits, written, rounded, whole = found
        assert digits == f"{number:.{count}g}"
        assert written == str(number)
        assert repr(float(rounded)) == repr(round(number, count))
        assert whole == (round(number) if abs(number) < 1e15 else 0)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((None, "None"), (True, "True"), (False, "False"), ("x", "x"), (7, "7")),
        *((-0.0, "0"), (2.5, "2.5"), (1e20, "100000000000000000000"), (1e21, "1e+21")),
        *((1e-7, "1e-07"), (float("nan"), "nan"), (float("-inf"), "-inf")),
    ],
)
def test_a_value_that_came_as_json_is_written_as_python_would(twin, value, text):
    assert twin.evaluate("(value) => twin.pythonText(value)", value) == text


def test_texts_are_sorted_by_code_points(twin):
    random = Random(1)
    letters = "aAzZ\u00e9\u5927\ue000\uffee\U0001f6b2\U0010ffff"
    texts = [
        "".join(random.choices(letters, k=random.randint(0, 4))) for _ in range(500)
    ]
    sort = "(texts) => texts.sort(twin.byCodePoints)"
    assert twin.evaluate(sort, texts) == sorted(texts)


def test_sums_are_exact_and_rounded_once(twin):
    random = Random(2)
    rows = [
        [
            random.choice([-1, 1, 1]) * random.random() * 10 ** random.randint(-30, 30)
            for _ in range(random.randint(0, 12))
        ]
        for _ in range(3_000)
    ]
    rows += [
        [1e16, 1.0, 1e-16],
        [1e16, 1.0, -1e-16],
        [1.0, 2.0**-53, 2.0**-120],
        [1e-300],
    ]
    rows += [[2.0**53, 1.0, 2.0**-60], [-(2.0**53), -1.0, -(2.0**-60)], [1.0, -1.0]]
    found = twin.evaluate("(rows) => rows.map((row) => twin.exactSum(row))", rows)
    assert [*map(float, found)] == [math.fsum(one) for one in rows]


def test_between_the_rows_of_a_table_lines_are_straight_to_the_last_bit(twin):
    random = Random(3)
    asked = []
    for _ in range(3_000):
        places = sorted({random.choice([0, 1, 7, random.random()]) for _ in range(4)})
        values = [random.uniform(-5, 5) for _ in places]
        asked.append([random.choice([*places, random.uniform(-1, 9)]), places, values])
    found = twin.evaluate(
        "(asked) => asked.map((one) => twin.interpolated(...one))", asked
    )
    assert found == [float(np.interp(*one)) for one in asked]
