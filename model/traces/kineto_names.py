"""Names by which the PyTorch profiler marks what is wanted here."""

import re

STEP_MARK = "ProfilerStep#"
FORWARD_RANGE = "DistributedDataParallel.forward"
BACKWARD_RANGE = "autograd::engine::evaluate_function"
OPTIMIZER_RANGE = "Optimizer.step#"
GLOO_RANGE = "gloo:"
HOST_RANGES = (STEP_MARK, FORWARD_RANGE, BACKWARD_RANGE, OPTIMIZER_RANGE, GLOO_RANGE)

WITHOUT_RANGES = ("python_function", "overhead")
"""Categories of the host whose events mark nothing, whatever their names are."""

UNKNOWN_CATEGORY = "category "
"""Before the name of a category that nobody knows, where such events are counted."""

ENDLESS = "work without an end"
"""Where events are counted that begin work and have no end."""

PROCESSES = "processes of device "
"""Before a device, where the processes are counted that it stands under."""

LAUNCH_NOTHING = (
    r"(?:cuda|hip)(?:Event|Device|Get|Func|Occupancy|Pointer|Peek"
    r"|Stream(?:IsCapturing|Get|WaitEvent|Synchronize|Query))"
)
"""Calls of the CUDA and HIP runtimes, by how their names begin."""

# From libkineto's ActivityType.cpp, and older names.
ASIDE = (
    r"cpu_op|operator|user_annotation|python_function|cpu_instant_event|overhead"
    r"|external_correlation|glow_runtime|hpu_op|trace|fwdbwd|ac2g|async.*|nvtx.*"
    r"|.*sync.*|.*_event|.*_profiler_range|.*counters?|.*_insight|.*_scope_profiler|"
)
"""A pattern of the categories known to be no work of a GPU; case doesn't matter."""

_ASIDE = re.compile(ASIDE, re.IGNORECASE)


def is_known_aside(cat: str) -> bool:
    """Whether a category is known to be no work of a GPU."""
    return _ASIDE.fullmatch(cat) is not None
