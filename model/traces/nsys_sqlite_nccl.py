"""What NCCL noted of its calls, in an Nsight Systems export.

NCCL marks its calls with NVTX ranges whose payload is binary, laid out as the table
NVTX_PAYLOAD_SCHEMA_ENTRIES says; older exports have it as JSON. A payload begins with
32 bytes: domain, schema (at 8), its size (at 16).
"""

import json
import re
import struct
from collections.abc import Mapping, Sequence

from overlap_widget.model.traces.nccl_calls import FIELDS, Call, Fields
from overlap_widget.model.traces.nsys_sqlite_database import Database
from overlap_widget.model.traces.nsys_sqlite_ranges import NcclRange

_HEADER_BYTES = 32
_SCHEMA_AT = 8
_FORMATS = {5: "<I", 18: "<Q", 22: "<Q"}  # types of NVTX payload entries

Schemas = Mapping[int, Sequence[tuple[str, int, str]]]


def schemas_in(source: Database) -> Schemas:
    """Of each payload schema its fields: name, offset in bytes, format of the value."""
    table = source.table("NVTX_PAYLOAD_SCHEMA_ENTRIES")
    found: dict[int, list[tuple[str, int, str]]] = {}
    if table is None or table.column("name") is None:
        return found
    columns = [table.number(name, default=0) for name in ("schemaId", "offset", "type")]
    named = ", ".join(f"'{name}'" for name in FIELDS)
    rows = source.connection.execute(
        f"SELECT DISTINCT name, {', '.join(columns)} FROM {table.name} "
        f"WHERE name IN ({named})"
    )
    for name, schema, offset, kind in rows:
        if kind in _FORMATS:
            found.setdefault(schema, []).append((name, offset, _FORMATS[kind]))
    return found


def call_of(noted: NcclRange, schemas: Schemas) -> Call:
    """The call with the fields of its payload, as far as they can be read."""
    fields: Fields = {}
    if isinstance(noted.payload, bytes) and len(noted.payload) > _HEADER_BYTES:
        fields = _fields_of_bytes(noted.payload, schemas)
    elif noted.text:
        fields = _fields_of_text(noted.text)
    return Call(noted.name, noted.start_ns, noted.end_ns, noted.thread, fields)


def _fields_of_bytes(payload: bytes, schemas: Schemas) -> Fields:
    (schema,) = struct.unpack_from("<I", payload, _SCHEMA_AT)
    return {
        name: struct.unpack_from(code, payload, _HEADER_BYTES + offset)[0]
        for name, offset, code in schemas.get(schema, ())
        if 0 <= offset <= len(payload) - _HEADER_BYTES - struct.calcsize(code)
    }


def _fields_of_text(text: str) -> Fields:
    """The fields wherever they stand in the JSON."""
    try:
        rest = [json.loads(text)]
    except (ValueError, RecursionError):
        return {}
    found: dict[str, int] = {}
    while rest:
        value = rest.pop()
        if isinstance(value, list):
            rest.extend(value)
        elif isinstance(value, dict):
            rest.extend(value.values())
            for name in FIELDS:
                number = re.fullmatch(r"\d{1,20}", str(value.get(name)))
                if number:
                    found[name] = int(number[0])
    return found
