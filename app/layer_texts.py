"""What layers are called: shipped ones by words and numbers, others as they are.

`layer 12`, `block 3`, `head` and the like are words, and so is the `to` between the
first and the last layer of a bucket. `static/front/layer_texts.js` does the same.
"""

from overlap_widget.app.words import strings, words

BETWEEN = " to "
"""As `model.simulated` joins the first layer of a bucket and the last."""


def layer_text(name: str) -> str:
    """Of a layer, or of all layers of a bucket from the first to the last."""
    first, between, last = name.partition(BETWEEN)
    if not between:
        return _one(name)
    return words("layer.span", first=_one(first), last=_one(last))


def _one(name: str) -> str:
    kind, _, number = name.partition(" ")
    key = f"layer.{kind}.n" if number else f"layer.{kind}"
    if key not in strings() or (number and not number.replace(".", "").isdecimal()):
        return name
    return words(key, n=number)
