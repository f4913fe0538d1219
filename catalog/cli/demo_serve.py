"""``catalog demo`` and ``catalog serve``: the GraphQL server, with bundled data or your own."""

from __future__ import annotations

import asyncio
import errno
import os
import shlex
import shutil
import socket
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

from catalog.cli import exits, output, places
from catalog.domain.errors import InputError, quote

if TYPE_CHECKING:
    from catalog.server.run import Application
    from catalog.server.settings import Settings

T = TypeVar("T")

BUNDLED: Final = "data/liger/all_benchmark_data.csv"
MOST_PORT: Final = 65535
MOST_WORKERS: Final = 64
TRUSTED: Final = "TRUSTED_DOCUMENTS"
EXAMPLE: Final = ("rank", "liger-jsd", "tokens=2048", "vocab=128256", "--arch", "sm_100")

Host = Annotated[
    str | None,
    typer.Option(
        "--host",
        parser=output.whole_text,
        metavar="ADDRESS",
        help="Address to listen on [default: HOST, else 127.0.0.1].",
    ),
]
Port = Annotated[
    int | None,
    typer.Option(
        "--port",
        parser=output.whole_number,
        metavar="N",
        help="Port to listen on, 0 for a free one [default: PORT, else 8000].",
    ),
]
Workers = Annotated[
    int,
    typer.Option("--workers", parser=output.whole_number, metavar="N", help="Processes that answer."),
]


def demo(
    host: Host = None, port: Port = None, data_dir: places.DataDir = None, as_json: output.Json = False
) -> int:
    """Import the bundled benchmark of Liger-Kernel (once) and serve it."""
    directory = places.for_demo(data_dir)
    settings = _settings(LOG_LEVEL="warning")
    host, port = _address(settings, host, port)
    app, counts = _made_while(_prepared, directory, settings)
    address = f"http://{_in_url(host)}:{port}/graphql"
    if as_json:
        output.print_json({"url": address, "dataDir": str(directory), "counts": counts})
    else:
        program = "catalog" if shutil.which("catalog") else sys.argv[0]
        there = [] if data_dir is None else ["--data-dir", str(directory)]
        runs, groups = counts["BenchmarkRun"], counts["ComparisonGroup"]
        output.say(f"Liger-Kernel's benchmark: {runs:,} runs in {groups:,} comparison groups.")
        output.say(f"  GraphiQL:  {address}")
        output.say(f"  Or ask:    {shlex.join([program, *EXAMPLE, *there])}")
        output.say("Ctrl-C ends the server.")
    return _serve(app, host, port, 1, settings)


async def _prepared(directory: Path) -> dict[str, int]:
    """Import the bundled data where they are not there yet; how many objects there are."""
    from catalog.ingest.pipeline import import_paths
    from catalog.read import Snapshots

    async with places.opened(directory) as store:
        with as_file(files("catalog") / BUNDLED) as path, output.import_progress() as progress:
            await import_paths(store, [path], source="liger", progress=progress)
        return dict(await (await Snapshots(store).current()).counts())


def serve(
    host: Host = None,
    port: Port = None,
    workers: Workers = 1,
    trusted_documents: Annotated[
        Path | None,
        typer.Option(
            "--trusted-documents",
            envvar=TRUSTED,
            exists=True,
            metavar="DIR",
            help="Run no other documents than those of the *.graphql files and *.json manifests in it.",
        ),
    ] = None,
    data_dir: places.DataDir = None,
    as_json: output.Json = False,
) -> int:
    """Serve the catalog over GraphQL at /graphql until interrupted."""
    directory = places.for_reading(data_dir)
    if not 1 <= workers <= MOST_WORKERS:
        raise InputError("--workers", workers, f"must be from 1 to {MOST_WORKERS}")
    if trusted_documents is not None:
        os.environ[TRUSTED] = str(trusted_documents)
    settings = _settings()
    host, port = _address(settings, host, port)
    app, _ = _made_while(_reached, directory, settings, workers)
    address = f"http://{_in_url(host)}:{port}/graphql"
    if as_json:
        output.print_json({"url": address, "dataDir": str(directory)})
    else:
        output.say(f"serving {address}; Ctrl-C ends the server")
    return _serve(app, host, port, workers, settings)


def _made_while(
    work: Callable[[Path], Coroutine[Any, Any, T]], directory: Path, settings: Settings, workers: int = 1
) -> tuple[Application, T]:
    """The application and the outcome of some work on its store, which wait for each other little. Settings
    and databases that cannot be used are so said before a server starts."""
    os.environ[places.VARIABLE] = str(directory)
    make = partial(_made, settings, workers)
    if not directory.exists():  # nor is one begun there
        return make(), asyncio.run(work(directory))
    return asyncio.run(_both(make, work(directory)))


async def _both(make: Callable[[], Application], work: Coroutine[Any, Any, T]) -> tuple[Application, T]:
    working = asyncio.create_task(work)
    try:
        app = await asyncio.to_thread(make)
    except BaseException:
        working.cancel()
        await asyncio.wait((working,))
        raise
    return app, await working


def _made(settings: Settings, workers: int) -> Application:
    """The application that will be served; of several workers each makes its own, and this one only shows
    that it can be made."""
    from catalog.cli.application import application, create

    return create() if workers == 1 else application(settings)


async def _reached(directory: Path) -> None:
    """Open the store once, so that a database which cannot be used is said before a server starts."""
    async with places.opened(directory):
        pass


def _settings(**defaults: str) -> Settings:
    """The settings by the environment, else by these, else their own. Raises SettingsError."""
    from catalog.server.settings import Settings

    return Settings.from_environ({**defaults, **os.environ})


def _serve(app: Application, host: str, port: int, workers: int, settings: Settings) -> int:
    from catalog.cli.application import FACTORY
    from catalog.server import logs
    from catalog.server.run import serve as run_server

    try:
        logging = logs.configuration(settings.log_format, settings.log_level)
        run_server(app if workers == 1 else FACTORY, host=host, port=port, workers=workers, logging=logging)
    except KeyboardInterrupt:
        return exits.DONE
    except SystemExit as ended:  # the server did not come up, and has said why
        return exits.UNUSABLE if ended.code else exits.DONE
    return exits.DONE


def _address(settings: Settings, host: str | None, port: int | None) -> tuple[str, int]:
    """Where to listen, by the options, else the settings. Raises CannotAnswer when that is taken."""
    host, port = host or settings.host, settings.port if port is None else port
    if not 0 <= port <= MOST_PORT:
        raise InputError("--port", port, f"must be from 0 to {MOST_PORT}")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return host, probe.getsockname()[1]
    except (socket.gaierror, UnicodeError) as error:
        raise exits.CannotAnswer(f"--host: {quote(host)} is no address of this machine") from error
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise exits.CannotAnswer(f"--host: {quote(host)} is no address of this machine") from error
        raise exits.CannotAnswer(f"--port: {host}:{port} cannot be listened on: {error.strerror}") from error


def _in_url(host: str) -> str:
    """The host as a browser on this machine reaches it."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{reachable}]" if ":" in reachable else reachable
