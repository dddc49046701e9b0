"""What each kernel counts as: the loader's classes, and rules that change them.

A loader classifies by what the profiler noted and by names it knows. Whoever knows
more, of kernels of their own, says so with rules. They act on a recording (see
`classified.py`), so that its file needn't be read again.
"""

import re
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache

from overlap_widget.model.timeline import Kind


@dataclass(frozen=True, slots=True)
class Rule:
    """Kernels whose whole name fits the pattern are of this kind.

    `*` stands for any text and `?` for one character; any other sign is itself.
    """

    pattern: str
    kind: Kind

    def fits(self, name: str) -> bool:
        """Whether a kernel has such a name; capitals count."""
        return _pattern(self.pattern).match(name) is not None


@lru_cache(maxsize=4096)
def _pattern(pattern: str) -> re.Pattern[str]:
    """For a thousand rules on thousands of names: made once, and asked at once."""
    return re.compile(translate(pattern.replace("[", "[[]")))


@dataclass(frozen=True, slots=True)
class Classes:
    """How to count kernels.

    rules:             of several that fit a name the last one holds
    count_peer_copies: whether copies between GPUs are communication
    """

    rules: tuple[Rule, ...] = ()
    count_peer_copies: bool = False

    def kind_of(self, name: str) -> Kind | None:
        """The kind that the rules give to a name; None if none fits."""
        kinds = [rule.kind for rule in self.rules if rule.fits(name)]
        return kinds[-1] if kinds else None


LOADED = Classes()
"""As the loader classifies."""
