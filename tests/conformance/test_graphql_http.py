"""GraphQL over HTTP: every audit of npm's graphql-http."""

import json
from collections import Counter

from tests.conformance.node import Package


def test_every_audit_of_graphql_over_http_passes(tools: Package, served: str) -> None:
    ran = tools.node("audit.mjs", served)
    assert ran.code == 0, ran
    audits = json.loads(ran.out)
    assert [audit for audit in audits if audit["status"] != "ok"] == []
    levels = Counter(audit["name"].split()[0] for audit in audits)
    assert levels == {"MUST": 13, "SHOULD": 23, "MAY": 25}
