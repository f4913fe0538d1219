"""What an operator can set, read from the environment once at start.

Every name is a plain environment variable; :data:`VARIABLES` is the whole list.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from catalog.api.prefix import Prefix
from catalog.domain.errors import quote
from catalog.server.limits import Limits
from catalog.server.logs import FORMATS, LEVELS


class SettingsError(ValueError):
    """An environment variable can't be used. The message names it and quotes the value."""

    def __init__(self, variable: str, value: str, wanted: str) -> None:
        super().__init__(f"{variable}={quote(value)}: {wanted}")
        self.variable = variable
        self.value = value


class Cache(StrEnum):
    """What of the catalog a server keeps in memory between requests; each as the one before, and more."""

    OFF = "off"
    """Nothing: every request reads everything."""
    ENTITIES = "entities"
    """What has been read of the last revision: objects, standings, indexes."""
    ANSWERS = "answers"
    """The answers of the last revision, too."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the HTTP server.

    ``public_url`` is the address users see, without a trailing slash, when a proxy stands in front; its path
    is the sub-path the server is mounted under. ``request_timeout`` is in seconds,
    for the body to arrive and again for the answer; ``document_cache`` in characters of query text, and so is
    ``persisted_queries``: what is kept of texts that clients register (0: nothing, it is switched off).
    ``cache`` says what is kept of the catalog, ``answer_cache`` of how many bytes answers.
    ``compress_from`` is in bytes of a response (0: none is compressed).
    ``trusted_documents`` is a folder or file: with it no other documents run, and there is no GraphiQL.
    ``log_format`` and ``log_level`` are of ``logs.FORMATS`` and ``logs.LEVELS``.
    ``max_sockets`` websockets and ``max_streams`` operations over them and over event streams may be open in
    a process, ``max_socket_operations`` on one websocket. While anybody follows, the revision is looked at
    every ``feed_poll_seconds``.
    ``federation_prefix`` goes before root fields and types of the schema; before entities only on request.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str | None = None
    cors_origins: tuple[str, ...] = ()
    max_body_bytes: int = 1 << 20
    request_timeout: float = 30.0
    document_cache: int = 1 << 18
    cache: Cache = Cache.ANSWERS
    answer_cache: int = 1 << 24
    persisted_queries: int = 1 << 20
    trusted_documents: Path | None = None
    report_cost: bool = False
    compress_from: int = 1000
    graphiql: bool = True
    metrics: bool = True
    log_format: str = "text"
    log_level: str = "info"
    max_sockets: int = 1000
    max_streams: int = 2000
    max_socket_operations: int = 100
    feed_poll_seconds: float = 0.5
    federation_prefix: str | None = None
    federation_prefix_entities: bool = False
    limits: Limits = field(default_factory=Limits)

    @property
    def base_path(self) -> str:
        """The sub-path of ``public_url``: empty, or ``/something`` without a trailing slash."""
        return urlsplit(self.public_url).path.rstrip("/") if self.public_url else ""

    @property
    def prefix(self) -> Prefix | None:
        """What root fields and types of the schema are prefixed with, if anything."""
        text = self.federation_prefix
        return Prefix(text, self.federation_prefix_entities) if text else None

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> "Settings":
        """Settings from environment variables; an unset or empty one keeps its default.

        Raises:
            SettingsError: a value is of the wrong form.
        """
        own: dict[str, Any] = {}
        limits: dict[str, Any] = {}
        limit_names = {item.name for item in fields(Limits)}
        for variable, (name, convert) in VARIABLES.items():
            text = environ.get(variable, "").strip()
            if text:
                (limits if name in limit_names else own)[name] = convert(variable, text)
        if own.get("federation_prefix_entities") and "federation_prefix" not in own:
            wanted = "FEDERATION_PREFIX is wanted with it"
            raise SettingsError("FEDERATION_PREFIX_ENTITIES", environ["FEDERATION_PREFIX_ENTITIES"], wanted)
        return cls(**own, limits=Limits(**limits))


def _integer(low: int, high: int) -> Callable[[str, str], int]:
    def convert(variable: str, text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 20 and low <= int(text) <= high):
            raise SettingsError(variable, text, f"a whole number from {low} to {high} is wanted")
        return int(text)

    return convert


def _seconds(variable: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 3600:
        raise SettingsError(variable, text, "a number of seconds above 0, at most 3600, is wanted")
    return value


def _switch(variable: str, text: str) -> bool:
    match text.lower():
        case "1" | "true" | "yes" | "on":
            return True
        case "0" | "false" | "no" | "off":
            return False
    raise SettingsError(variable, text, "true or false is wanted")


def _one_of(names: Iterable[str]) -> Callable[[str, str], str]:
    known = tuple(names)

    def convert(variable: str, text: str) -> str:
        if text.lower() not in known:
            raise SettingsError(variable, text, f"one of {', '.join(known)} is wanted")
        return text.lower()

    return convert


def _prefix(variable: str, text: str) -> str:
    try:
        return Prefix(text).text
    except ValueError as error:
        raise SettingsError(variable, text, str(error)) from None


def _text(variable: str, text: str) -> str:
    if any(character.isspace() for character in text):
        raise SettingsError(variable, text, "a host name or address without spaces is wanted")
    return text


def _path(variable: str, text: str) -> Path:
    path = Path(text)
    if not path.exists():
        raise SettingsError(variable, text, "a folder or file that exists is wanted")
    return path


def _web_address(variable: str, text: str, wanted: str, *, with_path: bool) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise SettingsError(variable, text, wanted) from None
    extra = parts.query or parts.fragment or parts.username or (not with_path and parts.path.rstrip("/"))
    if not usable or extra:
        raise SettingsError(variable, text, wanted)
    return text.rstrip("/")


def _public_url(variable: str, text: str) -> str:
    return _web_address(
        variable, text, "an http(s) address such as https://example.org/api is wanted", with_path=True
    )


def _origins(variable: str, text: str) -> tuple[str, ...]:
    wanted = "* or origins such as https://example.org, separated by commas, are wanted"
    if text == "*":
        return ("*",)
    return tuple(
        _web_address(variable, item.strip(), wanted, with_path=False)
        for item in text.split(",")
        if item.strip()
    )


def _cache(variable: str, text: str) -> Cache:
    return Cache(_one_of(Cache)(variable, text))


VARIABLES: Mapping[str, tuple[str, Callable[[str, str], Any]]] = {
    "HOST": ("host", _text),
    "PORT": ("port", _integer(0, 65535)),
    "PUBLIC_URL": ("public_url", _public_url),
    "CORS_ORIGINS": ("cors_origins", _origins),
    "MAX_BODY_BYTES": ("max_body_bytes", _integer(1024, 1 << 30)),
    "REQUEST_TIMEOUT": ("request_timeout", _seconds),
    "DOCUMENT_CACHE": ("document_cache", _integer(0, 1 << 30)),
    "CATALOG_CACHE": ("cache", _cache),
    "ANSWER_CACHE": ("answer_cache", _integer(0, 1 << 34)),
    "PERSISTED_QUERIES": ("persisted_queries", _integer(0, 1 << 30)),
    "TRUSTED_DOCUMENTS": ("trusted_documents", _path),
    "REPORT_COST": ("report_cost", _switch),
    "COMPRESS_FROM": ("compress_from", _integer(0, 1 << 30)),
    "GRAPHIQL": ("graphiql", _switch),
    "METRICS": ("metrics", _switch),
    "LOG_FORMAT": ("log_format", _one_of(FORMATS)),
    "LOG_LEVEL": ("log_level", _one_of(LEVELS)),
    "MAX_SOCKETS": ("max_sockets", _integer(0, 1_000_000)),
    "MAX_STREAMS": ("max_streams", _integer(0, 1_000_000)),
    "MAX_SOCKET_OPERATIONS": ("max_socket_operations", _integer(1, 10_000)),
    "FEED_POLL_SECONDS": ("feed_poll_seconds", _seconds),
    "FEDERATION_PREFIX": ("federation_prefix", _prefix),
    "FEDERATION_PREFIX_ENTITIES": ("federation_prefix_entities", _switch),
    "MAX_CHARACTERS": ("max_characters", _integer(2000, 1 << 24)),
    "MAX_TOKENS": ("max_tokens", _integer(200, 100_000)),
    "MAX_DEPTH": ("max_depth", _integer(1, 100)),
    "MAX_INTROSPECTION_DEPTH": ("max_introspection_depth", _integer(1, 100)),
    "MAX_ROOT_FIELDS": ("max_root_fields", _integer(1, 10_000)),
    "MAX_REPEATED_FIELDS": ("max_repeated_fields", _integer(0, 100_000)),
    "MAX_LIST_ITEMS": ("max_list_items", _integer(1, 1_000_000)),
    "MAX_COST": ("max_cost", _integer(100, 1 << 40)),
}
"""Environment variable -> setting and its reader. One line per entry."""
