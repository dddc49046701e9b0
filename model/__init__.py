"""The timeline model: data in, data out; no drawing, no server.

Seconds and bytes as float64; the unit stands in every name. A simulated and a
measured step are the same type, `Timeline`.
"""

from overlap_widget.model.backward import Simulation, Tail, Transfer, simulate
from overlap_widget.model.breakdown import Breakdown, break_down
from overlap_widget.model.classes import Classes, Rule
from overlap_widget.model.classified import classified
from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.explain import Explanation, explain
from overlap_widget.model.landscape import Landscape, landscape
from overlap_widget.model.layer import Layer, Plan
from overlap_widget.model.link import Cost, Link, MeasuredLink, ring_factor
from overlap_widget.model.links import LINKS
from overlap_widget.model.plans import (
    Best,
    best_bucket,
    best_of,
    best_plan,
    by_bytes,
    tails,
    whole_layers,
)
from overlap_widget.model.recording import Group, Phase, Recording, Step, Window, window
from overlap_widget.model.regime import Regime, regime
from overlap_widget.model.rules import RULES, ddp, deepspeed, megatron
from overlap_widget.model.scenarios import SCENARIOS
from overlap_widget.model.simulated import timeline_of
from overlap_widget.model.sweep import Sweep, sweep
from overlap_widget.model.timeline import Collective, Kind, Timeline

__all__ = [
    "LINKS",
    "OFF",
    "RULES",
    "SCENARIOS",
    "Best",
    "Breakdown",
    "Classes",
    "Collective",
    "Cost",
    "Effects",
    "Explanation",
    "Group",
    "Kind",
    "Landscape",
    "Layer",
    "Link",
    "MeasuredLink",
    "Phase",
    "Plan",
    "Recording",
    "Regime",
    "Rule",
    "Simulation",
    "Step",
    "Sweep",
    "Tail",
    "Timeline",
    "Transfer",
    "Window",
    "best_bucket",
    "best_of",
    "best_plan",
    "break_down",
    "by_bytes",
    "classified",
    "ddp",
    "deepspeed",
    "explain",
    "landscape",
    "megatron",
    "regime",
    "ring_factor",
    "simulate",
    "sweep",
    "tails",
    "timeline_of",
    "whole_layers",
    "window",
]
