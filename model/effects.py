"""What the simple model leaves out, as options; each is off unless asked for."""

import math
from dataclasses import dataclass

MOST_MICRO_STEPS = 64
MOST_SLOWDOWN = 10.0


@dataclass(frozen=True, slots=True)
class Effects:
    """Options of a simulated step.

    overlap:          whether transfers may run beside the backward pass; without, all
                      of them wait for the end of the last pass: the baseline that
                      overlap improves on
    slowdown:         how much longer compute takes while a transfer runs, as a share:
                      0.19 is 19 percent (arXiv 2507.03114 measured 18.9 on average)
    late_s:           how much later than this rank the latest one reaches every layer;
                      no transfer starts before all ranks have their gradients
    micro_steps:      backward passes whose gradients are added up in one step
    every_micro_step: whether all of them communicate, or only the last
    """

    overlap: bool = True
    slowdown: float = 0.0
    late_s: float = 0.0
    micro_steps: int = 1
    every_micro_step: bool = False

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if not 0 <= self.slowdown <= MOST_SLOWDOWN:
            raise ValueError(
                f"the slowdown must be a share from 0 to {MOST_SLOWDOWN:g}"
            )
        if not 0 <= self.late_s < math.inf:
            raise ValueError("the late rank's time must be finite and not negative")
        if self.micro_steps not in range(1, MOST_MICRO_STEPS + 1):
            raise ValueError(f"a step has 1 to {MOST_MICRO_STEPS} micro-steps")

    @property
    def sending_passes(self) -> int:
        """How many of the passes communicate."""
        return self.micro_steps if self.every_micro_step else 1

    @property
    def slows_compute(self) -> bool:
        """Whether transfers make the pass longer: only those that run beside it can."""
        return self.slowdown > 0 and self.overlap

    @property
    def is_separable(self) -> bool:
        """Whether the pass takes its time whatever the plan, and starts on a free link.

        Then the recurrence over prefixes finds the best plan exactly.
        """
        starts_free = self.sending_passes == 1 or not self.overlap
        return starts_free and not self.slows_compute


OFF = Effects()
