"""From exceptions to exit codes and one sentence on stderr each: the only place that decides either.

====  ======================================================================
0     done; skipped rows are normal
1     something was rejected or did not verify; part of a query's answer is an error
2     wrong usage, a refused query, or a database that cannot be used
70    a fault of this program
130   interrupted
141   the reader of the output went away
====  ======================================================================

With CATALOG_DEBUG set the traceback is printed too.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable
from typing import Final

import typer
from typer.exceptions import TyperException

from catalog.cli.places import PlaceUnusable, database_named
from catalog.domain.errors import BadValue, CatalogError, ManifestError
from graph.errors import QueryFailed, StoreError

DONE: Final = 0
REJECTED: Final = 1
UNUSABLE: Final = 2
BUG: Final = 70
INTERRUPTED: Final = 130
READER_GONE: Final = 141

_SETTING_ERRORS: Final = (
    ("catalog.server.settings", "SettingsError"),
    ("catalog.server.trusted", "TrustedDocumentsError"),
)


class CannotAnswer(Exception):  # noqa: N818 - reads as what it says
    """A command cannot do what was asked; the message is a sentence for the user."""


def report(error: BaseException) -> int:
    """Say on stderr what happened, and return the exit code for it."""
    if os.environ.get("CATALOG_DEBUG"):
        traceback.print_exception(error)
    match error:
        case SystemExit(__context__=BrokenPipeError()) | BrokenPipeError():
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - what is still buffered goes nowhere
            return READER_GONE
        case SystemExit(code=code):
            return code if isinstance(code, int) else UNUSABLE
        case typer.Exit(exit_code=code):
            return code
        case KeyboardInterrupt() | typer.Abort():
            return _say(INTERRUPTED, "interrupted")
        case BaseExceptionGroup(exceptions=[first, *_]):
            return report(first)
        case TyperException():
            return _say(UNUSABLE, _usage(error))
        case ManifestError():
            return _say(REJECTED, *map(str, error.faults))
        case CannotAnswer() | PlaceUnusable() | CatalogError() | BadValue():
            return _say(UNUSABLE, str(error))
        case QueryFailed():
            return _say(BUG, str(error))
        case StoreError():
            return _say(UNUSABLE, f"{database_named(os.environ)}: {error}")
        case OSError(filename=str(name), strerror=str(why)):
            return _say(UNUSABLE, f"{name}: {why}")
        case UnicodeDecodeError():
            return _say(UNUSABLE, f"the input is not UTF-8 text: {error.reason} at byte {error.start}")
        case _ if _is_setting(error):
            return _say(UNUSABLE, str(error))
        case _:
            return _say(
                BUG,
                f"a fault of this program: {type(error).__name__}: {error}; "
                "CATALOG_DEBUG=1 shows where, please report it",
            )


def _say(code: int, *sentences: str) -> int:
    for sentence in sentences:
        print(f"catalog: {one_line(sentence)}", file=sys.stderr)
    return code


def one_line(text: str) -> str:
    """The text without line breaks, terminal control sequences or other unprintable characters."""
    return "".join(_printable(text))


def _printable(text: str) -> Iterable[str]:
    for character in text:
        if character.isprintable():
            yield character
        elif character.isspace():
            yield " "
        else:
            yield character.encode("unicode_escape").decode()


def _usage(error: TyperException) -> str:
    context = getattr(error, "ctx", None)
    message = error.format_message().rstrip(".")
    return f"{message}; see {context.command_path} --help" if context else message


def _is_setting(error: BaseException) -> bool:
    """Whether a setting of the server is wrong; looked up only when the server was loaded."""
    return any(
        module in sys.modules and isinstance(error, getattr(sys.modules[module], name))
        for module, name in _SETTING_ERRORS
    )
