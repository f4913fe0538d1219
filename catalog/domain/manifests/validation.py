"""From a plain mapping to a :class:`Manifest`, or everything that is wrong with it
(docs/domain.md §1 and §2)."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from catalog.domain.errors import BadValue, Fault, ManifestError, quote
from catalog.domain.identity import Digest, canonical_bytes, digest_of_bytes
from catalog.domain.manifests.base import API_VERSION, OWN_API_VERSION, PATTERNS, Envelope, OwnEnvelope
from catalog.domain.manifests.checks import Path
from catalog.domain.manifests.kinds import KINDS, Kind

_ENVELOPES: Final[Mapping[str, TypeAdapter[Any]]] = {
    API_VERSION: TypeAdapter(Envelope),
    OWN_API_VERSION: TypeAdapter(OwnEnvelope),
}
"""apiVersion → what surrounds the specs of its kinds."""

_TYPES: Final = {
    "string_type": "a text",
    "dict_type": "an object",
    "list_type": "a list",
    "bool_type": "true or false",
}


_DEEP: Final = 100  # no manifest nests nearly as deep: what lies below is an unknown field anyway


@dataclass(frozen=True, slots=True)
class Manifest:
    """A valid manifest.

    ``spec`` is the normalised mapping and ``canonical`` the RFC 8785 text of ``{apiVersion, kind, spec}``,
    whose SHA-256 is ``digest``. ``metadata`` is editorial and in no digest. Both mappings are copies that
    nobody changes.
    """

    kind: str
    digest: Digest
    metadata: dict[str, Any]
    spec: dict[str, Any]
    canonical: str


def validate(raw: object) -> Manifest:
    """The manifest that a plain mapping (as read from JSON or YAML) states.

    Raises ManifestError with *all* faults: those of single fields and those between fields, each with its
    JSON Pointer. Validation is per document; disagreement between documents is no fault.
    """
    faults: list[Fault] = []
    kind = KINDS.get(name) if isinstance(raw, dict) and isinstance(name := raw.get("kind"), str) else None
    try:
        envelope: Any = _envelope(raw, kind).validate_python(raw)
        if kind is not None:
            spec = kind.spec.validate_python(envelope["spec"])
            if not any(True for _ in kind.check(spec)):
                identity = {"apiVersion": kind.api_version, "kind": kind.name, "spec": spec}
                canonical = canonical_bytes(identity)
                digest = digest_of_bytes(canonical)
                return Manifest(kind.name, digest, envelope["metadata"], spec, canonical.decode())
    except ValidationError:
        pass
    faults.extend(_surrogates(raw, ()))
    if faults:  # they hide other faults: look at the rest with the surrogates replaced
        raw = _replaced(raw)
    seen = {fault.pointer for fault in faults}
    faults.extend(fault for fault in _faults(raw) if fault.pointer not in seen)
    raise ManifestError(faults)


def pointer(path: Path) -> str:
    """The JSON Pointer (RFC 6901) of a path of names and indices."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def _envelope(raw: object, kind: Kind | None) -> TypeAdapter[Any]:
    """The envelope of the kind; while that is not known, the one of the apiVersion that is given."""
    stated = raw.get("apiVersion") if isinstance(raw, dict) else None
    version = kind.api_version if kind is not None else stated if isinstance(stated, str) else API_VERSION
    return _ENVELOPES.get(version, _ENVELOPES[API_VERSION])


def _faults(raw: object) -> Iterator[Fault]:
    name = raw.get("kind") if isinstance(raw, dict) else None
    kind = KINDS.get(name) if isinstance(name, str) else None
    try:
        _envelope(raw, kind).validate_python(raw)
    except ValidationError as error:
        yield from _translated(error, ())
    if not isinstance(raw, dict) or not isinstance(name, str):
        return
    if kind is None:
        near = difflib.get_close_matches(name, KINDS, 1) or sorted(KINDS)
        yield Fault(
            "unknown_kind", "/kind", f"must be a manifest kind, such as {', '.join(near)}", quote(name)
        )
        return
    if "spec" not in raw:
        return
    try:
        kind.spec.validate_python(raw["spec"])
    except ValidationError as error:
        yield from _translated(error, ("spec",))
    for finding in kind.check(raw["spec"]):
        value = None if finding.value is None else quote(finding.value)
        yield Fault(finding.reason, pointer(("spec", *finding.path)), finding.message, value)


def _translated(error: ValidationError, prefix: Path) -> Iterator[Fault]:
    for detail in error.errors(include_url=False):
        path, found = (*prefix, *detail["loc"]), detail["input"]
        if path and path[-1] == "[key]":
            path = path[:-1]
        reason, message = _reason(detail["type"], detail.get("ctx", {}), found, path)
        value = None if reason == "missing_field" else quote(found)
        yield Fault(reason, pointer(path), message, value)


def _reason(kind: str, context: dict[str, Any], found: object, path: Path) -> tuple[str, str]:
    """A pydantic error as our reason and message."""
    if kind == "missing":
        return "missing_field", f"the field '{path[-1]}' is required"
    if kind == "extra_forbidden":
        return "unknown_field", f"there is no field '{str(path[-1])[:80]}' here"
    if kind == "invalid_key" or (kind == "string_type" and not isinstance(found, str) and found == path[-1]):
        return "non_string_key", "a key must be a text"
    if found is None:
        return "null_value", "must have a value; leave an optional field out instead of null"
    if kind in _TYPES:
        return "wrong_type", f"must be {_TYPES[kind]}"
    if kind == "string_pattern_mismatch":
        reason, expected = PATTERNS[context["pattern"]]
        return reason, f"must be {expected}"
    if kind == "string_too_long":
        return "too_long", f"must have at most {context['max_length']} characters"
    if kind == "too_short":
        return "too_few_items", f"must have at least {context['min_length']} item"
    if kind == "literal_error":
        reason = "unsupported_api_version" if path == ("apiVersion",) else "not_allowed"
        return reason, f"must be {context['expected']}"
    cause = context.get("error")
    if isinstance(cause, BadValue):
        return cause.reason, cause.message
    return "invalid_value", f"cannot be taken here ({kind})"


def _lone(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def _surrogates(value: object, path: Path) -> Iterator[Fault]:
    """Every text with a surrogate that stands alone: it has no UTF-8 form."""
    message = "a text must be Unicode; this one has a lone surrogate"
    if len(path) > _DEEP:
        return
    if isinstance(value, str):
        if _lone(value):
            yield Fault("lone_surrogate", pointer(path), message, quote(value))
    elif isinstance(value, dict):
        for key, item in value.items():
            name = _replaced(key) if isinstance(key, str) else str(key)
            if isinstance(key, str) and _lone(key):
                yield Fault("lone_surrogate", pointer((*path, str(name))), message, quote(key))
            yield from _surrogates(item, (*path, str(name)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _surrogates(item, (*path, index))


def _replaced(value: object, depth: int = 0) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if depth > _DEEP:
        return value
    if isinstance(value, dict):
        return {_replaced(key): _replaced(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, depth + 1) for item in value]
    return value
