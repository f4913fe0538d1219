"""Drives a headless Chromium over its debugging pipe, with nothing but the standard library."""

import asyncio
import base64
import itertools
import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--window-size=1280,800",
    "--remote-debugging-pipe",
)
LAUNCH = """
import fcntl, os, sys
reading, writing, *command = sys.argv[1:]
reading, writing = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in (reading, writing))
os.dup2(reading, 3)
os.dup2(writing, 4)
os.execv(command[0], command)
"""
"""The browser reads from file descriptor 3 and writes to 4."""


class NavigatedError(Exception):
    """The page went elsewhere before it could answer."""


class Page:
    """One open page. ``requests`` are the addresses it asked for, ``complaints`` its errors and CSP
    violations."""

    def __init__(self, reader: asyncio.StreamReader, writer: int) -> None:
        self._reader = reader
        self._writer = writer
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._session: str | None = None
        self.requests: list[str] = []
        self.complaints: list[str] = []

    async def listen(self) -> None:
        while True:
            message = json.loads((await self._reader.readuntil(b"\0"))[:-1])
            if "id" in message:
                self._waiting.pop(message["id"]).set_result(message)
                continue
            parameters = message.get("params", {})
            match message["method"]:
                case "Network.requestWillBeSent":
                    self.requests.append(parameters["request"]["url"])
                case "Network.webSocketCreated":
                    self.requests.append(parameters["url"])
                case "Runtime.exceptionThrown":
                    self.complaints.append(str(parameters["exceptionDetails"]))
                case "Log.entryAdded" if parameters["entry"]["level"] == "error":
                    self.complaints.append(parameters["entry"]["text"])

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        await asyncio.to_thread(os.write, self._writer, json.dumps(message).encode() + b"\0")
        answer = await asyncio.wait_for(future, 20)
        if "navigated" in answer.get("error", {}).get("message", ""):
            raise NavigatedError
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    async def open(self, url: str) -> None:
        target = await self.call("Target.createTarget", url="about:blank")
        attached = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Network", "Runtime", "Log", "Page"):
            await self.call(f"{domain}.enable")
        await self.call("Page.navigate", url=url)

    async def evaluate(self, expression: str) -> Any:
        answer = await self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def until(self, expression: str, seconds: float = 15) -> Any:
        """The first truthy value of a JavaScript expression."""
        async with asyncio.timeout(seconds):
            while True:
                with suppress(NavigatedError):
                    if value := await self.evaluate(expression):
                        return value
                await asyncio.sleep(0.05)

    async def press(self, key: str, code: int, *, control: bool = False) -> None:
        modifiers = 2 if control else 0
        for kind in ("rawKeyDown", "keyUp"):
            await self.call(
                "Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, modifiers=modifiers
            )

    async def write(self, text: str) -> None:
        await self.call("Input.insertText", text=text)

    async def screenshot(self, path: Path) -> None:
        answer = await self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))  # noqa: ASYNC240 - a test may wait for the disk


@asynccontextmanager
async def chromium() -> AsyncIterator[Page]:
    """A browser with an empty profile; ended at exit."""
    assert CHROMIUM is not None
    their_in, our_out = os.pipe()
    our_in, their_out = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            LAUNCH,
            str(their_in),
            str(their_out),
            CHROMIUM,
            *FLAGS,
            f"--user-data-dir={profile}",
            pass_fds=(their_in, their_out),
            stderr=asyncio.subprocess.DEVNULL,
        )
        os.close(their_in)
        os.close(their_out)
        reader = asyncio.StreamReader(limit=1 << 27)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(our_in, "rb")
        )
        page = Page(reader, our_out)
        listening = asyncio.create_task(page.listen())
        try:
            yield page
        finally:
            listening.cancel()
            transport.close()
            os.close(our_out)
            if process.returncode is None:
                process.terminate()
            await process.wait()
