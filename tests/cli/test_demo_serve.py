"""`catalog demo` and `catalog serve`, as processes."""

import json
import socket
import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.cli.conftest import Run
from tests.serving import announced, ask, end, start

REFERENCE_RUNS = {
    "sha256:26a3d326c83203eb3e8ee8d02e3367acf4c2a0e4efafca478b81074ca5fe20a4": (
        "efaaa145f23845f43342a26",
        9_110_560,
    ),
    "sha256:5b5365787b943880595db046fa21ef8e7b0f2d47382af2260e617469d9f0829c": (
        "b59178a52ddaa378765ded2",
        61_116_322,
    ),
}


@pytest.mark.slow
def test_the_demo_imports_the_bundled_data_and_serves_both_reference_runs(tmp_path: Path) -> None:
    with start("demo", "--port", 0, "--data-dir", tmp_path / "data") as demo:
        try:
            found = announced(demo)
            assert (found["counts"]["BenchmarkRun"], found["dataDir"]) == (1649, str(tmp_path / "data"))
            for key, (digest, value) in REFERENCE_RUNS.items():
                query = """query($key: Digest!) { comparisonGroup(key: $key) {
                    size runs { edges { rank node { digest primary { value } } } } } }"""
                group = ask(found["url"], query, key=key)["comparisonGroup"]
                second = group["runs"]["edges"][1]
                assert (group["size"], second["rank"], second["node"]["primary"]["value"]) == (2, 2, value)
                assert second["node"]["digest"].startswith(f"sha256:{digest}")
        finally:
            code, errors = end(demo)
    assert (code, errors) == (0, "")


def counted(url: str, name: str, **labels: str) -> float:
    """What the server says it has counted under these labels."""
    with urllib.request.urlopen(url.replace("/graphql", "/metrics"), timeout=30) as response:
        text = response.read().decode()
    return sum(
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def test_several_workers_serve_one_catalog(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_FORMAT", "json")
    monkeypatch.setenv("LOG_LEVEL", "info")
    with start("serve", "--port", 0, "--workers", 2, "--data-dir", data_dir) as server:
        try:
            url = announced(server)["url"]
            assert ask(url, "{ catalog { revision } }") == {"catalog": {"revision": 1}}
            before = counted(url, "catalog_requests_total", operation="query")
            for _ in range(20):
                ask(url, "{ catalog { revision } }")
            for _ in range(5):  # whichever worker is asked
                assert counted(url, "catalog_requests_total", operation="query") == before + 20
            timed = "catalog_statement_duration_seconds_count"
            assert counted(url, timed, statement="queries.CATALOG") >= before + 20
            assert counted(url, timed, statement="unnamed") == 0
        finally:
            code, errors = end(server)
    assert code == 0
    lines = [json.loads(line) for line in errors.splitlines()]
    assert {line["level"] for line in lines} == {"INFO"}
    asked = [line for line in lines if line["logger"] == "catalog.access"]
    assert {(line["operation_type"], line["statements"]) for line in asked} == {("query", 1)}


def test_a_port_that_is_taken_is_refused_at_once(catalog: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = catalog("demo", "--port", port, "--data-dir", tmp_path / "data")
    assert ran.code == 2
    assert ran.err == f"catalog: --port: 127.0.0.1:{port} cannot be listened on: Address already in use\n"
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("host", ["8.8.8.8", "a..b", "name.invalid"])
def test_a_host_that_is_not_this_machine_is_blamed(catalog: Run, tmp_path: Path, host: str) -> None:
    ran = catalog("serve", "--host", host, "--port", 0, "--data-dir", tmp_path / "data")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f'catalog: --host: "{host}" is no address of this machine\n'


def test_a_wrong_setting_is_refused_by_name(
    catalog: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORT", "many")
    ran = catalog("serve", "--data-dir", tmp_path)
    assert ran.code == 2
    assert ran.err.startswith('catalog: PORT="many": ')


@pytest.mark.parametrize("by_option", [True, False])
def test_a_faulty_trusted_document_is_refused_with_its_place(
    catalog: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_option: bool
) -> None:
    monkeypatch.setenv("TRUSTED_DOCUMENTS", "" if by_option else str(tmp_path))
    (tmp_path / "a.graphql").write_text("{\n  zzzz\n}\n")
    option = ("--trusted-documents", tmp_path) if by_option else ()
    ran = catalog("serve", "--port", 0, "--data-dir", tmp_path / "data", *option)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"catalog: {tmp_path}/a.graphql:2:3: Cannot query field 'zzzz' on type 'Query'.\n"
    assert not (tmp_path / "data").exists()
