"""Comparison keys and records: what may be compared, who took which record from whom, and who holds it."""

from __future__ import annotations

import copy
import hashlib
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Any

import rfc8785

from tests.answers.book import Answer, Given, answers
from tests.answers.ranked import gpu
from tests.answers.raw import Raw, Run, edges, instant
from tests.data.export_raw import Row

PARTS: dict[str, Callable[[Run], str]] = {
    "OPERATION": lambda run: run.operation["semanticDigest"],
    "WORKLOAD": lambda run: run.workload["workloadDigest"],
    "PROTOCOL": lambda run: run.row["protocolKey"],
    "ENVIRONMENT": lambda run: run.row["environmentKey"],
    "CORRECTNESS": lambda run: run.row["correctnessKey"],
    "METRIC": lambda run: ":".join(
        run.row[f"primary{part}"] or "" for part in ("Metric", "Statistic", "Unit")
    ),
}
"""The parts of a comparison key, from the columns of a row and of the rows it names."""


def fields(document: Any, path: str) -> dict[str, Any]:
    """Path -> value of every leaf."""
    if not isinstance(document, dict):
        return {path: document}
    return {p: v for name, value in document.items() for p, v in fields(value, f"{path}.{name}").items()}


@answers("22-compare")
def compare(raw: Raw, given: Given) -> Answer:
    """Whether the rows state one comparison key, and the lesser value; else the field that differs."""
    one, other = (raw.by_digest[digest] for digest in given["same"])
    assert one.key == other.key
    winner = min(one, other, key=lambda run: run.value)
    left, right = (raw.by_digest[digest] for digest in given["apart"])
    assert left.key != right.key
    [(name, values)] = differing(left, right).items()
    data = {
        "same": {"comparable": True, "winner": {"digest": winner.digest}, "firstMaterialMismatch": None},
        "apart": {
            "comparable": False,
            "winner": None,
            "firstMaterialMismatch": {"field": name, "values": list(values)},
        },
    }
    short = f"`{winner.digest[7:15]}` is, as both have one key; the other two differ in `{name}`: no winner"
    return Answer(data, short)


def differing(one: Run, other: Run) -> dict[str, tuple[Any, Any]]:
    """The fields of the two environments that differ."""
    left, right = (fields(run.row["manifest"]["environment"]["spec"], "environment") for run in (one, other))
    return {
        name: (left.get(name), right.get(name))
        for name in {**left, **right}
        if left.get(name) != right.get(name)
    }


@answers("23-key-diff")
def key_diff(raw: Raw, given: Given) -> Answer:
    """The six parts of both keys from the rows' columns; the rows that differ in one part alone."""
    one, other = raw.by_digest[given["run"]], raw.by_digest[given["other"]]
    own = {part: value(one) for part, value in PARTS.items()}
    joins: Counter[str] = Counter()
    for run in raw.runs:
        apart = [part for part, value in PARTS.items() if value(run) != own[part]]
        if len(apart) == 1:
            joins[apart[0]] += 1
    parts: list[dict[str, Any]] = []
    for part, value in PARTS.items():
        differs = value(other) != own[part]
        named = differing(one, other).items() if differs else ()
        parts.append(
            {
                "part": part,
                "differs": differs,
                "joins": joins[part],
                "fields": [{"field": name, "value": a, "other": b} for name, (a, b) in named],
            }
        )
    apart = [part["part"] for part in parts if part["differs"]]
    assert apart == ["ENVIRONMENT"]
    data = {
        "same": False,
        "differing": apart,
        "group": {"key": one.key, "size": len(raw.groups[one.key])},
        "otherGroup": {"key": other.key, "size": len(raw.groups[other.key])},
        "parts": parts,
    }
    [(name, (a, b))] = differing(one, other).items()
    return Answer({"keyDiff": data}, f"`{name}` is `{a}` on one and `{b}` on the other")


def digest(document: dict[str, Any]) -> str:
    return f"sha256:{hashlib.sha256(rfc8785.dumps(document)).hexdigest()}"


@answers("24-what-if")
def what_if(raw: Raw, given: Given) -> Answer:
    """The protocol of the row with the field changed, its digest and key by RFC 8785 and SHA-256."""
    run, change = raw.by_digest[given["run"]], given["change"]
    protocol = copy.deepcopy(run.row["manifest"]["protocol"])
    assert change["field"] == "protocol.measurement.timer"
    protocol["spec"]["measurement"]["timer"] = change["value"]
    del protocol["metadata"]
    own = {part.lower(): value(run) for part, value in PARTS.items()}
    assert digest({"v": 1, **own}) == run.key
    other = digest({"v": 1, **own, "protocol": digest(protocol)})
    assert other not in raw.groups
    data = {"differing": ["PROTOCOL"], "key": run.key, "otherKey": other, "otherGroup": None}
    return Answer({"keyDiff": data}, f"`{other[7:15]}`, on which there is nothing yet")


# -- records: the export has them in a table of its own -------------------------------------------------


def improvement(raw: Raw, event: Row) -> float | None:
    """By which part of the record before; in all boards less is better."""
    if event["previousRunId"] is None:
        return None
    return 1 - raw.by_id[event["runId"]].value / raw.by_id[event["previousRunId"]].value


def take_over(raw: Raw, event: Row) -> bool:
    if event["previousRunId"] is None:
        return False
    won, lost = raw.by_id[event["runId"]], raw.by_id[event["previousRunId"]]
    return won.implementation != lost.implementation


def of_source(raw: Raw, slug: str) -> list[Row]:
    """The events whose record a run of this source took."""
    events = raw.tables["record_events"]
    assert {event["cause"] for event in events} == {"new_run"}
    return [event for event in events if raw.by_id[event["runId"]].source["slug"] == slug]


def ref(raw: Raw, key: str | None) -> dict[str, str] | None:
    return None if key is None else {"digest": raw.by_id[key].digest}


def newest(events: list[Row]) -> list[Row]:
    """Newest first, then by key."""
    return sorted(sorted(events, key=lambda e: e["comparisonKey"]), key=lambda e: e["at"], reverse=True)


def board_of(raw: Raw, event: Row) -> dict[str, Any]:
    slug = raw.by_id[event["runId"]].operation["slug"]
    return {"key": event["comparisonKey"], "operation": {"slug": slug}}


@answers("25-newest-records")
def newest_records(raw: Raw, given: Given) -> Answer:
    """The export's own table of record events, by time."""
    events = newest(of_source(raw, given["source"]))
    shown = [
        {
            "architecture": raw.by_id[event["runId"]].architecture,
            "takeOver": take_over(raw, event),
            "group": board_of(raw, event),
            "event": {
                "at": instant(event["at"]),
                "cause": "NEW_RUN",
                "improvement": improvement(raw, event),
                "run": ref(raw, event["runId"]),
                "previous": ref(raw, event["previousRunId"]),
            },
        }
        for event in events[:5]
    ]
    last = raw.by_id[events[0]["runId"]]
    short = f"`{last.operation['slug']}` on an {gpu(last)}, "
    gain = improvement(raw, events[0])
    assert gain is not None
    return Answer(
        {"records": edges(shown, totalCount=len(events))},
        f"{short}{events[0]['at'][:10]}, by {gain:.1%}; {len(events)} events in all",
    )


@answers("26-largest-improvement")
def largest_improvement(raw: Raw, given: Given) -> Answer:
    """The export's table of record events, the values of the two rows of each."""
    events = [event for event in of_source(raw, given["source"]) if take_over(raw, event)]
    events = sorted(newest(events), key=lambda event: -(improvement(raw, event) or 0))
    shown = []
    for event in events[:3]:
        won, lost = raw.by_id[event["runId"]], raw.by_id[event["previousRunId"]]
        shown.append(
            {
                "group": board_of(raw, event),
                "event": {
                    "at": instant(event["at"]),
                    "improvement": improvement(raw, event),
                    "run": {"digest": won.digest, "primary": {"value": won.value}},
                    "previous": {"digest": lost.digest, "primary": {"value": lost.value}},
                },
            }
        )
    won, lost = raw.by_id[events[0]["runId"]], raw.by_id[events[0]["previousRunId"]]
    short = f"`{won.operation['slug']}` fell from {lost.value / 1e6:,.0f} ms to {won.value / 1e6:.1f} ms: "
    return Answer(
        {"records": edges(shown, totalCount=len(events))},
        f"{short}`{lost.project['slug']}` lost it to `{won.project['slug']}`",
    )


@answers("27-most-contested")
def most_contested(raw: Raw, given: Given) -> Answer:
    """The export's table of record events, counted by key."""
    events = of_source(raw, given["source"])
    changes = Counter(e["comparisonKey"] for e in events if e["previousRunId"] is not None)
    key, count = min(changes.items(), key=lambda item: (-item[1], item[0]))
    first = raw.groups[key][0]
    group = {
        "key": key,
        "size": len(raw.groups[key]),
        "operation": {"slug": first.operation["slug"]},
        "environment": {"product": first.row["hardwareModel"]},
    }
    short = f"`{first.operation['slug']}` on a {gpu(first)}: {count} times in "
    return Answer(
        {"records": edges([{"leadChanges": count, "group": group}])}, f"{short}{len(raw.groups[key])} runs"
    )


@answers("28-record-history")
def record_history(raw: Raw, given: Given) -> Answer:
    """The export's table of record events under this key."""
    events = sorted(
        (event for event in raw.tables["record_events"] if event["comparisonKey"] == given["key"]),
        key=lambda event: event["at"],
    )
    shown = [
        {
            "at": instant(event["at"]),
            "cause": "NEW_RUN",
            "improvement": improvement(raw, event),
            "run": {
                "digest": raw.by_id[event["runId"]].digest,
                "primary": {"value": raw.by_id[event["runId"]].value},
            },
            "previous": ref(raw, event["previousRunId"]),
        }
        for event in events
    ]
    first, last = (raw.by_id[events[place]["runId"]].value for place in (0, -1))
    short = f"in {len(events)} steps from {first * 1e6:.1f} to {last * 1e6:.1f} µs, "
    return Answer(
        {"comparisonGroup": {"recordHistory": shown}},
        f"{short}{events[0]['at'][:10]} to {events[-1]['at'][:10]}",
    )


@answers("30-holder-per-architecture")
def holder_per_architecture(raw: Raw, given: Given) -> Answer:
    """The last event of each key in the export's table of record events."""
    last: dict[str, Row] = {}
    for event in sorted(raw.tables["record_events"], key=lambda event: event["at"]):
        if raw.by_id[event["runId"]].operation["slug"] == given["operation"]:
            last[event["comparisonKey"]] = event
    shown = []
    for key, event in last.items():
        run = raw.by_id[event["runId"]]
        shown.append(
            {
                "architecture": run.architecture,
                "product": run.row["hardwareModel"],
                "since": instant(event["at"]),
                "group": {"key": key},
                "run": {
                    "digest": run.digest,
                    "primary": {"value": run.value},
                    "implementation": {"project": {"slug": run.project["slug"]}},
                },
            }
        )
    shown.sort(key=lambda each: (each["architecture"], each["group"]["key"]))
    short = ", ".join(f"`{each['architecture']}` since {each['since'][:10]}" for each in shown)
    holders = len({each["run"]["implementation"]["project"]["slug"] for each in shown})
    return Answer(
        {"recordHolders": edges(shown, totalCount=len(shown))}, f"{short}: {holders} different authors"
    )


@answers("31-record-leaders")
def record_leaders(raw: Raw, given: Given) -> Answer:
    """The export's record events on that architecture, replayed in the order of time."""
    held: Counter[str] = Counter()
    leader, since = "", ""
    events = [
        e for e in raw.tables["record_events"] if raw.by_id[e["runId"]].architecture == given["architecture"]
    ]
    for at, together in groupby(sorted(events, key=lambda e: e["at"]), key=lambda e: e["at"]):
        for event in together:
            held[raw.by_id[event["runId"]].project["slug"]] += 1
            if event["previousRunId"] is not None:
                held[raw.by_id[event["previousRunId"]].project["slug"]] -= 1
        most = max(held.values())
        if held[leader] < most:
            leader, since = min(slug for slug, count in held.items() if count == most), at
    shares = sorted((+held).items(), key=lambda item: (-item[1], item[0]))
    data = {
        "architecture": given["architecture"],
        "recordCount": held.total(),
        "since": instant(since),
        "project": {"slug": leader},
        "shares": [{"count": count, "project": {"slug": slug}} for slug, count in shares[:3]],
    }
    short = f"`{leader}` with {held[leader]} of {held.total()}, since {since[:10]}"
    return Answer({"recordLeaders": [data]}, short)


@answers("32-taken-records")
def taken_records(raw: Raw, given: Given) -> Answer:
    """The export's record events in which the two rows are of different implementations, one of them this."""
    code, beat, beaten = given["implementation"], [], []
    victims, victors = set(), set()
    ordered = sorted(raw.tables["record_events"], key=lambda event: (event["at"], event["comparisonKey"]))
    for event in ordered:
        if not take_over(raw, event):
            continue
        won, lost = raw.by_id[event["runId"]], raw.by_id[event["previousRunId"]]
        common = {"at": instant(event["at"]), "improvement": improvement(raw, event)}
        one, other = {"digest": won.digest}, {"digest": lost.digest}
        if won.implementation == code:
            victims.add(lost.implementation)
            from_whom = {"implementation": {"digest": lost.implementation}}
            beat.append({**common, "won": one, "lost": {**other, **from_whom}})
        if lost.implementation == code:
            victors.add(won.implementation)
            to_whom = {"implementation": {"digest": won.implementation}}
            beaten.append({**common, "won": {**one, **to_whom}, "lost": other})
    short = f"it took {len(beat)} from {len(victims)} others and lost {len(beaten)} to {len(victors)}"
    return Answer({"implementation": {"beat": beat, "beatenBy": beaten}}, short)
