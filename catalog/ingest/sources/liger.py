"""Liger-Kernel's benchmark CSV files.

Each row is checked in a fixed order, and the first check that fails names the reason: a row outside what
``liger_facts`` covers is skipped, one with faulty numbers is rejected. A good row gives its run and every
part of it. The manifests themselves are written in ``liger_manifests``, cases bound in ``liger_binding``.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from catalog.domain.errors import Fault, ManifestError, quote
from catalog.domain.facts import Statement
from catalog.domain.identity import SAFE_INTEGER
from catalog.domain.manifests import Manifest, validate
from catalog.ingest.items import Outcome, Place, Rejected, Row, Skipped
from catalog.ingest.sources import csv_rows
from catalog.ingest.sources import liger_manifests as write
from catalog.ingest.sources.liger_binding import Case, NotBoundError, bind, read_config
from catalog.ingest.sources.liger_facts import Facts, Kernel, Provider, load_facts
from catalog.ingest.sources.liger_manifests import RunParts, Timing
from catalog.ingest.sources.memo import ManifestMemo
from catalog.ingest.sources.rejection import RejectRow, rejected, unreadable
from catalog.ingest.streams import lines

ZONE_ASSUMED = "ZONE_ASSUMED"
"""The source's time stamps carry no zone; they are read as UTC."""
SPREAD_LEFT_OUT = "SPREAD_LEFT_OUT"
"""p20 or p80 is not a finite number, so neither is recorded."""

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}")


class LigerSource:
    """The CSV files of Liger-Kernel's ``benchmark/data``."""

    name = "liger"

    def detects(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 - content decides
        """A CSV header that names a kernel and its provider."""
        header = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
        names = {name.strip(b' "\r') for name in header.split(b",")}
        return {b"kernel_name", b"kernel_provider"} <= names

    def read(self, path: Path, stream: IO[bytes]) -> Iterator[Outcome]:
        """One outcome a data row, numbered from 1; one for the file if its header is not known."""
        reader = _Reader(str(path), load_facts())
        try:
            yield from reader.read(stream)
        except OSError as error:
            yield unreadable(str(path), reader.row + 1, error)


class _SkipError(Exception):
    """The row is outside what the facts cover; the argument is the reason."""


class _Reader:
    def __init__(self, file: str, facts: Facts) -> None:
        self.row = 0
        self._file = file
        self._facts = facts
        self._memo = ManifestMemo(4096)
        self._stated: dict[str, Statement] = {}
        self._source_facts = _source_statements(facts)

    def read(self, stream: IO[bytes]) -> Iterator[Outcome]:
        numbered = lines(stream, csv_rows.RECORD_BYTES)
        columns = self._header(next(numbered, (1, b""))[1])
        if isinstance(columns, Fault):
            yield Rejected(Place(self._file), "unknown_header", (columns,))
            return
        for record in csv_rows.records(numbered, len(columns)):
            self.row += 1
            place = Place(self._file, self.row)
            if isinstance(record, csv_rows.Damaged):
                fault = Fault(record.reason, "", record.message, line=record.line)
                yield Rejected(place, record.reason, (fault,))
            else:
                yield self._outcome(place, record.line, dict(zip(columns, record.fields, strict=True)))

    def _header(self, line: bytes | None) -> tuple[str, ...] | Fault:
        wanted = self._facts.columns
        try:
            found = csv_rows.parse(line or b"")
        except (UnicodeDecodeError, csv.Error) as error:
            return Fault("unknown_header", "", f"the header is not CSV: {error}", line=1)
        if sorted(found) == sorted(wanted):
            return found
        wrong = [f"missing: {name}" for name in wanted if name not in found]
        wrong += [f"unknown: {quote(name)}" for name in found if name not in wanted]
        wrong += [f"twice: {name}" for name in wanted if found.count(name) > 1]
        message = f"the header is not that of Liger-Kernel's benchmark files ({', '.join(wrong)})"
        return Fault("unknown_header", "", message, value=quote(",".join(found)), line=1)

    def _outcome(self, place: Place, line: int, row: Mapping[str, str]) -> Outcome:
        try:
            kernel, provider, case = self._covered(row, line)
            timing, notes = _timing(row, line)
            manifests = self._manifests(row, kernel, provider, case, timing)
        except _SkipError as skip:
            return Skipped(place, str(skip))
        except (RejectRow, ManifestError) as error:
            return rejected(place, error, line)
        return Row(place, manifests, self._statements(kernel, provider, manifests), notes)

    def _covered(self, row: Mapping[str, str], line: int) -> tuple[Kernel, Provider, Case]:
        """What the row is about, by the checks that skip, in their order."""
        facts = self._facts
        if row["metric_name"] != "speed":
            raise _SkipError("metric_not_speed")
        kernel = facts.kernels.get(row["kernel_name"])
        if kernel is None:
            raise _SkipError("unknown_kernel")
        if row["kernel_operation_mode"] not in facts.protocols:
            raise _SkipError("unknown_mode")
        provider = facts.providers.get(row["kernel_provider"])
        if provider is None:
            raise _SkipError("unknown_provider")
        try:
            config = read_config(row["extra_benchmark_config_str"])
        except ValueError:
            raise _SkipError("config_not_json") from None
        x_value = _number(row["x_value"])
        if x_value is None or not x_value > 0 or x_value % 1:
            raise _SkipError("x_not_positive_integer")
        if not isinstance(config, dict):
            raise _SkipError("config_not_bound")
        try:
            case = bind(kernel, row["x_name"], int(x_value), config, facts.dtypes)
        except NotBoundError:
            raise _SkipError("config_not_bound") from None
        if max(case.axes.values()) > SAFE_INTEGER:
            column = "extra_benchmark_config_str"
            message = f"with x_value {quote(row['x_value'])} it gives a size beyond 2^53 - 1"
            raise RejectRow("size_out_of_range", _fault("size_out_of_range", column, row, message, line))
        if row["gpu_name"] not in facts.hardware:
            raise _SkipError("unknown_gpu")
        return kernel, provider, case

    def _manifests(
        self, row: Mapping[str, str], kernel: Kernel, provider: Provider, case: Case, timing: Timing
    ) -> tuple[Manifest, ...]:
        """The run's, last, and before it those of everything that it is about."""
        facts, memo = self._facts, self._memo
        mode, gpu = row["kernel_operation_mode"], row["gpu_name"]
        operation = memo.get(("operation", kernel.csv_name), lambda: validate(write.operation(kernel, facts)))
        case_key = ("workload", kernel.csv_name, case.key, *sorted(case.scalars.items()))
        workload = memo.get(case_key, lambda: validate(write.workload(case, operation.digest)))
        project = memo.get(
            ("project", provider.project), lambda: validate(write.project(provider.project, facts))
        )
        implementation = memo.get(
            ("implementation", kernel.csv_name, provider.key),
            lambda: validate(write.implementation(kernel, provider, operation.digest, facts)),
        )
        protocol = memo.get(("protocol", mode), lambda: validate(write.protocol(mode, facts)))
        environment = memo.get(("environment", gpu), lambda: validate(write.environment(gpu, facts)))
        parts = RunParts(implementation.digest, workload.digest, protocol.digest, environment.digest)
        run = validate(write.run(case, provider, row, parts, timing, facts))
        return project, operation, workload, implementation, protocol, environment, run

    def _statements(
        self, kernel: Kernel, provider: Provider, manifests: tuple[Manifest, ...]
    ) -> tuple[Statement, ...]:
        _, operation, _, implementation, _, _, run = manifests
        source = self._facts.source.slug
        name = write.submitted_name(kernel, provider)
        slug = self._stated.get(kernel.csv_name)
        if slug is None:
            slug = Statement("OperationSpec", operation.digest, "slug", kernel.slug, source)
            self._stated[kernel.csv_name] = slug
        named = self._stated.get(name["slug"])
        if named is None:
            named = Statement("ImplementationRevision", implementation.digest, "name", name, source)
            self._stated[name["slug"]] = named
        submitted = Statement("BenchmarkRun", run.digest, "submittedAs", name, source)
        return *self._source_facts, slug, named, submitted


def _source_statements(facts: Facts) -> tuple[Statement, ...]:
    source = facts.source
    stated: dict[str, Any] = {
        "name": source.name,
        "kind": source.kind,
        "license": source.license,
        "attribution": source.attribution,
        "termsUrl": source.terms_url,
        "verifiedOn": source.verified_on,
    }
    return tuple(
        Statement("EvidenceSource", source.slug, field, value, source.slug) for field, value in stated.items()
    )


def _number(text: str) -> float | None:
    """Decimal text with optional blanks around it; empty text is 0. None if it is not that or not finite."""
    text = text.strip(" \t")
    if not text:
        return 0
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    if not math.isfinite(value):
        return None
    return int(text) if text.lstrip("+-").isdigit() and len(text) < 400 else value


def nanoseconds(milliseconds: float) -> int:
    """Milliseconds times a million in double precision, to the nearest whole number, halves up."""
    scaled = float(milliseconds) * 1e6
    whole = math.floor(scaled)
    return whole + (1 if scaled - whole >= 0.5 else 0)


def _timing(row: Mapping[str, str], line: int) -> tuple[Timing, tuple[str, ...]]:
    """The numbers of a row, and notes on how they were read."""
    if row["metric_unit"] != "ms":
        message = "the unit of a speed must be ms"
        raise RejectRow("unknown_unit", _fault("unknown_unit", "metric_unit", row, message, line))
    median = _number(row["y_value_50"])
    faults = []
    if median is None or not median > 0:
        message = "the median must be a finite number of milliseconds above 0"
        faults.append(_fault("run_rejected", "y_value_50", row, message, line))
    elif _unsafe(median):
        message = "the median is more than 2^53 - 1 ns"
        faults.append(_fault("run_rejected", "y_value_50", row, message, line))
    if not _is_stamp(row["timestamp"]):
        message = "the time must be YYYY-MM-DD HH:MM:SS"
        faults.append(_fault("run_rejected", "timestamp", row, message, line))
    if faults or median is None:
        raise RejectRow("run_rejected", *faults)
    low, high = _number(row["y_value_20"]), _number(row["y_value_80"])
    if low is None or high is None:
        return Timing(median, nanoseconds(median), None, None), (ZONE_ASSUMED, SPREAD_LEFT_OUT)
    for column, value in (("y_value_20", low), ("y_value_80", high)):
        if _unsafe(value):
            message = "the spread is beyond 2^53 - 1 ns"
            raise RejectRow("run_rejected", _fault("run_rejected", column, row, message, line))
    spread = nanoseconds(low), nanoseconds(high)
    return Timing(median, nanoseconds(median), (low, high), spread), (ZONE_ASSUMED,)


def _unsafe(milliseconds: float) -> bool:
    scaled = abs(milliseconds) * 1e6 if abs(milliseconds) < 1e300 else math.inf
    return math.isinf(scaled) or nanoseconds(abs(milliseconds)) > SAFE_INTEGER


def _is_stamp(text: str) -> bool:
    if not _STAMP.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _fault(reason: str, column: str, row: Mapping[str, str], message: str, line: int) -> Fault:
    return Fault(reason, f"/{column}", f"{column}: {message}", value=quote(row[column]), line=line)
