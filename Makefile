# make demo: set up, then run the whole job on the sample campaign.
# make test: set up, then run the tests.
# make bench: set up, then measure the speed and print a table (ten minutes).
# The first two are cheap when nothing changed. PYTHON chooses the interpreter (3.11 to 3.13).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test bench lint types imports check clean
.DEFAULT_GOAL := demo

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
		|| { echo "Python 3.11, 3.12 or 3.13 is needed: make PYTHON=python3.12 …" >&2; exit 2; }
	@echo "Setting up $(VENV) …" >&2
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check uv
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt \
		--editable . --group dev
	@touch $@

demo: $(READY)
	@$(BIN)/tracker demo

test: $(READY)
	@$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

lint: $(READY)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .

types: $(READY)
	@$(BIN)/mypy --no-error-summary

imports: $(READY)
	@$(BIN)/lint-imports --no-cache --verbose >/dev/null || $(BIN)/lint-imports

bench: $(READY)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --group bench
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps 'lambre>=2,<3'
	@$(BIN)/python tests/benchmarks/run.py --scaling

check: lint types imports

clean:
	@rm -rf $(VENV) demo
