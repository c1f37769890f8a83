# make demo: set up, then run the whole job on the sample campaign.
# make test: set up, then run the tests.
# make test-long: set up, then run the long forms: faults, fuzzing, real servers, whole real data,
#   and all properties on many more examples.
# make package: set up, then build, install and use what is published.
# make release: set up, then build into dist/ what is published, check it, list what it needs, and try it on each Python.
# make lowest: set up .venv-lowest with the lowest declared versions, then a part of the tests and the job.
# make newest: the same in .venv-newest with the newest versions that are allowed, DuckDB 2 among them.
# make sizes: print how large the house is, and fail where it grew.
# make themes: set up, then run quick tests of the core in copies that lack a theme each.
# make references: write docs/commands.md, views.md, tables.md, papers.md and the table of metrics.md from what they are about, and
#   what the commands of docs/tutorial.md print.
# make pictures: run the sample campaign where that was not done, then renew docs/images from it, in Chromium.
# make validity: set up, then simulate how often verdicts hold, and write docs/validity.md (half an hour).
# make docs: set up, then write the site of the docs to build/site; broken links fail.
# make lake: set up, start PostgreSQL and an S3-like server, and publish the sample from two copies.
# make bench-lake: set up, then measure a lake and many processes, and print a table.
# make bench: set up, then measure the speed and print a table (ten minutes); BEFORE=COMMIT: in pairs with it.
# All but bench may run beside each other: make --jobs 2 package lowest types.
# demo and test are cheap when nothing changed. PYTHON chooses the interpreter (3.11 to 3.14).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOWEST := .venv-lowest
NEWEST := .venv-newest
PART_OF_TESTS := tests/ingest/test_conllu.py tests/ingest/test_outputs.py tests/ingest/test_records.py \
	tests/ingest/test_analysers_reference.py tests/queries/test_metrics.py tests/queries/test_views.py \
	tests/schema/test_database.py tests/schema/test_temporary.py tests/tracker/test_cli.py \
	tests/tracker/test_explorer.py

.PHONY: demo test test-long package release lowest lowest-demo lowest-tests newest newest-demo newest-tests references pictures validity docs lake bench-lake bench lint types imports sizes themes check clean
.DEFAULT_GOAL := demo

# Byte code, and the database that new ones are copies of, are kept here whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
		|| { echo "Python 3.11 to 3.14 is needed: make PYTHON=python3.12 …" >&2; exit 2; }
	@echo "Setting up $(VENV) …" >&2
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check uv
	@$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python \
		--constraint constraints.txt --editable '.[udpipe]' --group dev --group extensions
	@$(BIN)/python -m compileall -q -j 0 schema ingest queries tracker tests
	@touch $@

demo: $(READY)
	@$(BIN)/tracker demo

test: $(READY)
	@$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

test-long: $(READY)
	@$(BIN)/python -m pytest -m 'long or hypothesis' --hypothesis-profile long --numprocesses auto --dist loadfile --no-loadscope-reorder

lint: $(READY)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .

types: $(READY)
	@$(BIN)/mypy --no-error-summary

imports: $(READY)
	@$(BIN)/lint-imports --no-cache --verbose >/dev/null || $(BIN)/lint-imports

sizes: $(READY)
	@$(BIN)/python -m tests.sizes

themes: $(READY)
	@$(BIN)/python -m tests.themes

package: $(READY)
	@$(BIN)/python tests/package.py

release: $(READY)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --group release
	@$(BIN)/python -m tests.release

# Tools of the tests come in their usual versions: only what the project declares is at its lowest.
$(LOWEST)/.ready: $(READY) pyproject.toml
	@echo "Setting up $(LOWEST) …" >&2
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(LOWEST)
	@$(BIN)/uv pip install --quiet --compile-bytecode --python $(LOWEST)/bin/python \
		--resolution lowest-direct --editable '.[udpipe]'
	@$(BIN)/uv pip freeze --quiet --python $(LOWEST)/bin/python --exclude-editable >$(LOWEST)/versions.txt
	@$(BIN)/uv pip install --quiet --compile-bytecode --python $(LOWEST)/bin/python \
		--constraint $(LOWEST)/versions.txt --group dev --group extensions
	@touch $@

$(NEWEST)/.ready: $(READY) pyproject.toml
	@echo "Setting up $(NEWEST) …" >&2
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(NEWEST)
	@$(BIN)/uv pip install --quiet --compile-bytecode --python $(NEWEST)/bin/python \
		--editable '.[udpipe]' --group dev
	@touch $@

lowest: lowest-demo lowest-tests
newest: newest-demo newest-tests

lowest-demo newest-demo: %-demo: .venv-%/.ready
	@cd $$(mktemp -d) && $(CURDIR)/.venv-$*/bin/tracker --quiet demo >/dev/null

lowest-tests newest-tests: %-tests: .venv-%/.ready
	@.venv-$*/bin/python -m pytest --numprocesses auto --dist loadfile -k 'not a_site' $(PART_OF_TESTS)

references: $(READY)
	@$(BIN)/python -m tests.references
	@$(BIN)/python -m tests.tutorial

pictures: $(READY)
	@test -f demo/campaign.duckdb || $(BIN)/tracker demo
	@$(BIN)/python -m tests.pictures demo/campaign.duckdb

validity: $(READY)
	@$(BIN)/python -m tests.validity.page

docs: $(READY)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --group docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --clean
	@$(BIN)/python tests/check_site.py build/site

lake: $(READY)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable '.[lake,dask]' --group lake
	@PYTHONPATH=tests/lake $(BIN)/python tests/lake/try_lake.py

bench-lake: $(READY)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable '.[lake,dask]' --group lake
	@PYTHONPATH=tests/lake:benchmarks $(BIN)/python benchmarks/lake.py

# compare-mt has a package "tests", and lambre requires a parser: they lie beside the others.
bench: $(READY)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --group bench
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --target $(VENV)/peers 'lambre>=2,<3' 'compare-mt>=0.2.10,<0.3'
	@PYTHONPATH=$(VENV)/peers $(BIN)/python benchmarks/run.py --growth $(if $(BEFORE),--before $(BEFORE))

check: lint types imports sizes

clean:
	@rm -rf $(VENV) $(LOWEST) $(NEWEST) demo
