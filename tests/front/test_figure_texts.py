"""Texts of the lanes on a phone: none is struck through by the end of the pass."""

import pytest

from overlap_widget.model.effects import Effects
from overlap_widget.model.scenarios import SCENARIOS
from overlap_widget.model.units import GB

pytestmark = pytest.mark.browser

# Of the lanes as they are drawn: which texts cross the line of the pass's end, under or
# over it, and whether that of the tail, where there is one, is whole.
DRAWN = """async (view) => {
    const place = document.querySelector('.overlap-explore .overlap-figure-lanes');
    const frame = () => new Promise(requestAnimationFrame);
    place.scrollIntoView(); // a figure out of sight follows later
    const show = () => front.update(view);
    for (const step of [frame, frame, show, frame, frame]) await step();
    const drawn = [...Bokeh.index.roots].find(({ el }) => place.contains(el));
    const svg = drawn.export('svg').canvas;
    document.body.append(svg);
    const box = svg.getBoundingClientRect();
    const line = svg.querySelector('[stroke-dasharray^="5"]');
    const { left: x } = line.getBoundingClientRect();
    const bottom = box.top + drawn.frame.bbox.bottom;
    const texts = [...svg.querySelectorAll('text:not([fill=none])')]
        .map((one) => [one, one.getBoundingClientRect()])
        .filter(([one, rect]) => one.textContent && rect.bottom < bottom);
    const crossing = texts
        .filter(([, { left, right }]) => left < x - 1 && right > x + 2);
    const isUnder = ([one]) =>
        one.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING;
    const source = drawn.model.document.get_model_by_name('tail_label');
    const tail = source.data.text[0];
    const told = texts.filter(([one]) => one.textContent === tail);
    const name = ([one]) => one.textContent;
    svg.remove();
    return {
        tail,
        under: crossing.filter(isUnder).map(name),
        over: crossing.filter((one) => !isUnder(one)).map(name),
        told: told.map(([, { left, right }]) => left >= box.left && right <= box.right),
    };
}"""
SETTINGS = (
    *({"bucket": size} for size in range(1, 13)),
    *(
        {"bucket": size, "bandwidth_bytes_per_s": rate * GB, "overhead_s": 1e-5}
        for size in (1, 4, 12)
        for rate in (1, 3, 6, 25, 100)
    ),
    *({"bucket": 2, "overhead_s": 1e-3 * overhead} for overhead in (0, 2, 4)),
    *({"scenario": SCENARIOS[name]} for name in ("gpt2-large", "resnet-50")),
    {"scenario": SCENARIOS["fast-hardware"], "bucket": 1},
    {"effects": Effects(overlap=False)},
    {"bucket": 1, "effects": Effects(late_s=0.02)},
    {"bucket": 3, "effects": Effects(micro_steps=3)},
)


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_end_of_the_pass_strikes_through_no_text_on_a_phone(open_front, view, lang):
    front = open_front(320, drawn=True, first=view(lang=lang))
    tails, over = set(), []
    for changes in SETTINGS:
        drawn = front.page.evaluate(DRAWN, view(lang=lang, **changes))
        assert drawn["under"] == [], changes
        assert drawn["told"] == [True], changes
        tails.add(drawn["tail"])
        over += drawn["over"]

    assert len(tails) > 20
    assert over  # names of lanes, each on a ground that interrupts the line


def test_a_tail_that_fits_on_neither_side_of_the_line_is_not_cut(open_front, view):
    front = open_front(320, drawn=True, first=view())
    front.page.evaluate("document.documentElement.style.fontSize = '200%'")
    front.page.wait_for_timeout(300)
    told = []
    for changes in SETTINGS:
        drawn = front.page.evaluate(DRAWN, view(**changes))
        assert drawn["under"] == [], changes
        told.append(drawn["told"])

    assert [True] in told
    assert [] in told
    assert [False] not in told
