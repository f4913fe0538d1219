"""Evidence files as streams: compression by content, damage, folders, lines."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from catalog.ingest.streams import Found, UnreadableFile, head, lines, open_stream, walk

DATA = b"".join(b"line %d\n" % number for number in range(20_000))
ZSTD = zstandard.ZstdCompressor(level=1).compress(DATA)
GZIP = gzip.compress(DATA, mtime=0)


def written(folder: Path, data: bytes, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", ["plain.zst", "plain.gz", "plain.csv"])
@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (DATA, DATA),
        (ZSTD, DATA),
        (GZIP, DATA),
        (ZSTD + ZSTD, DATA + DATA),
        (GZIP + GZIP, DATA + DATA),
        (b"", b""),
        (b"\x28", b"\x28"),
    ],
)
def test_compression_is_told_by_content(tmp_path: Path, stored: bytes, expected: bytes, name: str) -> None:
    path = written(tmp_path, stored, name)
    with open_stream(path) as stream:
        assert stream.read() == expected
    assert head(path) == expected[:4096]


@pytest.mark.parametrize("stored", [DATA, ZSTD, GZIP])
def test_progress_counts_the_stored_bytes(tmp_path: Path, stored: bytes) -> None:
    counted: list[int] = []
    with open_stream(written(tmp_path, stored), counted.append) as stream:
        while stream.read(1000):
            pass
    assert sum(counted) == len(stored)


@pytest.mark.parametrize("stored", [ZSTD[:-40], GZIP[:-40], ZSTD[:6], GZIP + GZIP[:5]])
def test_data_that_break_off_are_an_error_after_what_stood_before(tmp_path: Path, stored: bytes) -> None:
    path = written(tmp_path, stored)
    got: list[bytes] = []
    with open_stream(path) as stream, pytest.raises(UnreadableFile, match="break off"):
        got.extend(iter(lambda: stream.read1(100), b""))
    assert (DATA + DATA).startswith(b"".join(got))
    assert head(path) == b"".join(got)[:4096]


@pytest.mark.parametrize("stored", [ZSTD + b"junk", GZIP + b"junk", GZIP[:20] + b"\xff" * 40 + GZIP[60:]])
def test_damaged_data_are_an_error(tmp_path: Path, stored: bytes) -> None:
    with open_stream(written(tmp_path, stored)) as stream, pytest.raises(UnreadableFile):
        stream.read()


def test_a_bomb_is_read_in_small_pieces(tmp_path: Path) -> None:
    path = written(tmp_path, zstandard.ZstdCompressor().compress(bytes(256 * 1024 * 1024)))
    with open_stream(path) as stream:
        assert len(stream.read(1000)) == 1000
        raw = stream.raw
        assert len(raw._pending) < 64 * 1024 * 1024  # type: ignore[attr-defined]


def test_folders_are_walked_in_order(tmp_path: Path) -> None:
    for name in ["b/2.yaml", "b/1.yaml", "a.yaml", "c/d/e.json", ".git/config", "b/.hidden"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / "c" / "loop").symlink_to(tmp_path)
    names = ["a.yaml", "b/1.yaml", "b/2.yaml", "c/d/e.json"]
    assert list(walk([tmp_path])) == [Found(tmp_path / name) for name in names]
    absent = tmp_path / "absent"
    assert list(walk([tmp_path / "a.yaml", absent])) == [
        Found(tmp_path / "a.yaml", True),
        Found(absent, True),
    ]


@pytest.mark.parametrize("method", ["iterdir", "is_dir"])
def test_a_folder_that_cannot_be_read_is_given_back_with_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    for name in ["a.yaml", "closed/b.yaml", "d.yaml"]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    error = PermissionError(13, "Permission denied")
    monkeypatch.setattr(Path, method, refusing(getattr(Path, method), tmp_path / "closed", error))
    closed = Found(tmp_path / "closed", error=error)
    assert list(walk([tmp_path])) == [Found(tmp_path / "a.yaml"), closed, Found(tmp_path / "d.yaml")]
    assert list(walk([tmp_path / "closed"])) == [closed._replace(named=method == "is_dir")]


def refusing(method: Callable[[Path], Any], closed: Path, error: OSError) -> Callable[[Path], Any]:
    """The method of a path, but for one that the system refuses (root is refused nothing)."""

    def tried(path: Path) -> Any:
        if path == closed:
            raise error
        return method(path)

    return tried


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"a\nb", [(1, b"a"), (2, b"b")]),
        (b"\xef\xbb\xbfa\r\n\r\nb\n", [(1, b"a"), (2, b""), (3, b"b")]),
        (
            b"12345678\n123456789\n1234567890123456789012\nend",
            [(1, b"12345678"), (2, None), (3, None), (4, b"end")],
        ),
        (b"12345678\r\n123456789\r\nend", [(1, b"12345678"), (2, None), (3, b"end")]),
        (b"1234567890123456789012", [(1, None)]),
    ],
)
def test_lines_hold_no_more_than_the_longest(data: bytes, expected: list[tuple[int, bytes | None]]) -> None:
    assert list(lines(io.BytesIO(data), 8)) == expected
