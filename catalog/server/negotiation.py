"""Media types and content codings: what a client accepts and what it sent (RFC 9110 §12.5 and §8.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

GRAPHQL_RESPONSE = "application/graphql-response+json"
JSON = "application/json"
HTML = "text/html"
EVENT_STREAM = "text/event-stream"


@dataclass(frozen=True, slots=True)
class MediaType:
    """A media type or range in lower case, and its parameters."""

    name: str
    parameters: dict[str, str]


def parse_media_type(text: str) -> MediaType:
    """``type/subtype; name=value``. What can't be read has an empty name."""
    name, *rest = _split(text, ";")
    name = name.strip().lower()
    kind, slash, subtype = name.partition("/")
    if not (slash and kind and subtype) or any(character.isspace() for character in name):
        return MediaType("", {})
    parameters: dict[str, str] = {}
    for item in rest:
        key, equals, value = item.partition("=")
        if equals:
            parameters[key.strip().lower()] = value.strip().strip('"').lower()
    return MediaType(name, parameters)


def _split(text: str, separator: str) -> list[str]:
    """Split outside double quotes."""
    if '"' not in text:
        return text.split(separator)
    parts, start, quoted = [], 0, False
    for index, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif character == separator and not quoted:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]]


def _quality(text: str | None) -> float:
    if text is None:
        return 1.0
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if 0.0 <= value <= 1.0 else 0.0


def choose(accept: str | None, offers: Sequence[str], default: str) -> str | None:
    """The offer that an ``Accept`` header likes best, or None when it takes none of them.

    Each offer gets the q-value of the most specific range that fits it. Among equals one that is named
    outright wins over one that only a wildcard takes; then ``default`` where only wildcards fit, else the
    order of ``offers``. No header, or an empty one, means ``default``.
    """
    if accept is None or not accept.strip():
        return default
    ranges = [parse_media_type(item) for item in _split(accept, ",") if item.strip()]
    best: tuple[float, int, bool, int] | None = None
    chosen: str | None = None
    for index, offer in enumerate(offers):
        specificity, quality = _fit(ranges, offer)
        rank = (quality, specificity, specificity < 2 and offer == default, -index)
        if quality > 0 and (best is None or rank > best):
            best, chosen = rank, offer
    return chosen


def _fit(ranges: Sequence[MediaType], offer: str) -> tuple[int, float]:
    family = offer.partition("/")[0] + "/*"
    found = (-1, 0.0)
    for item in ranges:
        if item.name not in (offer, family, "*/*") or item.parameters.get("charset", "utf-8") not in (
            "utf-8",
            "utf8",
        ):
            continue
        specificity = 2 if item.name == offer else 1 if item.name == family else 0
        if specificity > found[0]:
            found = (specificity, _quality(item.parameters.get("q")))
    return found


def choose_coding(accept: str | None, offers: Sequence[str]) -> tuple[str | None, bool]:
    """The content coding that an ``Accept-Encoding`` header likes best, or None for no coding; and whether
    no coding would do too.

    Among equals the first of ``offers`` wins, and any of them over no coding.
    """
    qualities: dict[str, float] = {}
    for item in (accept or "").split(","):
        name, _, rest = item.partition(";")
        key, _, value = rest.partition("=")
        if name.strip():
            qualities[name.strip().lower()] = _quality(value.strip() if key.strip().lower() == "q" else None)
    others = qualities.get("*")
    plain = qualities.get("identity", 1e-9 if others is None else others)
    best = max(offers, key=lambda offer: qualities.get(offer, others or 0.0))
    quality = qualities.get(best, others or 0.0)
    return (best if quality > 0 and quality >= plain else None), plain > 0
