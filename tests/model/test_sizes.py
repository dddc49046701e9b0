"""All bucket sizes at once: the numbers of `schedule`, one by one or together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import Effects, Layer, Link, MeasuredLink
from overlap_widget.model.plans import whole_layer_plans
from overlap_widget.model.schedule import running_totals, schedule
from overlap_widget.model.sizes import FEW, MOST_SLOWED, ends_of

TIMES = st.floats(0, 2, allow_subnormal=False)
LAYERS = st.lists(
    st.builds(Layer, st.just("layer"), TIMES, st.floats(0, 9, allow_subnormal=False)),
    min_size=FEW + 1,
    max_size=FEW + 9,
)
LINKS = st.builds(Link, TIMES, st.floats(0.5, 50)) | st.just(
    MeasuredLink((1, 4, 20), (0.5, 0.4, 3), line=Link(0.3, 7))
)


@given(
    LAYERS,
    LINKS,
    st.builds(
        Effects,
        slowdown=st.sampled_from([0, 0.19, 2]),
        late_s=st.sampled_from([0, 1.5]),
        micro_steps=st.integers(1, 2),
        every_micro_step=st.booleans(),
    ),
)
def test_sizes_that_go_on_together_end_as_each_does_alone(layers, link, effects):
    totals = running_totals(layers * effects.micro_steps)
    plans = whole_layer_plans(layers)
    found = ends_of(totals, plans, link, effects)

    for at, plan in enumerate(plans):
        alone = schedule(totals, plan, link, effects)
        assert found.last_bytes[at] == alone.sizes_bytes[-1]
        assert found.queued_s[at] == alone.queued_s
        assert found.backward_s[at] == alone.done_s[-1]


def test_a_slowdown_of_more_layers_than_can_be_swept_is_one_sentence():
    layers = [Layer("", 1e-6, 1e3)] * (MOST_SLOWED + 1)
    totals = running_totals(layers)
    plans = [(len(layers),)]

    with pytest.raises(ValueError, match=r"at most 10,000 layers.* not 10,001; put"):
        ends_of(totals, plans, Link(0, 1e9), Effects(slowdown=0.1))
    assert ends_of(totals, plans, Link(0, 1e9), Effects()).queued_s == [0]
