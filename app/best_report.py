"""The best bucket size and the best plan, as a sentence and for JSON."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

from overlap_widget.app.quantities import count_text, time_text
from overlap_widget.app.text_table import wrapped
from overlap_widget.model.effects import Effects
from overlap_widget.model.layer import Layer, Plan
from overlap_widget.model.plans import Best, whole_layers

MOST_BUCKETS_NAMED = 16  # more of them are summed up


def best_document(layers: Sequence[Layer], best: Best) -> dict[str, Any]:
    """For JSON; the buckets of the plan by their layers."""
    names = iter([layer.name for layer in layers])
    return {
        "bucket": best.bucket,
        "tail_s": best.tail_s,
        "plan": [list(itertools.islice(names, count)) for count in best.plan],
        "plan_tail_s": best.plan_tail_s,
    }


def best_text(best: Best, effects: Effects) -> str:
    """The best size and, where it is another one, the best plan.

    Where no search over all plans is exact, it says that only some were tried.
    """
    sizes = f"{count_text('layers', best.bucket)} to a bucket"
    tail, plan_tail = time_text(best.tail_s), time_text(best.plan_tail_s)
    step = " for the step, slower compute counted" if effects.slows_compute else ""
    plans = "plan" if effects.is_separable else "plan that was tried"
    if _is_best_of_all(best, effects):
        return wrapped(f"Best{step}: {sizes}, tail {tail}; no {plans} does better.")
    of_all = "Best of all plans" if effects.is_separable else "Best plan that was tried"
    lines = (
        f"Best size{step}: {sizes}, tail {tail}.",
        f"{of_all}: {plan_text(best.plan)}, tail {plan_tail}.",
    )
    return "\n".join(map(wrapped, lines))


def _is_best_of_all(best: Best, effects: Effects) -> bool:
    """Whether the best plan adds nothing to the best size."""
    if best.plan == whole_layers(sum(best.plan), best.bucket):
        return True
    is_alike = math.isclose(best.tail_s, best.plan_tail_s, rel_tol=1e-9)
    return is_alike and not effects.slows_compute


def plan_text(plan: Plan) -> str:
    """A plan in words: `buckets of 1, 1, 2, 3, 5 layers`."""
    if len(plan) > MOST_BUCKETS_NAMED:
        fewest, most = min(plan), count_text("layers", max(plan))
        sizes = most if fewest == max(plan) else f"{fewest:,} to {most}"
        return f"{len(plan):,} buckets of {sizes}"
    if len(plan) == 1:
        return f"one bucket of {count_text('layers', plan[0])}"
    return f"buckets of {', '.join(map(str, plan))} layers"
