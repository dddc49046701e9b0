"""The exported page alone: one file, no network, a picture first, then the widget."""

import gzip
import html
import re

import pytest

from overlap_widget.app.address import address, read_address
from overlap_widget.app.settings import DEFAULT

pytestmark = pytest.mark.browser

MOST_RAW, MOST_GZIP = 1_400_000, 400 * 1024
VERDICT = "The step waits 14.3 ms for communication."
WITHOUT_SCRIPTS = "The interactive version needs JavaScript."
BLOCKED = "scripts are blocked here"


def verdict_of(page):
    shown = page.locator(".overlap-verdict h2").filter(visible=True)
    return shown.inner_text().replace("\N{NO-BREAK SPACE}", " ")


def without_data(text):
    """The page's markup alone: neither scripts nor data."""
    return re.sub(r"<script.*?</script>", "", text, flags=re.S)


def hash_of(page):
    return page.evaluate("location.hash")


def test_a_page_is_no_larger_than_a_course_page_can_carry(page_file):
    content = page_file.read_bytes()
    assert len(content) <= MOST_RAW
    assert len(gzip.compress(content)) <= MOST_GZIP


def test_a_page_asks_for_nothing_but_itself(open_page, page_file):
    page = open_page(page_file, offline=True)
    for mode in ("Measured", "Explore"):
        page.get_by_text(mode, exact=True).click()
        page.wait_for_timeout(200)
    assert page.asked == [page_file.as_uri()]
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0


def test_a_page_names_no_address_that_could_be_asked(page_file):
    text = page_file.read_text()
    assert (
        re.findall(r"""(?:src|href)=["']?(?!data:)[\w/:.]""", without_data(text)) == []
    )
    written = re.findall(
        r"""["'`](?:https?:)?//(?!www\.w3\.org/)[\w-]+\.\w[^"'`]*""", text
    )
    assert written == []


def test_the_slider_moves_the_verdict_and_the_address(open_page, page_file):
    page = open_page(page_file)
    assert verdict_of(page) == VERDICT
    page.get_by_role("slider", name="Bucket size").fill("0")
    page.get_by_text("The step waits 4.33 ms for communication.").wait_for()
    page.wait_for_function("() => location.hash.includes('bucket=1&')")


def test_a_link_restores_its_state_exactly(open_page, page_file):
    link = "#" + address(read_address("bucket=7&overhead=330us&plan=best&late=2ms")[0])
    page = open_page(page_file, link)
    page.get_by_role("slider", name="Bandwidth").press("ArrowRight")
    page.wait_for_function("() => location.hash.includes('bandwidth=13GB')")
    expected = link.replace("bandwidth=12GB/s", "bandwidth=13GB/s")
    assert hash_of(page) == expected


def test_another_hash_is_followed_at_once(open_page, page_file):
    page = open_page(page_file)
    page.evaluate("location.hash = '#bucket=12'")
    page.get_by_text("The step waits 41 ms for communication.").wait_for()
    page.evaluate("location.hash = '#bucket=4'")
    page.get_by_text(VERDICT).wait_for()


def test_another_hash_wins_over_a_move_that_is_written_meanwhile(open_page, page_file):
    page = open_page(page_file)
    page.evaluate("""() => {
        location.hash = '#bucket=12';
        history.replaceState(null, '', '#bucket=7');
    }""")
    page.get_by_text("The step waits 41 ms for communication.").wait_for()
    page.wait_for_function("() => location.hash.includes('&bucket=12&')")


def test_without_javascript_the_picture_and_its_numbers_are_there(open_page, page_file):
    page = open_page(page_file, live=False, java_script_enabled=False)
    assert page.locator("noscript p", has_text=WITHOUT_SCRIPTS).is_visible()
    assert verdict_of(page) == VERDICT
    assert page.locator("main svg").first.is_visible()
    assert page.get_by_role("img").count() == 1
    assert not page.get_by_text(BLOCKED).is_visible()


def test_where_scripts_are_blocked_the_page_says_what_it_needs(open_page, page_file):
    blocked = "script-src 'none'"
    page = open_page(page_file, live=False, policy=blocked)
    assert verdict_of(page) == VERDICT
    assert page.locator("main svg").first.is_visible()
    assert not page.get_by_text(BLOCKED).is_visible()
    page.get_by_text(BLOCKED).wait_for(timeout=8_000)


def test_a_page_asked_for_another_state_is_not_empty_where_its_scripts_fail(
    open_page, page_file
):
    refused = "require-trusted-types-for 'script'; trusted-types 'none'"
    known = ["TrustedTypePolicy", "createPolicy"]
    page = open_page(
        page_file, "#bucket=2", live=False, policy=refused, may_complain=known
    )
    picture = page.locator("main svg").first
    assert not picture.is_visible()
    picture.wait_for(timeout=8_000)
    page.get_by_text(BLOCKED).wait_for()


def test_a_page_runs_where_scripts_must_be_trusted(open_page, page_file):
    page = open_page(page_file, policy="require-trusted-types-for 'script'")
    assert verdict_of(page) == VERDICT


def test_the_scripts_run_under_a_policy_without_eval(open_page, page_file):
    found = re.search(
        r'Content-Security-Policy" content="([^"]+)', page_file.read_text()
    )
    policy = html.unescape(found[1])
    assert "unsafe-eval" not in policy
    assert re.search(r"script-src( 'sha256-[\w+/=]+')+;", policy)
    known = "'unsafe-eval' is not an allowed source"
    page = open_page(page_file, may_complain=[known], own=True)
    asked = {"expression": "eval('1')", "allowUnsafeEvalBlockedByCSP": False}
    refused = page.context.new_cdp_session(page).send("Runtime.evaluate", asked)
    assert refused["result"]["className"] == "EvalError"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_follows_the_system_before_and_after_its_scripts(
    open_page, page_file, theme
):
    grounds = {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 22, 28)"}
    ground = "getComputedStyle(document.querySelector('.overlap')).backgroundColor"
    still = open_page(
        page_file, live=False, java_script_enabled=False, color_scheme=theme
    )
    assert still.evaluate(ground) == grounds[theme]
    page = open_page(page_file, color_scheme=theme)
    assert page.evaluate(ground) == grounds[theme]
    other = "dark" if theme == "light" else "light"
    page.emulate_media(color_scheme=other)
    page.wait_for_function(f"(wanted) => {ground} === wanted", arg=grounds[other])


def test_the_page_starts_as_its_author_asked(open_page, export):
    path = export("--scenario", "fast-hardware", "--bucket", "2", "--late", "1ms")
    still = open_page(path, live=False, java_script_enabled=False)
    page = open_page(path)
    assert verdict_of(page) == verdict_of(still) != VERDICT
    assert (
        page.get_by_role("combobox", name="Scenario").input_value() == "fast-hardware"
    )
    other = open_page(path, "#bucket=3")
    assert (
        other.get_by_role("combobox", name="Scenario").input_value() == "fast-hardware"
    )
    other.wait_for_function("() => location.hash.includes('bucket=3&')")
    other.get_by_text("A rank that is late by 1 ms").wait_for()


def test_names_with_markup_are_text(open_page, export, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mine")
    name = (
        "</script><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"
    )
    layer = f'{{"name": "{name}", "backward_s": 0.004, "gradient_bytes": 4e7}}'
    path = folder / "mine.json"
    path.write_text(f'{{"name": "{name}", "layers": [{layer}]}}')
    page = open_page(export("--scenario", str(path)))
    assert page.title() == "Hiding communication behind compute"
    assert page.locator("img, script[src]").count() == 0
    page.get_by_text("Table of transfers").filter(visible=True).click()
    page.locator("td", has_text=name).first.wait_for()
    assert name in page.get_by_role("combobox", name="Scenario").inner_text()


def test_an_address_with_markup_is_text(open_page, page_file):
    page = open_page(page_file, "#scenario=<img src=x onerror=alert(1)>&<b>=1")
    page.get_by_text(
        "“<img src=x onerror=alert(1)>” is no value of scenario"
    ).wait_for()
    assert page.locator("img").count() == 0


def test_measured_mode_shows_the_recording_that_the_author_gave(open_page, export):
    path = export("--trace", "static/example-trace.json.gz")
    still = open_page(path, live=False, java_script_enabled=False)
    page = open_page(path)
    assert verdict_of(page) == verdict_of(still)
    first = verdict_of(page)
    steps = page.get_by_role("combobox", name="Step")
    values = steps.locator("option").evaluate_all("all => all.map((one) => one.value)")
    other = next(one for one in values if one != steps.input_value())
    steps.select_option(other)
    page.wait_for_function(
        "(was) => document.querySelector('.overlap-measured h2').textContent !== was",
        arg=first,
    )
    page.get_by_role("button", name="Zoom in").click()
    overview = page.get_by_role("slider", name="Step")
    overview.press("Home")
    assert steps.input_value() == "0"
    assert overview.get_attribute("aria-valuenow") == "1"


def test_what_python_alone_can_do_is_not_offered(open_page, page_file):
    page = open_page(page_file, "#mode=measured")
    page.get_by_text("Table of kernel names").click()
    page.locator(".overlap-classes tbody tr").first.wait_for()

    assert page.locator(".overlap-classes select").count() == 0
    assert page.get_by_label("Open recordings").count() == 0
    assert page.get_by_text("Numbers of a part").count() == 0
    assert page.locator(".overlap-check:visible, .overlap-edits").count() == 0


def test_the_default_settings_are_those_of_the_app(page_file):
    assert f'"start":"{address(DEFAULT)}"' in page_file.read_text()
