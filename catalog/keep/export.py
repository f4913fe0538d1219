"""``catalog export``: manifests and catalog facts as JSON Lines, which ``catalog import`` reads back.

Only what was stated goes out; what is derived (keys, evidence, standings) is derived again where it is
read. Parts come before what is made of them, objects in the order of their digests: the same content gives
the same bytes.
"""

from __future__ import annotations

from collections import Counter
from typing import IO, Final

from catalog.domain import facts
from catalog.domain.identity import load_canonical
from catalog.ingest.sources import catalog_export as lines
from catalog.keep.pages import Advance, pages
from graph import Store

ORDER: Final[tuple[tuple[str, str], ...]] = (
    ("Source", "EvidenceSource"),
    ("ProjectRevision", "SoftwareProject"),
    ("Operation", "OperationSpec"),
    ("Workload", ""),
    ("Artifact", "EvidenceArtifact"),
    ("Implementation", "ImplementationRevision"),
    ("Protocol", "BenchmarkProtocol"),
    ("Environment", "ExecutionEnvironment"),
    ("Run", "BenchmarkRun"),
    ("Model", "ModelRevision"),
    ("ServingStack", "ServingStackRevision"),
    ("ServingConfiguration", "ServingConfiguration"),
    ("ServingWorkload", "ServingWorkload"),
    ("ServingRun", "ServingRun"),
    ("OperationRelation", ""),
)
"""Label, and the kind of its facts' subjects (none where nothing is stated of the objects)."""


async def export(store: Store, out: IO[str], advance: Advance | None = None) -> Counter[str]:
    """Write the whole catalog; returns the lines written by what they hold (a kind, or ``facts``)."""
    written: Counter[str] = Counter()
    out.write(lines.header_line())
    for label, subject_kind in ORDER:
        async for page in pages(store, label, advance):
            for key, props in page:
                if props.get("manifest") is not None:
                    body = load_canonical(props["manifest"])
                    for variant in props["metadata"]:
                        out.write(lines.manifest_line(body, load_canonical(variant)))
                        written[body["kind"]] += 1
                for text in props.get("facts") or ():
                    statement = facts.parse(text, subject_kind, key)
                    if statement.source != facts.FROM_MANIFEST:
                        out.write(lines.fact_line(statement))
                        written["facts"] += 1
    return written
