"""Share: links and codes for the state that is shown, copied or ready to be."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

MARKED = 'A "run" & <b>more</b> {{ x }}\n\n[link](x) `a`'
ADDRESS = (
    "v=1&scenario=course&bucket=3&bandwidth=12GB/s&overhead=1000us&mode=explore"
    "&lesson=off&predict=off&projector=off&theme=auto&lang=en"
    "&plan=layers&ranks=2&link=own&overlap=on&slowdown=0&late=0us"
    "&micro_steps=1&sync=last&axis=bandwidth&controls=all&show=all"
)
BLOCKED = "Copying is blocked in this frame. The text is selected below: press Ctrl+C."
# Whether each is part of the page, also while it is empty.
RENDERED = """(all) => all.map((one) => getComputedStyle(one).display !== 'none')"""
# Where the fields of the panel stand, and what comes below it.
PLACES = """() => ['.overlap-copy textarea', '.overlap-copy select', '.overlap-explore']
    .flatMap((one) => [...document.querySelectorAll(one)])
    .map((one) => one.getBoundingClientRect().top + scrollY)"""


def share(front):
    return front.page.get_by_role("button", name="Share", exact=True)


def field(front, name):
    return front.page.get_by_role("textbox", name=name, exact=True)


def texts(front):
    names = ("Link", "HTML for a frame", "Text for a page")
    return [field(front, name).input_value() for name in names]


@pytest.fixture
def opened(open_front, view):
    """The panel, open, on a page that stands as `place` says (a JavaScript object)."""

    def open_it(place=None, first=None, **options):
        front = open_front(first=first or view(bucket=3), place=place, **options)
        share(front).click()
        return front

    return open_it


def test_the_panel_opens_by_key_and_escape_gives_the_focus_back(front):
    panel = front.page.get_by_role("region", name="Share what is shown now")
    button = share(front)
    expect(panel).to_be_hidden()
    expect(button).to_have_attribute("aria-expanded", "false")

    button.press("Enter")
    expect(panel).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(button).to_be_focused()
    front.page.keyboard.press("Tab")
    expect(field(front, "Link")).to_be_focused()
    front.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(button).to_be_focused()
    controlled = front.page.locator(f"#{button.get_attribute('aria-controls')}")
    expect(controlled).to_have_class("overlap-share")


def test_nothing_is_focused_on_load(front):
    assert front.page.evaluate("document.activeElement.tagName") == "BODY"


def test_a_page_on_the_web_is_linked_and_framed_by_its_address(opened):
    link, frame, markdown = texts(opened())
    url = f"https://example.org/overlap.html#{ADDRESS}"
    source = url.replace("&", "&amp;")

    assert link == url
    assert frame == "\n".join(
        [
            '<iframe title="Hiding communication behind compute: Course example: '
            'twelve equal layers"',
            f'src="{source}"',
            'width="100%" height="640" loading="lazy" style="border:0"',
            'sandbox="allow-scripts allow-popups" allow="clipboard-write"></iframe>',
        ]
    )
    assert markdown == frame.replace("\n", " ")


def test_myst_gets_a_directive(opened):
    front = opened()
    front.page.get_by_label("For a page in").select_option("MyST")

    assert texts(front)[2] == (
        f"```{{iframe}} https://example.org/overlap.html#{ADDRESS}\n:width: 100%\n\n"
        "Hiding communication behind compute: Course example: twelve equal layers\n```"
    )


def test_the_texts_follow_what_is_shown_while_the_panel_is_open(opened, view):
    front = opened()
    front.show(view(bucket=7))

    assert all("bucket=7&" in text for text in texts(front))


@pytest.mark.parametrize(
    ("place", "link", "source"),
    [
        ("{ link: () => null }", f"#{ADDRESS}", f"overlap.html#{ADDRESS}"),
        (
            "{ link: (address) => `file:///a%20b/my%20page.html#${address}` }",
            f"file:///a%20b/my%20page.html#{ADDRESS}",
            f"my%20page.html#{ADDRESS}",
        ),
        (
            "{ link: (address) => `http://localhost/?${address}`, canExport: true }",
            f"http://localhost/?{ADDRESS}",
            f"overlap.html#{ADDRESS}",
        ),
    ],
)
def test_a_page_that_is_not_on_the_web_is_framed_as_a_file(opened, place, link, source):
    front = opened(place)
    shown, frame, _ = texts(front)

    assert shown == link
    assert f'src="{source.replace("&", "&amp;")}"' in frame
    no_address = front.page.get_by_text("This page has no address of its own.")
    expect(no_address).to_be_visible(visible=link.startswith("#"))
    beside = front.page.get_by_text("which must stand beside your page")
    expect(beside).to_be_visible(visible=source.startswith("overlap.html"))


def test_a_title_with_markup_is_text_in_every_code(opened):
    front = opened(scenarios=[{"name": "course", "title": MARKED}])
    _, frame, markdown = texts(front)
    title = (
        "A &quot;run&quot; &amp; &lt;b&gt;more&lt;/b&gt; &#123;&#123; x &#125;&#125;"
    )

    assert (
        f'title="Hiding communication behind compute: {title} [link](x) `a`"' in frame
    )
    assert "\n" not in markdown
    read = front.page.evaluate(
        "(code) => new DOMParser().parseFromString(code, 'text/html')"
        ".querySelector('iframe').title",
        frame,
    )
    assert read.endswith('A "run" & <b>more</b> {{ x }} [link](x) `a`')
    front.page.get_by_label("For a page in").select_option("MyST")
    assert r'A "run" & \<b\>more\</b\> \{\{ x \}\} \[link\](x) \`a\`' in texts(front)[2]


def test_the_frame_of_a_small_page_is_as_high_as_the_page(opened, view):
    little = view(bucket=3, show="verdict,lanes", controls="bucket,share")
    front = opened(first=little)
    (height,) = re.findall(r'height="(\d+)"', texts(front)[1])
    page = front.page.evaluate(
        "document.querySelector('.overlap-page').offsetHeight"
        " - document.querySelector('.overlap-share').offsetHeight"
    )
    assert page <= int(height) < page + 40
    assert int(height) < 600


def test_copy_writes_the_clipboard_and_says_so(opened):
    front = opened(permissions=["clipboard-read", "clipboard-write"])
    front.page.get_by_role("button", name="Copy: HTML for a frame").click()

    expect(front.page.get_by_text("Copied.")).to_be_visible()
    copied = front.page.evaluate("navigator.clipboard.readText()")
    assert copied == texts(front)[1]


@pytest.mark.parametrize("projector", ["off", "on"])
@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("width", [320, 360, 600, 1280])
def test_nothing_moves_when_it_is_said_that_a_text_was_copied(
    open_front, view, width, lang, projector
):
    allowed = ["clipboard-read", "clipboard-write"]
    first = view(lang=lang, projector=projector)
    front = open_front(width, first=first, permissions=allowed)
    if projector == "on":
        front.page.get_by_role("button", name="More" if lang == "en" else "Más").click()
    front.page.locator(".overlap-share-button").click()
    said = front.page.locator(".overlap-copy [role=status]")
    assert said.evaluate_all(RENDERED) == [True] * 3  # else it may not be heard
    before = front.page.evaluate(PLACES)
    for button in front.page.locator(".overlap-copy button").all():
        button.click()

    expect(said).to_have_text(["Copied." if lang == "en" else "Copiado."] * 3)
    assert front.page.evaluate(PLACES) == before


@pytest.mark.parametrize(
    "clipboard", ["undefined", "{ writeText: () => Promise.reject(new Error('no')) }"]
)
def test_a_refused_copy_selects_the_text_and_says_what_to_press(opened, clipboard):
    front = opened(own=True)
    front.page.evaluate(
        f"Object.defineProperty(navigator, 'clipboard', {{ value: {clipboard} }})"
    )
    front.page.get_by_role("button", name="Copy: Link").click()

    expect(front.page.get_by_text(BLOCKED)).to_be_visible()
    expect(field(front, "Link")).to_be_focused()
    assert (
        front.page.evaluate(
            "() => { const { selectionStart: from, selectionEnd: to, value } ="
            " document.activeElement; return value.slice(from, to); }"
        )
        == texts(front)[0]
    )


def test_what_was_copied_is_no_longer_said_of_another_text(opened, view):
    front = opened(permissions=["clipboard-read", "clipboard-write"])
    front.page.get_by_role("button", name="Copy: Link").click()
    expect(front.page.get_by_text("Copied.")).to_be_visible()
    front.show(view(bucket=5))

    expect(front.page.get_by_text("Copied.")).to_be_hidden()


def test_a_file_is_asked_for_where_the_driver_can_make_one(opened, view):
    front = opened("{ link: () => null, canExport: true }")
    front.page.get_by_role("button", name="Download this page as one file").click()

    move = front.last_move()
    assert move["type"] == "export"
    expect(front.page.get_by_text("The file is being made.")).to_be_visible()
    front.show(view(seq=move["seq"], bucket=3))
    expect(front.page.get_by_text("The file is being made.")).to_be_hidden()


def test_a_page_whose_driver_makes_no_files_offers_none(opened):
    button = opened().page.get_by_role("button", name="Download this page")
    expect(button).to_be_hidden()


def test_the_panel_is_printed_nowhere_and_goes_with_its_button(opened, view):
    front = opened()
    panel = front.page.locator(".overlap-share")
    front.page.emulate_media(media="print")
    expect(panel).to_be_hidden()
    front.page.emulate_media(media="screen")
    front.show(view(controls="bucket"))
    expect(panel).to_be_hidden()


def test_a_page_without_uploads_says_how_to_see_a_run(open_front, measured_view):
    front = open_front(first=measured_view(), limits={})
    expect(front.page.get_by_text("overlap export page.html --trace")).to_be_visible()

    assert front.page.locator("input[type=file]").count() == 0
    taken = front.page.evaluate(
        """() => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(["x"], "x.json"));
            const options = { dataTransfer, bubbles: true, cancelable: true };
            const drop = new DragEvent("drop", options);
            return !document.querySelector(".overlap").dispatchEvent(drop);
        }"""
    )
    assert taken is False


def test_ready_is_kept_once_the_figures_are_drawn(open_front):
    front = open_front(drawn=True)
    assert front.page.evaluate("front.ready.then(() => Bokeh.documents.length)") == 4


def test_ready_is_kept_also_where_the_figures_fail(open_front):
    front = open_front(place="(window.figuresFail = true, { link: () => null })")
    front.page.evaluate("front.ready")

    expect(front.page.get_by_text("The figures could not be drawn")).to_be_visible()


@pytest.mark.parametrize("style", ["html { font-size: 200% }", "* { color: inherit }"])
@pytest.mark.parametrize("width", [320, 1280])
def test_the_panel_stays_within_the_window(opened, width, style):
    front = opened("{ link: () => null, canExport: true }", width=width)
    front.page.add_style_tag(content=style)

    assert front.page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_a_finger_meets_in_the_panel_is_44_pixels(opened):
    place = "{ link: () => null, canExport: true }"
    front = opened(place, width=375, has_touch=True, is_mobile=True)
    sizes = front.page.evaluate(
        """() => [...document.querySelectorAll(
                '.overlap-share :is(button, select, textarea)')]
            .map((one) => one.getBoundingClientRect())
            .map(({ width, height }) => Math.min(width, height))"""
    )
    assert len(sizes) == 8
    assert min(sizes) >= 44
