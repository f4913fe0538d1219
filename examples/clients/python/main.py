"""Who is fastest? Asks a catalog through the generated client.

python main.py OPERATION ARCHITECTURE          what can be ranked, and who leads each
python main.py --key KEY                       one ranking
"""

import argparse
import os
from collections.abc import Iterator

from catalog_client import CatalogClient
from catalog_client.boards import BoardsComparisonGroupsEdgesNode as Board


def boards(client: CatalogClient, operation: str, architecture: str) -> Iterator[Board]:
    """Every comparison group, page after page."""
    after = None
    while True:
        page = client.boards(operation, architecture, after=after).comparison_groups
        yield from (edge.node for edge in page.edges)
        if not page.page_info.has_next_page:
            return
        after = page.page_info.end_cursor


def show_boards(client: CatalogClient, operation: str, architecture: str) -> None:
    """One line for each group: beginning of its key, how many are ranked, who leads, what was measured."""
    for board in boards(client, operation, architecture):
        leader = board.leader.submitted_as.slug if board.leader and board.leader.submitted_as else "nobody"
        workload = board.workload.title if board.workload else "?"
        protocol = board.protocol.title if board.protocol else "?"
        print(f"{board.key[7:19]}  {board.eligible_count} ranked  {leader:<22}  {workload}  ({protocol})")


def show_ranking(client: CatalogClient, key: str) -> None:
    """The runs of one group, best first."""
    group = client.ranking(key, first=20).comparison_group
    if group is None:
        raise SystemExit(f"there is no comparison group with the key {key}")
    print(f"{group.metric.metric} {group.metric.statistic} in {group.metric.unit}")
    for edge in group.runs.edges:
        run = edge.node
        if edge.rank is None or edge.ratio_to_best is None or run.primary is None:
            continue  # not ranked: `standing.reasons` of the run says why
        name = run.submitted_as.slug if run.submitted_as else run.digest
        use = run.implementation.deployability if run.implementation else None
        reasons = ", ".join(use.reasons) if use else "unknown"
        ready = "ready to use" if use and use.eligible else f"not ready: {reasons}"
        level = run.evidence_level.value.lower() if run.evidence_level else "unknown"
        place = f"{edge.rank:>2}  {run.primary.value:>12,.0f}  {edge.ratio_to_best:.3f}"
        print(f"{place}  {name:<22}  {level}, {ready}")


def main() -> None:
    """Read the command line and answer."""
    parser = argparse.ArgumentParser(description="Who is fastest?")
    parser.add_argument("operation", nargs="?", help="slug, alias or family, such as liger-jsd")
    parser.add_argument("architecture", nargs="?", help="such as sm_100")
    parser.add_argument("--key", help="comparison key, or its first 8 digits or more")
    parser.add_argument("--url", default=os.environ.get("CATALOG_URL", "http://127.0.0.1:8000/graphql"))
    given = parser.parse_args()
    with CatalogClient(given.url) as client:
        if given.key:
            show_ranking(client, given.key)
        elif given.operation and given.architecture:
            show_boards(client, given.operation, given.architecture)
        else:
            parser.error("give OPERATION and ARCHITECTURE, or --key")


if __name__ == "__main__":
    main()
