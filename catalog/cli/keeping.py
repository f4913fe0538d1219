"""``catalog verify``, ``export``, ``status`` and ``stop``: looking after a catalog."""

from __future__ import annotations

import asyncio
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from catalog.cli import exits, files, output, places

if TYPE_CHECKING:
    from catalog.keep.verify import Verification

MISSING_SHOWN: Final = 20


def verify(
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Also fail on objects still missing and on documents that disagree."),
    ] = False,
    data_dir: places.DataDir = None,
    as_json: output.Json = False,
) -> int:
    """Recompute every digest, key, value and relationship, and compare them with what is stored."""
    found = asyncio.run(_verified(strict, data_dir))
    ok = found.ok and not (strict and (found.missing or found.warnings))
    if as_json:
        output.print_json(_verification_json(found, ok))
    else:
        _print_verification(found, ok)
    return exits.DONE if ok else exits.REJECTED


async def _verified(strict: bool, data_dir: Path | None) -> Verification:
    from catalog.keep.verify import verify as verified

    async with places.opened_for_reading(data_dir) as store:
        with output.page_progress() as advance:
            return await verified(store, strict=strict, advance=advance)


def _verification_json(found: Verification, ok: bool) -> dict[str, Any]:
    return {
        "ok": ok,
        "checked": dict(found.checked),
        "problems": [asdict(problem) for problem in found.problems],
        "problemCount": found.problem_count,
        "missing": found.missing,
        "warnings": dict(found.warnings),
    }


def _print_verification(found: Verification, ok: bool) -> None:
    for problem in found.problems:
        output.say(f"{problem.node}: {problem.field}: {problem.message}")
    if (hidden := found.problem_count - len(found.problems)) > 0:
        output.say(f"... and {hidden:,} more problems")
    missing = [f"{label} {key}" for label, keys in found.missing.items() for key in keys]
    for name in missing[:MISSING_SHOWN]:
        output.say(f"{name}: referred to, not yet imported")
    if len(missing) > MISSING_SHOWN:
        output.say(
            f"... and {len(missing) - MISSING_SHOWN:,} more that are not yet imported; --json lists them"
        )
    for code, count in sorted(found.warnings.items()):
        output.say(f"{code}: {count:,} objects")
    console = output.console()
    rows = [(label, f"{count:,}") for label, count in found.checked.items() if count]
    if rows:
        console.print(output.table([("verified", "left"), ("objects", "right")], rows))
    console.print(_verdict(found, ok))


def _verdict(found: Verification, ok: bool) -> str:
    if ok:
        return "All is as it should be."
    if found.problem_count:
        return f"{found.problem_count:,} problems."
    missing = sum(len(keys) for keys in found.missing.values())
    disagree = sum(found.warnings.values())
    counted = f"{missing:,} missing objects and {disagree:,} disagreements"
    return f"Nothing is wrong, but --strict counts {counted}."


def export(
    out: files.Out = None,
    data_dir: places.DataDir = None,
    as_json: output.Json = False,
) -> int:
    """Write all manifests and catalog facts as JSON Lines, which ``catalog import`` reads back."""
    if as_json and out is None:
        raise exits.CannotAnswer("--json: goes with -o FILE, since the export itself is written to stdout")
    written = asyncio.run(_exported(out, data_dir))
    if as_json:
        output.print_json({"file": str(out), "written": dict(sorted(written.items()))})
    else:
        output.say(f"exported {sum(written.values()):,} lines")
    return exits.DONE


async def _exported(out: Path | None, data_dir: Path | None) -> dict[str, int]:
    from catalog.keep.export import export as exported

    async with places.opened_for_reading(data_dir) as store:
        with files.text_sink(out) as sink, output.page_progress(wanted=out is not None) as advance:
            return dict(await exported(store, sink, advance))


def status(data_dir: places.DataDir = None, as_json: output.Json = False) -> int:
    """Say which catalog is in use, which engine holds it, and what is in it."""
    directory = places.for_reading(data_dir)
    on_server = places.uses_server(os.environ)
    found: dict[str, Any] = {}
    if on_server:
        found["server"] = places.database_named(os.environ)
    else:
        found |= {"dataDir": str(directory)} | _engine_state(directory)
    if on_server or places.holds_catalog(directory):
        found |= asyncio.run(_contents(directory))
    if as_json:
        output.print_json(found)
    else:
        _print_status(found)
    return exits.DONE


def _engine_state(directory: Path) -> dict[str, Any]:
    from graph import status as engine_status

    now = engine_status(directory)
    return {
        "running": now.running,
        "ready": now.ready,
        "enginePid": now.engine_pid,
        "boltPort": now.bolt_port,
    }


async def _contents(directory: Path) -> dict[str, Any]:
    from catalog.read import Snapshots

    async with places.opened(directory) as store:
        snapshot = await Snapshots(store).current()
        return {
            "engine": asdict(store.engine),
            "revision": snapshot.revision,
            "counts": dict(await snapshot.counts()),
            "sources": await snapshot.source_slugs(),
        }


def _print_status(found: dict[str, Any]) -> None:
    console = output.console()
    rows = []
    if "server" in found:
        rows.append(("database", found["server"]))
    else:
        process = (
            f"process {found['enginePid']}"
            if found["running"]
            else "not running; it starts when it is needed"
        )
        rows += [("data directory", found["dataDir"]), ("embedded engine", process)]
    if "engine" in found:
        rows += [
            ("engine", f"{found['engine']['name']} {found['engine']['version']}"),
            ("revision", f"{found['revision']:,}"),
            ("sources", ", ".join(found["sources"]) or "none"),
        ]
        rows += [(kind, f"{count:,}") for kind, count in found["counts"].items() if count]
    else:
        rows.append(("catalog", "none yet; catalog import or catalog demo makes one"))
    console.print(output.table([("", "left"), ("", "left")], rows))


def stop(data_dir: places.DataDir = None, as_json: output.Json = False) -> int:
    """End the embedded engine of the data directory at once, whoever uses it."""
    from graph import stop as stop_engine

    directory = places.for_reading(data_dir)
    stopped = asyncio.run(stop_engine(directory))
    if as_json:
        output.print_json({"dataDir": str(directory), "stopped": stopped})
    else:
        output.say(f"{'stopped' if stopped else 'not running'}: the embedded engine in {directory}")
    return exits.DONE
