"""Edits of what kernels count as: on exact names, on all recordings, undone exactly."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.app.explorer import Explorer
from overlap_widget.app.front import Front
from overlap_widget.app.kernel_classes import (
    MOST_RULES,
    exact,
    kernel_class_of,
    reclassified,
    undone,
)
from overlap_widget.app.measured import Measured, all_opened, example, opened
from overlap_widget.app.measured_view import measured_view
from overlap_widget.app.rules_text import rules_text
from overlap_widget.model.breakdown import break_down
from overlap_widget.model.classes import Classes, Rule
from overlap_widget.model.recording import Step, window
from overlap_widget.model.rules_file import load_rules
from overlap_widget.model.timeline import Collective, Kind

REDUCED = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"


def with_names(path, *names, peers=0):
    """The example's spans under other names, in turn; the first ones copy to a peer."""
    recording = example()
    spans = recording.spans
    collective = spans.collective.copy()
    collective[:peers] = Collective.PEER_COPY
    kind = np.where(np.arange(len(spans)) < peers, Kind.OTHER, spans.kind)
    name = (np.arange(len(spans)) % len(names)).astype(np.int32)
    changed = replace(
        spans,
        names=names,
        name=name,
        kind=kind.astype(np.uint8),
        collective=collective,
    )
    return replace(recording, path=path, spans=changed, loaded_kind=changed.kind.copy())


def kinds(measured, at=0):
    return measured.recordings[at].spans.kind.tolist()


def kernels(measured):
    return measured_view(measured)["kernels"]


def test_an_edit_changes_the_numbers_of_the_step_and_undoing_brings_them_back():
    before = opened(Measured(), example())
    name = kernels(before)["name"][0]
    after = kernel_class_of(before, name, "other")

    assert measured_view(before)["numbers"]["communication_s"] > 0
    assert kernels(after)["kind"][kernels(after)["name"].index(name)] == "other"
    assert measured_view(after)["numbers"] != measured_view(before)["numbers"]
    back = undone(after)
    assert measured_view(back)["numbers"] == measured_view(before)["numbers"]
    assert back.recordings[0].warnings == before.recordings[0].warnings
    assert undone(back) == back


def test_what_was_a_transfer_by_a_rule_alone_is_as_it_was_once_it_is_undone():
    before = opened(Measured(), example())
    name = next(
        name
        for name, kind in zip(*map(kernels(before).get, ("name", "kind")), strict=True)
        if kind == "compute"
    )
    moving = kernel_class_of(before, name, "communication")
    back = undone(moving).shown.spans

    assert np.isnan(moving.shown.spans.size_bytes).any()
    assert np.array_equal(back.size_bytes, before.shown.spans.size_bytes)
    assert np.array_equal(back.collective, before.shown.spans.collective)


def test_an_edit_is_on_all_open_recordings_and_on_those_that_open_later():
    one, two = with_names("a", "x", "y"), with_names("b", "y", "z")
    measured = kernel_class_of(all_opened([one]), "y", "communication")
    measured = opened(measured, two)

    for at in range(2):
        shown = measured.recordings[at]
        rows = shown.spans.name == shown.spans.names.index("y")
        assert set(shown.spans.kind[rows].tolist()) == {Kind.COMMUNICATION}


def test_a_name_with_signs_of_patterns_changes_nothing_but_itself():
    names = ("f(char*)", "f(char, int)", "g[2]", "g2", "h?", "hi")
    measured = all_opened([with_names("a", *names)])
    for name in ("f(char*)", "g[2]", "h?"):
        measured = kernel_class_of(measured, name, "other")
    spans = measured.shown.spans

    others = {
        name
        for code, name in enumerate(names)
        if (spans.kind[spans.name == code] == Kind.OTHER).all()
    }
    assert others - {"hi"} == {"f(char*)", "g[2]", "h?"}
    assert measured_view(measured)["classes"]["rules"]["name"] == [
        "f(char*)",
        "g[2]",
        "h?",
    ]


def test_as_loaded_takes_the_edit_away_and_outdoes_a_pattern_that_fits_too():
    # compute and communication are mixed in mine_1; the peer copies are all of "copy"
    measured = all_opened([with_names("a", "mine_1", "mine_2")])
    alone = all_opened([with_names("b", "mine_3", peers=10**6)])
    pattern = Classes((Rule("mine_*", Kind.COMMUNICATION),))
    backs = []
    for one, name in ((measured, "mine_1"), (alone, "mine_3")):
        by_pattern = reclassified(one, pattern)
        edited = kernel_class_of(by_pattern, name, "compute")
        assert len(edited.classes.rules) == 2
        backs.append(kernel_class_of(edited, name, "loaded"))

    assert backs[0].classes == pattern  # nothing else would be as it was loaded
    assert set(kinds(backs[1])) == {Kind.OTHER}


def test_a_row_says_what_its_name_was_loaded_as_peer_copies_included():
    measured = all_opened([with_names("a", "copy", peers=10**6)])
    counted = replace(measured.classes, count_peer_copies=True)

    assert kernels(measured)["loaded"] == ["other"]
    assert kernels(reclassified(measured, counted))["loaded"] == ["communication"]
    assert kernels(reclassified(measured, counted))["kind"] == ["communication"]


def test_an_edit_of_an_unknown_name_or_class_and_too_many_rules_are_refused():
    measured = all_opened([with_names("a", "x")])
    for name, value in (("y", "other"), ("x", "music")):
        with pytest.raises(KeyError):
            kernel_class_of(measured, name, value)
    rules = tuple(Rule(f"k{at}", Kind.OTHER) for at in range(MOST_RULES + 1))
    with pytest.raises(ValueError, match="more than"):
        reclassified(measured, Classes(rules))


def test_a_search_finds_names_beyond_the_listed_ones_in_capitals_or_not():
    names = [f"Kernel_{at}" for at in range(150)]
    recording = with_names("a", *names)
    one_step = np.zeros(len(recording.spans), dtype=np.int32)
    recording = replace(recording, step=one_step, steps=(Step("0", True),))
    explorer = Explorer([recording])
    found = []
    for text in ("", "kernel_14", "  KERNEL_149 ", "nothing"):
        explorer.move({"type": "search", "value": text})
        view = explorer.__panel__().parts["view"]["measured"]
        found.append(
            (view["kernels"]["kernels_total"], sorted(view["kernels"]["name"]))
        )

    assert len(found[0][1]) == 100
    assert set(found[1][1]) == {"Kernel_14", *(f"Kernel_14{at}" for at in range(10))}
    assert set(found[2][1]) == {"Kernel_149"}
    assert found[3] == (0, [])


def test_the_steps_are_cut_anew_after_an_edit():
    explorer = Explorer(query="mode=measured")
    name = explorer.__panel__().parts["view"]["measured"]["kernels"]["name"][0]
    explorer.move({"type": "class", "name": name, "value": "other"})
    numbers = explorer.__panel__().parts["view"]["measured"]["numbers"]
    recording = explorer.measured.shown
    parts = break_down(window(recording, 0, explorer.measured.step).timeline)

    assert numbers["communication_s"] == parts.communication_s


RULES = st.lists(
    st.builds(Rule, st.text("ab*?", min_size=1, max_size=3), st.sampled_from(Kind)),
    max_size=6,
    unique_by=lambda rule: rule.pattern,
)
NAMES = st.lists(st.text("ab*[", min_size=1, max_size=3), max_size=8, unique=True)


@given(RULES, NAMES)
def test_saved_rules_open_as_they_were_for_every_name(tmp_path_factory, rules, names):
    wanted = {name: Classes(tuple(rules)).kind_of(name) for name in names}
    text = rules_text(rules, names)
    if json.loads(text) == {}:
        assert not any(wanted.values())
        return
    path = tmp_path_factory.mktemp("rules") / "mine.json"
    path.write_text(text, encoding="utf-8")
    again = Classes(load_rules(path))

    for name, kind in wanted.items():
        if kind is not None or "?" not in exact(name):
            assert again.kind_of(name) == kind


def test_the_rules_are_handed_over_as_a_file(monkeypatch):
    files = []
    monkeypatch.setattr(Front, "hand_over", lambda _, *file: files.append(file))
    explorer = Explorer([with_names("a", "x", "y")])
    explorer.move({"type": "class", "name": "y", "value": "communication"})
    explorer.move({"type": "save_classes"})

    ((name, text),) = files
    assert name == "kernel-classes.json"
    assert json.loads(text) == {"communication": ["y"]}
