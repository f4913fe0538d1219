"""The search grammar: what each kind of token means, and the laws that hold for every string."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.evidence import EvidenceLevel
from catalog.domain.search_intent import MAXIMUM_TOKENS, AxisBinding, Intent, Issue, Known
from catalog.domain.search_query import parse
from catalog.domain.search_tokens import tokens

KNOWN = Known(
    dtypes=frozenset({"bf16", "posit16"}),
    products=frozenset({"NVIDIA B200", "NVIDIA GB200", "NVIDIA GeForce RTX 4090", "Acme Wafer 9"}),
    architectures=frozenset({"sm_100", "wafer_9"}),
    languages=frozenset({"python", "cuteql"}),
    sources=frozenset({"sol-execbench", "liger-kernel-bench"}),
)


def told(text: str) -> tuple[dict[str, Any], list[Issue]]:
    """The fields of the intent that are set, text as words; and the issues."""
    parsed = parse(text, KNOWN)
    fields = {name: getattr(parsed.intent, name) for name in Intent.__dataclass_fields__}
    shown = {name: value for name, value in fields.items() if value != getattr(Intent(), name)}
    if "terms" in shown:
        shown["terms"] = [(term.words, term.phrase) for term in shown["terms"]]
    if "axes" in shown:
        shown["axes"] = [(each.name, each.operator, each.value) for each in shown["axes"]]
    return shown, list(parsed.issues)


UNDERSTOOD: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("RMS-Norm", {"terms": [(("rms", "norm"), False)]}),
    ('"paged decode"', {"terms": [(("paged", "decode"), True)]}),
    ("paged decode h32 kv8", {"terms": [((word,), False) for word in ("paged", "decode", "h32", "kv8")]}),
    (
        "rmsnorm gpu:B200 dtype:bf16",
        {"terms": [(("rmsnorm",), False)], "product": "B200", "dtypes": ("bf16",)},
    ),
    (
        "op:gqa arch:sm_100 num_kv_heads=8",
        {"operation": "gqa", "architecture": "sm_100", "axes": [("num_kv_heads", "EQ", 8)]},
    ),
    ("n<4 n<=5 n>-6 n>=7", {"axes": [("n", "LT", 4), ("n", "LTE", 5), ("n", "GT", -6), ("n", "GTE", 7)]}),
    ("half bfloat16 torch.float32 bf16", {"dtypes": ("fp16", "bf16", "fp32")}),
    ("dtype=[fp8, float]", {"dtypes": ("fp8", "fp32")}),
    ("dtype:posit16", {"dtypes": ("posit16",)}),
    ("[bf16 fp16]", {"dtypes": ("bf16", "fp16")}),
    ("4096x128", {"shape": (4096, 128)}),
    ("[4096, 128]", {"shape": (4096, 128)}),
    ("shape:[1,2,3]", {"shape": (1, 2, 3)}),
    ("shape:7", {"shape": (7,)}),
    ("b200 sm100", {"product": "B200", "architecture": "sm_100"}),
    ("MI300X GFX942", {"product": "MI300X", "architecture": "gfx942"}),
    ("h20 H20", {"terms": [(("h20",), False)], "product": "H20"}),
    ('"RTX 4090"', {"product": "RTX 4090"}),
    ('hardware:"wafer 9" arch:wafer_9', {"product": "wafer 9", "architecture": "wafer_9"}),
    ("triton", {"language": "triton"}),
    ("lang:c++", {"language": "cpp"}),
    ("language:cuteql", {"language": "cuteql"}),
    ("cuda cuda:12.8", {"language": "cuda", "cuda": "12.8"}),
    ("verified", {"minimum_evidence": EvidenceLevel.VERIFIED}),
    ("trust:replicated", {"minimum_evidence": EvidenceLevel.REPLICATED}),
    ("license:mit", {"license": "MIT"}),
    ("license:permissive installable:true", {"license": "permissive", "require_installable": True}),
    ("source:true", {"require_source": True}),
    ("source_available=yes", {"require_source": True}),
    ("source:sol-execbench", {"source": "sol-execbench"}),
    ("framework:torch layout:k-last", {"framework": "torch", "layout": "k-last"}),
    ("model:llama-3-1-8b family:rmsnorm", {"model": "llama-3-1-8b", "family": "rmsnorm"}),
    ("sha256:deadbeef", {"digest": "deadbeef"}),
    ("gpu:B200 gpu:b200", {"product": "B200"}),
]


@pytest.mark.parametrize(("text", "fields"), UNDERSTOOD)
def test_what_is_understood(text: str, fields: dict[str, Any]) -> None:
    assert told(text) == (fields, [])


QUESTIONED: list[tuple[str, dict[str, Any], str, str | None]] = [
    ("dtype:bf17", {}, "unknown data type `bf17`", "dtype:bf16"),
    ("gpu:B20", {}, "unknown GPU `B20`", "gpu:B200"),
    ("evidence:verifed", {}, "unknown evidence level `verifed`", "evidence:verified"),
    ("license:mitt", {}, "unknown SPDX licence `mitt`", "license:MIT"),
    ("lang:tritn", {}, "unknown language `tritn`", "lang:triton"),
    ("source:solexecbench", {}, "unknown source `solexecbench`", "source:sol-execbench"),
    ("arch:hopper", {}, "unknown architecture `hopper`", "arch:sm_90"),
    (
        "arch:unknown",
        {},
        "`unknown` never matches: where no architecture was recorded, none can be asked for",
        None,
    ),
    ("hidden:4096", {}, "unknown key `hidden`; an axis is bound by =", "hidden=4096"),
    ("Hidden=4", {}, "the name of an axis is lower case: letters, digits and _", "hidden=4"),
    (
        "hidden=many",
        {},
        "`hidden` can be compared with an integer only, of at most 9007199254740991",
        None,
    ),
    (
        "n=9007199254740993",
        {},
        "`n` can be compared with an integer only, of at most 9007199254740991",
        None,
    ),
    ("gpu>B200", {}, "`gpu` takes one value, behind : or =", "gpu:B200"),
    ("gpu:", {}, "`gpu` has no value", None),
    ("shape:4xlarge", {}, "a shape is sizes joined by x, such as 4096x4096, or in brackets", None),
    ("cuda:new", {}, "`cuda` takes a version of the toolkit, such as 12.8", None),
    (
        "installable:false",
        {},
        "`installable` can be required, not ruled out; this asks for nothing",
        "installable:true",
    ),
    ("sha256:XYZ", {}, "a digest has 8 to 64 lower-case hexadecimal digits", None),
    ("---", {}, "has no words to look for", None),
    ('""', {}, "has no words to look for", None),
    ("[]", {}, "has nothing in its brackets to look for", None),
]


@pytest.mark.parametrize(("text", "fields", "message", "suggestion"), QUESTIONED)
def test_what_is_questioned(text: str, fields: dict[str, Any], message: str, suggestion: str | None) -> None:
    assert told(text) == (fields, [Issue(text, message, suggestion)])


def test_an_unknown_key_is_told_with_all_keys() -> None:
    fields, [issue] = told("colour:red")
    assert fields == {}
    assert issue.token == "colour:red"
    assert issue.message.startswith("unknown key `colour`; the keys are op, operation, family, ")
    assert issue.suggestion is None
    assert told("famly:red")[1][0].suggestion == "family:red"


def test_a_second_value_is_left_out() -> None:
    fields, issues = told("B200 gpu:H100")
    assert fields == {"product": "B200"}
    assert issues == [Issue("gpu:H100", "`B200` is asked for already; this second value is left out")]


def test_a_group_that_is_not_closed_is_a_word() -> None:
    assert told('"paged [de')[0] == {"terms": [(("paged",), False), (("de",), False)]}


def test_what_follows_the_last_token_is_one_issue() -> None:
    text = " ".join(f"word{n}" for n in range(2_000))
    parsed = parse(text)
    assert len(parsed.intent.terms) == MAXIMUM_TOKENS
    [issue] = parsed.issues
    assert issue.token == text[text.index(f"word{MAXIMUM_TOKENS}") :]


PIECES = st.one_of(
    st.sampled_from([case[0] for case in UNDERSTOOD] + [case[0] for case in QUESTIONED]),
    st.text(alphabet='ab1: ="[]<>x_-.\n\u00b5\u6f22', max_size=30),
    st.text(max_size=20),
)
TEXTS = st.lists(PIECES, max_size=30).map(" ".join)


@given(TEXTS)
def test_every_token_is_accounted_for(text: str) -> None:
    parsed = parse(text, KNOWN)
    rest = text
    for raw, account in parsed.accounts:
        assert raw in rest
        before, _, rest = rest.partition(raw)
        assert not before.strip()
        if account == "issue":
            assert any(issue.token == raw for issue in parsed.issues)
        else:
            assert getattr(parsed.intent, account) != getattr(Intent(), account)
    assert not rest.strip()
    assert len(parsed.issues) == sum(account == "issue" for _, account in parsed.accounts)


@given(TEXTS)
def test_text_and_axes_come_from_their_tokens(text: str) -> None:
    parsed = parse(text, KNOWN)
    raws = {raw for raw, account in parsed.accounts if account == "terms"}
    assert {term.raw for term in parsed.intent.terms} <= raws | {raw[1:-1] for raw in raws}
    assert {binding.token for binding in parsed.intent.axes} <= {
        raw for raw, account in parsed.accounts if account == "axes"
    }


@given(TEXTS)
def test_the_same_string_means_the_same(text: str) -> None:
    assert parse(text, KNOWN) == parse(text, KNOWN)


@given(st.text(max_size=200))
def test_tokens_hold_every_character_but_white_space(text: str) -> None:
    assert "".join("".join(token.raw for token in tokens(text)).split()) == "".join(text.split())


NOISE = ["[ ", '" ', "a:", "::::", "a", "<=", 'a"[b ', "\u6f22:", "[[", '"']


@pytest.mark.parametrize("piece", NOISE)
def test_noise_is_cut_in_proportion_to_its_length(piece: str) -> None:
    """Counted, not timed: a hundred times the text gives about a hundred times the tokens, and few issues."""
    small, large = (piece * (n // len(piece)) for n in (1_000, 100_000))
    assert len(list(tokens(large))) <= 101 * max(1, len(list(tokens(small))))
    assert len(parse(large).issues) <= MAXIMUM_TOKENS + 1


def test_an_axis_keeps_its_token() -> None:
    assert parse("hidden>=4096").intent.axes == (AxisBinding("hidden", "GTE", 4096, "hidden>=4096"),)
