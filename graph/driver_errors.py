"""From the driver's errors to ours (errors.py), so that no caller ever sees one of the driver's."""

from typing import Final

from neo4j import exceptions as driver

from graph.errors import AuthFailed, Conflict, QueryFailed, StoreError, TimedOut, Unavailable

__all__ = ["from_driver", "is_conflict"]

_TIMEOUT_CODES: Final = frozenset(
    {
        "Neo.ClientError.Transaction.TransactionTimedOut",
        "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
        "Neo.TransientError.Transaction.LockAcquisitionTimeout",
    }
)

# Codes by which an engine says that another writer got there first. The embedded engine is optimistic and
# answers a racing MERGE with ConstraintValidationFailed.
_CONFLICT_CODES: Final = frozenset(
    {
        "Neo.ClientError.Schema.ConstraintValidationFailed",
        "Neo.TransientError.Transaction.DeadlockDetected",
        "Neo.TransientError.Transaction.Outdated",
        "Neo.TransientError.Transaction.BookmarkTimeout",
        "Neo.TransientError.Transaction.ConcurrentModification",
    }
)

# From the driver's classes to ours; the first line that fits decides, so subclasses come first.
_CLASSES: Final[tuple[tuple[type[Exception], type[StoreError]], ...]] = (
    (driver.AuthError, AuthFailed),
    (driver.AuthConfigurationError, AuthFailed),
    (driver.Forbidden, AuthFailed),
    (driver.ConstraintError, Conflict),
    (driver.NotALeader, Unavailable),
    (driver.ForbiddenOnReadOnlyDatabase, Unavailable),
    (driver.DatabaseUnavailable, Unavailable),
    (driver.TransientError, Conflict),
    (driver.ConnectionAcquisitionTimeoutError, TimedOut),
    (driver.ConnectionPoolError, Unavailable),
    (driver.SessionExpired, Unavailable),
    (driver.ServiceUnavailable, Unavailable),
    (driver.ConfigurationError, Unavailable),
    (driver.UnsupportedServerProduct, Unavailable),
    (driver.Neo4jError, QueryFailed),
    (driver.DriverError, QueryFailed),
)


def from_driver(error: BaseException) -> StoreError:
    """The error of ours that stands for one of the driver's.

    Raise it `from error`: the cause is for the log only.
    """
    code = getattr(error, "code", None)
    if code in _TIMEOUT_CODES:
        return TimedOut()
    if is_conflict(error):
        return Conflict()
    for theirs, ours in _CLASSES:
        if isinstance(error, theirs):
            return ours()
    return StoreError()


def is_conflict(error: BaseException) -> bool:
    """Whether the same work may succeed when it is simply done again."""
    return getattr(error, "code", None) in _CONFLICT_CODES
