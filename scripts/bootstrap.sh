#!/bin/sh
# Make .venv from the locks and put the `catalog` command into it. Needs Python 3.11 or later, nothing else.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "Python 3.11 or later is needed, not $("$python" --version 2>&1); set PYTHON to one." >&2
    exit 1
}
[ -x .venv/bin/python ] || "$python" -m venv .venv
pip() { .venv/bin/python -m pip --disable-pip-version-check "$@"; }

pip install --quiet --require-hashes -r requirements/runtime.txt -r requirements/dev.txt
pip install --quiet --require-hashes --only-binary arcadedb-embedded -r requirements/engine.txt || {
    echo "No embedded engine is made for this platform: set NEO4J_URI to a Neo4j server." >&2
}
pip install --quiet --no-deps --no-build-isolation --editable .
