"""What the docs site has beyond the pages in docs/: the widget, alive in their places.

A picture whose title is an address of the widget, as in

    ![Five layers to a bucket](queue.svg "?bucket=5&show=verdict,lanes")

is a picture on GitHub and on paper; here it is a frame with that state. An address
alone in a code span, as `?bucket=5`, becomes a link to it.

The hand-out for students is what docs/teaching.md has under Exercises, without the
answers, which stand in quotes.
"""

import re
from html import escape
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from overlap_widget.app.embedded import embedded_page
from overlap_widget.app.settings import DEFAULT

HERE = Path(__file__).parent
ROOT = HERE.parent
WIDGET = "overlap.html"
SPOT = re.compile(
    r"""
    ^(?P<fence>`{3,}).*?^(?P=fence)$                       # stays as it is
    | !\[(?P<name>[^\]]*)\]\((?P<file>[^)\s]+)[ ]"\?(?P<state>[^"]+)"\)
    | `\?(?P<address>[a-z_]+=[^`\s]+)`
    """,
    re.M | re.S | re.X,
)
SCRIPT = re.compile(r"<script>\n(.*?)</script>", re.S)
EXERCISES = re.compile(r"^## Exercises\n(.*?)^## ", re.M | re.S)
ANSWER = re.compile(r"(^>.*\n)+", re.M)
SPACE = '<div class="overlap-answer"></div>\n'
"""Where students write, on paper."""
WIDE = "index.md"
"""The page that has room for all of the widget, without columns beside it."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Every page has the styles and the script of the frames."""
    config.extra_css.append("site.css")
    config.extra_javascript.append("frames.js")
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is made for the site alone, and nobody commits."""
    made = {
        WIDGET: embedded_page(DEFAULT),
        "frames.js": frames_script(),
        "site.css": (HERE / "docs.css").read_text("utf-8"),
        "favicon.svg": (HERE / "docs_favicon.svg").read_text("utf-8"),
        "hand-out.md": hand_out(),
        "changelog.md": (ROOT / "CHANGELOG.md").read_text("utf-8"),
    }
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))
    return files


def frames_script() -> str:
    """The scripts that docs/embedding.md gives: for heights, and for themes."""
    text = (ROOT / "docs" / "embedding.md").read_text("utf-8")
    parts = [text.split(f"\n## {title}\n")[1] for title in ("Heights", "Themes")]
    found = [SCRIPT.search(part) for part in parts]
    return "\n".join(f"{{\n{one[1]}}}" for one in found if one)


def hand_out() -> str:
    """The exercises of docs/teaching.md with room for answers in place of them."""
    found = EXERCISES.search((ROOT / "docs" / "teaching.md").read_text("utf-8"))
    if found is None:
        raise ValueError("docs/teaching.md has no section Exercises")
    tasks = ANSWER.sub(SPACE, found[1]).replace("\n### ", "\n## ")
    return f"{(HERE / 'hand_out.md').read_text('utf-8')}{tasks}"


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Frames for pictures, links for addresses; what stands in a fence stays."""
    if page.file.src_uri == WIDE:
        page.meta["hide"] = ["navigation", "toc"]
    return SPOT.sub(alive, markdown)


def alive(spot: re.Match[str]) -> str:
    """What the site shows in place of a picture or an address."""
    if spot["state"]:
        name = escape(" ".join(spot["name"].split()))
        return frame(name, spot["state"], spot["file"])
    if spot["address"]:
        return f"[`{spot['address']}`]({WIDGET}#{spot['address']})"
    return spot[0]


def frame(name: str, state: str, picture: str) -> str:
    """A frame that starts with a state; on paper, where it may be empty, a picture."""
    kind = "" if "show=" in state else " overlap-whole"
    return (
        f'<img class="overlap-paper" src="{picture}" alt="{name}">'
        f'<iframe class="overlap-frame{kind}" src="{WIDGET}#{escape(state)}" '
        f'title="{name}" loading="lazy" allow="clipboard-write"></iframe>'
    )
