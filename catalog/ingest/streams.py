"""Bytes of evidence files: a path opened as a stream of its decompressed bytes, folders walked in order.

Whether a file is compressed is told by its first bytes, never by its name. A stream reads as it goes and
holds a bounded piece of the file; :func:`lines` does the same for formats of one record a line.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple, Protocol

import zstandard

Progress = Callable[[int], None]
"""Called with the number of (compressed) bytes read since the last call."""

HEAD_BYTES = 4096
"""How much of a file the sources see to recognise it."""

LINE_BYTES = 4 * 1024 * 1024
"""The longest line that is read: three manifests of 1 MiB each, and what is around them."""

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_GZIP_MAGIC = b"\x1f\x8b"
_INPUT_BYTES = 1024
"""Compressed bytes taken at a time: small, so that a decompression bomb grows in small steps."""


class UnreadableFile(OSError):  # noqa: N818 - it names the state of the file
    """A compressed file that breaks off or does not decompress."""


class _Decoder(Protocol):
    def decompress(self, data: bytes, /) -> bytes: ...
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...


class _Counted(io.RawIOBase):
    """A raw file that reports what is read of it."""

    def __init__(self, path: Path, progress: Progress | None) -> None:
        self._file = path.open("rb", buffering=0)
        self._progress = progress

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        count = self._file.readinto(buffer) or 0
        if self._progress is not None and count:
            self._progress(count)
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


class _Inflated(io.RawIOBase):
    """The decompressed bytes of a stream of one or more frames, which must be whole."""

    def __init__(self, source: io.BufferedReader, name: str, new_decoder: Callable[[], _Decoder]) -> None:
        self._source = source
        self._name = name
        self._new_decoder = new_decoder
        self._decoder: _Decoder | None = None
        self._pending = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._pending:
            data = self._source.read(_INPUT_BYTES)
            if not data:
                if self._decoder is not None:
                    raise UnreadableFile(f"{self._name}: the compressed data break off before their end")
                return 0
            self._pending = memoryview(self._inflate(data))
        count = min(len(buffer), len(self._pending))
        buffer[:count] = self._pending[:count]
        self._pending = self._pending[count:]
        return count

    def _inflate(self, data: bytes) -> bytes:
        output = b""
        try:
            while data:
                if self._decoder is None:
                    self._decoder = self._new_decoder()
                output += self._decoder.decompress(data)
                if not self._decoder.eof:
                    break
                data, self._decoder = self._decoder.unused_data, None
        except (zstandard.ZstdError, zlib.error) as error:
            raise UnreadableFile(f"{self._name}: the compressed data are damaged: {error}") from error
        return output

    def close(self) -> None:
        self._source.close()
        super().close()


def _zstd_decoder() -> _Decoder:
    return zstandard.ZstdDecompressor().decompressobj()


def _gzip_decoder() -> _Decoder:
    return zlib.decompressobj(wbits=31)


def open_stream(path: Path, progress: Progress | None = None) -> io.BufferedReader:
    """The decompressed bytes of a file, read as they are asked for. The caller closes it.

    Raises:
        OSError: the file cannot be opened. Reading raises :class:`UnreadableFile` where compressed data
            are damaged or break off, after all that stood before has been given out.
    """
    raw: io.BufferedReader = io.BufferedReader(_Counted(path, progress))
    try:
        magic = raw.peek(4)
    except OSError:
        raw.close()
        raise
    if magic.startswith(_ZSTD_MAGIC):
        return io.BufferedReader(_Inflated(raw, path.name, _zstd_decoder))
    if magic.startswith(_GZIP_MAGIC):
        return io.BufferedReader(_Inflated(raw, path.name, _gzip_decoder))
    return raw


def head(path: Path) -> bytes:
    """The first decompressed bytes of a file; what can be had of them if the file is damaged.

    Raises:
        OSError: the file cannot be opened.
    """
    with open_stream(path) as stream:
        found = b""
        try:
            while len(found) < HEAD_BYTES and (piece := stream.read1(HEAD_BYTES - len(found))):
                found += piece
        except UnreadableFile:
            pass
        return found


class Found(NamedTuple):
    """A file on the way through folders, or a folder or file that cannot be looked at."""

    path: Path
    named: bool = False
    """Whether it was asked for itself, and not found in a folder."""
    error: OSError | None = None
    """Why it cannot be looked at."""


def walk(paths: Iterable[Path]) -> Iterator[Found]:
    """The files meant by ``paths``: each file itself, and all files below each folder, sorted by path.

    Hidden files and folders (a leading dot) inside a folder are passed over. A path that does not exist is
    given back as it is, so that opening it says so; a folder that cannot be read, with its error.
    """
    for path in paths:
        try:
            is_folder = path.is_dir()
        except OSError as error:
            yield Found(path, True, error)
            continue
        if is_folder:
            yield from _below(path)
        else:
            yield Found(path, True)


def _below(folder: Path) -> Iterator[Found]:
    try:
        entries = sorted(folder.iterdir(), key=lambda item: item.name)
    except OSError as error:
        yield Found(folder, error=error)
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        try:
            is_folder, is_file = entry.is_dir(), entry.is_file()
        except OSError as error:
            yield Found(entry, error=error)
            continue
        if is_folder:
            if not entry.is_symlink():  # a link back up would never end
                yield from _below(entry)
        elif is_file:
            yield Found(entry)


def lines(stream: IO[bytes], longest: int = LINE_BYTES) -> Iterator[tuple[int, bytes | None]]:
    """The physical lines of a stream with their 1-based numbers, without their ends (LF or CR LF).

    A line longer than ``longest`` bytes is given as None and not held. A byte order mark at the start of
    the stream is dropped.

    Raises:
        OSError: the stream cannot be read on.
    """
    number = 0
    while piece := stream.readline(longest + 2):
        number += 1
        if number == 1:
            piece = piece.removeprefix(b"\xef\xbb\xbf")
        line: bytes | None = piece.removesuffix(b"\n").removesuffix(b"\r")
        if line is not None and len(line) > longest:
            line = None
            while piece and not piece.endswith(b"\n"):
                piece = stream.readline(longest)
        yield number, line
