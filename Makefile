# Everything runs in .venv, which the first target makes from the locks. PYTHON chooses the interpreter (3.11 or later).
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
DATA := $(wildcard ../shared/data)
export PYTHON
export CATALOG_TEST_DATA ?= $(and $(DATA),$(abspath $(DATA)))

.PHONY: demo check fix test bench scale federation schema lock clean

demo: .venv/.ready ## the catalog with its bundled data on http://127.0.0.1:8000/graphql; ARGS="--port 9000"
	$(BIN)/catalog demo $(ARGS)

check: .venv/.ready ## everything but the tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/fetch_graphiql.py --check
	$(BIN)/catalog schema | diff docs/schema.graphql -
	$(BIN)/python -m tests.conformance.breaking

fix: .venv/.ready ## what can be mended by machine
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

test: .venv/.ready ## ARGS="-k rank"; ARGS="-n 0" runs them one after another
	$(BIN)/python -m pytest -n 2 --dist loadgroup $(ARGS)

bench: .venv/.ready ## ratios against others on the same engine, into docs/benchmarks.md; ARGS="--quick" prints them only
	$(BIN)/python -m tests.bench $(or $(ARGS),--engine both --markdown docs/benchmarks.md)

scale: .venv/.ready ## latency, import and memory by size of the catalog; ARGS="--runs 10000,100000 --keep FOLDER"
	$(BIN)/python -m tests.bench.scale $(ARGS)

federation: .venv/.ready examples/federation/node_modules ## a supergraph with another subgraph; ARGS="--apollo-port 0"
	$(BIN)/python examples/federation/start.py $(ARGS)

schema: .venv/.ready
	$(BIN)/catalog schema > docs/schema.graphql

lock: .venv/.ready ## compile requirements/*.txt again; ARGS="--upgrade"
	scripts/lock.sh $(ARGS)

clean:
	rm -rf tests/conformance/node_modules tests/bench/peer/node_modules examples/clients/*/node_modules
	rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info

examples/federation/node_modules: examples/federation/package-lock.json
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

.venv/.ready: scripts/bootstrap.sh pyproject.toml $(wildcard requirements/*.txt)
	scripts/bootstrap.sh
	touch $@
