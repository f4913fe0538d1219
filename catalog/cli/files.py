"""Files that commands write: there whole or, when something fails, as they were before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replaced(out: Path) -> Iterator[Path]:
    """A path to write to that takes the place of ``out`` at the end; a device or pipe is written to itself.

    Whether ``out`` can be written is told at once. An OSError about it names ``out``, as the user gave it.
    """
    if out.exists() and not out.is_file():
        yield out
        return
    partial = out.with_name(f".catalog-{os.getpid()}.part")
    try:
        partial.touch()
        yield partial
        partial.replace(out)
    except OSError as error:
        if error.filename != str(partial):
            raise
        raise OSError(error.errno, error.strerror, str(out)) from error
    finally:
        with suppress(OSError):
            partial.unlink()
