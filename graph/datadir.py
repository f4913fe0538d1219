"""The data directory of an embedded engine: which file is what, and the note that says where it answers.

users.lock       shared: held by every process that uses the engine
start.lock       exclusive: held while one of them starts it
supervisor.lock  exclusive: held by the supervisor while it lives; its pid is inside
writer.lock, writer.queue    see locks.WriterQueue
endpoint.json    where the engine answers, with its secret (0600); only while it is ready
engine.pid       the engine's process, kept so that an orphan can be found
engine.log       what supervisor and engine have to say
engine/          the engine's own files
"""

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from graph.errors import EngineUnavailable


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a running engine answers, on the loopback interface, and its secret."""

    bolt_port: int
    http_port: int
    username: str
    password: str
    supervisor_pid: int
    engine_pid: int

    def __repr__(self) -> str:
        return f"Endpoint(bolt_port={self.bolt_port}, http_port={self.http_port})"


@dataclass(frozen=True, slots=True)
class DataDir:
    """Paths under one data directory."""

    root: Path

    @classmethod
    def open(cls, root: Path) -> "DataDir":
        """Make the directory (0700) where there is none. EngineUnavailable when it cannot be written."""
        try:
            root.mkdir(mode=0o700, parents=True, exist_ok=True)
            root = root.resolve()
            (root / "engine").mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise EngineUnavailable(f"The data directory cannot be used: {error.strerror}.") from error
        if not os.access(root, os.W_OK | os.X_OK):
            raise EngineUnavailable("The data directory cannot be written to.")
        return cls(root)

    @classmethod
    def existing(cls, root: Path) -> "DataDir | None":
        """The directory where there is one; makes nothing."""
        return cls(root.resolve()) if (root / "engine").is_dir() else None

    @property
    def users_lock(self) -> Path:
        return self.root / "users.lock"

    @property
    def start_lock(self) -> Path:
        return self.root / "start.lock"

    @property
    def supervisor_lock(self) -> Path:
        return self.root / "supervisor.lock"

    @property
    def writer_lock(self) -> Path:
        return self.root / "writer.lock"

    @property
    def writer_queue(self) -> Path:
        return self.root / "writer.queue"

    @property
    def log(self) -> Path:
        return self.root / "engine.log"

    @property
    def engine(self) -> Path:
        return self.root / "engine"

    @property
    def secret(self) -> Path:
        return self.engine / "secret"

    @property
    def _endpoint(self) -> Path:
        return self.root / "endpoint.json"

    @property
    def _engine_pid(self) -> Path:
        return self.root / "engine.pid"

    def write_endpoint(self, endpoint: Endpoint) -> None:
        write_private(self._endpoint, json.dumps(asdict(endpoint)))

    def read_endpoint(self) -> Endpoint | None:
        """The endpoint, or None while there is none. It may be stale: ask the supervisor's lock."""
        try:
            return Endpoint(**json.loads(self._endpoint.read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def remove_endpoint(self) -> None:
        self._endpoint.unlink(missing_ok=True)

    def write_engine_pid(self, pid: int) -> None:
        write_private(self._engine_pid, str(pid))

    def read_engine_pid(self) -> int | None:
        try:
            return int(self._engine_pid.read_text())
        except (OSError, ValueError):
            return None

    def remove_engine_pid(self) -> None:
        self._engine_pid.unlink(missing_ok=True)


def write_private(path: Path, text: str) -> None:
    """Replace a file in one step; only its owner can read it at any moment."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)
    fresh.replace(path)
