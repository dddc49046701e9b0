"""The values that occur in a column of integers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def distinct(values: NDArray[Any]) -> list[int]:
    """Each value once, in order.

    `np.unique` would first load all of `numpy.ma`, which takes as long as reading
    several MB of a trace.
    """
    ordered = np.sort(values)
    again = ordered[1:] == ordered[:-1]
    found: list[int] = [*ordered[:1].tolist(), *ordered[1:][~again].tolist()]
    return found
