"""The catalog's own export: JSON Lines that ``catalog export`` writes and ``catalog import`` reads back.

The first line is a header, ``{"catalog": "kernel-catalog-export/1"}``. Each line after it is one of::

    {"manifest": {"apiVersion", "kind", "metadata", "spec"}}      one line for each metadata variant
    {"fact": {"kind", "subject", "field", "value", "source"}}     one line for each statement

Lines may stand in any order. Numbers are written so that reading them gives the same canonical form:
the double 1e20 as ``1e+20``, never as an integer literal beyond 2^53.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from catalog.domain.errors import Fault, InputError, ManifestError, quote
from catalog.domain.facts import FROM_MANIFEST, Statement
from catalog.domain.manifests import validate
from catalog.ingest.items import Outcome, Place, Rejected, Row
from catalog.ingest.sources import jsonl
from catalog.ingest.sources.rejection import RejectRow, rejected, unreadable

FORMAT = "kernel-catalog-export/1"

_HEAD = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"catalog"\s*:\s*"kernel-catalog-export/')
_FACT = ("kind", "subject", "field", "value", "source")


class CatalogExportSource:
    """Files that ``catalog export`` wrote."""

    name = "catalog"

    def detects(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 - content decides
        """A header of this format, of whatever version."""
        return _HEAD.match(head) is not None

    def read(self, path: Path, stream: IO[bytes]) -> Iterator[Outcome]:
        """One outcome a line after the header; one for the file if the header is none of this format."""
        row = 0
        try:
            values = jsonl.objects(stream)
            header = next(values, None)
            fault = _header_fault(header)
            if fault is not None:
                yield Rejected(Place(str(path)), "unknown_header", (fault,))
                return
            for line in values:
                row = line.number
                yield _outcome(Place(str(path), line.number), line)
        except OSError as error:
            yield unreadable(str(path), row + 1, error)


def _header_fault(header: jsonl.Line | None) -> Fault | None:
    value = header.value if header is not None else None
    found = value.get("catalog") if isinstance(value, dict) else None
    if found == FORMAT:
        return None
    message = f'the first line must be {{"catalog": "{FORMAT}"}}'
    if isinstance(found, str) and found.startswith("kernel-catalog-export/"):
        message += "; a file of another version needs another version of this program"
    return Fault("unknown_header", "/catalog", message, quote(found), line=1)


def _outcome(place: Place, line: jsonl.Line) -> Outcome:
    value = line.value
    if isinstance(value, RejectRow):
        return rejected(place, value, line.number)
    member = next(iter(value), "")
    try:
        if len(value) != 1 or member not in ("manifest", "fact"):
            message = "a line must be an object of manifest, or one of fact, and nothing else"
            raise RejectRow("invalid_row", Fault("invalid_row", "", message, quote(list(value))))
        if member == "manifest":
            return Row(place, manifests=(validate(value["manifest"]),))
        return Row(place, statements=(_statement(value["fact"]),))
    except (RejectRow, InputError, ManifestError) as error:
        return rejected(place, error, line.number, f"/{member}")


def _statement(fact: object) -> Statement:
    if not isinstance(fact, dict) or fact.keys() != set(_FACT):
        found = list(fact) if isinstance(fact, dict) else fact
        message = f"a fact must be an object of {', '.join(_FACT)}"
        raise RejectRow("invalid_row", Fault("invalid_row", "/fact", message, quote(found)))
    for name in _FACT:
        if name != "value" and not isinstance(fact[name], str):
            message = f"{name} must be a string"
            raise RejectRow("invalid_row", Fault("invalid_row", f"/fact/{name}", message, quote(fact[name])))
    if fact["source"] == FROM_MANIFEST:
        message = "what manifests say of artifacts is read from them, and stated by no source"
        raise RejectRow(
            "reserved_source", Fault("reserved_source", "/fact/source", message, quote(FROM_MANIFEST))
        )
    return Statement(fact["kind"], fact["subject"], fact["field"], fact["value"], fact["source"])


def header_line() -> str:
    """The first line of an export."""
    return _line({"catalog": FORMAT})


def manifest_line(body: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    """The line of one metadata variant of an object.

    ``body`` is its ``{apiVersion, kind, spec}`` as ``identity.load_canonical`` gives it, where a large
    number is a float.
    """
    manifest = {key: body[key] for key in ("apiVersion", "kind")}
    return _line({"manifest": manifest | {"metadata": metadata, "spec": body["spec"]}})


def fact_line(statement: Statement) -> str:
    """The line of one statement."""
    fact = {
        "kind": statement.subject_kind,
        "subject": statement.subject,
        "field": statement.field,
        "value": statement.value,
        "source": statement.source,
    }
    return _line({"fact": fact})


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
