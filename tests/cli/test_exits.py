"""Exit codes and sentences: every error has one."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from catalog.cli import exits
from catalog.domain.errors import AmbiguousName, BadValue, Candidate, Fault, InputError, ManifestError
from catalog.server.settings import SettingsError
from graph import errors as store_errors
from graph.errors import QueryFailed, SchemaTooNew, StoreError, Unavailable
from tests.cli.conftest import Run

COMMANDS = [
    *("demo", "serve", "import", "check", "rank", "query", "schema", "verify", "export", "status", "stop")
]

TABLE: list[tuple[BaseException, int, str]] = [
    (KeyboardInterrupt(), 130, "interrupted"),
    (typer.Abort(), 130, "interrupted"),
    (InputError("--gpu", "B3", "must be known"), 2, '--gpu: must be known, not "B3"'),
    (BadValue("bad_digest", "must be a digest", "x"), 2, 'must be a digest, not "x"'),
    (ManifestError([Fault("r", "/a", "m"), Fault("r", "/b", "m")]), 1, "/a: r: m\ncatalog: /b: r: m"),
    (
        AmbiguousName("x", [Candidate("sha256:1"), Candidate("sha256:2", ("sm_90",))]),
        2,
        '"x" names 2 objects, ask by digest: sha256:1 (no architecture stated); sha256:2 (sm_90)',
    ),
    (Unavailable(), 2, "embedded engine: The database cannot be reached."),
    (QueryFailed(), 70, str(QueryFailed())),
    (SettingsError("PORT", "x", "a number is wanted"), 2, 'PORT="x": a number is wanted'),
    (
        FileNotFoundError(2, "No such file or directory", "q.graphql"),
        2,
        "q.graphql: No such file or directory",
    ),
    (ExceptionGroup("several", [InputError("a", 1, "must be 2")]), 2, "a: must be 2, not 1"),
    (exits.CannotAnswer("two\nlines \x1b[31m"), 2, "two lines \\x1b[31m"),
    (
        ZeroDivisionError("by zero"),
        70,
        "a fault of this program: ZeroDivisionError: by zero; CATALOG_DEBUG=1 shows where, please report it",
    ),
]


@pytest.mark.parametrize(("error", "code", "sentence"), TABLE, ids=lambda value: type(value).__name__)
def test_an_error_is_one_code_and_one_sentence(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, sentence: str
) -> None:
    assert exits.report(error) == code
    assert capsys.readouterr() == ("", f"catalog: {sentence}\n")


def test_every_error_of_the_store_but_our_own_bugs_means_unusable() -> None:
    kinds = [getattr(store_errors, name) for name in store_errors.__all__]
    made: list[StoreError] = [kind(2, 1) if kind is SchemaTooNew else kind() for kind in kinds]
    assert {type(error).__name__: exits.report(error) for error in made} == {
        kind.__name__: exits.BUG if kind is QueryFailed else exits.UNUSABLE for kind in kinds
    }


def test_a_traceback_is_printed_on_demand_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATALOG_DEBUG", "1")
    exits.report(ZeroDivisionError("by zero"))
    assert capsys.readouterr().err.startswith("ZeroDivisionError: by zero\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["frobnicate"], "frobnicate"),
        (["rank"], "OPERATION"),
        (["serve", "--port", "70000"], "--port: must be from 0 to 65535, not 70000"),
        (["serve", "--workers", "0"], "--workers: must be from 1 to 64, not 0"),
        (["demo", "--port", "many"], "'--port': must be a whole number, not \"many\""),
        (["serve", "--colour"], "--colour"),
    ],
)
def test_wrong_usage_is_one_sentence_that_quotes_it(catalog: Run, arguments: list[str], words: str) -> None:
    ran = catalog(*arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert words in ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_the_common_options(catalog: Run, command: str) -> None:
    ran = catalog(command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert "--json" in ran.out
    assert command == "check" or "--data-dir" in ran.out  # a check has no database


def test_the_bare_command_shows_its_help(catalog: Run) -> None:
    ran = catalog()
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.rstrip("\n") == catalog("--help").out.rstrip("\n")
    assert ran.err.startswith("Usage: catalog [OPTIONS] COMMAND [ARGS]...\n")


def test_a_data_directory_that_cannot_be_used_is_named(catalog: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    directory = tmp_path / "file" / "data"
    ran = catalog("rank", "liger-jsd", "--data-dir", directory)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"catalog: embedded engine in {directory}: The data directory cannot be used: Not a directory.\n"
    )


def test_the_version_is_that_of_the_package(catalog: Run) -> None:
    assert (catalog("--version").code, catalog("--version").out.split()[0]) == (0, "catalog")


def _start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "catalog.cli", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )


def test_a_reader_that_goes_away_is_no_fault(data_dir: Path) -> None:
    with _start("export", "--data-dir", data_dir) as export:
        assert export.stdout is not None
        export.stdout.close()
        assert export.stderr is not None
        errors = export.stderr.read()
    assert (export.returncode, errors) == (141, "")


def test_an_interrupt_is_clean(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "endless.jsonl")
    with _start("query", "--data-dir", tmp_path, tmp_path / "endless.jsonl") as command:
        time.sleep(1)
        command.send_signal(signal.SIGINT)
        out, err = command.communicate(timeout=30)
    assert (command.returncode, out, err) == (130, "", "")
