"""Which public code stands for which error, and what of an error is told."""

from __future__ import annotations

import pytest

from catalog.api.context import Context
from catalog.api.errors import CODES, map_error
from catalog.domain import errors as domain
from catalog.read import Snapshots
from catalog.server.ask import run_query
from graph import errors as store_errors
from graph.store import Store

BUGS = {"CATALOG", "STORE_ERROR", "QUERY_FAILED"}
"""Errors that are nobody's business but the log's."""


def _tree(root: type[Exception]) -> set[type[Exception]]:
    return {root}.union(*(_tree(child) for child in root.__subclasses__()))


def test_every_code_of_both_trees_is_mapped_or_masked() -> None:
    classes = _tree(domain.CatalogError) | _tree(store_errors.StoreError)
    codes = {vars(c).get("code", c.code) for c in classes if c.__module__.startswith(("catalog", "graph"))}  # type: ignore[attr-defined]
    assert codes == CODES.keys() | BUGS


@pytest.mark.parametrize(
    ("error", "code", "extensions"),
    [
        (domain.InputError("first", -1, "must be from 0 to 100"), "BAD_USER_INPUT", {"field": "first"}),
        (
            domain.AmbiguousName(
                "x", [domain.Candidate("sha256:1", ("sm_90",)), domain.Candidate("sha256:2")]
            ),
            "AMBIGUOUS",
            {
                "candidates": [
                    {"digest": "sha256:1", "architectures": ["sm_90"]},
                    {"digest": "sha256:2", "architectures": []},
                ]
            },
        ),
        (store_errors.TimedOut(), "TIMEOUT", {}),
        (store_errors.Unavailable(), "SERVICE_UNAVAILABLE", {}),
        (store_errors.Conflict(), "SERVICE_UNAVAILABLE", {}),
    ],
)
def test_what_is_told(error: Exception, code: str, extensions: dict[str, object]) -> None:
    public = map_error(error)
    assert public is not None
    assert (public.code, public.message, public.extensions) == (code, str(error), extensions)


@pytest.mark.parametrize(
    "error", [store_errors.QueryFailed(), store_errors.StoreError(), ValueError("secret")]
)
def test_what_is_masked(error: Exception) -> None:
    assert map_error(error) is None


async def test_an_unexpected_error_is_masked(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(statement: str, **_: object) -> list[dict[str, object]]:
        raise store_errors.QueryFailed(statement)

    context = Context(Snapshots(store))
    await context.open()
    monkeypatch.setattr(store, "read", broken)
    answer = await run_query(store, "{ runs { totalCount } }", context=context)
    [error] = answer["errors"]
    assert answer["data"] is None
    assert error["extensions"]["code"] == "INTERNAL"
    assert error["extensions"]["id"] in error["message"]
    assert "MATCH" not in str(answer)
    assert error["extensions"]["id"] in caplog.text
