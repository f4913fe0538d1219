"""What a search's answer should say beside its results: axes by another name, runs that an exact condition
leaves out, conditions that nothing here meets. Source: docs/domain.md §8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from catalog.domain.search_intent import AxisBinding, Issue, Parsed, near
from catalog.domain.search_values import same_product
from catalog.domain.search_words import words
from catalog.read.search_filter import Condition, Conditions
from catalog.read.search_index import SearchIndex
from catalog.read.search_text import TextMatch

LOOKED_AT: Final = (
    "this catalog is large, and more may be meant than what was looked at: the best candidates of each kind; "
    "more words or conditions find more"
)
"""Said of an answer from a part of what there is."""

NEAR_NAMES: Final = 3
"""At most so many other names of an axis are told."""

_SHORT: Final = 3
"""A shorter axis name is the beginning of too many others."""

_ALIKE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Said:
    """What is known of the whole catalog: the conditions of a search that nothing meets, how many runs on its
    GPU have no architecture recorded, families beside those of the index. `partial`: the index is of the best
    candidates only."""

    unmet: Sequence[Condition] = ()
    unrecorded: int = 0
    families: frozenset[str] = frozenset()
    partial: bool = False


def of(
    index: SearchIndex, conditions: Conditions, parsed: Parsed, text: TextMatch, said: Said, *, found: bool
) -> Iterator[Issue]:
    """The issues of a search; `found`: whether its digest names anything."""
    intent = parsed.intent
    if intent.digest is not None and not found:
        yield Issue(parsed.token("digest"), "nothing here has this digest")
    if said.partial:
        yield Issue("", LOOKED_AT)
    yield from _unmet(index, said, parsed)
    yield from _axes(index, conditions, text)
    yield from _unrecorded(said.unrecorded, parsed)


def unrecorded_runs(index: SearchIndex, product: str) -> int:
    """How many runs on a GPU have no architecture recorded, which `arch:` therefore leaves out."""
    asked = words(product)
    on_it = index.rows.place.where(
        lambda place: (
            place is not None
            and place.architecture is None
            and place.product is not None
            and same_product(asked, place.product, place.form_factor)
        )
    )
    return int(index.rows.runs[on_it].sum())


def _unrecorded(count: int, parsed: Parsed) -> Iterator[Issue]:
    if count:
        runs = "1 run on this GPU has" if count == 1 else f"{count} runs on this GPU have"
        token = parsed.token("architecture")
        yield Issue(token, f"{runs} no architecture recorded; `arch:` is exact and leaves them out")


def _unmet(index: SearchIndex, said: Said, parsed: Parsed) -> Iterator[Issue]:
    """Conditions that nothing in the catalog meets: a name that means nothing here, a level not reached."""
    for condition in said.unmet:
        if condition.field == "axes":
            continue
        token = parsed.token(condition.field)
        key, sign, value = token.partition(":") if ":" in token else token.partition("=")
        names = _names(index, condition.field)
        if condition.field in ("operation", "family"):
            names |= said.families
        close = near(value.strip('"[]'), names) if sign else None
        yield Issue(token, "nothing here meets this", f"{key}{sign}{close}" if close else None)


def _names(index: SearchIndex, field: str) -> set[str]:
    facts = index.operations.values()
    match field:
        case "operation":
            slugs = {found.slug for found in index.found.values() if found.label == "Operation"}
            return slugs | {each.family for each in facts}
        case "family":
            return {each.family for each in facts}
        case "model":
            return {tag[6:] for each in facts for tag in each.tags if tag.startswith("model:")}
        case "layout":
            tagged = {tag[7:] for each in facts for tag in each.tags if tag.startswith("layout-")}
            return tagged.union(*(code.layouts for code in index.codes.values()))
        case "framework":
            return {place.framework.split(" ")[0] for place in index.places.values() if place.framework}
        case "cuda":
            return {place.cuda for place in index.places.values() if place.cuda is not None}
    return set()


def _axes(index: SearchIndex, conditions: Conditions, text: TextMatch) -> Iterator[Issue]:
    """Axes that operations under the rest of the search have by another name, or not at all."""
    bindings = {binding.name: binding for binding in conditions.intent.axes}
    if not bindings:
        return
    meant = {found.key for found in text.levels if found.label == "Operation"} if text.understood else None
    under = index.rows.operation.present(conditions.rows(without="axes"))
    axes = [
        index.axis_names[digest]
        for digest in under
        if digest in index.axis_names and (not meant or digest in meant)
    ]
    for binding in bindings.values():
        issue = _axis(binding, axes)
        if issue is not None:
            yield issue


def _axis(binding: AxisBinding, axes: Iterable[set[str]]) -> Issue | None:
    name = binding.name
    having, lacking = 0, Counter[str]()
    for names in axes:
        if name in names:
            having += 1
        else:
            lacking.update(names)
    others = [(other, count) for other, count in lacking.items() if _extends(name, other)]
    if not having and not others:
        others = [(other, count) for other, count in lacking.items() if _alike(name, other) >= _ALIKE]
    others.sort(key=lambda pair: (-pair[1], pair[0]))
    told = ", ".join(f"`{other}` in {_operations(count)}" for other, count in others[:NEAR_NAMES])
    suggestion = binding.token.replace(name, others[0][0], 1) if others else None
    if having and others:
        message = f"`{name}` is an axis of {_operations(having)} here; others have it as {told}"
        return Issue(binding.token, message, suggestion)
    if not having:
        message = f"no operation here has an axis `{name}`" + (f"; there is {told}" if told else "")
        return Issue(binding.token, message, suggestion)
    return None


def _extends(name: str, other: str) -> bool:
    """`hidden_size` is `hidden` with more said."""
    return len(name) >= _SHORT and other.startswith(f"{name}_")


def _alike(name: str, other: str) -> float:
    matcher = SequenceMatcher(None, name, other)
    return matcher.ratio() if matcher.quick_ratio() >= _ALIKE else 0.0


def _operations(count: int) -> str:
    return "1 operation" if count == 1 else f"{count} operations"
