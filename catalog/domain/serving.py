"""Ranking of serving results inside one cohort: policy serving-v1 (docs/domain.md §10).

A question has an objective, constraints, both or neither. Eligible runs that meet the constraints are ranked
by the objective; the Pareto frontier is theirs too, over the axes that all of them report. Results of
different cohorts never meet, and nothing here is shared with the ranking of kernels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from catalog.domain.metrics import Direction, Measurement, Number
from catalog.domain.serving_metrics import Axis, Reading, default_statistic, direction, readings

POLICY: Final = "serving-v1"
VALID: Final = "valid"
NO_AXIS: Final = "a metric whose better direction is known"
"""What runs lack when no run of their cohort reports anything that could be compared."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A service-level objective that a workload declares: `metric·statistic` is kept at or below `value`."""

    metric: str
    statistic: str
    unit: str
    value: Number


@dataclass(frozen=True, slots=True)
class Constraint:
    """An upper bound asked for: in ms where the metric's name ends so, else in the unit reported.

    Without a statistic it is about the metric's usual one (:func:`default_statistic`).
    """

    metric: str
    value: Number
    strict: bool = False
    statistic: str | None = None

    def __str__(self) -> str:
        value = int(self.value) if float(self.value).is_integer() else self.value
        return f"{_named(self.metric, self.statistic)} {'<' if self.strict else '<='} {value}"

    def holds(self, value: Number) -> bool:
        """Whether a measured value meets it."""
        return value < self.value if self.strict else value <= self.value


@dataclass(frozen=True, slots=True)
class Objective:
    """What to rank by. The asker says which way is better."""

    metric: str
    maximize: bool
    statistic: str | None = None


class State(StrEnum):
    """How an answer to a constraint is known."""

    MEASURED = "MEASURED"
    DECLARED = "DECLARED"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a constraint. ``observed``: the measured value or the declared bound, in the
    constraint's unit; ``satisfied`` is None exactly when the state is UNKNOWN."""

    constraint: Constraint
    state: State
    satisfied: bool | None = None
    observed: Number | None = None
    statistic: str | None = None


@dataclass(frozen=True, slots=True)
class ServingFacts:
    """What the policy looks at of a serving run. ``observed_at`` is a canonical instant."""

    digest: str
    status: str
    observed_at: str
    measurements: tuple[Measurement, ...]
    published: bool = True
    retracted: bool = False
    superseded: bool = False
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Ranked:
    """A run that meets the constraints; rank and value are None without an objective it reports."""

    run: ServingFacts
    rank: int | None
    value: Number | None
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Excluded:
    """A run that is left out, and every reason for it."""

    run: ServingFacts
    reasons: tuple[str, ...]
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """A run that no other one dominates, and its values on the axes that were compared."""

    run: ServingFacts
    metrics: tuple[Measurement, ...]


@dataclass(frozen=True, slots=True)
class Incomparable:
    """A run that could not be compared in everything, and what it lacks."""

    run: ServingFacts
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """``ranked`` and ``excluded`` together are all runs of the cohort."""

    ranked: tuple[Ranked, ...]
    excluded: tuple[Excluded, ...]
    frontier: tuple[FrontierPoint, ...]
    not_comparable: tuple[Incomparable, ...]


def reasons(run: ServingFacts) -> tuple[str, ...]:
    """Every reason why a run does not rank, whatever the question."""
    applying = (
        ("UNPUBLISHED", not run.published),
        (f"STATUS_{run.status.upper()}", run.status != VALID),
        ("RETRACTED", run.retracted),
        ("SUPERSEDED", run.superseded),
        ("INCOMPLETE", not run.complete),
    )
    return tuple(reason for reason, applies in applying if applies)


def outcome(run: ServingFacts, bounds: Sequence[Bound], constraint: Constraint) -> Outcome:
    """A measured value decides; else a declared bound at or below the asked one satisfies; else unknown."""
    measured = readings(run.measurements)
    statistic = constraint.statistic or default_statistic(measured, constraint.metric)
    found = measured.get((constraint.metric, statistic or ""))
    if found is not None and found.value is not None:
        return Outcome(constraint, State.MEASURED, constraint.holds(found.value), found.value, statistic)
    stated = [Measurement(bound.metric, bound.statistic, bound.unit, bound.value) for bound in bounds]
    declared = readings(stated)
    statistic = constraint.statistic or default_statistic(declared, constraint.metric)
    limit = declared.get((constraint.metric, statistic or ""))
    if limit is not None and limit.value is not None and limit.value <= constraint.value:
        return Outcome(constraint, State.DECLARED, True, limit.value, statistic)
    return Outcome(constraint, State.UNKNOWN)


def resolve(
    runs: Iterable[ServingFacts],
    bounds: Sequence[Bound] = (),
    objective: Objective | None = None,
    constraints: Sequence[Constraint] = (),
) -> Answer:
    """The answer of one cohort, whose workload declares ``bounds``; the order of ``runs`` does not matter."""
    candidates: list[tuple[ServingFacts, tuple[Outcome, ...]]] = []
    excluded = []
    for run in sorted(runs, key=lambda run: run.digest):
        outcomes = tuple(outcome(run, bounds, constraint) for constraint in constraints)
        why = reasons(run) + tuple(reason for o in outcomes if (reason := _against(o)))
        if why:
            excluded.append(Excluded(run, tuple(dict.fromkeys(why)), outcomes))
        else:
            candidates.append((run, outcomes))
    kept = [run for run, _ in candidates]
    missing: dict[str, list[str]] = {run.digest: [] for run in kept}
    if objective is None:
        ranked = [Ranked(run, None, None, outcomes) for run, outcomes in candidates]
    else:
        ranked = _by_objective(candidates, objective, missing)
    frontier = _frontier(kept, missing)
    lacking = [
        Incomparable(run, tuple(dict.fromkeys(names))) for run in kept if (names := missing[run.digest])
    ]
    return Answer(tuple(ranked), tuple(excluded), tuple(frontier), tuple(lacking))


def _against(found: Outcome) -> str | None:
    if found.state is State.UNKNOWN:
        return f"METRIC_NOT_REPORTED:{found.constraint.metric}"
    return None if found.satisfied else f"CONSTRAINT_UNSATISFIED:{found.constraint.metric}"


def _by_objective(
    candidates: Sequence[tuple[ServingFacts, tuple[Outcome, ...]]],
    objective: Objective,
    missing: dict[str, list[str]],
) -> list[Ranked]:
    """Best first with dense ranks, newer first inside a tie; runs without the metric last, without a rank.

    Values in different units do not compare: the unit of most runs is taken, of several the first by name.
    """
    found: dict[str, Reading] = {}
    asked: dict[str, str] = {}
    for run, _ in candidates:
        known = readings(run.measurements)
        statistic = objective.statistic or default_statistic(known, objective.metric)
        asked[run.digest] = _named(objective.metric, statistic)
        reading = known.get((objective.metric, statistic or ""))
        if reading is not None and reading.value is not None:
            found[run.digest] = reading
    units = Counter(reading.axis.unit for reading in found.values())
    unit = min(units, key=lambda name: (-units[name], name), default=None)
    valued: list[tuple[Number, ServingFacts, tuple[Outcome, ...]]] = []
    rest: list[Ranked] = []
    for run, outcomes in candidates:
        reading = found.get(run.digest)
        if reading is not None and reading.axis.unit == unit and reading.value is not None:
            valued.append((reading.value, run, outcomes))
        else:
            name = asked[run.digest]
            missing[run.digest].append(name if reading is None else f"{name} in {unit}")
            rest.append(Ranked(run, None, None, outcomes))
    valued.sort(key=lambda entry: entry[1].observed_at, reverse=True)
    valued.sort(key=lambda entry: entry[0], reverse=objective.maximize)
    places = {value: rank for rank, value in enumerate(dict.fromkeys(v for v, _, _ in valued), start=1)}
    return [Ranked(run, places[value], value, outcomes) for value, run, outcomes in valued] + rest


def _frontier(kept: Sequence[ServingFacts], missing: dict[str, list[str]]) -> list[FrontierPoint]:
    """The runs that none dominates on the axes that every run has, best on the first axis first.

    A run without any axis is left aside: else one bad number would leave nothing to compare.
    A dominating point comes before the dominated one in the order of points, so that a point need only be
    held against those kept before it.
    """
    axes: dict[str, dict[Axis, Reading]] = {run.digest: _axes(run) for run in kept}
    every = {axis for own in axes.values() for axis in own}
    shared = sorted(axis for axis in every if all(axis in own for own in axes.values() if own))
    points: dict[tuple[Number, ...], list[ServingFacts]] = {}
    for run in kept:
        own = axes[run.digest]
        missing[run.digest] += _lacking(own, every)
        if own and shared:
            points.setdefault(tuple(_signed(own[axis]) for axis in shared), []).append(run)
    optimal: list[tuple[Number, ...]] = []
    for point in sorted(points):
        if not any(all(a <= b for a, b in zip(other, point, strict=True)) for other in optimal):
            optimal.append(point)
    return [
        FrontierPoint(run, tuple(axes[run.digest][axis].stated for axis in shared))
        for point in optimal
        for run in points[point]
    ]


def _lacking(own: Collection[Axis], every: Collection[Axis]) -> list[str]:
    """The axes that a run lacks; with their unit where it reports the same in another one."""
    stated = {str(axis) for axis in own}
    lacking = [axis for axis in sorted(every) if axis not in own]
    named = [f"{axis} in {axis.unit}" if str(axis) in stated else str(axis) for axis in lacking]
    return named if every else [NO_AXIS]


def _axes(run: ServingFacts) -> dict[Axis, Reading]:
    known = readings(run.measurements).values()
    return {r.axis: r for r in known if r.value is not None and direction(r.axis.metric) is not None}


def _signed(reading: Reading) -> Number:
    """The value so that smaller is better."""
    value = reading.value
    if value is None:
        raise ValueError(f"{reading.axis} has no value to compare")
    return -value if direction(reading.axis.metric) is Direction.HIGHER else value


def _named(metric: str, statistic: str | None) -> str:
    return metric if statistic is None else f"{metric}·{statistic}"
