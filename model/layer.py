"""A layer of the backward pass, and the plan that groups layers into buckets."""

import math
from dataclasses import dataclass

Plan = tuple[int, ...]
"""How many consecutive layers each bucket holds, in backward order."""

FP32_BYTES = 4.0
"""Of one gradient element in 32-bit floating point."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer: its time in the backward pass and the size of its gradient."""

    name: str
    backward_s: float
    gradient_bytes: float

    def __post_init__(self) -> None:
        """Refuse what has no meaning in time or space."""
        if not (
            0 <= self.backward_s < math.inf and 0 <= self.gradient_bytes < math.inf
        ):
            raise ValueError(
                f"layer {self.name!r}: backward_s and gradient_bytes must be finite "
                "and not negative"
            )
