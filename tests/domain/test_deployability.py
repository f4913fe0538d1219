"""Deployability and licences (docs/domain.md §5)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.domain.deployability import Verdict, verdict
from catalog.domain.licences import PERMISSIVE, effective_licence, is_known, permissive

RECIPE = [{"name": "pip", "install": {"kind": "pip", "package": "kernels"}}]


@pytest.mark.parametrize(
    ("spec", "public_source", "reasons"),
    [
        ({"licensing": {"declared": "MIT"}, "buildVariants": RECIPE}, True, ()),
        ({"licensing": {"declared": "GPL-3.0-only"}, "buildVariants": RECIPE}, True, ()),
        ({"licensing": {"declared": "MIT"}, "buildVariants": RECIPE}, False, ("NO_PUBLIC_SOURCE",)),
        ({"licensing": {"declared": "MIT"}, "buildVariants": []}, True, ("NO_INSTALL_RECIPE",)),
        ({"licensing": {}, "buildVariants": RECIPE}, True, ("LICENSE_UNKNOWN",)),
        ({"licensing": {"declared": "NOASSERTION"}, "buildVariants": RECIPE}, True, ("LICENSE_UNKNOWN",)),
        ({}, False, ("NO_PUBLIC_SOURCE", "NO_INSTALL_RECIPE", "LICENSE_UNKNOWN")),
    ],
)
def test_verdict(spec: dict[str, Any], public_source: bool, reasons: tuple[str, ...]) -> None:
    assert verdict(spec, public_source) == Verdict(not reasons, reasons)


@pytest.mark.parametrize(
    ("licensing", "effective"),
    [
        ({}, None),
        ({"declared": "MIT"}, "MIT"),
        ({"concluded": "ISC", "declared": "MIT"}, "ISC"),
        ({"concluded": "GPL-2.0-only", "declared": "MIT"}, "GPL-2.0-only"),
        ({"concluded": "NOASSERTION", "declared": "MIT"}, "MIT"),
        ({"concluded": "NONE", "declared": "MIT"}, "MIT"),
        ({"concluded": "see the file", "declared": "MIT"}, "MIT"),
        ({"concluded": "NOASSERTION", "declared": "NONE"}, None),
        ({"concluded": "LicenseRef-own", "declared": "MIT"}, "LicenseRef-own"),
    ],
)
def test_the_concluded_licence_counts_unless_it_is_not_known(
    licensing: dict[str, str], effective: str | None
) -> None:
    assert effective_licence({"licensing": licensing}) == effective


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (None, None),
        ("", None),
        ("   ", None),
        ("NOASSERTION", None),
        ("NONE", None),
        ("noassertion", None),
        ("see LICENSE", None),
        ("BSD", None),
        ("Apache License 2.0", None),
        ("MIT/Apache-2.0", None),
        ("MIT AND", None),
        ("MIT ISC", None),
        ("()", None),
        ("(MIT", None),
        ("LLVM-exception", None),
        ("MIT WITH some-exception", None),
        ("MIT WITH ISC", None),
        ("MIT OR Nonesuch-1.0", None),
        ("MIT OR NOASSERTION", None),
        ("LicenseRef-", None),
        ("MIT", True),
        ("mit", True),
        ("APACHE-2.0", True),
        ("bsd-3-clause", True),
        ("(MIT)", True),
        ("Zlib+", True),
        ("MIT OR GPL-3.0-only", True),
        ("mit or gpl-3.0-only", True),
        ("MIT OR LicenseRef-Commercial", True),
        ("MIT AND ISC", True),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("apache-2.0 with llvm-exception", True),
        ("(Apache-2.0 WITH LLVM-exception AND ISC) OR GPL-2.0-or-later", True),
        ("MIT AND GPL-3.0-only", False),
        ("MIT AND (ISC OR GPL-3.0-only)", True),
        ("GPL-3.0-only", False),
        ("GPL-2.0", False),
        ("GPL-3.0+", False),
        ("GPL-2.0-only WITH Classpath-exception-2.0", False),
        ("0BSD", False),
        ("BSD-3-Clause-Clear", False),
        ("LicenseRef-GPUMode-Reciprocity-1.0", False),
        ("LicenseRef-MIT-TC", False),
        ("LicenseRef-Apache-2.0", False),
        ("DocumentRef-spdx:LicenseRef-own", False),
    ],
)
def test_permissive(expression: str | None, expected: bool | None) -> None:
    assert permissive(expression) is expected
    assert is_known(expression) is (expected is not None)


@given(st.text(max_size=60) | st.text("MITISC ()ORANDWITH+-.", max_size=60))
def test_any_text_is_answered(text: str) -> None:
    assert permissive(text) in (True, False, None)


def test_a_text_of_absurd_length_or_depth_is_unknown() -> None:
    assert permissive("(" * 400 + "MIT" + ")" * 400) is True
    assert permissive("(" * 100_000 + "MIT" + ")" * 100_000) is None


@given(st.lists(st.sampled_from([*sorted(PERMISSIVE), "GPL-3.0-only", "MPL-2.0"]), min_size=1, max_size=5))
def test_or_needs_one_and_needs_all(licences: list[str]) -> None:
    each = [licence in PERMISSIVE for licence in licences]
    assert permissive(" OR ".join(licences)) is any(each)
    assert permissive(" AND ".join(licences)) is all(each)
