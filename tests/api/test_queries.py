"""What the sample catalog answers: whole values, on both engines."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.domain.manifests import Manifest
from tests.api.conftest import Ask
from tests.read.samples import (
    BEST,
    FAILED,
    H100,
    HUGE,
    HUGER,
    MEDIAN,
    MISMATCHED,
    PAIR,
    RETRACTED,
    SMALL,
    SUM,
    SUPERSEDED,
    THIRD,
    TIED,
    WAITING,
    ZERO,
)

GROUP = """query ($digest: Digest!, $filter: RankedFilter, $first: Int, $after: String) {
  run(digest: $digest) { group {
    size eligibleCount profile leader { digest }
    runs(filter: $filter, first: $first, after: $after) {
      totalCount pageInfo { hasNextPage hasPreviousPage }
      edges { cursor rank tiedWithPrevious ratioToBest node { digest standing { rank reasons } } }
    }
  } } }"""

INELIGIBLE = sorted([FAILED, RETRACTED, SUPERSEDED], key=lambda run: run.digest)


async def _group(ask: Ask, **variables: Any) -> Any:
    answer = await ask(GROUP, digest=BEST.digest, **variables)
    assert "errors" not in answer
    return answer["data"]["run"]["group"]


async def test_a_group_is_ranked_and_its_runs_agree(ask: Ask) -> None:
    group = await _group(ask)
    edges = group["runs"].pop("edges")
    assert group == {
        "size": 6,
        "eligibleCount": 3,
        "profile": "SOURCE_NATIVE",
        "leader": {"digest": BEST.digest},
        "runs": {"totalCount": 6, "pageInfo": {"hasNextPage": False, "hasPreviousPage": False}},
    }
    shown = [
        (e["node"]["digest"], e["rank"], e["tiedWithPrevious"], e["ratioToBest"], e["node"]["standing"])
        for e in edges
    ]
    reasons = {
        FAILED.digest: "STATUS_TIMEOUT",
        RETRACTED.digest: "RETRACTED",
        SUPERSEDED.digest: "SUPERSEDED",
    }
    assert shown == [
        (BEST.digest, 1, False, 1.0, {"rank": 1, "reasons": []}),
        (TIED.digest, 1, True, 1.0, {"rank": 1, "reasons": []}),
        (THIRD.digest, 2, False, 2.5, {"rank": 2, "reasons": []}),
        *(
            (run.digest, None, False, None, {"rank": None, "reasons": [reasons[run.digest]]})
            for run in INELIGIBLE
        ),
    ]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"architecture": "sm_90"}, [BEST, TIED, THIRD, *INELIGIBLE]),
        ({"architecture": "sm_100"}, []),
        ({"architecture": None}, [BEST, TIED, THIRD, *INELIGIBLE]),
        ({"minimumEvidence": "VERIFIED"}, [BEST, TIED]),
        ({"minimumEvidence": "REPLICATED"}, [BEST]),
        ({"deployable": True}, [BEST, *INELIGIBLE]),
        ({"deployable": False}, [TIED, THIRD]),
        ({"project": "other-library"}, [TIED]),
        ({"project": "library"}, [BEST, THIRD, *INELIGIBLE]),
        ({"project": "nowhere"}, []),
    ],
    ids=str,
)
async def test_a_filter_leaves_out_runs_and_changes_no_rank(
    ask: Ask, chosen: dict[str, Any], expected: list[Manifest]
) -> None:
    runs = (await _group(ask, filter=chosen))["runs"]
    assert [edge["node"]["digest"] for edge in runs["edges"]] == [run.digest for run in expected]
    assert runs["totalCount"] == len(expected)
    ranks = {edge["node"]["digest"]: edge["rank"] for edge in runs["edges"]}
    assert ranks.items() <= {BEST.digest: 1, TIED.digest: 1, THIRD.digest: 2, **_unranked()}.items()


def _unranked() -> dict[str, None]:
    return {run.digest: None for run in INELIGIBLE}


async def test_the_pages_of_a_group_join_without_gap(ask: Ask) -> None:
    seen: list[str] = []
    after = None
    for more in (True, True, False):
        runs = (await _group(ask, first=2, after=after))["runs"]
        assert runs["pageInfo"] == {"hasNextPage": more, "hasPreviousPage": after is not None}
        seen += [edge["node"]["digest"] for edge in runs["edges"]]
        after = runs["edges"][-1]["cursor"]
    assert seen == [run.digest for run in (BEST, TIED, THIRD, *INELIGIBLE)]


async def test_record_history_and_the_runs_own_events(ask: Ask) -> None:
    answer = await ask(
        """query ($run: Digest!) { run(digest: $run) {
          recordEvents { at cause previous { digest } }
          group { recordHistory { at cause policy run { digest } previous { digest } improvement }
                  first: recordHistory(first: 1) { at } } } }""",
        run=RETRACTED.digest,
    )
    run = answer["data"]["run"]

    def event(
        at: str, cause: str, now: Manifest, before: Manifest | None, gain: float | None
    ) -> dict[str, Any]:
        return {
            "at": at,
            "cause": cause,
            "policy": "ranking-v1",
            "run": {"digest": now.digest},
            "previous": before and {"digest": before.digest},
            "improvement": gain,
        }

    assert run["group"]["recordHistory"] == [
        event("2026-01-01T00:00:00Z", "NEW_RUN", THIRD, None, None),
        event("2026-01-02T00:00:00.500Z", "NEW_RUN", TIED, THIRD, 0.6),
        event("2026-01-06T00:00:00Z", "NEW_RUN", RETRACTED, TIED, 0.5),
        event("2026-01-07T00:00:00Z", "RETRACTION", TIED, RETRACTED, None),
    ]
    assert run["recordEvents"] == [
        {"at": "2026-01-06T00:00:00Z", "cause": "NEW_RUN", "previous": {"digest": TIED.digest}}
    ]
    assert run["group"]["first"] == [{"at": "2026-01-01T00:00:00Z"}]


@pytest.mark.parametrize(
    ("run", "reasons"),
    [
        (WAITING, ["INCOMPLETE"]),
        (ZERO, ["MISSING_PRIMARY_METRIC"]),
        (MISMATCHED, ["MISSING_PRIMARY_METRIC"]),
    ],
    ids=["incomplete", "zero", "unmeasured"],
)
async def test_why_a_run_is_not_ranked(ask: Ask, run: Manifest, reasons: list[str]) -> None:
    answer = await ask(
        "query ($run: Digest!) { run(digest: $run) {"
        " standing { rank eligible tied reasons ratioToBest leader { digest } } } }",
        run=run.digest,
    )
    assert answer["data"]["run"]["standing"] == {
        **{"rank": None, "eligible": False, "tied": False, "ratioToBest": None, "leader": None},
        "reasons": reasons,
    }


async def test_large_values_come_back_exactly(ask: Ask) -> None:
    answer = await ask(
        """query ($a: Digest!, $b: Digest!, $artifact: Digest!) {
          a: run(digest: $a) { primary { value sampleCount } standing { ratioToBest } }
          b: run(digest: $b) { primary { value } implementation { sourceRevision } }
          c: run(digest: $artifact) { artifacts { contentDigest sizeBytes kind } } }""",
        a=HUGE.digest,
        b=HUGER.digest,
        artifact=BEST.digest,
    )
    assert answer["data"] == {
        "a": {"primary": {"value": 34_822_486_568, "sampleCount": 7}, "standing": {"ratioToBest": 1}},
        "b": {"primary": {"value": 3 * 10**15}, "implementation": {"sourceRevision": "0" * 40}},
        "c": {"artifacts": [{"contentDigest": "sha256:" + "c" * 64, "sizeBytes": 2**40, "kind": "source"}]},
    }


async def test_a_run_as_its_page_shows_it(ask: Ask) -> None:
    answer = await ask(
        """query ($run: Digest!) { run(digest: $run) {
          complete title status evidenceLevel observedAt publishedAt labels { name value }
          retraction { at reason } supersededBy { digest } warnings { code }
          sourceNative { source benchmark externalId metrics { name value } }
          submittedAs { slug title role project { slug name } }
          implementation { slug title language framework names { slug title role project { slug } }
            license { declared concluded permissive } installs { kind package command }
            deployability { eligible reasons } project { slug } projects { slug } }
          workload { kind axes { name value } tensors { name dtype shape } scalars { name value }
            cases { externalId }
            correctnessPolicy { comparator maxAbsoluteError } operation { slug aliases } }
          protocol { name timer primaryStatistic harness { name } }
          environment { product architecture framework driver }
          source { slug name runCount }
          provenance { importer row revision notes }
          attestations { totalCount edges { cursor } pageInfo { hasNextPage } }
          manifest
          citation { permalink digest accessedOn }
        } }""",
        run=TIED.digest,
    )
    assert "errors" not in answer
    run = answer["data"]["run"]
    manifest = run.pop("manifest")
    assert manifest["metadata"] == TIED.metadata
    assert manifest["spec"] == TIED.spec
    assert run.pop("provenance") == {"importer": "catalog", "row": 19, "revision": 1, "notes": []}
    assert run == {
        "complete": True,
        "title": "Tied",
        "status": "PASSED",
        "evidenceLevel": "VERIFIED",
        "observedAt": "2026-01-02T00:00:00.500Z",
        "publishedAt": "2026-05-01T00:00:00Z",
        "labels": [{"name": "alpha", "value": "2"}, {"name": "zeta", "value": "1"}],
        "retraction": None,
        "supersededBy": None,
        "warnings": [],
        "sourceNative": {
            "source": "bench",
            "benchmark": "b",
            "externalId": "tied",
            "metrics": [{"name": "ms", "value": 1.5}],
        },
        "submittedAs": {
            "slug": "entry",
            "title": "Entry",
            "role": "entry",
            "project": {"slug": "other-library", "name": "Other-Library"},
        },
        "implementation": {
            "slug": "shared",
            "title": "Plain",
            "language": "cuda",
            "framework": None,
            "names": [{"slug": "shared", "title": "Plain", "role": None, "project": {"slug": "library"}}],
            "license": {"declared": None, "concluded": None, "permissive": None},
            "installs": [],
            "deployability": {"eligible": False, "reasons": ["NO_INSTALL_RECIPE", "LICENSE_UNKNOWN"]},
            "project": {"slug": "library"},
            "projects": [{"slug": "library"}],
        },
        "workload": {
            "kind": "CASE",
            "axes": [{"name": "n", "value": 1024}],
            "tensors": [{"name": "x", "dtype": "fp32", "shape": [1024]}],
            "scalars": [{"name": "a", "value": 2.5}],
            "cases": [],
            "correctnessPolicy": {"comparator": "allclose", "maxAbsoluteError": 0.001},
            "operation": {"slug": "sum-rows", "aliases": ["row-sum"]},
        },
        "protocol": {
            "name": "median-of-runs",
            "timer": "cuda_events",
            "primaryStatistic": "median",
            "harness": {"name": "bench"},
        },
        "environment": {
            "product": "H100",
            "architecture": "sm_90",
            "framework": "torch 2.7",
            "driver": None,
        },
        "source": {"slug": "bench", "name": "Bench", "runCount": 12},
        "attestations": {"totalCount": 0, "edges": [], "pageInfo": {"hasNextPage": False}},
        "citation": {
            "permalink": f"/manifests/{TIED.digest}",
            "digest": TIED.digest,
            "accessedOn": "2026-08-16",
        },
    }


async def test_retraction_supersession_mismatch_and_public_links(ask: Ask) -> None:
    answer = await ask(
        """query ($a: Digest!, $b: Digest!, $c: Digest!) {
          a: run(digest: $a) { retraction { at reason } citation { permalink text bibtex } }
          b: run(digest: $b) { supersededBy { digest } }
          c: run(digest: $c) { warnings { code }
            workload { kind cases { externalId axes { name value } } } } }""",
        public_url="https://catalog.example.org/base",
        a=RETRACTED.digest,
        b=SUPERSEDED.digest,
        c=MISMATCHED.digest,
    )
    citation = answer["data"]["a"].pop("citation")
    link = f"https://catalog.example.org/base/manifests/{RETRACTED.digest}"
    assert citation["permalink"] == link
    assert link in citation["text"]
    assert link in citation["bibtex"]
    assert answer["data"] == {
        "a": {"retraction": {"at": "2026-01-07T00:00:00Z", "reason": "clocks"}},
        "b": {"supersededBy": {"digest": THIRD.digest}},
        "c": {
            "warnings": [{"code": "OPERATION_MISMATCH"}],
            "workload": {
                "kind": "SUITE",
                "cases": [
                    {"externalId": "case-0", "axes": [{"name": "m", "value": 2}, {"name": "n", "value": 16}]},
                    {
                        "externalId": "case-1",
                        "axes": [{"name": "m", "value": 3}, {"name": "n", "value": 4096}],
                    },
                ],
            },
        },
    }


async def test_the_other_lists_and_finds(ask: Ask) -> None:
    answer = await ask(
        """query ($op: Digest!, $work: Digest!, $env: Digest!, $proto: Digest!) {
          operations { totalCount edges { node { slug } } }
          family: operations(family: "sums") { edges { node { slug } } }
          workloads { totalCount } suites: workloads(kind: SUITE) { edges { node { digest } } }
          none: workloads(operation: "nothing") { totalCount edges { cursor } }
          ofSums: workloads(operation: "sums", kind: CASE) { totalCount }
          projects { edges { node { slug } } }
          environments(architecture: "sm_100") { edges { node { product } } }
          protocols { totalCount } sources { edges { node { slug } } }
          byAlias: operation(slug: "row-sum") { slug } byDigest: operation(digest: $op) { slug }
          workload(digest: $work) { title } environment(digest: $env) { product }
          protocol(digest: $proto) { name }
          project(slug: "library") { name repository kind } nobody: project(slug: "nobody") { name }
          source(slug: "bench") { name lastObservedAt servingRunCount }
          unknown: operation(slug: "nothing") { slug }
        }""",
        op=SUM.digest[:20],
        work=SMALL.digest,
        env=H100.digest,
        proto=MEDIAN.digest.removeprefix("sha256:"),
    )
    assert "errors" not in answer
    data = answer["data"]
    assert {edge["node"]["slug"] for edge in data.pop("operations")["edges"]} == {"sum-rows", "scan-rows"}
    assert data == {
        "family": {"edges": [{"node": {"slug": "sum-rows"}}]},
        "workloads": {"totalCount": 3},
        "suites": {"edges": [{"node": {"digest": PAIR.digest}}]},
        "none": {"totalCount": 0, "edges": []},
        "ofSums": {"totalCount": 2},
        "projects": {"edges": [{"node": {"slug": "library"}}, {"node": {"slug": "other-library"}}]},
        "environments": {"edges": [{"node": {"product": "B200"}}]},
        "protocols": {"totalCount": 2},
        "sources": {"edges": [{"node": {"slug": "bench"}}]},
        "byAlias": {"slug": "sum-rows"},
        "byDigest": {"slug": "sum-rows"},
        "workload": {"title": "Sum-Rows-N1024"},
        "environment": {"product": "H100"},
        "protocol": {"name": "median-of-runs"},
        "project": {"name": "Library", "repository": "https://example.org/library", "kind": None},
        "nobody": None,
        "source": {"name": "Bench", "lastObservedAt": "2026-04-01T00:00:00Z", "servingRunCount": 0},
        "unknown": None,
    }


async def test_the_catalog_counts_what_is_complete(ask: Ask) -> None:
    answer = await ask("{ catalog { apiVersion policies { ranking deployability } counts { kind count } } }")
    counts = {row["kind"]: row["count"] for row in answer["data"]["catalog"]["counts"]}
    assert {kind: count for kind, count in counts.items() if count} == {
        "OperationSpec": 2,
        "WorkloadCase": 2,
        "WorkloadSuite": 1,
        "SoftwareProject": 2,
        "ImplementationRevision": 4,
        "BenchmarkProtocol": 2,
        "ExecutionEnvironment": 3,
        "BenchmarkRun": 12,
        "ComparisonGroup": 5,
        "EvidenceSource": 1,
        "EvidenceArtifact": 1,
    }
    assert list(counts)[:3] == ["OperationSpec", "WorkloadCase", "WorkloadSuite"]
    assert len(counts) == 17
