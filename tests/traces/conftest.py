"""Tiny traces, one situation each; tests/data/kineto/README.md lists them."""

from pathlib import Path

import numpy as np
import pytest

from overlap_widget.model.traces import TraceError, load, load_all

DATA = Path(__file__).parents[1] / "data" / "kineto"


@pytest.fixture(scope="session")
def kineto():
    """Load the file of a situation."""
    return lambda name, **options: load(str(DATA / f"{name}.json"), **options)


@pytest.fixture(scope="session")
def path_of():
    """Where the file of a situation lies."""
    return lambda name: DATA / f"{name}.json"


@pytest.fixture(scope="session")
def spans_us():
    """The spans as (name, start, end) in microseconds."""

    def spans(recording):
        timeline = recording.spans
        return [
            (timeline.names[name], round(start * 1e6, 6), round(end * 1e6, 6))
            for name, start, end in zip(
                timeline.name, timeline.start_s, timeline.end_s, strict=True
            )
        ]

    return spans


@pytest.fixture
def refusal(tmp_path):
    """Write a file and take the sentence with which it, or a part of it, is refused."""

    def refused(content, name="trace.json"):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(TraceError) as error:
            load_all(str(path))
        sentence = str(error.value)
        assert sentence.startswith((f"{path}: ", f"{path}/"))
        assert "\n" not in sentence
        return sentence.removeprefix(f"{path}").removeprefix(": ")

    return refused


@pytest.fixture(scope="session")
def is_sound():
    """No time is NaN, negative or decades away, whatever the file held."""

    def sound(recording):
        spans = recording.spans
        return (
            len(spans) > 0
            and np.isfinite(spans.start_s).all()
            and np.isfinite(spans.end_s).all()
            and spans.start_s.min() == 0
            and (spans.end_s >= spans.start_s).all()
            and (np.diff(spans.start_s) >= 0).all()
            and len(recording.steps) > int(recording.step.max())
        )

    return sound
