#!/bin/sh
# Compile requirements/*.txt from pyproject.toml: versions and hashes of all files, no index and no addresses.
# Run on the oldest Python supported; the locks then install on later ones too.
# Versions stay as they are where they still fit; `scripts/lock.sh --upgrade` takes the newest.
# runtime: what the catalog imports · engine: the embedded engine, where it has a wheel · otel: traces, optional
# dev: checks and tests · conformance, examples/clients/python: tools apart, from the .in file beside each
set -eu
cd "$(dirname "$0")/.."
bin=.venv/bin
more=$*

flags="--quiet --generate-hashes --strip-extras --no-header --no-annotate --no-emit-index-url
    --no-emit-trusted-host --no-emit-find-links --no-emit-options"

compile() { # name, then arguments of pip-compile
    name=$1
    shift
    printf '# Made by scripts/lock.sh from pyproject.toml (%s). Change that and run `make lock`.\n' "$name" \
        >"requirements/.$name.new"
    # shellcheck disable=SC2086
    "$bin/pip-compile" $flags --output-file "requirements/$name.txt" $more "$@"
    sed -e '/^# The following packages/,$d' -e '/^# WARNING/,$d' "requirements/$name.txt" >>"requirements/.$name.new"
    mv "requirements/.$name.new" "requirements/$name.txt"
}

apart() { # the .in file of tools that have an environment of their own
    # shellcheck disable=SC2086
    "$bin/pip-compile" $flags --output-file "${1%.in}.txt" $more "$1"
}

mkdir -p requirements
engine="--unsafe-package arcadedb-embedded --unsafe-package jpype1"
# shellcheck disable=SC2086
compile runtime $engine pyproject.toml
"$bin/python" -c '
import tomllib
for wanted in tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"]:
    if wanted.startswith("arcadedb-embedded"):
        print(wanted)
' >requirements/.engine.in
compile engine --constraint requirements/runtime.txt requirements/.engine.in
rm requirements/.engine.in
# shellcheck disable=SC2086
compile otel $engine --constraint requirements/runtime.txt --extra otel pyproject.toml
# shellcheck disable=SC2086
compile dev $engine --constraint requirements/otel.txt --extra otel --extra dev pyproject.toml
apart requirements/conformance.in
apart examples/clients/python/requirements.in
