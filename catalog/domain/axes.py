"""Axis expressions: how a derived axis follows from others (docs/domain.md §1).

Integers, axis names, ``+ - * % //``, ``/`` and parentheses, with Python's precedence and floor
semantics; ``/`` divides exactly or fails. Which axes exist is not known here: an expression may use
axes that only a case states.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from catalog.domain.errors import BadValue

MAX_LENGTH = 200
"""The longest expression, in characters; it bounds the nesting too."""

_TOKEN = re.compile(r"\s*(?:(?P<integer>[0-9]+)|(?P<name>[a-z][a-z0-9_]*)|(?P<operator>//|[-+*%/()]))")
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "%": 2, "/": 2, "//": 2}
_UNARY = 3

Axes = Mapping[str, int]
_Term = Callable[[Axes], int]


def evaluate(expression: str, axes: Axes) -> int:
    """The integer an expression gives for these axis values.

    Raises BadValue: ``invalid_expression``, ``unknown_axis``, ``division_by_zero``, ``inexact_division``.
    """
    return _Parser(expression).parse()(axes)


def check_expression(expression: str) -> str:
    """Returns the expression unchanged, or raises BadValue (``invalid_expression``)."""
    _Parser(expression).parse()
    return expression


def axis_names(expression: str) -> frozenset[str]:
    """The axes that an expression names; raises BadValue like :func:`check_expression`."""
    parser = _Parser(expression)
    parser.parse()
    return frozenset(text for kind, text in parser.tokens if kind == "name")


class _Parser:
    """Precedence climbing: two frames per parenthesis."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        if len(expression) > MAX_LENGTH:
            raise self.fault(f"has more than {MAX_LENGTH} characters")
        self.tokens: list[tuple[str, str]] = []
        position, end = 0, len(expression.rstrip())
        while position < end:
            match = _TOKEN.match(expression, position)
            if match is None:
                raise self.fault(f"cannot be read at character {position + 1}")
            self.tokens.append((match.lastgroup or "", match.group(match.lastgroup or 0)))
            position = match.end()
        self.index = 0

    def fault(self, what: str) -> BadValue:
        return BadValue(
            "invalid_expression",
            f"an axis expression has integers, axis names, + - * % // / and parentheses; this one {what}",
            self.expression,
        )

    def parse(self) -> _Term:
        term = self.binary(1)
        if self.index < len(self.tokens):
            raise self.fault(f"goes on with '{self.tokens[self.index][1]}' where it should end")
        return term

    def take(self) -> tuple[str, str]:
        if self.index == len(self.tokens):
            raise self.fault("ends too early")
        self.index += 1
        return self.tokens[self.index - 1]

    def binary(self, least: int) -> _Term:
        left = self.operand()
        while self.index < len(self.tokens):
            operator = self.tokens[self.index][1]
            precedence = _PRECEDENCE.get(operator, 0)
            if precedence < least:
                break
            self.index += 1
            left = _apply(operator, left, self.binary(precedence + 1), self.expression)
        return left

    def operand(self) -> _Term:
        kind, text = self.take()
        if kind == "integer":
            number = int(text)
            return lambda _axes: number
        if kind == "name":
            return _axis(text, self.expression)
        if text in "+-":
            inner = self.binary(_UNARY)
            return inner if text == "+" else lambda axes: -inner(axes)
        if text != "(":
            raise self.fault(f"has '{text}' where an integer, an axis or '(' should be")
        inner = self.binary(1)
        if self.index == len(self.tokens) or self.take()[1] != ")":
            raise self.fault("has a '(' that is not closed")
        return inner


def _axis(name: str, expression: str) -> _Term:
    def value(axes: Axes) -> int:
        if name not in axes:
            raise BadValue("unknown_axis", f"the axis '{name}' has no value here", expression)
        return axes[name]

    return value


def _apply(operator: str, left: _Term, right: _Term, expression: str) -> _Term:
    def value(axes: Axes) -> int:
        a, b = left(axes), right(axes)
        match operator:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
        if b == 0:
            raise BadValue("division_by_zero", "an axis expression divides by zero here", expression)
        if operator == "/" and a % b:
            raise BadValue(
                "inexact_division", f"'/' divides exactly, and {a} / {b} leaves a rest", expression
            )
        return a % b if operator == "%" else a // b

    return value
