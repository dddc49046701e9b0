"""The timeline model: data in, data out; no drawing, no server.

Seconds and bytes as float64; the unit stands in every name. A simulated and a
measured step are the same type, `Timeline`.
"""

from overlap_widget.model.backward import Simulation, Tail, Transfer, simulate
from overlap_widget.model.breakdown import Breakdown, break_down
from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.layer import Layer, Plan
from overlap_widget.model.link import Cost, Link, MeasuredLink, ring_factor
from overlap_widget.model.plans import (
    Best,
    best_bucket,
    best_of,
    best_plan,
    by_bytes,
    tails,
    whole_layers,
)
from overlap_widget.model.recording import Recording, Step, Window, window
from overlap_widget.model.simulated import timeline_of
from overlap_widget.model.timeline import Collective, Kind, Timeline

__all__ = [
    "OFF",
    "Best",
    "Breakdown",
    "Collective",
    "Cost",
    "Effects",
    "Kind",
    "Layer",
    "Link",
    "MeasuredLink",
    "Plan",
    "Recording",
    "Simulation",
    "Step",
    "Tail",
    "Timeline",
    "Transfer",
    "Window",
    "best_bucket",
    "best_of",
    "best_plan",
    "break_down",
    "by_bytes",
    "ring_factor",
    "simulate",
    "tails",
    "timeline_of",
    "whole_layers",
    "window",
]
