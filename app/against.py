"""Which step a session compares with: another of the recording, or of another one."""

from dataclasses import replace

from overlap_widget.app.measured import Measured
from overlap_widget.model.default_step import default_step
from overlap_widget.model.recording import Recording


def compare_with(measured: Measured, index: int) -> Measured:
    """Compare the whole step with one of a recording; below 0 with none.

    In another recording with the step of the same name, else its default one; in
    the recording that is shown the step before, else the one after.
    """
    if index < 0:
        return _in_view(measured, None)
    chosen = min(index, len(measured.recordings) - 1)
    other = measured.recordings[chosen]
    device = min(measured.device, len(other.devices) - 1)
    against = (chosen, device, _fitting(measured, chosen))
    return replace(_in_view(measured, against), part_s=None)


def compare_with_device(measured: Measured, index: int) -> Measured:
    """Compare with another device of the same recording."""
    if measured.against is None:
        return measured
    recording, _, step = measured.against
    last = len(measured.recordings[recording].devices) - 1
    return _in_view(measured, (recording, min(max(index, 0), last), step))


def compare_with_step(measured: Measured, index: int) -> Measured:
    """Compare with another step of the same recording."""
    if measured.against is None:
        return measured
    recording, device, _ = measured.against
    last = len(measured.recordings[recording].steps) - 1
    return _in_view(measured, (recording, device, min(max(index, 0), last)))


def swapped(measured: Measured) -> Measured:
    """The step that is compared with is shown, and the other way round."""
    if measured.against is None:
        return measured
    recording, device, step = measured.against
    return replace(
        measured,
        recording=recording,
        device=device,
        step=step,
        window_s=None,
        against=(measured.recording, measured.device, measured.step),
    )


def compared(measured: Measured) -> Measured:
    """The session looking at what it compares with; ValueError if at nothing."""
    if measured.against is None:
        raise ValueError("there is nothing to compare with")
    recording, device, step = measured.against
    return replace(measured, recording=recording, device=device, step=step)


def _in_view(measured: Measured, against: tuple[int, int, int] | None) -> Measured:
    """Compare with that, and look at all of it: the time axis is another one then."""
    return replace(measured, against=against, window_s=None)


def _fitting(measured: Measured, chosen: int) -> int:
    if chosen == measured.recording:
        return measured.step - 1 if measured.step else _last(measured.shown, 1)
    other = measured.recordings[chosen]
    name = measured.shown.steps[measured.step].name if measured.shown.steps else ""
    names = [step.name for step in other.steps]
    return names.index(name) if name in names else default_step(other) or 0


def _last(recording: Recording, step: int) -> int:
    """The step, or the last one where there are fewer."""
    return min(step, len(recording.steps) - 1)
