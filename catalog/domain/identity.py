"""Content identity: canonical JSON, digests, and the keys derived from them (docs/domain.md §2).

The only module that makes :data:`Digest`, :data:`ComparisonKey` and :data:`Slug`. What the keys are
made *for* (groups, cohorts) is decided elsewhere.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, NewType

import msgspec
import rfc8785

from catalog.domain.errors import BadValue

Digest = NewType("Digest", str)
"""``sha256:`` and 64 lowercase hexadecimal digits."""

ComparisonKey = NewType("ComparisonKey", str)
"""A digest that runs share exactly when they may be ranked together."""

Slug = NewType("Slug", str)
"""A lowercase name as manifests carry it in ``metadata.name``."""

SAFE_INTEGER: Final = 2**53 - 1
"""The largest integer that canonical JSON takes: beyond it a double no longer tells neighbours apart."""

NO_METRIC: Final = "none"
"""The metric key of a run without a primary metric."""

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_SLUG = re.compile(r"[a-z0-9][a-z0-9._-]*")

_BEYOND_BMP = re.compile(rb"[\xf0-\xff]")


def _within_safe_integers(depth: int) -> Any:
    """The type of JSON values, so many levels deep, whose integers a double holds exactly."""
    scalar: Any = Annotated[int, msgspec.Meta(ge=-SAFE_INTEGER, le=SAFE_INTEGER)] | float | str | bool | None
    value = scalar
    for _ in range(depth):
        value = scalar | list[value] | dict[str, value]  # type: ignore[valid-type] # made while it runs
    return value


_decode = msgspec.json.Decoder(_within_safe_integers(12)).decode
_encode = msgspec.json.Encoder(order="deterministic").encode


def canonical_bytes(value: Any) -> bytes:
    """The RFC 8785 bytes of a JSON value (mappings must have string keys).

    Raises BadValue for what has no canonical form: NaN, infinities, integers beyond ±(2^53-1), lone
    surrogates, other types.
    """
    try:
        printed = _encode(value)
    except (TypeError, ValueError):
        pass  # rfc8785 below names the trouble
    else:
        # It sorts keys by code point, RFC 8785 by UTF-16 unit: the same up to U+FFFF.
        if type(value) is str or (
            _prints_alike((value,)) and (printed.isascii() or not _BEYOND_BMP.search(printed))
        ):
            return printed
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeError) as error:
        raise BadValue("no_canonical_form", f"must be plain JSON ({error})", value) from None


def _prints_alike(values: Iterable[Any]) -> bool:
    """Whether msgspec prints plain JSON values, keys aside, as RFC 8785 does.

    It prints floats with an exponent or an integral value otherwise, and takes what is no JSON.
    """
    for value in values:
        kind = type(value)
        if kind is str or kind is bool or value is None:
            continue
        if kind is dict:
            if not _prints_alike(value.values()):
                return False
        elif kind is list:
            if not _prints_alike(value):
                return False
        elif kind is int:
            if not -SAFE_INTEGER <= value <= SAFE_INTEGER:
                return False
        elif kind is not float or not 1e-5 <= abs(value) < 1e16 or value.is_integer():
            return False
    return True


def canonical_text(value: Any) -> str:
    """The RFC 8785 text of a JSON value; see :func:`canonical_bytes`."""
    return canonical_bytes(value).decode()


def load_canonical(text: str) -> Any:
    """Reads canonical JSON back, so that writing it again gives the same text.

    Canonical JSON prints the number 1e20 as ``100000000000000000000``: an integer literal beyond
    ±(2^53-1) is therefore read as the double it stands for. Raises ValueError for what is no JSON.
    """
    try:
        return _decode(text)
    except msgspec.ValidationError:  # a number beyond, or deeper than is looked
        return json.loads(text, parse_int=_int_or_float)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None


def _int_or_float(literal: str) -> int | float:
    number = float(literal)
    return int(literal) if -SAFE_INTEGER <= number <= SAFE_INTEGER else number


def digest_of_bytes(canonical: bytes) -> Digest:
    """The digest of bytes that are canonical JSON already."""
    return Digest("sha256:" + hashlib.sha256(canonical).hexdigest())


def digest_of_text(canonical: str) -> Digest:
    """The digest of a text that is canonical JSON already."""
    return digest_of_bytes(canonical.encode())


def digest_of(value: Any) -> Digest:
    """``sha256:`` + hex of the SHA-256 of the value's canonical JSON."""
    return digest_of_bytes(canonical_bytes(value))


def parse_digest(text: str) -> Digest:
    """Checks a digest given as text; raises BadValue."""
    if not isinstance(text, str) or not _DIGEST.fullmatch(text):
        raise BadValue("invalid_digest", "a digest is 'sha256:' and 64 lowercase hexadecimal digits", text)
    return Digest(text)


def parse_slug(text: str) -> Slug:
    """Checks a slug given as text; raises BadValue."""
    if not isinstance(text, str) or len(text) > 200 or not _SLUG.fullmatch(text):
        raise BadValue(
            "invalid_slug",
            "a slug is at most 200 lowercase letters, digits, '.', '_', '-', starting with a letter or digit",
            text,
        )
    return Slug(text)


def correctness_key(workload_spec: Mapping[str, Any]) -> Digest:
    """The key of a workload's correctness rule."""
    return digest_of({"correctness": workload_spec["correctness"]})


def metric_key(metric: str, statistic: str, unit: str) -> str:
    """``<metric>:<statistic>:<unit>``, such as ``latency:median:ns``; see also :data:`NO_METRIC`."""
    return f"{metric}:{statistic}:{unit}"


def comparison_key(
    *, operation: str, workload: str, protocol: str, environment: str, correctness: str, metric: str
) -> ComparisonKey:
    """The key of a comparison group. ``operation`` is the workload's; ``metric`` is a metric key or
    :data:`NO_METRIC`. The implementation is not part of it: it is what a group compares."""
    return ComparisonKey(
        digest_of(
            {
                "v": 1,
                "operation": operation,
                "workload": workload,
                "protocol": protocol,
                "environment": environment,
                "correctness": correctness,
                "metric": metric,
            }
        )
    )


def serving_protocol_key(run_spec: Mapping[str, Any], workload_spec: Mapping[str, Any]) -> str:
    """``harness/version/placement/streaming/loadGeneration`` of a serving run."""
    harness = run_spec["harness"]
    streaming = "streaming" if workload_spec["streaming"] else "non_streaming"
    placement = run_spec.get("placement", "unspecified")
    return f"{harness['name']}/{harness['version']}/{placement}/{streaming}/{workload_spec['loadGeneration']}"


def topology_key(topology: Mapping[str, Any]) -> str:
    """``vendor/model/<perNode>x<nodes>/interconnect`` of a serving run's topology."""
    vendor = topology.get("acceleratorVendor", "unknown")
    size = f"{topology['acceleratorsPerNode']}x{topology['nodeCount']}"
    return f"{vendor}/{topology['acceleratorModel']}/{size}/{topology.get('interconnect', 'unspecified')}"


def metric_set_key(measurements: Iterable[Mapping[str, Any]]) -> str:
    """The distinct ``metric·statistic`` pairs of a serving run, sorted and joined by commas."""
    return ",".join(sorted({f"{m['metric']}·{m['statistic']}" for m in measurements}))


def cohort_key(
    *, run: Mapping[str, Any], model: Mapping[str, Any], workload: Mapping[str, Any]
) -> ComparisonKey:
    """The key of a serving cohort, from the specs of a serving run, its model and its workload."""
    return ComparisonKey(
        digest_of(
            {
                "modelDigest": run["modelDigest"],
                "tokenizer": model.get("tokenizer"),
                "workloadDigest": run["workloadDigest"],
                "protocolKey": serving_protocol_key(run, workload),
                "topologyKey": topology_key(run["topology"]),
                "qualityPolicy": run["qualityPolicy"],
                "metricSetKey": metric_set_key(run["measurements"]),
            }
        )
    )
