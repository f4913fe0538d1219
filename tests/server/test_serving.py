"""A real server process: clients that go away, and a stop that lets work finish."""

import asyncio
import signal
import socket
import sys

import httpx
import pytest

from catalog.server.run import serve
from tests.server.live import serving
from tests.server.sample import Watch, make_app

BODY = b'{"query":"{slow}"}'
REQUEST = (
    b"POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    % len(BODY)
)


async def test_a_client_that_goes_away_ends_its_work() -> None:
    watch = Watch()
    async with serving(make_app(watch)) as port:
        for expected in range(1, 21):
            watch.started.clear()
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(REQUEST + BODY)
            await watch.started.wait()
            writer.close()
            async with asyncio.timeout(5):
                while watch.cancelled < expected:  # noqa: ASYNC110 - counted, not announced
                    await asyncio.sleep(0.005)
        async with httpx.AsyncClient() as client:
            response = await client.post(f"http://127.0.0.1:{port}/graphql", json={"query": "{hello}"})
        assert response.json() == {"data": {"hello": "world"}}


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("workers", [1, 2])
async def test_a_stop_lets_running_requests_finish(workers: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    script = (
        "from catalog.server.run import serve;"
        f"serve('tests.server.sample:factory', host='127.0.0.1', port={port}, workers={workers})"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", script)
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
            async with asyncio.timeout(20):
                while True:
                    try:
                        answer = await client.get("/healthz")
                        break
                    except httpx.TransportError:
                        await asyncio.sleep(0.05)
            assert "server" not in answer.headers
            running = asyncio.create_task(client.post("/graphql", json={"query": "{slow(seconds: 1)}"}))
            await asyncio.sleep(0.3)
            process.send_signal(signal.SIGTERM)
            assert (await running).json() == {"data": {"slow": "done"}}
        async with asyncio.timeout(15):
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()


def test_several_workers_need_a_factory() -> None:
    with pytest.raises(ValueError, match="import string"):
        serve(make_app(), host="127.0.0.1", port=0, workers=2)
