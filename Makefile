# Targets of the project. `make run` and `make test` set everything up; repeats are quick.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Where the home folder cannot be written, uv keeps its cache beside the environment.
export UV_CACHE_DIR := $(shell if [ -n "$$UV_CACHE_DIR" ]; then echo "$$UV_CACHE_DIR"; elif [ -w "$$HOME" ]; then echo "$$HOME/.cache/uv"; else echo "$(CURDIR)/$(VENV)/.uv"; fi)
SYNC := $(BIN)/uv pip sync -q --python $(BIN)/python --require-hashes --compile-bytecode
# Compiled once here, so that commands start quickly even where Python may not write bytecode itself.
COMPILE := $(BIN)/python -m compileall -q src
INSTALL := $(BIN)/uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation --compile-bytecode --editable .
# Tests start many processes, which would compile every module again where Python may not write bytecode.
unexport PYTHONDONTWRITEBYTECODE

PAGE := src/fourcard/server/page
PARTS := web/node_modules
# Folders too, so that a removed file counts as a change.
PAGE_SOURCES := $(shell find web -name node_modules -prune -o -print)

.PHONY: help run setup dev test lint format bench storm soak thorough sabotage types schema proofs kit picture site wheel sbom licences requirements clean
.DEFAULT_GOAL := help
.NOTPARALLEL:

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

run: setup ## set up and open a table in the browser
	@$(BIN)/fourcard serve

setup: $(VENV)/.run $(PAGE)/.made-from ## set up what running needs; leaves .venv/bin/fourcard
	@$(COMPILE)

dev: $(VENV)/.dev $(PARTS)/.made-for-tests $(PAGE)/.made-from
	@$(COMPILE)

$(VENV)/.boot: requirements/bootstrap.txt tools/make_venv.sh
	@sh tools/make_venv.sh $(PYTHON) $(VENV)
	@$(BIN)/python -m pip -qq install --require-hashes -r requirements/bootstrap.txt
	@touch $@

$(VENV)/.run: $(VENV)/.boot requirements/run.txt pyproject.toml
	@if [ -e $(VENV)/.dev ]; then $(MAKE) -s $(VENV)/.dev; \
	else echo "Setting up ..."; $(SYNC) requirements/run.txt requirements/bootstrap.txt && $(INSTALL); fi
	@touch $@

$(VENV)/.dev: $(VENV)/.boot requirements/dev.txt pyproject.toml
	@echo "Setting up for tests ..."
	@$(SYNC) requirements/dev.txt requirements/bootstrap.txt && $(INSTALL)
	@touch $(VENV)/.run $@

# The page is built only when web/ has changed.
$(PAGE)/.made-from: $(VENV)/.boot $(PAGE_SOURCES) tools/page.py
	@$(BIN)/python tools/page.py

$(PARTS)/.made-for-tests: $(VENV)/.boot web/package-lock.json
	@$(BIN)/python tools/page.py --tests

# These measure time, so they run before the others and alone.
TIMED := $(patsubst %,tests/browser/test_%.py,speed budgets browser_counts)
test: dev ## set up and run every test
	@$(BIN)/python -m tools.chromium
	@$(BIN)/python -m pytest -q $(TIMED)
	@$(BIN)/python -m pytest -n 3 --dist loadgroup --no-loadscope-reorder $(TIMED:%=--ignore=%)

lint: dev ## check style, types, layers and words
	@$(BIN)/ruff format --check -q . && $(BIN)/ruff check -q . && echo "style: clean"
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m tools.api_types
	@$(BIN)/python tools/page.py --check
	@$(BIN)/python -m tools.check_words

format: dev ## format the code
	@$(BIN)/ruff format -q . && $(BIN)/ruff check -q --fix .

bench: dev ## print the measurements, next to other evaluators
	@$(BIN)/uv venv -q --allow-existing --python $(BIN)/python $(VENV)-bench
	@$(BIN)/uv pip sync -q --python $(VENV)-bench/bin/python --require-hashes --compile-bytecode \
	  requirements/bench.txt requirements/bootstrap.txt
	@$(BIN)/uv pip install -q --python $(VENV)-bench/bin/python --require-hashes --no-build-isolation \
	  -r requirements/eval7.txt || echo "eval7 has no build for this machine and cannot be compiled here"
	@$(BIN)/uv pip install -q --python $(VENV)-bench/bin/python --no-deps --no-build-isolation --editable .
	@$(VENV)-bench/bin/python -m bench

SEED ?= 1
ROUNDS ?= 2000
STORE ?= memory
KILLS ?= 0
storm: dev ## run a seeded fault test of a house: SEED=1 ROUNDS=2000 STORE=memory|sqlite|postgres KILLS=0
	@$(BIN)/python -m tests.storm --seed $(SEED) --rounds $(ROUNDS) --store $(STORE) --kills $(KILLS)

MINUTES ?= 60
SEATS ?= 500
SOAK_STORE ?= sqlite
soak: dev ## let live seats play while the server is killed: MINUTES=60 SEATS=500 SOAK_STORE=sqlite|postgres
	@$(BIN)/python -m bench.soak --minutes $(MINUTES) --seats $(SEATS) --store $(SOAK_STORE)

thorough: dev ## run in full what `make test` samples: settlements, evaluators, laws, attacks, searches, storm, leaks
	@FOURCARD_WHOLE=1 $(BIN)/python -m pytest -n 3 --dist loadgroup --no-loadscope-reorder \
	  tests/exact/test_settlement_agreement.py tests/exact/test_fast_evaluator.py \
	  tests/laws/test_round_laws.py tests/laws/test_meter_book_laws.py \
	  tests/house/test_shuffle_attacks.py tests/house/test_random_edits.py tests/contract/test_nothing_readable.py \
	  tests/storm/test_storm.py tests/server/test_nothing_hidden.py

sabotage: dev ## alter every cited value and every enforcement point of the code; each must be caught
	@$(BIN)/python -m tools.sabotage --write

types: dev ## write the page's types from the served description
	@$(BIN)/python -m tools.api_types --write

schema: dev ## write which tables, triggers and other objects the migrations make
	@$(BIN)/python -m tools.schema --write

proofs: dev ## write which tests prove which clause, and the list of refusals
	@$(BIN)/python -m tools.proofs --write
	@$(BIN)/python -m tools.refusals_page --write

kit: dev ## build the laboratory's kit in memory and compare it with the committed one
	@$(BIN)/python -m tools.kit

picture: dev ## draw the pictures of the documents and of the tests again
	@$(BIN)/python -m tools.picture
	@$(BIN)/python -m tools.chromium
	@$(BIN)/python -m tools.screenshots
	@FOURCARD_WRITE_PICTURES=1 $(BIN)/python -m pytest -q tests/browser/test_pictures.py

site: setup ## write the trainer as pages without a server into dist/site, for any web host
	@$(BIN)/fourcard site dist/site

wheel: setup ## build the wheel into dist/, with the list of its files and its bill of materials
	@test -z "$$(git status --porcelain)" || { echo "Commit or remove what git status shows first." >&2; exit 2; }
	@$(BIN)/python -m hatchling build -t wheel -d dist
	@cp requirements/run.txt dist/requirements.txt

sbom: setup ## write the bill of materials (CycloneDX) into dist/
	@$(BIN)/python tools/sbom.py dist

licences: dev ## write the list of licences
	@$(BIN)/python -m tools.licences --write

requirements: $(VENV)/.boot ## pin and hash the requirements
	@for name in bootstrap run dev bench eval7; do $(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-emit-find-links --no-header \
	  requirements/$$name.in -o requirements/$$name.txt || exit 1; done

clean: ## remove everything that set-up and tests made
	@rm -rf $(PAGE) $(PARTS) $(VENV) $(VENV)-bench .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
