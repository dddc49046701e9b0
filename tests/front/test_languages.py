"""Languages on the page: every word is of the one that the state names."""

import re
from dataclasses import replace
from functools import cache

import pytest
from playwright.sync_api import expect

from overlap_widget.app import front_config
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.lesson import STEPS
from overlap_widget.app.measured import example
from overlap_widget.app.words import strings

pytestmark = pytest.mark.browser

PLACE = re.compile(r"(\{\w+\})")
ACCENTED = str.maketrans("aeiouyncAEIOUYNC", "åéîøüÿñçÅÉÎØÜŸÑÇ")
LONGER = 0.4
LONG, RIGHT = "en-x-long", "ar-x-made"  # Arabic has six plural forms, this one two
NAMES = {*example().spans.names}
UNITS = {"ms", "µs", "ns", "GB", "MB", "kB", "TB", "MiB", "Gb"}
SAME_IN_ALL = {"HTML", "MyST", "Markdown", "DDP", "PyTorch", "bucket_cap_mb"}
OWN_NAMES = {"English", "en", "long", "ar", "made"}  # of languages, in their own
LEFT_OUT = "script, style, .overlap [lang=en], textarea, bdi"
SHOWN = """(leftOut) => {
    const names = ['aria-label', 'title', 'placeholder', 'aria-valuetext', 'label'];
    const texts = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    for (let node = nodes.currentNode; node; node = nodes.nextNode()) {
        const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
        if (element.closest?.(leftOut)) continue;
        if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
        for (const name of names) texts.push(node.getAttribute?.(name) ?? '');
    }
    return texts;
}"""
DRAWN_TEXTS = """() => {
    const columns = ['text', 'layers', 'collective', 'phase', 'merged', 'bytes'];
    const models = Bokeh.documents.flatMap((doc) => [...doc._all_models.values()]);
    return models.flatMap((model) => [
        model.axis_label ?? '',
        ...(Array.isArray(model.tooltips) ? model.tooltips.map(([name]) => name) : []),
        ...columns.flatMap((key) => [...(model.data?.[key] ?? [])]),
    ]);
}"""
HEIGHTS = """() => [...document.querySelectorAll('.overlap-figure')]
    .map((one) => one.offsetHeight)"""
EXPLORED = [
    "bucket=5&slowdown=0.2&late=1ms&micro_steps=3&sync=every",
    "bucket=1&overhead=4ms&overlap=off&axis=overhead",
    "scenario=gpt2-large&plan=ddp&link=a100-ib-16-table",
    "scenario=resnet-18&plan=megatron&predict=lever",
    *(f"predict={question}" for question in ("best", "regime")),
    *(f"lesson={step.name}" for step in STEPS),
]


def pseudo(text):
    """A text of no language: accented, in brackets, longer by two fifths."""
    parts = PLACE.split(text)
    parts[::2] = [part.translate(ACCENTED) for part in parts[::2]]
    more = ["ðððð"] * round(LONGER * len(text) / 5)
    return f"⟦{' '.join([''.join(parts), *more])}⟧" if text else text


@cache
def made_up(lang):
    """The strings of a language that only this test has."""
    texts = {key: pseudo(text) for key, text in strings().items()}
    ways = {"language.name": lang, "language.dir": "rtl" if lang == RIGHT else "ltr"}
    return texts | ways


def all_strings():
    given = front_config.config()["strings"]
    return given | {lang: made_up(lang) for lang in (LONG, RIGHT)}


def session_view(explorer, lang):
    """All that a session shows, as if it were in a language of this test."""
    shown = explorer.__panel__().parts
    parts = ("figures", "sweep", "map", "ranks", "seq")
    view = shown["view"] | {part: shown[part] for part in parts}
    return view | {"state": view["state"] | {"lang": lang}, "upload": None}


@cache
def measured_session():
    """Two ranks of one run, beside each other and compared."""
    first = replace(example(), rank=0, path="0.json")
    explorer = Explorer([first, replace(example(), rank=1, path="1.json")])
    explorer.move({"type": "against", "value": 1})
    return explorer


def left_over(text):
    """The words outside of all brackets, and not accented either."""
    if text in NAMES:
        return []
    while (without := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = without
    found = {word for word in re.findall(r"[^\W\d]{2,}", text) if word.isascii()}
    return found - UNITS - SAME_IN_ALL - OWN_NAMES


def untranslated(front):
    texts = front.page.evaluate(SHOWN, LEFT_OUT)
    return sorted({word for text in texts for word in left_over(text)})


def open_all(front):
    front.page.evaluate(
        """() => {
            document.querySelectorAll('details').forEach((one) => (one.open = true));
            document.querySelector('.overlap-share-button[aria-expanded=false]')?.click();
        }"""
    )


def scroll_width(front):
    return front.page.evaluate("document.documentElement.scrollWidth")


def test_no_word_stays_in_english_and_nothing_gets_too_wide(open_front):
    front = open_front(320, first=session_view(Explorer(), LONG), strings=all_strings())
    for query in EXPLORED:
        front.show(session_view(Explorer(query=query), LONG))
        open_all(front)
        assert (query, untranslated(front)) == (query, [])
        assert (query, scroll_width(front)) == (query, 320)


def test_no_word_of_measured_mode_stays_in_english_either(open_front):
    view = session_view(measured_session(), LONG)
    front = open_front(320, first=view, strings=all_strings())
    open_all(front)

    assert untranslated(front) == []
    assert scroll_width(front) == 320


def test_no_word_in_the_figures_stays_in_english(open_front):
    explored = Explorer(query="bucket=5&late=1ms&axis=overhead")
    front = open_front(
        first=session_view(explored, LONG), drawn=True, strings=all_strings()
    )
    front.show(session_view(measured_session(), LONG))
    front.page.wait_for_function(
        """() => Bokeh.documents.length === 6
            && Bokeh.documents.every((one) => one.is_idle)"""
    )
    texts = [str(text) for text in front.page.evaluate(DRAWN_TEXTS)]

    assert len({text for text in texts if "⟦" in text}) > 40
    assert {word for text in texts for word in left_over(text)} == set()


@pytest.mark.parametrize("mode", ["explore", "measured"])
def test_a_page_is_mirrored_where_one_reads_leftwards(open_front, mode):
    explorer = Explorer(query="bucket=5") if mode == "explore" else measured_session()
    view = session_view(explorer, RIGHT)
    front = open_front(320, first=view, strings=all_strings())
    open_all(front)
    assert untranslated(front) == []
    assert scroll_width(front) == 320
    front.page.set_viewport_size({"width": 1280, "height": 800})

    assert scroll_width(front) == 1280
    title = front.page.get_by_role("heading", level=1).bounding_box()
    tools = front.page.locator(".overlap-header-tools").bounding_box()
    assert tools["x"] < title["x"]
    figures = front.page.locator(".overlap-figure").first
    expect(figures).to_have_css("direction", "ltr")  # time goes to the right
    number = front.page.locator("dd bdi").first  # "4 ms", not "ms 4"
    expect(number).to_have_css("direction", "ltr")
    sentence = front.page.locator(f".overlap-{mode} .overlap-verdict p").inner_text()
    assert re.search("\u2068[\\d.]+\\sms\u2069", sentence)


def speak(front, lang, query="bucket=5"):
    front.show(session_view(Explorer(query=query), lang))


def test_another_language_leaves_the_reader_where_they_are(open_front):
    front = open_front(first=session_view(Explorer(query="bucket=5"), "en"))
    open_all(front)
    front.page.get_by_role("button", name="Display").click()
    chooser = front.page.get_by_role("combobox", name="Language")
    expect(chooser.locator("option")).to_have_text(["English", "Español"])
    chooser.focus()
    chooser.select_option("es")
    assert front.last_move() == {"type": "set", "key": "lang", "value": "es", "seq": 1}
    opened = front.page.locator("details[open]").count()
    speak(front, "es")

    title = front.page.locator(".overlap-explore .overlap-verdict h2")
    expect(title).to_have_text("El paso espera 15.3 ms por la comunicación.")
    expect(front.page.get_by_role("combobox", name="Idioma")).to_be_focused()
    expect(front.page.get_by_text("Compartir lo que se muestra ahora")).to_be_visible()
    assert front.page.locator("details[open]").count() == opened > 3
    expect(front.page.locator(".overlap")).to_have_attribute("lang", "es")
    expect(front.page.locator("html")).to_have_attribute("lang", "en")  # another's page


def test_a_page_of_our_own_is_of_the_language_too(open_front):
    front = open_front(strings=all_strings())
    front.page.evaluate("document.body.dataset.overlap = ''")
    speak(front, RIGHT)

    expect(front.page.locator("html")).to_have_attribute("lang", RIGHT)
    expect(front.page.locator("html")).to_have_attribute("dir", "rtl")
    expect(front.page).to_have_title(made_up(RIGHT)["title"])


def test_figures_of_another_language_take_the_place_of_the_old_ones(open_front):
    session = measured_session()
    drawn = """(lane) => Bokeh.documents.length === 6 && Bokeh.documents.some(
        (one) => one.get_model_by_name('captions')?.data.text[0] === lane)"""
    front = open_front(first=session_view(Explorer(), "en"), drawn=True)
    front.show(session_view(session, "en"))
    front.page.wait_for_function(drawn, arg="Compute, stream 7")
    heights = front.page.evaluate(
        f"(view) => [({HEIGHTS})(), front.update(view), ({HEIGHTS})()]",
        session_view(session, "es"),
    )

    assert heights[0] == heights[2]  # so that nothing below them moves meanwhile
    front.page.wait_for_function(drawn, arg="Cómputo, stream 7")
    front.page.wait_for_function(
        """() => [...document.querySelectorAll('.overlap-figure')]
            .every((one) => one.style.minHeight === '')"""
    )


def test_what_is_said_of_a_change_is_of_the_new_language(open_front):
    front = open_front(first=session_view(Explorer(query="bucket=4"), "en"))
    speak(front, "es", "bucket=4")
    speak(front, "es", "bucket=2")

    expect(front.page.locator("[aria-live=polite]")).to_contain_text("2 capas, 80 MB")


def test_files_on_their_way_and_what_was_said_of_them_survive(open_front):
    front = open_front(
        first=session_view(measured_session(), "en"), limits={"upload_bytes": 9}
    )
    chooser = front.page.locator("input[type=file]").first
    files = [("large.json", b"x" * 10), ("a.json", b"{}"), ("b.json", b"{}")]
    chooser.set_input_files(
        [{"name": name, "mimeType": "", "buffer": data} for name, data in files]
    )
    front.page.wait_for_function("() => moves.some(({ type }) => type === 'upload')")
    front.show(session_view(measured_session(), "es") | {"seq": 1})

    expect(front.page.get_by_text("large.json ocupa 10 B")).to_be_visible()
    front.page.wait_for_function(
        "() => moves.filter(({ type }) => type === 'upload').length === 2"
    )
    assert front.last_move()["name"] == "b.json"


def test_what_a_loader_says_is_marked_as_english(open_front, measured_view):
    view = measured_view(
        warnings=[
            "37 kernels fit no class.",
            {"key": "measured.one_rank", "values": {}},
        ]
    )
    view["notices"] = [{"key": "", "values": {"text": "a.json: not a trace."}}]
    view["state"] |= {"lang": "es"}
    front = open_front(first=view)

    english = front.page.locator(".overlap [lang=en]:not(option)")
    expect(english).to_have_text(
        ["a.json: not a trace.", re.compile("No estimate"), "37 kernels fit no class."]
    )
    front.show(view | {"state": view["state"] | {"lang": "en"}})
    expect(english).to_have_count(0)
