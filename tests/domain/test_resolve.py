"""The rules of resolving: brackets, declared support, policies, relations, match states."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain import ranking
from catalog.domain.errors import InputError
from catalog.domain.evidence import EvidenceLevel
from catalog.domain.licences import is_allowed, licence_name
from catalog.domain.ranking import RunFacts
from catalog.domain.relations import AxisConstraint, Relation
from catalog.domain.resolve import honoured, resolve
from catalog.domain.resolve_bracket import brackets
from catalog.domain.resolve_match import number, tensor_mismatches
from catalog.domain.resolve_policy import REASONS, policy_reasons
from catalog.domain.resolve_request import policy_of, request_of
from catalog.domain.resolve_support import covers, is_possible
from catalog.domain.resolve_types import (
    Attempt,
    Code,
    Environment,
    Match,
    Operation,
    Policy,
    RankedGroup,
    Tried,
    Workload,
    World,
)

AXES: dict[str, dict[str, Any]] = {
    "m": {"role": "variable", "minimum": 1},
    "n": {"role": "variable", "maximum": 4096},
    "k": {"role": "constant", "value": 4},
    "mk": {"role": "derived", "expression": "m * k"},
}
OPERATION = Operation("op", AXES, ({"shape": ["m", "n", 2], "dtype": "bf16"},), {"k": 4})


def case(digest: str, **axes: int) -> Workload:
    return Workload(digest, False, (axes,), frozenset({(axes.get("m", 1), 2)}), frozenset({"bf16", "int32"}))


# -- brackets -------------------------------------------------------------------------------------

sizes = st.integers(1, 6)
grids = st.lists(st.tuples(sizes, sizes), max_size=12)


@given(grids, sizes, sizes)
def test_a_bracket_is_the_nearest_case_on_either_side_along_one_axis(
    grid: list[tuple[int, int]], m: int, n: int
) -> None:
    cases = [case(f"w{place:02}", m=a, n=b) for place, (a, b) in enumerate(grid)]
    found = {b.axis: b for b in brackets(request_of("op", axes=[("m", m), ("n", n)]), by(cases))}
    along = {
        "m": ([a for a, b in grid if b == n], m),
        "n": ([b for a, b in grid if a == m], n),
    }
    if (m, n) in grid:
        assert found == {}
        return
    assert found.keys() == {axis for axis, (values, _) in along.items() if values}
    for axis, bracket in found.items():
        values, wanted = along[axis]
        below = max((value for value in values if value < wanted), default=None)
        above = min((value for value in values if value > wanted), default=None)
        assert (bracket.below and bracket.below.value, bracket.above and bracket.above.value) == (
            below,
            above,
        )
        for side in filter(None, (bracket.below, bracket.above)):
            a, b = grid[int(side.workload[1:])]
            assert {"m": a, "n": b} == {"m": m, "n": n} | {axis: side.value}
            assert grid.index((a, b)) == int(side.workload[1:])  # the smallest digest


@given(grids, sizes, sizes, st.randoms(use_true_random=False))
def test_brackets_do_not_depend_on_the_order_of_the_cases(
    grid: list[tuple[int, int]], m: int, n: int, random: Any
) -> None:
    cases = [case(f"w{place:02}", m=a, n=b) for place, (a, b) in enumerate(grid)]
    request = request_of("op", axes=[("m", m), ("n", n)])
    first = brackets(request, by(cases))
    random.shuffle(cases)
    assert brackets(request, by(cases)) == first


def by(cases: list[Workload]) -> list[tuple[Operation, Workload]]:
    return [(OPERATION, each) for each in cases]


def test_a_constant_counts_and_a_missing_axis_makes_no_claim() -> None:
    cases = by([case("w1", m=2, n=8)])
    [bracket] = brackets(request_of("op", axes=[("m", 2), ("n", 8), ("k", 5)]), cases)
    assert (bracket.axis, bracket.below and bracket.below.value, bracket.above) == ("k", 4, None)
    assert brackets(request_of("op", axes=[("m", 2), ("z", 8)]), cases) == ()


def test_a_suite_is_no_measured_case() -> None:
    suite = replace(case("w1", m=2), suite=True)
    assert brackets(request_of("op", axes=[("m", 3)]), by([suite])) == ()


# -- support --------------------------------------------------------------------------------------

SUPPORT = {"hardwareArchitectures": ["sm_90"], "dtypes": ["bf16"], "productsTested": ["H100"]}


@pytest.mark.parametrize(
    ("asked", "changes", "covered"),
    [
        ({}, {}, True),
        ({"architecture": "sm_90"}, {}, True),
        ({"architecture": "sm90"}, {}, True),
        ({"architecture": "sm_100"}, {}, False),
        ({"architecture": "unknown"}, {"hardwareArchitectures": ["unknown"]}, False),
        ({}, {"hardwareArchitectures": ["unknown"]}, True),
        ({}, {"hardwareArchitectures": [], "productsTested": []}, False),
        ({"product": "H100"}, {"hardwareArchitectures": []}, True),
        ({"product": "H200"}, {}, True),  # sm_90 is an architecture of that product
        ({"product": "H200"}, {"hardwareArchitectures": ["sm_80"]}, False),
        ({"dtypes": ["bfloat16"]}, {}, True),
        ({"dtypes": ["bf16", "fp32"]}, {}, False),
        ({"axes": [("n", 4096)]}, {}, True),
        ({"axes": [("n", 4097)]}, {}, False),
        ({"axes": [("m", 0)]}, {}, False),
        ({"axes": [("k", 5)]}, {}, False),
        ({"axes": [("z", 5)]}, {}, False),
        ({"axes": [("m", 1.5)]}, {}, False),
        ({"axes": [("m", 3), ("mk", 12)]}, {}, True),
        ({"axes": [("m", 3), ("mk", 13)]}, {}, False),
        ({"shape": [3, 4, 2]}, {}, True),
        ({"shape": [3, 4, 3]}, {}, False),
        ({"shape": [3, 4]}, {}, False),
        ({"shape": [3, 4, 2], "axes": [("m", 3)]}, {}, True),
        ({"shape": [3, 4, 2], "axes": [("m", 4)]}, {}, False),
        ({"shape": [3, 5000, 2]}, {}, False),
        ({"axes": [("n", 256)]}, {"axes": ["m", "n % 128", "k == 4"]}, True),
        ({"axes": [("n", 256)]}, {"axes": ["n % 128 == 0", "n<=256"]}, True),
        ({"axes": [("n", 200)]}, {"axes": ["n % 128"]}, False),
        ({}, {"axes": ["n % 128"]}, True),
        ({"axes": [("n", 256)]}, {"axes": ["whatever fits"]}, False),
    ],
)
def test_declared_support(asked: dict[str, Any], changes: dict[str, Any], covered: bool) -> None:
    request = request_of("op", **asked)
    declared = covers(request, OPERATION, SUPPORT | changes, {"sm_90"})
    assert (is_possible(request, OPERATION) and declared) is covered


def test_an_expression_that_cannot_be_evaluated_fits_nothing() -> None:
    odd = replace(OPERATION, axes=AXES | {"mk": {"role": "derived", "expression": "m // 0"}})
    assert not is_possible(request_of("op", axes=[("m", 2), ("mk", 1)]), odd)


# -- policies -------------------------------------------------------------------------------------


def code(**parts: Any) -> Code:
    usual: dict[str, Any] = {
        "public_source": True,
        "installable": True,
        "deployable": True,
        "licence": "MIT",
        "support": {},
    }
    return Code("code", "op", **usual | parts)


RUN = RunFacts("run", "passed", "2026-01-01T00:00:00.000000000Z", metric="latency", value=5)


@pytest.mark.parametrize(
    ("policy", "of", "expected"),
    [
        (policy_of(None, None, None, None), None, ()),
        (policy_of(EvidenceLevel.VERIFIED, True, True, ["MIT"]), None, (*REASONS[:3], REASONS[4])),
        (policy_of(EvidenceLevel.REPORTED, True, True, ["MIT"]), code(), ()),
        (policy_of(None, True, None, None), code(public_source=False), ("NO_PUBLIC_SOURCE",)),
        (policy_of(None, None, True, None), code(installable=False), ("NO_INSTALL_RECIPE",)),
        (policy_of(None, None, None, []), code(), ("LICENSE_NOT_ALLOWED",)),
        (policy_of(None, None, None, ["MIT"]), code(licence="MIT AND ISC"), ("LICENSE_NOT_ALLOWED",)),
        (policy_of(None, None, None, ["MIT"]), code(licence=None), ("LICENSE_UNKNOWN",)),
    ],
)
def test_what_a_policy_has_against_a_run(policy: Policy, of: Code | None, expected: tuple[str, ...]) -> None:
    assert policy_reasons(policy, RUN, of) == expected


@pytest.mark.parametrize(
    ("expression", "allowed", "expected"),
    [
        ("MIT", ["mit"], True),
        ("MIT OR GPL-3.0-only", ["GPL-3.0-only"], True),
        ("MIT AND GPL-3.0-only", ["MIT"], False),
        ("MIT AND GPL-3.0-only", ["MIT", "GPL-3.0-only"], True),
        ("Apache-2.0 WITH LLVM-exception", ["Apache-2.0"], True),
        ("Apache-2.0 WITH LLVM-exception", ["Apache-2.0 WITH LLVM-exception"], True),
        ("Apache-2.0", ["Apache-2.0 WITH LLVM-exception"], False),
        ("LicenseRef-own", ["LicenseRef-own"], True),
        ("LicenseRef-own", ["MIT"], False),
        ("Apache-2.0+", ["Apache-2.0"], True),
    ],
)
def test_which_licences_are_allowed(expression: str, allowed: list[str], expected: bool) -> None:
    names = frozenset(filter(None, map(licence_name, allowed)))
    assert len(names) == len(allowed)
    assert is_allowed(expression, names) is expected


@pytest.mark.parametrize("text", ["MIT OR ISC", "MIT AND ISC", "NOASSERTION", "NONE", "Permissive", "", "("])
def test_an_allowed_licence_is_a_single_known_one(text: str) -> None:
    with pytest.raises(InputError, match="allowedLicenses"):
        policy_of(None, None, None, [text])


# -- requests -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "parts"),
    [
        ("operation", {"operation": ""}),
        ("operation", {"operation": "o" * 201}),
        ("axes", {"axes": [("n", 1), ("n", 2)]}),
        ("axes", {"axes": [("", 1)]}),
        ("axes", {"axes": [("n", float("inf"))]}),
        ("axes", {"axes": [(f"n{i}", 1) for i in range(101)]}),
        ("shape", {"shape": []}),
        ("shape", {"shape": [1.5]}),
        ("shape", {"shape": [-1]}),
        ("shape", {"shape": [float("nan")]}),
        ("dtypes", {"dtypes": [""]}),
        ("product", {"product": ""}),
        ("protocol", {"protocol": "sha256:12345678"}),
    ],
)
def test_what_cannot_be_meant_names_its_field(field: str, parts: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        request_of(**{"operation": "op"} | parts)
    assert caught.value.field == field


def test_numbers_are_told_as_json_tells_them() -> None:
    assert [number(value) for value in (4096, 4096.0, 0.5)] == ["4096", "4096", "0.5"]
    assert request_of("op", axes=[("n", 2.0)]).axes == {"n": 2}


def test_a_case_without_tensors_has_the_data_types_of_its_operation() -> None:
    bare = Workload("w", True, ({"m": 1},), frozenset(), frozenset())
    assert tensor_mismatches(request_of("op", dtypes=["bf16"]), OPERATION, bare) == []
    [mismatch] = tensor_mismatches(request_of("op", shape=[1]), OPERATION, bare)
    assert mismatch == ("shape", "[1]", "not stated")


# -- relations ------------------------------------------------------------------------------------


def test_of_several_relations_to_one_operation_the_stronger_counts() -> None:
    within = Relation("r1", "op", "other", "equivalent_under_constraints", (AxisConstraint("n", "lte", 8),))
    exact = Relation("r3", "other", "op", "exactly_equivalent")
    again = Relation("r2", "op", "other", "exactly_equivalent")
    rough = Relation("r0", "op", "third", "approximately_equivalent")
    tried = [Tried(OPERATION, {}, {}, [], {})]
    small, large = (request_of("op", axes=[("n", n)]) for n in (8, 9))
    assert honoured(small, tried, [within, rough]) == ({"other": within}, [])
    assert honoured(large, tried, [within, rough]) == ({}, [within])
    assert honoured(large, tried, [within, exact, again]) == ({"other": again}, [])
    assert honoured(request_of("op"), tried, [within]) == ({}, [within])


# -- match states ---------------------------------------------------------------------------------

PLACE = Environment("gpu", "H100", "sm_90")


def world(*workloads: Workload, status: str = "passed", codes: tuple[Code, ...] = ()) -> World:
    """One run of the first workload, the others unmeasured."""
    attempts, groups = {}, []
    for workload in workloads[:1]:
        run = RUN._replace(status=status)
        attempts["run"] = Attempt(run, "key", "code", workload.digest, "protocol", "gpu")
        groups.append(RankedGroup("key", workload.digest, "protocol", "gpu", ranking.standings([run])))
    tried = Tried(OPERATION, {w.digest: w for w in workloads}, attempts, groups, {c.digest: c for c in codes})
    return World(["op"], {"op": tried}, {"gpu": PLACE})


SUPPORTING = code(support=SUPPORT)


@pytest.mark.parametrize(
    ("asked", "known", "match"),
    [
        ({"axes": [("m", 2), ("n", 8)]}, world(case("w1", m=2, n=8)), Match.EXACT_OBSERVED),
        ({}, world(case("w1", m=2, n=8), case("w2", m=3, n=8)), Match.EXACT_OBSERVED),
        ({"axes": [("m", 2), ("n", 9)]}, world(case("w1", m=2, n=8)), Match.NEAR),
        (
            {"axes": [("m", 2), ("n", 9)]},
            world(case("w1", m=2, n=8), codes=(SUPPORTING,)),
            Match.EXACT_SUPPORTED_UNOBSERVED,
        ),
        ({}, world(case("w1", m=2, n=8), case("w2", m=3, n=8), status="timeout"), Match.PATTERN),
        ({}, world(case("w1", m=2, n=8), status="timeout"), Match.NONE),
        (
            {"axes": [("m", 2), ("n", 8)]},
            world(case("w1", m=2, n=8), case("w2", m=2, n=8), status="timeout"),
            Match.NONE,
        ),
        (
            {"product": "H200"},
            world(case("w1", m=2, n=8), case("w2", m=3, n=8)),
            Match.PATTERN,
        ),
        ({"axes": [("m", 7)]}, world(), Match.NONE),
    ],
)
def test_the_match_is_the_first_state_that_holds(asked: dict[str, Any], known: World, match: Match) -> None:
    assert resolve(request_of("op", **asked), known).match is match


def test_every_run_that_is_not_ranked_says_why() -> None:
    answer = resolve(request_of("op"), world(case("w1", m=2, n=8), status="timeout"))
    [alternative] = answer.alternatives
    assert (alternative.rank, alternative.excluded) == (None, ("STATUS_TIMEOUT",))
    assert answer.best_deployable is None


def test_a_list_that_is_cut_is_said_to_be() -> None:
    runs = [RUN._replace(digest=f"run{n:03}", value=n + 1) for n in range(101)]
    attempts = {r.digest: Attempt(r, "key", "code", "w1", "protocol", "gpu") for r in runs}
    group = RankedGroup("key", "w1", "protocol", "gpu", ranking.standings(runs))
    shipped = {"code": code()}
    tried = Tried(OPERATION, {"w1": case("w1", m=2, n=8)}, attempts, [group], shipped)
    answer = resolve(request_of("op"), World(["op"], {"op": tried}, {"gpu": PLACE}))
    assert answer.truncated
    assert len(answer.alternatives) == 100
    assert answer.best_deployable is not None
    assert answer.best_deployable.run == "run000"
