"""Names and shortened digests that mean several objects."""

from __future__ import annotations

from pathlib import Path

from catalog.server.ask import run_query
from graph.store import Store
from tests.engines import raw_write
from tests.read.samples import SCAN, SUM, fill, operation, says


async def test_a_shortened_digest_of_two_objects_lists_both(store: Store) -> None:
    digests = [f"sha256:{'ab' * 8}{tail * 48}" for tail in "01"]
    for digest in digests:
        await raw_write(store, "CREATE (:Run {digest: $digest, complete: false})", digest=digest)
    await raw_write(
        store, "CREATE (:Implementation {digest: $digest, complete: false})", digest=f"sha256:{'ab' * 32}"
    )
    text = "query ($d: Digest!) { run(digest: $d) { digest complete } implementation(digest: $d) { digest } }"
    answer = await run_query(store, text, {"d": "ab" * 8})
    [error] = answer["errors"]
    assert error["path"] == ["run"]
    assert error["extensions"] == {
        "code": "AMBIGUOUS",
        "candidates": [{"digest": digest, "architectures": []} for digest in digests],
    }
    assert answer["data"] == {"run": None, "implementation": {"digest": f"sha256:{'ab' * 32}"}}

    unique = await run_query(
        store, "query ($d: Digest!) { run(digest: $d) { complete } }", {"d": digests[0][:24]}
    )
    assert unique["data"] == {"run": {"complete": False}}


async def test_an_alias_of_two_operations_lists_both_and_a_slug_goes_before_an_alias(
    store: Store, tmp_path: Path
) -> None:
    third = operation("third")
    stated = [says(SUM, "alias", "both"), says(SCAN, "alias", "both"), says(SUM, "alias", "third")]
    await fill(store, tmp_path, [SUM, SCAN, third, *stated])
    answer = await run_query(
        store, '{ both: operation(slug: "both") { slug } third: operation(slug: "third") { digest } }'
    )
    [error] = answer["errors"]
    assert error["extensions"]["code"] == "AMBIGUOUS"
    found = [candidate["digest"] for candidate in error["extensions"]["candidates"]]
    assert found == sorted([SUM.digest, SCAN.digest])
    assert answer["data"] == {"both": None, "third": {"digest": third.digest}}
