"""Names of kernels in an Nsight Systems export: numbers of strings, or texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.nsys_sqlite_database import Database, Table, texts

_COLUMNS = ("demangledName", "shortName", "mangledName", "name", "nameId")
_NO_NAME = -1


@dataclass(frozen=True, slots=True)
class NameNumber:
    """Which number stands for a name, as SQL, and the texts that had none."""

    expression: str
    numbered: dict[str, int] = field(default_factory=dict)


def name_number(source: Database, table: Table) -> NameNumber:
    """How to read the names of a table; numbers texts as they come."""
    column = table.column(*_COLUMNS)
    if column is None:
        return NameNumber(str(_NO_NAME))
    query = f"SELECT typeof({column}) FROM {table.name} LIMIT 1"
    if source.connection.execute(query).fetchone()[0] != "text":
        return NameNumber(table.number(*_COLUMNS, default=_NO_NAME))
    numbered: dict[str, int] = {}
    source.connection.create_function(
        "number_of", 1, lambda name: numbered.setdefault(str(name), len(numbered))
    )
    return NameNumber(f"number_of({column})", numbered)


def kernel_names(
    source: Database, named: NameNumber, numbers: Sequence[int]
) -> list[str]:
    """The names by their numbers; raises TraceError if the export has none at all.

    Without names communication can't be told from compute.
    """
    found: Mapping[int, str] = (
        {number: name for name, number in named.numbered.items()}
        if named.numbered
        else texts(source, [number for number in numbers if number >= 0])
    )
    if not found and len(numbers):
        raise TraceError(
            f"{source.path}: holds no names of kernels (table StringIds), without "
            "which communication can't be told from compute; export it again with "
            "`nsys export --type sqlite`"
        )
    return [
        found.get(number, f"(kernel without a name, {number})") for number in numbers
    ]
