"""Why an SQLite file has no GPU work for us: what it is instead, and what to do."""

from collections.abc import Sequence

from overlap_widget.model.traces.nsys_sqlite_database import Database
from overlap_widget.model.traces.nsys_sqlite_work import KERNELS

_NSYS = ("stringids", "meta_data_export", "export_meta_data", "target_info_system_env")
_TABLES_SHOWN = 4


def why_no_work(source: Database) -> str:
    """The sentence, without the path before it."""
    tables = set(source.tables)
    if any(name.startswith("rocpd_kernel_dispatch") for name in tables):
        return (
            "is a rocpd database of rocprofv3; convert it with `rocpd convert -i FILE "
            "--output-format csv`, or record with `rocprofv3 --output-format csv`"
        )
    if any(name.startswith("rocpd_") for name in tables):
        return (
            "is an RPD trace (rocmProfileData); convert it with `rpd2tracing.py FILE "
            "trace.json`"
        )
    if {"cupti_activity_kind_concurrent_kernel", "stringtable"} & tables:
        return (
            "is a database of nvprof, which isn't read; record the run with `nsys "
            "profile --trace=cuda,nvtx` instead"
        )
    if KERNELS.lower() in tables or tables.intersection(_NSYS):
        return (
            "the Nsight Systems report holds no GPU work; record the run with `nsys "
            "profile --trace=cuda,nvtx`, and export while CUDA work runs in the capture"
        )
    return (
        f"is an SQLite database, but no Nsight Systems export: {KERNELS} is not among "
        f"its {_counted(sorted(source.tables.values()))}; export the report with "
        "`nsys export --type sqlite REPORT.nsys-rep`"
    )


def _counted(names: Sequence[str]) -> str:
    if not names:
        return "tables (it has none)"
    shown = ", ".join(names[:_TABLES_SHOWN])
    more = ", ..." if len(names) > _TABLES_SHOWN else ""
    return (
        f"{len(names)} tables ({shown}{more})" if len(names) > 1 else f"table {shown}"
    )
