"""Load by wrk, an HTTP client in C that is in a process of its own: as many requests as the answers allow.

wrk is the one on the PATH, else Debian's packages, unpacked into `.cache` without installing them. What it
does with each answer is in wrk.lua.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

SCRIPT: Final = Path(__file__).with_name("wrk.lua")
CACHE: Final = Path(__file__).resolve().parents[2] / ".cache" / "wrk"
PACKAGES: Final = ("wrk", "libluajit2-5.1-2")
TIMEOUT: Final = 60
"""Seconds after which a request counts as an error."""


@dataclass(frozen=True, slots=True)
class Load:
    """What came back: requests answered in so many seconds, how many of them with an error or not at all, and
    percentiles of the time to the whole answer, in milliseconds."""

    requests: int
    seconds: float
    errors: int
    p50: float
    p95: float
    p99: float

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.seconds


async def load(url: str, bodies: Sequence[str], clients: int, seconds: float) -> Load:
    """Have so many clients POST these JSON texts in turn, each the next as soon as it has its answer.

    Connections are kept. An answer counts as an error unless it has the status 200 and no `errors`.
    wrk itself corrects the percentiles for coordinated omission.

    Raises:
        RuntimeError: wrk is neither here nor to be had, or nothing was answered.
    """
    command, environ = wrk()
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("\n".join(bodies) + "\n")
        file.flush()
        process = await asyncio.create_subprocess_exec(
            *(command, "--threads=1", f"--connections={clients}", f"--duration={max(1, round(seconds))}s"),
            *(f"--timeout={TIMEOUT}s", f"--script={SCRIPT}", url),
            env={**environ, "BODIES": file.name},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
    if process.returncode or not out.strip():
        raise RuntimeError(f"wrk: {(err or out).decode().strip()}")
    figures = json.loads(out.splitlines()[-1])
    if not figures["requests"]:
        raise RuntimeError(f"{url} answered nothing in {seconds:g} s")
    counts = {name: round(figures.pop(name)) for name in ("requests", "errors")}
    return Load(**counts, **figures)


@cache
def wrk() -> tuple[str, dict[str, str]]:
    """The program and the environment it needs; fetched once where it is not installed."""
    environ = dict(os.environ)
    if found := shutil.which("wrk"):
        return found, environ
    if not CACHE.is_dir():
        _fetch()
    libraries = {str(path.parent) for path in CACHE.glob("usr/lib/**/libluajit*.so*")}
    return str(CACHE / "usr/bin/wrk"), environ | {"LD_LIBRARY_PATH": ":".join(sorted(libraries))}


def _fetch() -> None:
    if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        raise RuntimeError("wrk is not installed, and there is no Debian to take it from")
    CACHE.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE.parent) as folder:
        download = ("apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download")
        subprocess.run((*download, *PACKAGES), cwd=folder, check=True)
        fresh = Path(folder) / "root"
        for package in Path(folder).glob("*.deb"):
            subprocess.run(("dpkg", "--extract", package, fresh), check=True)
        fresh.rename(CACHE)
