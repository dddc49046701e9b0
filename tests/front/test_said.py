"""Sentences that come as data are the same words on the page and in the terminal."""

import itertools
from dataclasses import replace

import pytest

from overlap_widget.app.explanation import explanation, remarks
from overlap_widget.app.said import Said, as_data, text
from overlap_widget.app.settings import DEFAULT, simulation_of
from overlap_widget.app.words import strings
from overlap_widget.model import Layer, Link, simulate
from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.scenarios import SCENARIOS

pytestmark = pytest.mark.browser

EFFECTS = (
    OFF,
    Effects(overlap=False, slowdown=0.2),
    Effects(late_s=20e-3, slowdown=0.189),
    Effects(late_s=1e-3, micro_steps=4, every_micro_step=True),
    Effects(slowdown=1.0, micro_steps=2),
    Effects(late_s=20e-6),
)
LINKS = ((12e9, 1e-3), (12e9, 4e-3), (1e9, 1e-3), (9.1e9, 1e-3), (1e12, 1e-6))
SAY = """async ([config, sentences]) => {
    const { wordsFrom } = await import('/front/words.js');
    const { saidText } = await import('/front/said.js');
    const words = wordsFrom(config);
    return sentences.map((sentence) => saidText(words, sentence));
}"""


def sentences():
    """What is said of steps of many kinds."""
    asked = {"course": (1, 5, 12), "gpt2-small": (1,), "resnet-18": (1, 62)}
    buckets = [(SCENARIOS[name], one) for name, all_ in asked.items() for one in all_]
    for (scenario, bucket), (rate, overhead_s), effects in itertools.product(
        buckets, LINKS, EFFECTS
    ):
        settings = replace(
            DEFAULT,
            scenario=scenario,
            bucket=bucket,
            effects=effects,
            bandwidth_bytes_per_s=rate,
            overhead_s=overhead_s,
        )
        simulation = simulation_of(settings)
        yield from explanation(simulation) + remarks(simulation)
    yield from explanation(simulate([Layer("a", 1, 0)], (1,), Link(0, 1)))


def keys_in(said):
    """Its key, and those of the sentences that fill its places."""
    inner = (value for value in said.values.values() if isinstance(value, Said))
    return {said.key}.union(*map(keys_in, inner))


def test_each_sentence_has_the_same_words_in_the_page_and_in_the_terminal(front):
    said = list(sentences())
    shown = front.page.evaluate(SAY, [strings(), [as_data(one) for one in said]])

    assert [one.replace("\xa0", " ") for one in shown] == [text(one) for one in said]


def test_no_sentence_is_left_out_of_that():
    said = set().union(*map(keys_in, sentences()))
    known = {
        key
        for key in strings()
        if key.startswith(("why.", "lever.", "remark.", "help.one", "help.two"))
        if not key.endswith(".run")  # of a recorded run the page says it so
    }
    assert sorted(known - said) == []


def test_places_of_every_kind_are_filled_alike(front):
    values = {"a_s": 0.0143, "a_bytes": 160e6, "a_bytes_per_s": 12e9, "a_share": 0.189}
    values |= {f"a_{noun}": 1204 for noun in ("layers", "transfers", "passes", "ranks")}
    made = [Said("test.place", {name: value}) for name, value in values.items()]
    config = strings() | {"test.place": "{a}"}
    shown = front.page.evaluate(SAY, [config, [as_data(one) for one in made]])

    expected = ["14.3 ms", "160 MB", "12 GB/s", "18.9 %", "1,204 layers"]
    expected += ["1,204 transfers", "1,204 backward passes", "1,204 ranks"]
    assert [one.replace("\xa0", " ") for one in shown] == expected


def test_what_stands_above_the_lanes_is_all_that_is_said(open_front, view):
    changes = {"bucket": 5, "effects": Effects(slowdown=0.2, late_s=1e-3)}
    front = open_front(first=view(**changes))
    step = simulation_of(replace(DEFAULT, **changes))

    why = front.page.locator(".overlap-explore .overlap-verdict p").inner_text()
    said = " ".join(text(one) for one in explanation(step) + remarks(step))
    assert why.replace("\xa0", " ") == said
