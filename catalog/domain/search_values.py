"""Reads one token of a search string: which field of the intent it sets, or what is wrong with it.

One reader per field, in a table. Each returns the name of the field, or `issue`. Source: docs/domain.md §8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from catalog.domain import licences
from catalog.domain import search_tables as tables
from catalog.domain.evidence import EvidenceLevel
from catalog.domain.search_intent import INTEGER, LARGEST, LONGEST_VALUE, AxisBinding, Building, near, term
from catalog.domain.search_tokens import Token
from catalog.domain.search_words import words

OPERATORS: Final = {"=": "EQ", "<": "LT", "<=": "LTE", ">": "GT", ">=": "GTE"}

_AXIS: Final = re.compile(r"[a-z][a-z0-9_]*")
_SHAPE: Final = re.compile(r"[0-9]{1,16}(?:x[0-9]{1,16})+")
_VERSION: Final = re.compile(r"[0-9]+(?:\.[0-9]+)*")
_DIGEST: Final = re.compile(r"[0-9a-f]{8,64}")
_SPLIT: Final = re.compile(r"[\s,;]+")
_LEVELS: Final = {level.value.lower(): level for level in EvidenceLevel}
_MOST_DIMENSIONS: Final = 32


def read(token: Token, into: Building) -> str:
    """Put a token where it belongs; the field that it set, or `issue`."""
    if token.sign is None:
        return _bare(token, into)
    key, value = token.key or "", token.value.strip()
    if key == "sha256" and token.sign == ":":
        return _digest(token, value, into)
    name = tables.KEYS.get(key.lower())
    if name is not None and token.sign in ":=":
        if not value:
            return into.issue(token.raw, f"`{key}` has no value")
        if len(value) > LONGEST_VALUE:
            return into.issue(token.raw, f"the value of `{key}` is longer than {LONGEST_VALUE} characters")
        return READERS[name](token, value, into)
    return _axis(token, key, value, into)


# -- bare tokens --------------------------------------------------------------------------------


def _bare(token: Token, into: Building) -> str:
    if token.group == "[":
        return _group(token, into)
    value = token.value
    if not token.group and len(value) <= LONGEST_VALUE:
        if _SHAPE.fullmatch(value):
            return _shape(token, value, into)
        if value.lower() not in tables.NOT_BARE and (dtype := tables.dtype_of(value)) is not None:
            return into.add("dtypes", [dtype])
        if (architecture := tables.architecture_of(value)) is not None:
            return into.set("architecture", architecture, token.raw)
        if (language := tables.language_of(value)) is not None:
            return into.set("language", language, token.raw)
        if (level := _LEVELS.get(value.lower())) is not None:
            return into.set("minimum_evidence", level, token.raw)
    if len(value) <= LONGEST_VALUE and (gpu := tables.gpu_of(value, bare=True)) is not None:
        return into.set("product", gpu, token.raw)
    found = term(token)
    if found is None:
        return into.issue(token.raw, "has no words to look for")
    return into.add("terms", [found])


def _group(token: Token, into: Building) -> str:
    """`[4096, 4096]` is a shape, `[bf16 fp32]` data types; other groups are text."""
    items = [item for item in _SPLIT.split(token.value) if item]
    if items and all(INTEGER.fullmatch(item) for item in items):
        return _shape(token, token.value, into)
    if items and all(tables.dtype_of(item) for item in items):
        return into.add("dtypes", [tables.dtype_of(item) for item in items])
    found = term(token)
    if found is None:
        return into.issue(token.raw, "has nothing in its brackets to look for")
    return into.add("terms", [found])


def _digest(token: Token, value: str, into: Building) -> str:
    if not _DIGEST.fullmatch(value):
        return into.issue(token.raw, "a digest has 8 to 64 lower-case hexadecimal digits")
    return into.set("digest", value, token.raw)


def _axis(token: Token, key: str, value: str, into: Building) -> str:
    if token.sign == ":" or tables.KEYS.get(key.lower()) is not None:
        return _unknown_key(token, key, value, into)
    if not _AXIS.fullmatch(key):
        lower = key.lower()
        meant = f"{lower}{token.sign}{value}" if _AXIS.fullmatch(lower) else None
        return into.issue(token.raw, "the name of an axis is lower case: letters, digits and _", meant)
    if not INTEGER.fullmatch(value) or abs(int(value)) > LARGEST:
        message = f"`{key}` can be compared with an integer only, of at most {LARGEST}"
        close = near(key, tables.KEYS, 0.75) if token.sign == "=" else None
        return into.issue(token.raw, message, f"{close}:{value}" if close and value else None)
    return into.add("axes", [AxisBinding(key, OPERATORS[token.sign or "="], int(value), token.raw)])


def _unknown_key(token: Token, key: str, value: str, into: Building) -> str:
    if key.lower() in tables.KEYS:
        message = f"`{key}` takes one value, behind : or ="
        return into.issue(token.raw, message, f"{key.lower()}:{value}" if value else None)
    if _AXIS.fullmatch(key) and INTEGER.fullmatch(value):
        return into.issue(token.raw, f"unknown key `{key}`; an axis is bound by =", f"{key}={value}")
    close = near(key, tables.KEYS, 0.75)
    message = f"unknown key `{_cut(key)}`; the keys are {', '.join(tables.KEYS)}"
    return into.issue(token.raw, message, f"{close}:{value}" if close and value else None)


# -- values of keys -----------------------------------------------------------------------------


def _name(field: str) -> Callable[[Token, str, Building], str]:
    """A reader for names that only the catalog can tell."""

    def read_name(token: Token, value: str, into: Building) -> str:
        if not words(value):
            return into.issue(token.raw, f"`{_cut(value)}` is no name")
        return into.set(field, value, token.raw)

    return read_name


def _bad(token: Token, what: str, value: str, close: str | None, into: Building) -> str:
    suggestion = f"{token.key}{token.sign}{close}" if close else None
    return into.issue(token.raw, f"unknown {what} `{_cut(value)}`", suggestion)


def _operation(token: Token, value: str, into: Building) -> str:
    return _name("operation")(token, value, into)


def _product(token: Token, value: str, into: Building) -> str:
    gpu = tables.gpu_of(value)
    if gpu is not None:
        return into.set("product", gpu, token.raw)
    asked = words(value)
    for product in sorted(into.known.products):
        if asked and same_product(asked, product):
            return into.set("product", value, token.raw)
    # A product is suggested by the name that people use, without its maker.
    names = {name.lower(): name for name in (*tables.GPUS, *map(short_product, into.known.products))}
    close = names.get(near(value, names) or "")
    return _bad(token, "GPU", value, f'"{close}"' if close and " " in close else close, into)


def _architecture(token: Token, value: str, into: Building) -> str:
    if value.lower() == "unknown":
        message = "`unknown` never matches: where no architecture was recorded, none can be asked for"
        return into.issue(token.raw, message)
    name = value if value in into.known.architectures else tables.architecture_of(value)
    if name is not None:
        return into.set("architecture", name, token.raw)
    close = tables.ARCHITECTURE_HINTS.get(value.lower()) or near(value, into.known.architectures)
    return _bad(token, "architecture", value, close, into)


def _dtypes(token: Token, value: str, into: Building) -> str:
    items = [item for item in _SPLIT.split(value) if item]
    found = []
    for item in items:
        dtype = tables.dtype_of(item) or (item if item in into.known.dtypes else None)
        if dtype is None:
            spellings = {*tables.DTYPES, *tables.DTYPE_ALIASES, *into.known.dtypes}
            return _bad(token, "data type", item, near(item, spellings), into)
        found.append(dtype)
    return into.add("dtypes", found) if found else into.issue(token.raw, "has no data type in it")


def _shape(token: Token, value: str, into: Building) -> str:
    items = [item for item in re.split(r"[\s,;x]+", value.strip().lower()) if item]
    sizes = [int(item) for item in items if INTEGER.fullmatch(item)]
    fits = all(0 <= size <= LARGEST for size in sizes) and 0 < len(sizes) <= _MOST_DIMENSIONS
    if len(sizes) != len(items) or not fits:
        return into.issue(token.raw, "a shape is sizes joined by x, such as 4096x4096, or in brackets")
    return into.set("shape", tuple(sizes), token.raw)


def _language(token: Token, value: str, into: Building) -> str:
    name = value if value in into.known.languages else tables.language_of(value)
    if name is not None:
        return into.set("language", name, token.raw)
    return _bad(token, "language", value, near(value, tables.LANGUAGES | into.known.languages), into)


def _cuda(token: Token, value: str, into: Building) -> str:
    if not _VERSION.fullmatch(value):
        return into.issue(token.raw, "`cuda` takes a version of the toolkit, such as 12.8")
    return into.set("cuda", value, token.raw)


def _evidence(token: Token, value: str, into: Building) -> str:
    level = _LEVELS.get(value.lower())
    if level is None:
        return _bad(token, "evidence level", value, near(value, _LEVELS), into)
    return into.set("minimum_evidence", level, token.raw)


def _license(token: Token, value: str, into: Building) -> str:
    if value.lower() == "permissive":
        return into.set("license", "permissive", token.raw)
    name = licences.spdx_id(value)
    if name is not None:
        return into.set("license", name, token.raw)
    spellings = {each.lower(): each for each in ("permissive", *licences.PERMISSIVE, *licences.COMMON)}
    close = near(value, spellings)
    return _bad(token, "SPDX licence", value, spellings[close] if close else None, into)


def _source(token: Token, value: str, into: Building) -> str:
    """`source:true` asks for public source, `source:<slug>` for what that source reported."""
    if value.lower() in tables.TRUE | tables.FALSE:
        return _required("require_source")(token, value, into)
    if value in into.known.sources:
        return into.set("source", value, token.raw)
    return _bad(token, "source", value, near(value, {"true", *into.known.sources}), into)


def _required(field: str) -> Callable[[Token, str, Building], str]:
    def read_required(token: Token, value: str, into: Building) -> str:
        if value.lower() in tables.TRUE:
            return into.set(field, True, token.raw)
        if value.lower() in tables.FALSE:
            message = f"`{token.key}` can be required, not ruled out; this asks for nothing"
            return into.issue(token.raw, message, f"{token.key}:true")
        return _bad(token, "value, true is meant, not", value, "true", into)

    return read_required


READERS: Final[Mapping[str, Callable[[Token, str, Building], str]]] = {
    "operation": _operation,
    "family": _name("family"),
    "model": _name("model"),
    "product": _product,
    "architecture": _architecture,
    "dtypes": _dtypes,
    "shape": _shape,
    "layout": _name("layout"),
    "framework": _name("framework"),
    "language": _language,
    "cuda": _cuda,
    "minimum_evidence": _evidence,
    "license": _license,
    "source": _source,
    "require_source": _required("require_source"),
    "require_installable": _required("require_installable"),
}
"""Field of the intent -> the reader of its values."""


def same_product(asked: list[str], product: str, form_factor: str | None = None) -> bool:
    """Whether the words name a product: all occur in it (or in its form factor), or run together they do.

    `B200` names NVIDIA B200 and not NVIDIA GB200; `RTX 4090` and `rtx4090` name NVIDIA GeForce RTX 4090.
    """
    named = words(product)
    if any(word in named for word in asked) and set(asked) <= {*named, *words(form_factor or "")}:
        return True
    squashed = "".join(asked)
    return any(
        "".join(named[i:j]) == squashed for i in range(len(named)) for j in range(i + 1, len(named) + 1)
    )


def short_product(product: str) -> str:
    """A product as people call it: `NVIDIA GeForce RTX 4090` is an RTX 4090."""
    return re.sub(r"^(?:NVIDIA|AMD|Intel)\s+(?:GeForce\s+|Instinct\s+)?", "", product)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
