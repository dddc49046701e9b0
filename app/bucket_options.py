"""The options that fill buckets: by layers, bytes, elements, or a framework's rule.

`--bucket-elements` goes alone, or sets the number of Megatron's or DeepSpeed's rule.
"""

import argparse
from dataclasses import dataclass
from typing import Any

from overlap_widget.app.controls import DEFAULT_BUCKET, default_bucket
from overlap_widget.app.option_readers import (
    bytes_of_one,
    given_or,
    reader,
    whole_number,
)
from overlap_widget.app.quantities import size_text
from overlap_widget.model.effects import Effects
from overlap_widget.model.elements import element_count, elements_bytes
from overlap_widget.model.layer import Plan
from overlap_widget.model.link import Cost
from overlap_widget.model.plans import Filling, whole_layers
from overlap_widget.model.rules import (
    DDP_CAP_MIB,
    RULES,
    deepspeed_filling,
    megatron_filling,
)
from overlap_widget.model.scenarios import Scenario
from overlap_widget.model.units import MB, MIB, size_bytes

FIRST_BUCKET_BYTES = 1 * MIB  # kDefaultFirstBucketBytes in PyTorch's reducer.hpp
COUNTING = ("megatron", "deepspeed")
"""The rules that count elements."""


@dataclass(frozen=True, slots=True)
class Buckets:
    """How the layers are grouped, and why so.

    is_given: whether an option asked for them
    says:     the rule that filled them, one or two sentences; empty for whole layers
    options:  those beyond the plain ones, by their JSON keys
    filling:  the limits, where neither a count of layers nor a rule's name says it all
    """

    plan: Plan
    is_given: bool
    says: str
    options: dict[str, Any]
    filling: Filling | None = None


def add_bucket_arguments(parser: argparse.ArgumentParser) -> None:
    """All ways to fill buckets; of the first three only one may be given."""
    group = parser.add_argument_group("buckets")
    ways = group.add_mutually_exclusive_group()
    ways.add_argument(
        "--bucket",
        metavar="N",
        type=whole_number,
        help=f"layers to a bucket; default {DEFAULT_BUCKET}",
    )
    ways.add_argument(
        "--bucket-bytes",
        metavar="SIZE",
        type=reader(size_bytes, zero=False),
        help="close a bucket once it holds this: 25MiB, 25MB; a bare number is MB",
    )
    ways.add_argument(
        "--plan", metavar="NAME", choices=RULES, help=f"a rule: {', '.join(RULES)}"
    )
    group.add_argument(
        "--first-bucket",
        metavar="SIZE",
        type=reader(size_bytes, zero=False),
        help="--bucket-bytes of the first bucket; default 1MiB, as in PyTorch's DDP",
    )
    _add_element_arguments(group)


def _add_element_arguments(group: Any) -> None:
    group.add_argument(
        "--bucket-elements",
        metavar="N",
        type=reader(element_count, zero=False),
        help="close a bucket once it holds so many parameters, as Megatron does; with "
        "--plan deepspeed before it would hold more",
    )
    group.add_argument(
        "--element-bytes",
        metavar="B",
        type=bytes_of_one,
        help="bytes of each of them, 2 in bf16; default as the scenario has them",
    )


def buckets_of(
    arguments: argparse.Namespace, scenario: Scenario, link: Cost, effects: Effects
) -> Buckets:
    """The buckets asked for; raises ValueError for options that don't fit together."""
    _check(arguments)
    if arguments.bucket_elements is not None:
        return _of_elements(arguments, scenario)
    if arguments.plan is not None:
        return _of_rule(arguments, scenario, link, effects)
    if arguments.bucket_bytes is not None:
        return _of_bytes(arguments, scenario)
    size = given_or(arguments.bucket, default_bucket(scenario))
    plan = whole_layers(len(scenario.layers), size)
    return Buckets(plan, arguments.bucket is not None, "", {})


def _check(arguments: argparse.Namespace) -> None:
    if arguments.first_bucket is not None and arguments.bucket_bytes is None:
        raise ValueError("--first-bucket goes with --bucket-bytes; name both")
    counts = arguments.bucket_elements is not None
    for option, value in (
        ("--bucket", arguments.bucket),
        ("--bucket-bytes", arguments.bucket_bytes),
        (f"--plan {arguments.plan}", arguments.plan),
    ):
        if counts and value is not None and value not in COUNTING:
            raise ValueError(f"--bucket-elements can't go with {option}; leave out one")
    if arguments.element_bytes is not None and not (
        counts or arguments.plan in COUNTING
    ):
        raise ValueError(
            "--element-bytes goes with --bucket-elements, or with --plan "
            f"{' or '.join(COUNTING)}; name one of them"
        )


def _of_elements(arguments: argparse.Namespace, scenario: Scenario) -> Buckets:
    """So many to a bucket: at least, as Megatron fills them, or at most."""
    each = given_or(arguments.element_bytes, scenario.element_bytes)
    count = int(arguments.bucket_elements)
    held = size_text(elements_bytes(count, each))
    if arguments.plan == "deepspeed":
        filling = deepspeed_filling(each, count)
        says = f"Buckets hold at most {count:,} elements of {size_text(each)}, {held}, "
        says += "unless one tensor holds more, as in DeepSpeed's ZeRO."
    else:
        filling = megatron_filling(each, bucket_size=count)
        says = f"Buckets close once they hold {count:,} parameters of "
        says += f"{size_text(each)}, {held}, as in Megatron Core."
    options = {"bucket_elements": count, "element_bytes": each}
    plan = filling.plan_of(scenario.layers)
    return Buckets(plan, True, says, _with_plan(arguments) | options, filling)


def _of_rule(
    arguments: argparse.Namespace, scenario: Scenario, link: Cost, effects: Effects
) -> Buckets:
    rule = RULES[arguments.plan]
    each = given_or(arguments.element_bytes, scenario.element_bytes)
    ranks = given_or(arguments.ranks, 1)
    plan = rule.plan_of(scenario.layers, link, effects, each, ranks)
    says, options = f"{rule.title}: {rule.says}", _with_plan(arguments)
    if arguments.plan in COUNTING:
        says += f" Each takes {size_text(each)}."
        options["element_bytes"] = each
    if arguments.plan == "best" and not effects.is_separable:
        says = (
            f"{rule.title}: the better of the best bucket size and the plan that is "
            "best where transfers neither slow compute nor follow every micro-step; "
            "no search over all plans is exact here."
        )
    return Buckets(plan, True, says, options, _filling(arguments, ranks))


def _filling(arguments: argparse.Namespace, ranks: int) -> Filling | None:
    """Of a rule whose elements have another size than the scenario's."""
    if arguments.element_bytes is None:
        return None
    if arguments.plan == "deepspeed":
        return deepspeed_filling(arguments.element_bytes)
    return megatron_filling(arguments.element_bytes, ranks)


def _with_plan(arguments: argparse.Namespace) -> dict[str, Any]:
    return {"plan": arguments.plan} if arguments.plan else {}


def _of_bytes(arguments: argparse.Namespace, scenario: Scenario) -> Buckets:
    limit_bytes = arguments.bucket_bytes
    first_bytes = given_or(arguments.first_bucket, FIRST_BUCKET_BYTES)
    filling = Filling(limit_bytes, first_bytes)
    plan = filling.plan_of(scenario.layers)
    says = f"Buckets close once they hold {_limit_text(limit_bytes)}"
    if first_bytes != limit_bytes:
        says += f", the first once it holds {_limit_text(first_bytes)}"
    if arguments.first_bucket is None:
        says += f", {_ddp_text(limit_bytes)}"
    return Buckets(plan, True, f"{says}.", {}, filling)


def _limit_text(limit_bytes: float) -> str:
    """`25 MiB` of whole MiB, which frameworks count, else a size as anywhere else."""
    mib = limit_bytes / MIB
    return f"{mib:g} MiB" if mib.is_integer() else size_text(limit_bytes)


def _ddp_text(limit_bytes: float) -> str:
    """Which releases of PyTorch's DDP have a small first bucket, and how to do without.

    See `model/rules.py` for the sources.
    """
    mib = limit_bytes / MIB
    size = f"{mib:g}MiB" if mib.is_integer() else f"{limit_bytes / MB:.12g}MB"
    since = "Later releases"
    as_in = "as in PyTorch's DDP before 2.4"
    if mib == DDP_CAP_MIB:
        since, as_in = "Releases since 2.4", "as in PyTorch's DDP without a cap"
    return (
        f"{as_in}. {since} take a given bucket_cap_mb for the first bucket too: "
        f"--first-bucket {size}"
    )
