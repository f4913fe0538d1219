"""JSON in and out: strict when reading, compact when writing."""

import json
import math
from typing import Any, Final, NoReturn

import msgspec

from catalog.domain.errors import quote


class BadJson(ValueError):  # noqa: N818 - names what was read
    """The bytes are not the JSON we accept. The message says why, and where if known."""


def _constant(text: str) -> NoReturn:
    raise BadJson(f"{text} is not a JSON number.")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise BadJson(f"The number {text[:40]} is too large.")
    return value


def _integer(text: str) -> int:
    if len(text) > 100:
        raise BadJson(f"An integer of {len(text)} digits is too large.")
    return int(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BadJson(f"The key {quote(key)} is there twice.")
            seen.add(key)
    return result


_decoder = json.JSONDecoder(
    parse_constant=_constant, parse_float=_float, parse_int=_integer, object_pairs_hook=_object
)


def load_json(data: bytes | str) -> Any:
    """The value of a JSON text in UTF-8: finite numbers, unique keys, whole Unicode characters.

    Raises:
        BadJson: it is something else.
    """
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
        value = _decoder.decode(text)
        if "\\u" in text or isinstance(data, str):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise BadJson(f"Byte {error.start} is not UTF-8.") from None
    except UnicodeEncodeError:
        raise BadJson("A lone surrogate is not a character.") from None
    except json.JSONDecodeError as error:
        raise BadJson(f"{error.msg} at line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise BadJson("It is nested too deeply.") from None
    return value


def _plain(value: object) -> str:
    if isinstance(value, str):  # of a class of its own
        return str(value)
    raise ValueError(f"JSON has no form for {type(value).__name__}.")


dump_json: Final = msgspec.json.Encoder(enc_hook=_plain).encode
"""Compact JSON in UTF-8; a number that is not finite becomes null, which no value of the catalog is.

Raises ValueError for a lone surrogate and for values of other types.
"""
