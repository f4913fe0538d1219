"""What the importer knows of Liger-Kernel's benchmarks: ``data/liger-kernels.json`` as typed values.

Everything that is particular to a kernel, provider, GPU or timed pass is in that file; the modules beside
this one hold the rules. The file's text inside specs is part of digests and must be kept to the byte.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class Argument:
    """An input or output: dimensions are axis names or numbers; dtype ``cfg`` stands for the case's."""

    name: str
    shape: tuple[str | int, ...]
    dtype: str


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar input: read from the configuration by ``parse``, or the constant ``value``."""

    name: str
    dtype: str
    key: str | None
    parse: str | None
    value: float | None


@dataclass(frozen=True, slots=True)
class Equals:
    """The configuration's ``key`` must equal ``value`` in JSON terms."""

    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Divisible:
    """The axis leaves no remainder when divided by another axis (a name) or a number."""

    axis: str
    by: str | int


@dataclass(frozen=True, slots=True)
class Kernel:
    """One benchmarked kernel: its operation, and how a row's configuration binds a case of it.

    ``variants`` maps a row's x_name (or ``*``) to axes, each a product of configuration keys, where
    ``$x`` is the row's x_value. The dtype is fixed, or named by a configuration key.
    """

    csv_name: str
    slug: str
    family: str
    title: str
    description: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    derived: Mapping[str, str]
    axis_order: tuple[str, ...]
    fixed_dtype: str | None
    dtype_key: str | None
    variants: Mapping[str, Mapping[str, tuple[str, ...]]]
    scalars: tuple[Scalar, ...]
    guards: tuple[Equals | Divisible, ...]


@dataclass(frozen=True, slots=True)
class Provider:
    """Who computes: the project, and what goes into the implementation's manifest."""

    key: str
    project: str
    title: str
    language: str
    description: str
    declared: str
    concluded: str | None
    pip_package: str | None
    role: str | None


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """The source itself, and where its benchmark scripts are."""

    slug: str
    kind: str
    name: str
    repository: str
    commit: str
    script_path: str
    license: str
    attribution: str
    terms_url: str
    verified_on: str


@dataclass(frozen=True, slots=True)
class Facts:
    """The whole file. ``protocols``, ``hardware`` and ``projects`` stay plain mappings, as in specs."""

    source: SourceFacts
    columns: tuple[str, ...]
    dtypes: Mapping[str, str]
    protocols: Mapping[str, Mapping[str, Any]]
    hardware: Mapping[str, Mapping[str, Any]]
    projects: Mapping[str, Mapping[str, Any]]
    providers: Mapping[str, Provider]
    kernels: Mapping[str, Kernel]


@cache
def load_facts() -> Facts:
    """The bundled facts."""
    text = resources.files(__package__).joinpath("data/liger-kernels.json").read_text(encoding="utf-8")
    data = json.loads(text)
    source = data["source"]
    return Facts(
        source=SourceFacts(
            slug=source["slug"],
            kind=source["kind"],
            name=source["name"],
            repository=source["repository"],
            commit=source["commit"],
            script_path=source["scriptPath"],
            license=source["license"],
            attribution=source["attribution"],
            terms_url=source["termsUrl"],
            verified_on=source["verified"],
        ),
        columns=tuple(data["columns"]),
        dtypes=data["dtypes"],
        protocols=data["protocols"],
        hardware=data["hardware"],
        projects=data["projects"],
        providers={key: _provider(key, raw) for key, raw in data["providers"].items()},
        kernels={raw["csvName"]: _kernel(raw) for raw in data["kernels"]},
    )


def _provider(key: str, raw: Mapping[str, Any]) -> Provider:
    return Provider(
        key=key,
        project=raw["project"],
        title=raw["title"],
        language=raw["language"],
        description=raw["description"],
        declared=raw["declared"],
        concluded=raw.get("concluded"),
        pip_package=raw.get("pipPackage"),
        role=raw.get("role"),
    )


def _kernel(raw: Mapping[str, Any]) -> Kernel:
    bind = raw["bind"]
    return Kernel(
        csv_name=raw["csvName"],
        slug=raw["slug"],
        family=raw["family"],
        title=raw["title"],
        description=raw["description"],
        inputs=tuple(_argument(argument) for argument in raw["inputs"]),
        outputs=tuple(_argument(argument) for argument in raw["outputs"]),
        derived=raw["derived"],
        axis_order=tuple(bind["axisOrder"]),
        fixed_dtype=bind["dtype"].get("fixed"),
        dtype_key=bind["dtype"].get("key"),
        variants={
            variant["x"]: {axis: _factors(keys) for axis, keys in variant["axes"].items()}
            for variant in bind["variants"]
        },
        scalars=tuple(_scalar(scalar) for scalar in bind["scalars"]),
        guards=tuple(_guard(guard) for guard in bind["guards"]),
    )


def _argument(raw: Mapping[str, Any]) -> Argument:
    return Argument(raw["name"], tuple(raw["shape"]), raw["dtype"])


def _factors(keys: str | list[str]) -> tuple[str, ...]:
    return (keys,) if isinstance(keys, str) else tuple(keys)


def _scalar(raw: Mapping[str, Any]) -> Scalar:
    return Scalar(raw["name"], raw["dtype"], raw.get("key"), raw.get("parse"), raw.get("value"))


def _guard(raw: Mapping[str, Any]) -> Equals | Divisible:
    if "key" in raw:
        return Equals(raw["key"], raw["equals"])
    return Divisible(raw["axis"], raw["divisibleBy"])
