"""@neo4j/graphql on Apollo Server, over the graph as the catalog stores it: a process of Node."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.bench.places import Place
from tests.conformance import node

FOLDER = Path(__file__).parent


@asynccontextmanager
async def serving(place: Place) -> AsyncIterator[tuple[str, int]]:
    """Its address and its process; its packages are installed where they are not yet.

    It is set up for speed as its documentation says: production mode, no landing page, no introspection, no
    protection against what only browsers do. Indexes and constraints are the catalog's.
    """
    await asyncio.to_thread(node.installed, FOLDER)
    process = await asyncio.create_subprocess_exec(
        *("node", "server.mjs"),
        cwd=FOLDER,
        env={**place.environ(), "NODE_ENV": "production"},
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(60):
            url = (await process.stdout.readline()).decode().strip()
        if not url:
            raise RuntimeError("the peer does not start")
        yield url, process.pid
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
