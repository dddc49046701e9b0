"""Pages from templates of ours; whatever they fill in is text, unless it is marked."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

_TEMPLATES = Environment(
    loader=PackageLoader("overlap_widget.app", "."),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@cache
def template(name: str) -> Template:
    """A template beside this module."""
    return _TEMPLATES.get_template(name)
