"""Laws of every source: whatever bytes stand in one record, the records around it are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.ingest.sources.catalog_export import header_line
from catalog.ingest.sources.table import SOURCES
from tests.ingest.kernelindex_samples import base
from tests.ingest.source_samples import OPERATION, WORKLOAD, jsonl, liger_csv, read, reasons

FILES = {
    "liger": liger_csv(*[{"x_value": str(1024 * n)} for n in range(1, 6)]),
    "kernelindex": jsonl({"table": "sources", "row": base()["sources"]["row"]}, *[base()["artifacts"]] * 5),
    "catalog": header_line().encode()
    + jsonl(*[{"manifest": body} for body in [OPERATION, WORKLOAD] * 2], {}),
}


@pytest.mark.parametrize("source", list(FILES))
@given(data=st.data())
def test_a_damaged_record_leaves_those_around_it(source: str, data: st.DataObject) -> None:
    lines = FILES[source].splitlines(keepends=True)
    expected = reasons(read(SOURCES[source], FILES[source]))
    changed = bytearray(lines[3].rstrip(b"\r\n"))
    end = lines[3][len(changed) :]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(changed) - 1))
        changed[place : place + 1] = data.draw(st.sampled_from([b'"', b",", b"\n", b"\xff", b"9", b"", b"}"]))
    found = reasons(read(SOURCES[source], b"".join([*lines[:3], bytes(changed), end, *lines[4:]])))
    assert found[:2] == expected[:2]
    assert found[-2:] == expected[-2:]


@pytest.mark.parametrize("source", list(SOURCES))
@given(data=st.binary(max_size=200))
def test_any_bytes_are_answered(source: str, data: bytes) -> None:
    start = FILES.get(source, b"").split(b"\n")[0]
    for content in (data, start + b"\n" + data):
        for outcome in read(SOURCES[source], content):
            assert outcome.place.file == "evidence"
