"""The embedded page: the whole widget in one file that asks nothing of any network."""

import base64
import hashlib
import importlib.metadata
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup

from overlap_widget.app.address import address
from overlap_widget.app.bokeh_bundle import bokeh_script
from overlap_widget.app.bundles import bare, bundle, inner, text
from overlap_widget.app.front_config import config
from overlap_widget.app.measured import Place, example
from overlap_widget.app.measured_data import measured_data
from overlap_widget.app.page_styles import page_styles
from overlap_widget.app.settings import Settings
from overlap_widget.app.snapshot import snapshot
from overlap_widget.app.templates import json_in_page, template
from overlap_widget.app.twin_data import twin_data
from overlap_widget.app.words import speaking, words
from overlap_widget.model.recording import Recording


def embedded_page(
    settings: Settings,
    recordings: Sequence[Recording] = (),
    place: Place | None = None,
) -> str:
    """The page as HTML, starting with these settings and in their language.

    `recordings` are those of measured mode; the shipped example without any. `place` is
    the step of them that is shown first, else the default one of the first.
    """
    with speaking(settings.lang):
        return _page(settings, list(recordings) or [example()], place)


def _page(settings: Settings, shown: Sequence[Recording], place: Place | None) -> str:
    scripts = {
        "first": bare(text("embed", "first.js")),
        "widget": _script(widget_script()),
        "bokeh": _script(bokeh_script()),
        "later": inner("embed/after_paint.js", "embed/later.js"),
    }
    page = template("embedded.html").render(
        policy=_policy(scripts.values()),
        lang=settings.lang,
        dir=words("language.dir"),
        title=words("title"),
        color_scheme="light dark" if settings.theme == "auto" else settings.theme,
        version=importlib.metadata.version("overlap-widget"),
        styles=Markup(page_styles()),
        scripts={name: Markup(text) for name, text in scripts.items()},
        snapshot=Markup(snapshot(settings, shown, place)),
        data=json_in_page(_data(settings, shown, place)),
    )
    return page.encode(errors="replace").decode()  # names may hold what is no text


@cache
def widget_script() -> str:
    """Front, twin and driver as one plain script, each in a scope of its own."""
    parts = {"mount": "front", "createSession": "twin"}
    scopes = [_scope(bundle(folder), name) for name, folder in parts.items()]
    return "\n".join(['(() => {\n"use strict";', *scopes, bundle("embed"), "})();"])


def _scope(code: str, name: str) -> str:
    """Code whose only name outside is this one."""
    return f"const {name} = (() => {{\n{code}\nreturn {name};\n}})();"


def _data(
    settings: Settings, recordings: Sequence[Recording], place: Place | None
) -> dict[str, Any]:
    """What front and twin get; `start.js` gives the twin what is the front's too."""
    shown = config(settings.catalogue)
    shown["limits"] = {}  # there is nobody to send a file to
    shown["strings"] = _keys_once(shown["strings"])
    twin = twin_data(settings.catalogue)
    for shared in ("stops", "lesson", "presets"):
        del twin[shared]
    twin |= {
        "start": address(settings),
        "measured": measured_data(recordings, place),
    }
    return {"config": shown, "data": twin}


def _keys_once(strings: dict[str, dict[str, str]]) -> dict[str, Sequence[str | None]]:
    """Texts of each language in the order of `keys`, which all of them share."""
    keys = list(dict.fromkeys(key for texts in strings.values() for key in texts))
    texts = {lang: list(map(texts.get, keys)) for lang, texts in strings.items()}
    return {"keys": keys, **texts}


def _script(text: str) -> str:
    """A script that stands in a page: none of its strings can end its element."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _policy(scripts: Iterable[str]) -> str:
    """No request, and no script but the page's own; Bokeh makes styles as it runs."""
    hashes = " ".join(f"'sha256-{_sha256(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
