"""Everything that the page of one run shows, in one round trip: the contract's dossier."""

from __future__ import annotations

from typing import Any, Final

from graph import Store
from tests.bench.questions.question import Answer, Peer, Question, Row, Variant, chosen, contract, digests

CYPHER: Final = """
MATCH (r:Run {digest: $digest})-[:MEASURES]->(i:Implementation)
MATCH (r)-[:ON_WORKLOAD]->(w:Workload)-[:CASE_OF]->(o:Operation)
MATCH (r)-[:UNDER_PROTOCOL]->(t:Protocol)
MATCH (r)-[:IN_ENVIRONMENT]->(e:Environment)
OPTIONAL MATCH (r)-[:REPORTED_BY]->(s:Source)
OPTIONAL MATCH (i)-[:HAS_SOURCE]->(a:Artifact)
OPTIONAL MATCH (p:Project {slug: i.project})
CALL (r) {
  MATCH (:ComparisonGroup {key: r.comparisonKey})<-[:IN_GROUP]-(q:Run)-[:MEASURES]->(c:Implementation)
  WITH q, c ORDER BY CASE q.direction WHEN 'HIGHER_IS_BETTER' THEN -q.value ELSE q.value END, q.digest
  WITH collect([q.digest, q.value, q.observedAt, q.evidence, q.status, q.published, q.retractedAt,
    q.superseded, q.partsComplete, q.intervalLow, q.intervalHigh, q.source]) AS group, collect(c)[0] AS c
  RETURN group, [c.slug, c.title] AS leader
}
RETURN r {.digest, .complete, .title, .status, .comparisonKey, .evidence, .observedAt, .publishedAt,
    .retractedAt, .retractionReason, .superseded, .metric, .statistic, .unit, .value, .manifest, .metadata,
    .shown, .facts, .submittedSlug, .submittedProject, .importer, .importFile, .importRow, .importRevision,
    .importNotes} AS run,
  i {.digest, .slug, .title, .language, .permissive, .publicSource, .manifest, .facts} AS implementation,
  p {.slug, .name, .repository, .kind} AS project,
  w {.digest, .kind, .title, .manifest, .correctnessKey} AS workload,
  o {.digest, .slug, .family, .title} AS operation,
  t {.digest, .title, .manifest, .metadata, .shown} AS protocol,
  e {.digest, .title, .vendor, .product, .architecture, .formFactor, .manifest} AS environment,
  s {.slug, .name, .kind, .license, .attribution, .termsUrl, .verifiedOn} AS source,
  a {.contentDigest, .sizeBytes, .uri, .kind, .mediaType, .license} AS artifact,
  [(r)-[:HAS_EVIDENCE]->(f) | f {.contentDigest, .sizeBytes, .uri, .kind, .mediaType, .license}] AS evidence,
  [(r)<-[:SUPERSEDES]-(n) | n.digest] AS supersededBy, group, leader
"""
"""Texts are not parsed; of the group comes what ranks, ratios and record events are worked out from."""

PEER: Final = """
query Dossier($digest: String!) {
  runs(where: { digest: { eq: $digest } }) {
    digest complete title status comparisonKey evidence observedAt publishedAt retractedAt retractionReason
    metric statistic unit value submittedSlug importer importFile importRow importRevision importNotes
    manifest
    supersededBy { digest }
    group { key runsConnection { aggregate { count { nodes } } } }
    implementation {
      digest slug title language permissive deployable
      artifact { contentDigest sizeBytes uri kind mediaType license }
      project { slug name repository kind }
    }
    workload { digest kind title operation { digest slug family title } }
    protocol { digest title primaryStatistic }
    environment { digest title vendor product architecture formFactor }
    source { slug name kind license attribution termsUrl verifiedOn }
    evidenceFiles { contentDigest sizeBytes uri kind mediaType license }
  }
}
"""
"""As far as it is a property by itself: what stands in texts is left out, and so is the standing."""

_SOME: Final = """
UNWIND $places AS place
CALL (place) {
  MATCH (r:Run)-[:IN_GROUP]->(:ComparisonGroup) WHERE r.digest >= place AND r.value IS NOT NULL
  RETURN r.digest AS digest ORDER BY r.digest LIMIT 1
}
RETURN DISTINCT digest
"""


async def question(store: Store) -> Question:
    """Of runs by chance that are in a group."""
    rows = await store.read(_SOME, places=digests(100))
    variants = [Variant(both, both) for row in rows if (both := {"digest": row["digest"]})]
    return Question(contract("run-dossier"), CYPHER, chosen(variants), told, found, Peer(PEER, peer_told))


def told(data: Answer) -> Any:
    """Of every part of the page something."""
    run = data["run"]
    return (
        [run[name] for name in ("digest", "title", "comparisonKey", "evidenceLevel")],
        run["primary"]["value"],
        run["group"]["size"],
        run["implementation"]["slug"],
        run["implementation"]["project"] and run["implementation"]["project"]["slug"],
        run["workload"]["title"],
        run["workload"]["operation"]["slug"],
        run["protocol"]["title"],
        run["environment"]["product"],
        run["source"] and run["source"]["name"],
        {artifact["contentDigest"] for artifact in run["artifacts"]},
        run["provenance"]["row"],
    )


def found(rows: list[Row]) -> Any:
    """The same of the one row."""
    [row] = rows
    run = row["run"]
    return (
        [run[name] for name in ("digest", "title", "comparisonKey", "evidence")],
        run["value"],
        len(row["group"]),
        row["implementation"]["slug"],
        row["project"] and row["project"]["slug"],
        row["workload"]["title"],
        row["operation"]["slug"],
        row["protocol"]["title"],
        row["environment"]["product"],
        row["source"] and row["source"]["name"],
        {file["contentDigest"] for file in (row["artifact"], *row["evidence"]) if file},
        run["importRow"],
    )


def peer_told(data: Answer) -> Any:
    """The same of the peer's answer, whose relationships are lists."""
    [run] = data["runs"]
    [implementation], [workload], [group] = run["implementation"], run["workload"], run["group"]
    return (
        [run[name] for name in ("digest", "title", "comparisonKey", "evidence")],
        run["value"],
        group["runsConnection"]["aggregate"]["count"]["nodes"],
        implementation["slug"],
        next((project["slug"] for project in implementation["project"]), None),
        workload["title"],
        workload["operation"][0]["slug"],
        run["protocol"][0]["title"],
        run["environment"][0]["product"],
        next((source["name"] for source in run["source"]), None),
        {file["contentDigest"] for file in (*implementation["artifact"], *run["evidenceFiles"])},
        run["importRow"],
    )
