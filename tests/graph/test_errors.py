"""Every error of the driver becomes one of ours, and ours give nothing away."""

import inspect

import pytest
from neo4j import exceptions as driver

from graph import driver_errors, errors
from graph.driver_errors import from_driver

SECRET = "MATCH (n) at bolt://10.1.2.3:7687 in /var/lib/data"

CLASSES = {
    driver.GqlError: errors.StoreError,
    driver.Neo4jError: errors.QueryFailed,
    driver.ClientError: errors.QueryFailed,
    driver.CypherSyntaxError: errors.QueryFailed,
    driver.CypherTypeError: errors.QueryFailed,
    driver.ConstraintError: errors.Conflict,
    driver.AuthError: errors.AuthFailed,
    driver.TokenExpired: errors.AuthFailed,
    driver.Forbidden: errors.AuthFailed,
    driver.DatabaseError: errors.QueryFailed,
    driver.TransientError: errors.Conflict,
    driver.DatabaseUnavailable: errors.Unavailable,
    driver.NotALeader: errors.Unavailable,
    driver.ForbiddenOnReadOnlyDatabase: errors.Unavailable,
    driver.DriverError: errors.QueryFailed,
    driver.SessionError: errors.QueryFailed,
    driver.TransactionError: errors.QueryFailed,
    driver.TransactionNestingError: errors.QueryFailed,
    driver.ResultError: errors.QueryFailed,
    driver.ResultFailedError: errors.QueryFailed,
    driver.ResultConsumedError: errors.QueryFailed,
    driver.ResultNotSingleError: errors.QueryFailed,
    driver.BrokenRecordError: errors.QueryFailed,
    driver.SessionExpired: errors.Unavailable,
    driver.ServiceUnavailable: errors.Unavailable,
    driver.RoutingServiceUnavailable: errors.Unavailable,
    driver.WriteServiceUnavailable: errors.Unavailable,
    driver.ReadServiceUnavailable: errors.Unavailable,
    driver.IncompleteCommit: errors.Unavailable,
    driver.ConfigurationError: errors.Unavailable,
    driver.AuthConfigurationError: errors.AuthFailed,
    driver.CertificateConfigurationError: errors.Unavailable,
    driver.UnsupportedServerProduct: errors.Unavailable,
    driver.ConnectionPoolError: errors.Unavailable,
    driver.ConnectionAcquisitionTimeoutError: errors.TimedOut,
}

CODES = {
    "Neo.ClientError.Transaction.TransactionTimedOut": errors.TimedOut,
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration": errors.TimedOut,
    "Neo.ClientError.Schema.ConstraintValidationFailed": errors.Conflict,
    "Neo.TransientError.Transaction.DeadlockDetected": errors.Conflict,
    "Neo.ClientError.Statement.SyntaxError": errors.QueryFailed,
    "Neo.ClientError.Security.Unauthorized": errors.AuthFailed,
    "Neo.DatabaseError.General.UnknownError": errors.QueryFailed,
}


def made(kind: type[Exception]) -> Exception:
    """An error of the class with a text that must not show; some want arguments of their own."""
    error = kind.__new__(kind)
    error.args = (SECRET,)
    return error


def test_the_table_names_every_class_of_the_driver() -> None:
    classes = {
        member
        for _, member in inspect.getmembers(driver, inspect.isclass)
        if issubclass(member, Exception) and member.__module__ == driver.__name__
    }
    assert classes == set(CLASSES)


@pytest.mark.parametrize("kind", CLASSES)
def test_each_class_is_mapped(kind: type[Exception]) -> None:
    assert type(from_driver(made(kind))) is CLASSES[kind]


@pytest.mark.parametrize("code", CODES)
def test_each_code_is_mapped(code: str) -> None:
    error = driver.Neo4jError._basic_hydrate(neo4j_code=code, message=SECRET)
    assert type(from_driver(error)) is CODES[code]


@pytest.mark.parametrize("kind", CLASSES)
def test_no_statement_host_or_path_shows(kind: type[Exception]) -> None:
    text = str(from_driver(made(kind)))
    assert text
    assert not [word for word in ("MATCH", "bolt:", "10.1.2.3", "/var") if word in text]


def test_codes_are_distinct_and_names_are_exported() -> None:
    kinds = [getattr(errors, name) for name in errors.__all__]
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert [name for name in driver_errors.__all__ if not hasattr(driver_errors, name)] == []


def test_schema_too_new_says_both_versions() -> None:
    assert str(errors.SchemaTooNew(found=7, known=1)) == (
        "The catalog's graph has schema version 7; this release knows versions up to 1. Use a newer release."
    )
