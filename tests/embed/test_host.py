"""Messages between the embedded page and the page around its frame."""

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "static"
HOST, FRAME = "http://host.test/", "http://frame.test/"
PAGE = """<!DOCTYPE html><html lang="en"><title>Host</title>
<link rel="icon" href="data:,"><script>
const got = [];
addEventListener("message", (event) => got.push(event.data));
</script><iframe src="http://frame.test/" style="width: 600px; height: 300px"></iframe>
<iframe name="other" srcdoc="<script>
addEventListener('message', ({ data }) => parent.frames[0].postMessage(data, '*'));
</script>"></iframe>"""


def answer(route):
    url = route.request.url
    if url == HOST:
        route.fulfill(body=PAGE, content_type="text/html")
    elif url == FRAME:
        route.fulfill(path=HERE / "host_frame.html")
    else:
        name = url.removeprefix(FRAME)
        headers = {"access-control-allow-origin": "*"}
        path = STATIC / name
        route.fulfill(path=path, content_type="text/javascript", headers=headers)


class Host:
    """A page with our page in a frame: send messages, read what came."""

    def __init__(self, page):
        self.page = page
        self.frame = next(one for one in page.frames if one.url == FRAME)

    def send(self, *messages):
        """Post messages at once, and wait until all of them are answered."""
        self.page.evaluate(
            "(all) => all.forEach((one) => frames[0].postMessage(one, '*'))",
            list(messages),
        )
        self.rest()

    def rest(self):
        """Let messages and frames come and go."""
        self.page.wait_for_timeout(120)

    def got(self, *types):
        return [
            one
            for one in self.page.evaluate("got")
            if isinstance(one, dict) and one.get("type") in types
        ]

    def clear(self):
        self.page.evaluate("got.length = 0")

    def values(self):
        self.clear()
        self.send({"overlap": 1, "type": "get"})
        self.page.wait_for_function("got.some((one) => one?.type === 'state')")
        return self.got("state")[-1]["values"]


START = {"scenario": "one", "bucket": 4, "bandwidth": 12e9, "theme": "auto"}


def ours(kind, **content):
    return {"overlap": 1, "type": kind, **content}


@pytest.fixture
def host(browser):
    """Our page in a frame of another origin; an error in either fails the test."""
    complaints = []
    context = browser.new_context()
    context.route("**/*", answer)
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text) if message.type == "error" else None
        ),
    )
    page.goto(HOST)
    page.wait_for_function("got.some((one) => one.type === 'height')")
    yield Host(page)
    context.close()
    assert complaints == []


def test_the_page_says_once_that_it_is_ready_and_what_it_shows(host):
    host.rest()
    (ready,) = host.got("ready")

    assert ready == ours(
        "ready",
        version="7.8",
        address="v=1&scenario=one&bucket=4&bandwidth=12000000000&theme=auto",
        values=START,
        numbers={"tail_s": 0.004},
        regime="last_bucket",
    )
    assert host.got("state") == []


def test_a_hand_on_the_page_is_told_once_a_frame(host):
    host.frame.evaluate("[5, 6, 7].forEach((bucket) => byHand('bucket', bucket))")
    host.rest()

    (state,) = host.got("state")
    assert state["values"] == START | {"bucket": 7}
    assert "id" not in state


def test_a_move_that_changes_nothing_is_not_told(host):
    host.frame.evaluate("byHand('bucket', 4)")
    host.rest()

    assert host.got("state") == []


def test_set_changes_several_values_and_answers_with_its_id(host):
    host.send(ours("set", values={"bucket": 2, "theme": "dark"}, id="a1"))

    (state,) = host.got("state")
    assert state["id"] == "a1"
    assert state["values"] == START | {"bucket": 2, "theme": "dark"}
    assert host.frame.evaluate("shown.length") == 1


def test_a_scenario_is_set_before_the_bandwidth_that_it_would_change(host):
    host.send(ours("set", values={"bandwidth": 3e9, "scenario": "two"}))

    assert host.values() == START | {"scenario": "two", "bandwidth": 3e9}


def test_the_values_of_a_page_can_be_sent_back(host):
    host.send(ours("set", values=host.values() | {"bucket": 9}))

    assert host.values() == START | {"bucket": 9}


def test_what_is_out_of_range_is_clamped_and_said_on_the_page(host):
    host.send(ours("set", values={"bucket": 5000, "theme": "light"}, id=7))

    (state,) = host.got("state")
    assert (state["id"], state["values"]["bucket"]) == (7, 12)
    (notice,) = host.frame.evaluate("shown.at(-1)")
    assert notice["key"] == "notice.clamped"


def test_an_address_is_restored_as_a_whole(host):
    host.send(ours("set", address="#v=1&bucket=2&theme=dark", id="b"))

    (state,) = host.got("state")
    assert state["values"] == START | {"bucket": 2, "theme": "dark"}


def test_reset_and_get_answer_with_the_state(host):
    host.send(ours("set", values={"bucket": 2}))
    host.clear()
    host.send(ours("reset", id=1), ours("get", id=2))

    assert [one["id"] for one in host.got("state")] == [1, 2]
    assert all(one["values"] == START for one in host.got("state"))


def test_a_theme_is_set_by_its_message_and_by_its_name_alone(host):
    host.send(ours("theme", theme="dark"))
    assert host.values()["theme"] == "dark"

    host.send({"theme": "light"})
    assert host.values()["theme"] == "light"


@pytest.mark.parametrize(
    ("message", "reason", "key"),
    [
        (ours("set", values={"bucket": "many"}), "is no value of bucket", "bucket"),
        (
            ours("set", values={"theme": "dark", "bucket": "many"}),
            "“many” is no value of bucket",
            "bucket",
        ),
        (
            ours("set", values={"bucket": 2, "theme": "blue"}),
            "“blue” is no value of theme",
            "theme",
        ),
        (ours("set", values={"theme": "dark", "zoom": 2}), "“zoom”", "zoom"),
        (ours("set", values={"bucket": None}), "neither text nor a number", "bucket"),
        (ours("set", values={"bucket": {"a": 1}}), "neither text nor", "bucket"),
        (ours("set", values={}), "an object of keys and values", None),
        (ours("set", values=["bucket", 2]), "an object of keys and values", None),
        (ours("set", values="bucket=2"), "an object of keys and values", None),
        (ours("set"), "either values or an address", None),
        (ours("set", values={"bucket": 2}, address="bucket=2"), "either values", None),
        (ours("set", address=5), "An address is a text", "address"),
        (ours("set", address="bucket=many"), "“many” is no value", "bucket"),
        (ours("set", address="bucket=2&zoom=3"), "unknown keys: zoom", "address"),
        (ours("theme", theme="blue"), "“blue” is no value of theme", "theme"),
        ({"theme": "blue"}, "“blue” is no value of theme", "theme"),
        (ours("explode"), "“explode” is no type", None),
        (ours("toString"), "“toString” is no type", None),
        (ours(["set"], values={"bucket": 2}), "is no type", None),
        (ours("set", values={"bucket": 2}, id={"a": 1}), "An id is", None),
        ({"overlap": 2, "type": "set", "values": {"bucket": 2}}, "version 1", None),
        ({"overlap": "1", "type": "get"}, "version 1", None),
    ],
)
def test_what_cannot_be_understood_is_refused_with_a_reason_and_changes_nothing(
    host, message, reason, key
):
    host.send(message)
    host.page.wait_for_function("got.some((one) => one?.type === 'error')")

    (error,) = host.got("error")
    assert reason in error["reason"]
    assert error["key"] == key
    assert host.got("state") == []
    assert host.frame.evaluate("shown.length") == 0
    assert host.values() == START


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        ("(one) => ({ ...one, type: one.self })", "“object” is no type of message."),
        ("(one) => ({ ...one, type: 5n })", "“5” is no type of message."),
        ("(one) => ({ ...one, values: { bucket: NaN } })", "“NaN” is no value of"),
    ],
)
def test_what_json_cannot_hold_is_refused_in_our_words(host, make, reason):
    host.page.evaluate(
        f"""() => {{
            const one = {{ overlap: 1, type: "set" }};
            one.self = one;
            frames[0].postMessage(({make})(one), "*");
        }}"""
    )
    host.rest()

    (error,) = host.got("error")
    assert error["reason"].startswith(reason)


def test_an_error_names_the_message_that_it_refuses(host):
    host.send(
        ours("set", values={"bucket": 2}, id="good"),
        ours("set", values={"bucket": "many"}, id="bad"),
    )

    assert [one["id"] for one in host.got("error")] == ["bad"]
    assert [one["id"] for one in host.got("state")] == ["good"]
    assert host.values()["bucket"] == 2


def test_a_long_value_is_cut_and_markup_stays_text(host):
    host.send(ours("set", values={"theme": "<img src=x onerror=alert(1)>" * 99}))

    (error,) = host.got("error")
    assert error["reason"].startswith("“<img src=x")
    assert len(error["reason"]) < 120


@pytest.mark.parametrize(
    "message",
    [
        *("hello", 5, None, [], ["overlap"], {}),
        {"type": "set", "values": {"bucket": 2}},
        {"theme": "dark", "from": "a site's own script"},
    ],
)
def test_what_is_not_for_us_is_ignored(host, message):
    host.send(message)

    assert host.got("error", "state") == []
    assert host.values() == START


def test_only_the_parent_is_listened_to(host):
    message = ours("set", values={"bucket": 2})
    host.page.evaluate("(one) => frames.other.postMessage(one, '*')", message)
    host.frame.evaluate("(one) => postMessage(one, '*')", message)
    host.rest()

    assert host.got("error", "state") == []
    assert host.values() == START


def test_a_flood_of_messages_leaves_the_page_alive_and_is_all_done(host):
    host.frame.evaluate("moveTakes_ms = 2")
    longest = host.frame.evaluate_handle(
        """() => {
            const gaps = { most: 0, last: performance.now() };
            const watch = () => {
                const now = performance.now();
                gaps.most = Math.max(gaps.most, now - gaps.last);
                gaps.last = now;
                setTimeout(watch);
            };
            watch();
            return gaps;
        }"""
    )
    flood = [ours("set", values={"bucket": 1 + n % 12}, id=n) for n in range(1000)]
    host.send(*flood)
    host.page.wait_for_function(
        "got.filter((one) => one.type === 'state').length === 1000"
    )
    assert [one["id"] for one in host.got("state")] == list(range(1000))
    assert host.got("state")[-1]["values"]["bucket"] == 1 + 999 % 12
    assert host.frame.evaluate("moves") == 1000
    assert host.frame.evaluate("shown.length") < 900  # not each of them is drawn
    assert (
        longest.evaluate("(gaps) => gaps.most") < 1000
    )  # at once they take two seconds


def test_more_messages_than_may_wait_are_refused(host):
    host.frame.evaluate("moveTakes_ms = 40")
    host.send(*[ours("set", values={"bucket": 3})] * 2100)
    host.page.wait_for_function("got.some((one) => one.type === 'error')")

    errors = host.got("error")
    assert 0 < len(errors) <= 100
    assert errors[0]["reason"] == "More than 2000 messages wait."


def heights(host):
    return [one["height"] for one in host.got("height")]


def test_the_height_is_told_when_the_content_gets_higher_or_lower(host):
    (first,) = heights(host)
    host.frame.evaluate("more.open = true")
    host.rest()
    host.frame.evaluate("more.open = false")
    host.rest()

    assert heights(host) == [first, first + 200, first]
    assert 400 < first < 450


def test_canvas_and_sakai_are_told_the_height_in_their_forms(host):
    (height,) = heights(host)
    sent = host.page.evaluate("got")

    resize = {"subject": "lti.frameResize", "height": height}
    assert resize in sent
    assert resize in [json.loads(one) for one in sent if isinstance(one, str)]


def test_a_host_that_obeys_the_height_is_not_told_another_one(host):
    host.page.evaluate(
        """() => {
            const frame = document.querySelector("iframe");
            frame.style.border = 0;
            const obey = ({ type, height }) => {
                if (type === "height") frame.style.height = `${height}px`;
            };
            got.forEach(obey);
            addEventListener("message", (event) => obey(event.data));
        }"""
    )
    # Half a pixel more than whole ones: rounded down it would need a scroll bar.
    host.frame.evaluate("content.style.height = '500.5px'")
    host.rest()
    host.clear()
    host.rest()

    assert heights(host) == []
    assert host.frame.evaluate(
        "document.documentElement.scrollHeight === innerHeight"
        " && document.documentElement.clientWidth === innerWidth"
    )


def test_a_host_that_came_late_asks_for_state_and_height(host):
    (first,) = heights(host)
    host.clear()
    host.send(ours("get"))

    assert heights(host) == [first]


def test_a_frame_that_is_not_laid_out_tells_no_height(host):
    host.clear()
    frame = host.page.locator("iframe").first
    frame.evaluate("(one) => (one.style.display = 'none')")
    host.rest()
    frame.evaluate("(one) => (one.style.display = '')")
    host.rest()

    assert 0 not in heights(host)
    host.send(ours("set", values={"bucket": 2}))
    assert host.got("state")[-1]["values"]["bucket"] == 2


def test_a_page_that_is_in_no_frame_posts_nothing_and_listens_to_nobody(browser):
    context = browser.new_context()
    context.route("**/*", answer)
    page = context.new_page()
    page.add_init_script(
        "window.got = [];addEventListener('message', (event) => got.push(event.data));"
    )
    page.goto(FRAME)
    page.wait_for_function("() => window.host")
    message = ours("set", values={"bucket": 2})
    page.evaluate("(one) => { byHand('bucket', 7); postMessage(one, '*'); }", message)
    page.wait_for_timeout(200)

    assert page.evaluate("got") == [message]
    assert page.evaluate("shown.length") == 1
    context.close()


def test_after_destroy_nothing_is_heard_or_told(host):
    host.frame.evaluate("host.destroy()")
    host.clear()
    host.frame.evaluate("more.open = true")
    host.send(ours("get"))

    assert host.page.evaluate("got") == []
