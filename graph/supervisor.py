"""The process that owns the embedded engine of one data directory: `python -m graph.supervisor DIR`.

It starts the engine, writes endpoint.json once it answers, starts it again when it dies, and ends it when
no user is left (it then can take users.lock exclusively) or on SIGTERM. Started by embedded.py, which
waits for the first process here to end: by then the supervisor proper has left its starter's session and
holds supervisor.lock. Imports no driver: it stays small.
"""

import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from graph import engine_process
from graph.datadir import DataDir, Endpoint
from graph.locks import FileLock

POLL: Final = 0.1
LINGER: Final = 1.0
"""Seconds without a user before the engine ends, so that commands in a row find it running."""

START_TIMEOUT: Final = 60.0
END_TIMEOUT: Final = 30.0
RESTARTS: Final = 5
RESTART_WINDOW: Final = 120.0
"""At most so many restarts in so many seconds; then the supervisor gives up."""

LOCK_PATIENCE: Final = 2.0
"""Others hold the supervisor's lock for a moment when they look whether there is one."""

EXIT_TAKEN: Final = 3


class Stopped(Exception):  # noqa: N818 - a signal to end, not an error
    """Somebody asked the supervisor to end."""


class Supervisor:
    """Keeps one engine running while it has users."""

    def __init__(self, directory: DataDir, left: Endpoint | None) -> None:
        """`left`: the endpoint of a supervisor that was killed; its users still look for the engine there."""
        self._directory = directory
        self._users = FileLock(directory.users_lock)
        self._runtime = engine_process.find_runtime()
        self._password = left.password if left else secrets.token_urlsafe(32)
        self._ports = engine_process.free_ports((left.bolt_port, left.http_port) if left else None)
        self._engine: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def run(self) -> None:
        """Until the last user leaves, a stop is asked for, or the engine cannot be kept up."""
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        engine_process.prepare(self._directory, self._password)
        restarts: list[float] = []
        try:
            while self._run_engine():
                now = time.monotonic()
                restarts = [at for at in restarts if now - at < RESTART_WINDOW]
                if len(restarts) == RESTARTS:
                    print("the engine keeps ending; giving up", flush=True)
                    return
                print("the engine ended by itself; starting it again", flush=True)
                self._pause(0.25 * 2 ** len(restarts) - 0.25)
                restarts.append(now)
        except Stopped:
            pass
        finally:
            self._end_engine()
            self._users.release()

    def _run_engine(self) -> bool:
        """Run the engine once; True when it died and should be started again, False when it may end."""
        self._directory.remove_endpoint()
        bolt_port, http_port = self._ports
        arguments = engine_process.command(self._runtime, self._directory, bolt_port, http_port)
        self._engine = engine_process.start(arguments, self._directory, sys.stdout.fileno())
        deadline = time.monotonic() + START_TIMEOUT
        while not engine_process.answers(http_port, bolt_port, self._password):
            if self._engine.poll() is not None:
                return True
            if time.monotonic() > deadline:
                print("the engine does not answer", flush=True)
                self._end_engine()
                return True
            self._pause(POLL / 4)
        self._directory.write_endpoint(
            Endpoint(
                bolt_port,
                http_port,
                engine_process.USERNAME,
                self._password,
                os.getpid(),
                self._engine.pid,
            )
        )
        idle_since: float | None = None
        while self._engine.poll() is None:
            self._pause(POLL)
            if not self._users.try_acquire():
                idle_since = None
                continue
            idle_since = idle_since or time.monotonic()
            if time.monotonic() - idle_since >= LINGER:
                return False  # keeps users.lock: who comes now waits, then starts a fresh engine
            self._users.release()
        return True

    def _end_engine(self) -> None:
        self._directory.remove_endpoint()
        if self._engine is not None:
            self._engine.terminate()
            try:
                self._engine.wait(END_TIMEOUT)
            except subprocess.TimeoutExpired:
                self._engine.kill()
                self._engine.wait()
            self._engine = None
        self._directory.remove_engine_pid()
        self._directory.secret.unlink(missing_ok=True)

    def _pause(self, seconds: float) -> None:
        if self._stopped:
            raise Stopped
        time.sleep(seconds)

    def _stop(self, *_: object) -> None:
        self._stopped = True


def main() -> int:
    """Take the supervisor's lock, leave the starter behind, supervise."""
    os.umask(0o077)
    directory = DataDir.open(Path(sys.argv[1]))
    lock = FileLock(directory.supervisor_lock)
    deadline = time.monotonic() + LOCK_PATIENCE
    while not lock.try_acquire():
        if time.monotonic() > deadline:
            return EXIT_TAKEN
        time.sleep(POLL / 4)
    left = directory.read_endpoint()
    engine_process.end_orphan(directory)
    if os.fork():
        os._exit(0)  # the lock goes on in the child, which shares the open file
    lock.write_pid()
    try:
        Supervisor(directory, left).run()
    finally:
        lock.release()
    return 0


if __name__ == "__main__":
    sys.exit(main())
