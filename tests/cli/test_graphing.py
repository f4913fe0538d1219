"""`catalog graph`."""

import json
from pathlib import Path

import pytest
import rustworkx as rx

from tests.cli.conftest import Run


def test_the_graph_is_written_as_graphml(catalog: Run, data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.graphml"
    ran = catalog("graph", "-o", file, "--json", "--data-dir", data_dir)
    assert ran.code == 0
    [graph] = rx.read_graphml(str(file))
    told = {"file": str(file), "nodes": graph.num_nodes(), "edges": graph.num_edges()}
    assert json.loads(ran.out) == told
    kinds = [node["kind"] for node in graph.nodes()]
    assert (kinds.count("Operation"), kinds.count("Implementation")) == (1, 2)
    assert {edge["relation"] for edge in graph.edges()} >= {"IMPLEMENTS", "REVISION_OF"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.graphml"]


@pytest.mark.parametrize("arguments", [("graph",), ("graph", "-o", "{none}/x.graphml")])
def test_a_file_is_needed(catalog: Run, data_dir: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    given = [argument.replace("{none}", str(tmp_path / "none")) for argument in arguments]
    ran = catalog(*given, "--data-dir", data_dir)
    assert (ran.code, ran.out) == (2, "")
    assert "x.graphml" in ran.err or "--output" in ran.err
