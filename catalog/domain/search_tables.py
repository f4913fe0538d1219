"""What search knows by name: keys, data types, GPUs, architectures, languages, with their other spellings.

To add one: one line here. Source: docs/domain.md §8.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from catalog.domain.search_words import words

KEYS: Final[dict[str, str]] = {
    "op": "operation",
    "operation": "operation",
    "family": "family",
    "model": "model",
    "gpu": "product",
    "hardware": "product",
    "product": "product",
    "arch": "architecture",
    "architecture": "architecture",
    "dtype": "dtypes",
    "shape": "shape",
    "layout": "layout",
    "framework": "framework",
    "language": "language",
    "lang": "language",
    "cuda": "cuda",
    "trust": "minimum_evidence",
    "evidence": "minimum_evidence",
    "license": "license",
    "licence": "license",
    "source": "source",
    "source_available": "require_source",
    "installable": "require_installable",
}
"""Key -> the field of the intent that it sets."""

DTYPE_ALIASES: Final[dict[str, str]] = {
    "bfloat16": "bf16",
    "float16": "fp16",
    "f16": "fp16",
    "half": "fp16",
    "float32": "fp32",
    "f32": "fp32",
    "float": "fp32",
    "single": "fp32",
    "float64": "fp64",
    "f64": "fp64",
    "double": "fp64",
    "tfloat32": "tf32",
    "float8": "fp8",
    "float8_e4m3": "fp8_e4m3",
    "float8_e4m3fn": "fp8_e4m3",
    "fp8_e4m3fn": "fp8_e4m3",
    "e4m3": "fp8_e4m3",
    "float8_e4m3fnuz": "fp8_e4m3fnuz",
    "float8_e5m2": "fp8_e5m2",
    "e5m2": "fp8_e5m2",
    "float8_e5m2fnuz": "fp8_e5m2fnuz",
    "float8_e8m0fnu": "fp8_e8m0",
    "e8m0": "fp8_e8m0",
    "float4": "fp4",
    "float4_e2m1fn": "fp4_e2m1",
    "i8": "int8",
    "i32": "int32",
    "i64": "int64",
    "long": "int64",
    "int": "int32",
    "u8": "uint8",
    "boolean": "bool",
}
"""Other spelling -> the one that is stored and shown."""

DTYPE_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "fp8": ("fp8_e4m3", "fp8_e4m3fnuz", "fp8_e5m2", "fp8_e5m2fnuz", "fp8_e8m0", "mxfp8"),
    "fp4": ("fp4_e2m1", "float4_e2m1fn_x2", "nvfp4", "mxfp4"),
}
"""A width without a format -> the formats that it stands for."""

DTYPES: Final = frozenset(
    {
        *("bf16", "fp16", "fp32", "fp64", "tf32", "mxfp6", "bool", "complex64", "complex128"),
        *("int4", "int8", "int16", "int32", "int64", "uint4", "uint8", "uint16", "uint32", "uint64"),
        *DTYPE_GROUPS,
        *(dtype for group in DTYPE_GROUPS.values() for dtype in group),
    }
)

NOT_BARE: Final = frozenset({"float", "single", "double", "long", "int", "bool", "boolean"})
"""Spellings of data types that are plain words: they need the key."""

GPUS: Final = (
    *("B100", "B200", "B300", "GB200", "GB300", "H20", "H100", "H200", "H800", "GH200"),
    *("A10", "A10G", "A30", "A40", "A100", "A800", "A6000", "L4", "L40", "L40S", "T4", "V100", "P100"),
    *("RTX 2080", "RTX 3060", "RTX 3070", "RTX 3080", "RTX 3090", "RTX 4060", "RTX 4070", "RTX 4080"),
    *("RTX 4090", "RTX 5070", "RTX 5080", "RTX 5090"),
    *("MI100", "MI210", "MI250", "MI250X", "MI300", "MI300A", "MI300X", "MI325X", "MI350X", "MI355X"),
)
"""GPUs that are understood without a key; a catalog's own products are understood behind `gpu:`."""

SHORT_GPU: Final = 4
"""A name with fewer characters needs its capitals: `h20` is a number of heads, `H20` a GPU."""

ARCHITECTURE_HINTS: Final[dict[str, str]] = {
    "volta": "sm_70",
    "turing": "sm_75",
    "ampere": "sm_80",
    "ada": "sm_89",
    "hopper": "sm_90",
    "blackwell": "sm_100",
    "cdna3": "gfx942",
    "cdna4": "gfx950",
}
"""Names of GPU generations -> an architecture to suggest; never taken for one, they have several."""

LANGUAGES: Final = frozenset({"cuda", "triton", "hip", "cpp", "python", "ptx", "tilelang", "mojo", "rust"})
LANGUAGE_ALIASES: Final[dict[str, str]] = {"c++": "cpp", "cxx": "cpp", "py": "python"}

FRAMEWORK_ALIASES: Final[dict[str, str]] = {"torch": "pytorch", "tf": "tensorflow"}

TRUE: Final = frozenset({"true", "yes", "1"})
FALSE: Final = frozenset({"false", "no", "0"})

_NVIDIA: Final = re.compile(r"(?:sm|SM)[_-]?(\d{2,3}[a-z]?)")
_AMD: Final = re.compile(r"gfx[0-9]{1,2}[0-9a-f]{2}")


@lru_cache(maxsize=1024)
def dtype_of(text: str) -> str | None:
    """The data type that a spelling stands for; None for one that is not in the tables."""
    name = text.lower().removeprefix("torch.").replace("-", "_")
    name = DTYPE_ALIASES.get(name, name)
    return name if name in DTYPES else None


def stored_dtype(text: str) -> str:
    """A data type of a manifest, in the spelling that is searched and shown."""
    return dtype_of(text) or text


def dtypes_meant(dtype: str) -> frozenset[str]:
    """The data types that meet a condition on this one."""
    return frozenset({dtype, *DTYPE_GROUPS.get(dtype, ())})


def architecture_of(text: str) -> str | None:
    """`sm_100`, `sm100`, `gfx942` as they are stored; None for a text that has not that form."""
    if match := _NVIDIA.fullmatch(text):
        return f"sm_{match[1]}"
    return text.lower() if _AMD.fullmatch(text.lower()) else None


_GPU_SPELLINGS: Final = {name.replace(" ", "").lower(): name for name in GPUS}


def gpu_of(text: str, *, bare: bool = False) -> str | None:
    """The GPU of the table that a text names. `bare`: without a key, where short names need capitals."""
    squashed = text.replace(" ", "").replace("-", "").replace("_", "")
    name = _GPU_SPELLINGS.get(squashed.lower())
    if bare and name is not None and len(name) < SHORT_GPU and squashed != name:
        return None
    return name


def framework_of(name: str, version: str = "") -> str:
    """A framework as words, in one spelling: `torch 2.7` and `PyTorch 2.7` are the same."""
    first, *rest = words(f"{name} {version}") or [""]
    return " ".join((FRAMEWORK_ALIASES.get(first, first), *rest))


def language_of(text: str) -> str | None:
    """The language of the table that a text names."""
    name = text.lower()
    name = LANGUAGE_ALIASES.get(name, name)
    return name if name in LANGUAGES else None
