"""Evidence levels (docs/domain.md §5): the ladder, and what counts as source, identity and raw evidence."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from catalog.domain.evidence import (
    EvidenceLevel,
    evidence_level,
    exact_revision,
    own_public_source,
    raw_evidence,
)

SHA = "sha256:" + "a" * 64
COMMIT = "b" * 40
REF = {"uri": "https://example.org/log", "digest": SHA}


@pytest.mark.parametrize(
    ("replications", "rerun_passed", "level"),
    [
        (0, False, EvidenceLevel.REPRODUCIBLE),
        (1, False, EvidenceLevel.REPRODUCIBLE),
        (1, True, EvidenceLevel.VERIFIED),
        (2, False, EvidenceLevel.REPLICATED),
        (3, True, EvidenceLevel.REPLICATED),
    ],
)
def test_replications_and_reruns_outrank_what_the_documents_show(
    replications: int, rerun_passed: bool, level: EvidenceLevel
) -> None:
    found = evidence_level(
        replications=replications,
        rerun_passed=rerun_passed,
        public_source=True,
        exact_revision=True,
        parts_complete=True,
        raw_evidence=True,
    )
    assert found is level


def test_reproducible_needs_all_four_and_else_a_run_is_reported() -> None:
    levels = {
        flags: evidence_level(
            replications=1,
            rerun_passed=False,
            public_source=flags[0],
            exact_revision=flags[1],
            parts_complete=flags[2],
            raw_evidence=flags[3],
        )
        for flags in product([False, True], repeat=4)
    }
    assert {flags for flags, level in levels.items() if level is EvidenceLevel.REPRODUCIBLE} == {
        (True, True, True, True)
    }
    assert set(levels.values()) == {EvidenceLevel.REPRODUCIBLE, EvidenceLevel.REPORTED}


def test_levels_have_an_order() -> None:
    assert [(level.value, level.order) for level in EvidenceLevel] == [
        ("REPORTED", 0),
        ("REPRODUCIBLE", 1),
        ("VERIFIED", 2),
        ("REPLICATED", 3),
    ]


@pytest.mark.parametrize(
    ("spec", "exact", "public"),
    [
        ({"projectRevision": {}}, False, False),
        ({"projectRevision": {"version": "1.2"}}, False, False),
        ({"projectRevision": {"repository": "https://example.org/r"}}, False, False),
        ({"projectRevision": {"commit": COMMIT}}, True, False),
        ({"projectRevision": {"repository": "https://example.org/r", "commit": COMMIT}}, True, True),
        ({"projectRevision": {"repository": "https://example.org/r", "treeDigest": SHA}}, True, False),
        ({"projectRevision": {"version": "1"}, "source": {"contentDigest": SHA}}, True, True),
    ],
)
def test_exact_revision_and_public_source(spec: dict[str, Any], exact: bool, public: bool) -> None:
    assert (exact_revision(spec), own_public_source(spec)) == (exact, public)


@pytest.mark.parametrize(
    ("spec", "raw"),
    [
        ({}, False),
        ({"evidence": {}}, False),
        ({"evidence": {"harness": {"repository": "https://example.org/r", "commit": COMMIT}}}, False),
        ({"evidence": {"logs": REF}}, True),
        ({"evidence": {"rawSamples": REF}}, True),
        ({"timing": {"primaryStatistic": "mean", "latencyNs": {"mean": 1}}}, False),
        ({"timing": {"primaryStatistic": "mean", "latencyNs": {"mean": 1}, "rawSamples": REF}}, True),
        ({"status": "runtime_error", "evidence": {"logs": REF}}, True),
    ],
)
def test_raw_evidence(spec: dict[str, Any], raw: bool) -> None:
    assert raw_evidence(spec) is raw
