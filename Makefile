# Everything runs in .venv, made here from the package index alone. Targets may be repeated: a stamp
# file remembers what is installed, and only a changed pyproject.toml installs again.

PYTHON ?= python3
WORKERS ?= auto
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help demo test slow lint format bench generated check-generated docs clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /  make \1\t/' | expand -t 24

$(VENV)/pip.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "symdyn needs Python 3.11 or newer; name it with: make PYTHON=python3.11 ..." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/demo.stamp: $(VENV)/pip.stamp pyproject.toml
	@echo "installing symdyn with Pinocchio and MuJoCo to compare with into $(VENV) ..."
	@$(PIP) install --editable '.[oracles]'
	@touch $@

$(VENV)/test.stamp: $(VENV)/pip.stamp pyproject.toml
	@echo "installing symdyn with its tests and oracles into $(VENV) ..."
	@$(PIP) install --editable '.[test,mjcf,mesh,oracles]'
	@touch $@ $(VENV)/demo.stamp

$(VENV)/dev.stamp: $(VENV)/pip.stamp pyproject.toml
	@echo "installing symdyn with its development tools into $(VENV) ..."
	@$(PIP) install --editable '.[dev,mjcf,mesh,oracles]'
	@touch $@ $(VENV)/demo.stamp $(VENV)/test.stamp

$(VENV)/bench.stamp: $(VENV)/pip.stamp pyproject.toml
	@echo "installing symdyn with its rivals into $(VENV) ..."
	@$(PIP) install --editable '.[bench]'
	@touch $@

# the Franka Panda with its hand, as the package example-robot-data ships it
PANDA_URDF := import importlib.metadata as m; \
  print(next(f.locate() for f in m.files("example-robot-data") if f.match("*/panda.urdf")))

demo: $(VENV)/demo.stamp ## derive the Franka Panda (URDF) into out/panda, say where the results lie
	@urdf="$$($(BIN)/python -c '$(PANDA_URDF)')" && set -x && $(BIN)/symdyn derive "$$urdf" -o out/panda

test: $(VENV)/test.stamp ## run the default tests
	$(BIN)/python -m pytest -n $(WORKERS) -m "not slow" $(PYTEST_FLAGS)

slow: $(VENV)/test.stamp ## run the tests that take longer
	$(BIN)/python -m pytest -n $(WORKERS) -m slow $(PYTEST_FLAGS)

lint: $(VENV)/dev.stamp ## style, types and layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

format: $(VENV)/dev.stamp ## lay out the sources
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/bench.stamp ## derivation time, operation counts and run time beside the rivals
	$(BIN)/python -m benchmarks

generated: $(VENV)/demo.stamp ## derive the reference robots into generated/ again
	$(BIN)/symdyn derive --update generated

check-generated: $(VENV)/demo.stamp ## find any difference between generated/ and a new derivation
	$(BIN)/symdyn derive --check generated

docs: $(VENV)/test.stamp ## run every code block of README and docs, and refresh the command reference
	$(BIN)/python -m pytest tests/docs $(PYTEST_FLAGS)

clean: ## remove what the targets made, the environment included
	rm -rf $(VENV) out .pytest_cache .ruff_cache .import_linter_cache .hypothesis
