"""Which rank a process of an Nsight Systems report is, and when its clock began."""

import re
from collections.abc import Mapping, Sequence

from overlap_widget.model.traces.nccl_calls import Nccl
from overlap_widget.model.traces.nsys_sqlite_database import Database
from overlap_widget.model.traces.nsys_sqlite_work import PID_SHIFT
from overlap_widget.model.traces.range_steps import NamedRange

_VARIABLES = (
    "RANK",  # of torchrun
    "OMPI_COMM_WORLD_RANK",
    "PMIX_RANK",
    "PMI_RANK",
    "MV2_COMM_WORLD_RANK",
    "SLURM_PROCID",
)
_RANK_NAME = re.compile(r"\W*(?:global[ _]?)?rank[ _:=#]*(\d{1,9})\W*", re.IGNORECASE)
_PID = (1 << PID_SHIFT) - 1
_NAMED = 4


def ranks_of(
    source: Database,
    processes: Sequence[int],
    nccl: Mapping[int, Nccl],
    named: Mapping[int, Sequence[NamedRange]],
) -> tuple[dict[int, int | None], list[str]]:
    """The rank of each process, and a sentence where it is a guess.

    By the ranks of MPI; by NCCL's largest communicator; by a range such as "rank 3";
    of a single process by the variables of its launcher; else in the order of the
    process ids.
    """
    for told in (_by_mpi(source), _by_nccl(nccl), _by_names(named)):
        ranks = {process: told[process] for process in processes if process in told}
        if len(set(ranks.values())) == len(processes):
            return dict(ranks), []
    if len(processes) == 1:
        return {processes[0]: _by_environment(source)}, []
    ordered = sorted(processes)
    ids = ", ".join(str(process & _PID) for process in ordered[:_NAMED])
    more = ", ..." if len(ordered) > _NAMED else ""
    return {process: rank for rank, process in enumerate(ordered)}, [
        "the report doesn't tell the ranks, so its processes are numbered in the "
        f"order of their ids ({ids}{more})"
    ]


def began_ns(source: Database) -> int:
    """What to add to the report's times for those since 1970; 0 where untold.

    Newer reports count from the start of the machine, older from their own.
    """
    table = source.table("TARGET_INFO_SESSION_START_TIME")
    if table is None or table.column("utcEpochNs") is None:
        return 0
    epoch = table.number("utcEpochNs", default=0)
    clock = table.number("systemClockNs", default=0)
    query = f"SELECT {epoch} - {clock} FROM {table.name} LIMIT 1"
    return int(source.connection.execute(query).fetchone()[0])


def _by_mpi(source: Database) -> dict[int, int]:
    table = source.table("MPI_RANKS")
    if table is None:
        return {}
    thread, rank = (table.number(name, default=-1) for name in ("globalTid", "rank"))
    rows = source.connection.execute(f"SELECT {thread}, {rank} FROM {table.name}")
    return {int(one) >> PID_SHIFT: int(own) for one, own in rows if own >= 0}


def _by_nccl(nccl: Mapping[int, Nccl]) -> dict[int, int]:
    found = {}
    for process, told in nccl.items():
        if told.rank:
            largest = max(told.rank, key=lambda one: told.ranks[one])
            found[process] = told.rank[largest]
    return found


def _by_names(named: Mapping[int, Sequence[NamedRange]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for process, ranges in named.items():
        told = [_RANK_NAME.fullmatch(one.text) for one in ranges]
        ranks = {int(one[1]) for one in told if one}
        if len(ranks) == 1:
            found[process] = ranks.pop()
    return found


def _by_environment(source: Database) -> int | None:
    """From what the profiler saw of the environment that it was started in."""
    noted: list[tuple[str, str]] = []
    for name in ("TARGET_INFO_SYSTEM_ENV", "META_DATA_CAPTURE"):
        table = source.table(name)
        if table and table.column("name") and table.column("value"):
            noted += source.connection.execute(
                f"SELECT CAST(name AS TEXT), CAST(value AS TEXT) FROM {table.name}"
            ).fetchall()
    for variable in _VARIABLES:
        inside = re.compile(rf"(?<![A-Za-z0-9_]){variable}=(\d{{1,9}})(?!\d)")
        for name, value in noted:
            found = inside.search(str(value))
            if name == variable and re.fullmatch(r"\d{1,9}", str(value)):
                return int(value)
            if found:
                return int(found[1])
    return None
