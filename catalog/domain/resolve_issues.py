"""What of a request stays open or means nothing: never silent (docs/domain.md §8, §9)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from catalog.domain.relations import Relation
from catalog.domain.resolve_match import has_dtypes, number
from catalog.domain.resolve_types import UNKNOWN, Environment, Issue, Request, Tried, World


def unresolved(request: Request, world: World) -> tuple[str, ...]:
    """The fields left open, and those given that name nothing, in the order of the request.

    Open axes are the variable ones of the operations meant; an axis that none of them has is not resolved.
    """
    operations = [world.tried[digest].operation for digest in world.meant]
    if not operations:
        return ("operation",)
    declared = {name for operation in operations for name in operation.axes}
    variables = {name for operation in operations for name in operation.variables}
    stated = _stated_axes(world)
    axes = (variables - request.axes.keys()) | (request.axes.keys() - declared - stated)
    places = _environments(world)
    fields = [f"axes.{name}" for name in sorted(axes)]
    if not request.dtypes or not has_dtypes(request.dtypes, _dtypes(world)):
        fields.append("dtypes")
    if request.product is None or request.product not in {place.product for place in places}:
        fields.append("product")
    architectures = {place.architecture for place in places} - {UNKNOWN}
    if request.architecture is None or request.architecture not in architectures:
        fields.append("architecture")
    if request.protocol is None or request.protocol not in _protocols(world):
        fields.append("protocol")
    return tuple(fields)


def issues(request: Request, world: World, failing: Iterable[Relation]) -> tuple[Issue, ...]:
    """Whatever of the request names nothing, and what speaks for asking otherwise.

    ``failing``: relations whose predicates do not hold for the request.
    """
    if not world.meant:
        near = _near(request.operation, world.names)
        return (Issue(request.operation, "names no operation: no slug, alias, family or digest", near),)
    found = [*_axis_issues(request, world), *_dtype_issues(request, world), *_place_issues(request, world)]
    if request.protocol is not None and request.protocol not in _protocols(world):
        found.append(Issue(request.protocol, "no run of this operation was made under this protocol"))
    for relation in failing:
        predicates = " and ".join(map(str, relation.constraints))
        message = f"relation {relation.digest} joins another operation only where {predicates}"
        found.append(Issue(request.operation, message))
    return tuple(found)


def _axis_issues(request: Request, world: World) -> Iterator[Issue]:
    known = {name for digest in world.meant for name in world.tried[digest].operation.axes}
    known |= _stated_axes(world)
    for name in sorted(request.axes.keys() - known):
        holding = [axis for axis in sorted(known) if name in axis.split("_") or axis.startswith(name)]
        suggestion = holding[0] if holding else _near(name, sorted(known))
        yield Issue(name, "no operation asked for has this axis", suggestion)
    for name in sorted(request.axes.keys() & known):
        if request.axes[name] != int(request.axes[name]):
            message = f"an axis has whole values, not {number(request.axes[name])}"
            yield Issue(name, message)


def _dtype_issues(request: Request, world: World) -> Iterator[Issue]:
    known = _dtypes(world)
    for dtype in request.dtypes:
        if not has_dtypes((dtype,), known):
            yield Issue(dtype, "no case of this operation has this data type", _near(dtype, sorted(known)))


def _place_issues(request: Request, world: World) -> Iterator[Issue]:
    places = _environments(world)
    products = sorted({place.product for place in places if place.product is not None})
    if request.product is not None and request.product not in products:
        words = request.product.lower()
        holding = [product for product in products if words in product.lower()]
        suggestion = holding[0] if holding else _near(request.product, products)
        yield Issue(request.product, "no environment has this product", suggestion)
    if request.architecture is None:
        return
    architectures = sorted({p.architecture for p in places if p.architecture} - {UNKNOWN})
    if request.architecture == UNKNOWN:
        message = "an architecture that was not recorded matches nothing; leave it out"
        yield Issue(UNKNOWN, message)
        return
    if request.architecture not in architectures:
        near = _near(request.architecture, architectures)
        yield Issue(request.architecture, "no environment has this architecture", near)
    yield from _unrecorded(request, world, places)


def _unrecorded(request: Request, world: World, places: Sequence[Environment]) -> Iterator[Issue]:
    """Runs on the GPU that is meant which only lack the architecture."""
    meant = {p.product for p in places if p.architecture == request.architecture}
    if request.product is not None:
        meant = {request.product}
    for product in sorted(filter(None, meant)):
        bare = {p.digest for p in places if p.product == product and (p.architecture or UNKNOWN) == UNKNOWN}
        runs = sum(
            attempt.environment in bare for tried in _meant(world) for attempt in tried.attempts.values()
        )
        if runs:
            message = f"{runs} runs of this operation on {product} have no architecture recorded"
            yield Issue(request.architecture or "", message, "leave out the architecture")


def _meant(world: World) -> list[Tried]:
    return [world.tried[digest] for digest in world.meant]


def _stated_axes(world: World) -> set[str]:
    """Axes that only cases state: real data have some (docs/domain.md §1)."""
    workloads = (workload for tried in _meant(world) for workload in tried.workloads.values())
    return {name for workload in workloads for case in workload.cases for name in case}


def _environments(world: World) -> list[Environment]:
    return list(world.environments.values())


def _dtypes(world: World) -> set[str]:
    found: set[str] = set()
    for tried in _meant(world):
        found |= tried.operation.dtypes.union(*(w.dtypes for w in tried.workloads.values()))
    return found


def _protocols(world: World) -> set[str]:
    return {attempt.protocol for tried in _meant(world) for attempt in tried.attempts.values()}


def _near(text: str, among: Sequence[str]) -> str | None:
    return next(iter(difflib.get_close_matches(text, among, 1)), None)
