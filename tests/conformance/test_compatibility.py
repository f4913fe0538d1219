"""Apollo's compatibility suite for subgraphs, on its products schema behind the catalog's HTTP layer."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.conformance.node import Package, run
from tests.serving import ROOT, free_port, until_answering

SUITE = "node_modules/@apollo/federation-subgraph-compatibility-tests"
JEST = {"testEnvironment": "node", "rootDir": "dist/tests", "testMatch": ["**/*.test.js"]}


def test_every_test_of_the_suite_passes(tools: Package, tmp_path: Path) -> None:
    shutil.copytree(tools.folder / SUITE / "dist", tmp_path / "dist")
    shutil.copy(tools.folder / SUITE / "products.graphql", tmp_path)
    (tmp_path / "node_modules").symlink_to(tools.folder / "node_modules")
    (tmp_path / "jest.config.json").write_text(json.dumps(JEST))
    with ExitStack() as stack:
        products = stack.enter_context(announcing(sys.executable, "-m", "tests.conformance.products"))
        urls = {"products": products}
        for name in ("users", "inventory"):
            urls[name] = stack.enter_context(their_subgraph(tmp_path, name))
        arguments = [f"{name}={url}" for name, url in urls.items()]
        gateway = announcing("node", tools.folder / "compat_gateway.mjs", *arguments)
        replace_once(
            tmp_path / "dist/utils/client.js", "http://localhost:4000/", stack.enter_context(gateway)
        )
        report = tmp_path / "report.json"
        environ = {"PRODUCTS_URL": products}
        jest = tools.folder / "node_modules/.bin/jest"
        ran = run(jest, "--ci", "--json", "--outputFile", report, environ=environ, folder=tmp_path)
    found = json.loads(report.read_text())
    results = {
        test["fullName"]: test["status"]
        for suite in found["testResults"]
        for test in suite["assertionResults"]
    }
    assert [name for name, status in results.items() if status != "passed"] == [], ran
    assert len(results) == 23


@contextmanager
def their_subgraph(folder: Path, name: str) -> Iterator[str]:
    """The address of a subgraph that the suite brings, made to listen on loopback alone."""
    replace_once(
        folder / f"dist/subgraphs/{name}/index.js",
        "{ port: serverPort }",
        "{ port: serverPort, host: '127.0.0.1' }",
    )
    port = free_port()
    environ = {**os.environ, f"{name.upper()}_PORT": str(port)}
    with subprocess.Popen(["node", "index.js"], cwd=folder / f"dist/subgraphs/{name}", env=environ) as server:
        try:
            url = f"http://127.0.0.1:{port}/"
            until_answering(server, url, "{ __typename }")
            yield url
        finally:
            server.terminate()


@contextmanager
def announcing(*command: object) -> Iterator[str]:
    """The address that a server prints."""
    words = [str(word) for word in command]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        try:
            assert server.stdout is not None
            yield json.loads(server.stdout.readline())["url"]
        finally:
            server.terminate()


def replace_once(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))
