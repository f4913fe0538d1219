"""What can go wrong between the catalog and its database, as one tree.

    StoreError
    ├── Unavailable          nothing answers, or it went away and did not come back
    │   └── EngineUnavailable    this platform has no embedded engine, or it will not start
    ├── TimedOut             the statement, or the wait for a connection, took too long
    ├── Conflict             other writers kept winning until the retries ran out
    ├── SchemaTooNew         the graph was written by a later release
    ├── AuthFailed           credentials refused, or not enough rights
    └── QueryFailed          a statement of ours was wrong: a bug

Each class has a neutral `code`; api/ and cli/ map codes to their own vocabulary. Messages are fixed texts:
no Cypher, host, port or path of the database ever shows in `str()`. What the driver said is kept as
`__cause__`, for the log.
"""

# ruff: noqa: N818 - the names state what happened, and callers catch them by that
from typing import ClassVar

__all__ = [
    "AuthFailed",
    "Conflict",
    "EngineUnavailable",
    "QueryFailed",
    "SchemaTooNew",
    "StoreError",
    "TimedOut",
    "Unavailable",
]


class StoreError(Exception):
    """Base of everything that graph/ raises on purpose."""

    code: ClassVar[str] = "STORE_ERROR"
    text: ClassVar[str] = "The database failed."

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.text)


class Unavailable(StoreError):
    """Nothing answers at the database's address, or the connection was lost for good."""

    code = "UNAVAILABLE"
    text = "The database cannot be reached."


class EngineUnavailable(Unavailable):
    """The embedded engine does not exist for this platform, or does not start."""

    code = "ENGINE_UNAVAILABLE"
    text = "The embedded database engine cannot be used here: set NEO4J_URI to a Neo4j server instead."


class TimedOut(StoreError):
    """A statement ran past its time limit, or no connection became free in time."""

    code = "TIMED_OUT"
    text = "The database did not answer within the time limit."


class Conflict(StoreError):
    """Concurrent writers; retried until the retries ran out. Trying again later is right."""

    code = "CONFLICT"
    text = "Other writers kept changing the same data; try again."


class SchemaTooNew(StoreError):
    """The graph carries a schema version above the one this release knows."""

    code = "SCHEMA_TOO_NEW"

    def __init__(self, found: int, known: int) -> None:
        self.found = found
        self.known = known
        super().__init__(
            f"The catalog's graph has schema version {found}; this release knows versions up to {known}. "
            "Use a newer release."
        )


class AuthFailed(StoreError):
    """The database refused the credentials, or the user may not do this."""

    code = "AUTH_FAILED"
    text = "The database refused the credentials or the right to do this."


class QueryFailed(StoreError):
    """A statement was refused by the database. A fault of this program, not of the input."""

    code = "QUERY_FAILED"
    text = "The database refused a statement of the catalog; this is a fault in the catalog."
