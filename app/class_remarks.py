"""What to say of the classes of kernels: none moves anything, or some fit none."""

from overlap_widget.app.measured_tables import longest_names
from overlap_widget.app.said import Said
from overlap_widget.model.recording import Window
from overlap_widget.model.timeline import Kind

MOST_NAMES = 3
LONGEST = 80
MUCH = 0.01
"""Of the kernels' time: less that counts as neither is not worth a sentence."""


def class_remarks(shown: Window) -> list[Said]:
    """Sentences, each with the names that take most of the time."""
    kind = shown.timeline.kind
    said = []
    if (kind == Kind.COMPUTE).any() and not (kind == Kind.COMMUNICATION).any():
        names = _names(shown, Kind.COMPUTE)
        said.append(Said("measured.nothing_moves", {"names": names}))
    length_s = shown.timeline.end_s - shown.timeline.start_s
    share = float(length_s[kind == Kind.OTHER].sum() / (length_s.sum() or 1.0))
    if share > MUCH:
        values = {
            "kernels_kernels": int((kind == Kind.OTHER).sum()),
            "share_share": float(f"{share:.2g}"),
            "names": _names(shown, Kind.OTHER),
        }
        said.append(Said("measured.neither", values))
    return said


def _names(shown: Window, kind: Kind) -> str:
    listed = [_short(name) for name in longest_names(shown, kind, MOST_NAMES)]
    return ", ".join(listed)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}…"
