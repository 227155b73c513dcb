# Everything is installed into .venv from requirements/*.lock; a stamp in it records the lock.

PYTHON ?= python3
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)
# One more than the number of processors, because many tests wait for a clock or another process.
JOBS ?= $(shell expr $(PROCESSORS) + 1)
ARGS ?=
ORDER ?=
N ?= 20

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
LOCK := $(BIN)/uv pip compile pyproject.toml --group build --universal --generate-hashes --no-emit-index-url \
	--python-version 3.11 --custom-compile-command "make lock" --no-cache --quiet

# $(call install,NAME): the packages of requirements/NAME.lock, then pitboss itself from this folder.
define install
@echo "installing requirements/$(1).lock into .venv" >&2
@$(PIP) install --no-deps --require-hashes -r requirements/$(1).lock
@$(PIP) install --no-deps --no-build-isolation -e .
endef

# Every test is in one of four tiers: unmarked, `check`, `timing` or `slow` (the markers in pyproject.toml).
PYTEST := $(BIN)/pytest $(ORDER)
PARALLEL := -n $(JOBS) --maxprocesses 4

.PHONY: help run test slow pictures check lint types contracts format docs dist bench laws twins again kills competitions variants refereed cash sim soak fuzz mutants lock clean
.NOTPARALLEL:

help: ## list the targets
	@awk -F ': .*## ' '/^[a-z]+:.*## / { sub(/:.*/, "", $$1); printf "make %-10s %s\n", $$1, $$2 }' Makefile

run: .venv/.run ## start a cash table with house bots on this machine; Ctrl-C stops it
	@$(BIN)/pitboss arena serve --keep-open --cash --house sharp,tight,equity,sharp --bots-rebuy --house-think-ms 700 $(ARGS)

test: .venv/.dev ## run the quick tests, before each commit, in under three minutes; ARGS="-k pots" runs some
	@$(BIN)/pitboss warmup
	@$(PYTEST) $(PARALLEL) -m "not check and not timing and not slow" --hypothesis-profile=quick $(ARGS)

slow: .venv/.dev ## run the tests that take a minute or more each; CI runs them after make check
	@$(BIN)/pitboss warmup
	@$(PYTEST) -n $(PROCESSORS) --maxprocesses 4 -m "slow and not timing" $(ARGS)
	@$(PYTEST) -m "slow and timing"

pictures: .venv/.dev ## draw the README's pictures again
	@PITBOSS_PICTURES=1 $(BIN)/pytest -q -p no:xdist tests/page/test_pictures.py

check: lint types contracts ## run everything that gates a merge, in ten minutes
	@$(BIN)/pitboss warmup
	@$(PYTEST) $(PARALLEL) -m "not timing and not slow" $(ARGS)
	@$(PYTEST) -m "timing and not slow"

lint: .venv/.dev ## check style and format with ruff
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: .venv/.dev ## check types with mypy
	@$(BIN)/mypy

contracts: .venv/.dev ## check which package imports which
	@$(BIN)/lint-imports

format: .venv/.dev ## format the code, and apply safe fixes
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

docs: .venv/.dev ## write docs/reference and build the documentation in dist/docs
	@$(BIN)/python docs/_reference.py
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html docs dist/docs
	@echo "open dist/docs/index.html"

dist: .venv/.dev ## build the source archive and the wheel in dist/
	@$(BIN)/python -m hatchling build --directory dist

bench: .venv/.bench ## run the benchmarks, against other libraries that can be installed
	@$(BIN)/python -m benchmarks $(ARGS)

laws: .venv/.dev ## play 100,000 random hands, 22,000 against PokerKit, 10,000 at changing tables: half an hour
	@$(BIN)/python -m tests.laws.random_play --hands 100000 --seed 1
	@$(BIN)/python -m tests.twin.against_pokerkit --hands 22000 --seed 1
	@$(BIN)/python -m tests.laws.ring --hands 10000 --seed 1

twins: .venv/.dev ## compare a million hands compiled and plain, and a million lab games: half an hour
	@$(BIN)/python -m tests.support.fast.twins --hands 1000000 --seed 1 $(ARGS)
	@$(BIN)/python -m tests.lab.million --games 1000000 --seed 1 $(ARGS)
	@NUMBA_BOUNDSCHECK=1 $(BIN)/python -m tests.lab.checked

again: .venv/.dev ## repeat the tests of arena, client and store to find unstable ones: make again N=20
	@for run in $$(seq $(N)); do \
		echo "run $$run of $(N)"; \
		$(BIN)/pytest -q -x $(PARALLEL) tests/arena tests/client tests/store $(ARGS) || exit 1; \
	done

kills: .venv/.dev ## kill a busy server a thousand times, and audit everything: five minutes
	@$(BIN)/python -m tests.arena.kills --kills 1000 --seed 1 $(ARGS)

competitions: .venv/.dev ## kill a competition twenty times at random moments, and compare the results: five minutes
	@$(BIN)/python -m tests.support.kills 20 $(ARGS)

variants: .venv/.dev ## serve, kill, verify and export a thousand hands of each variant: half an hour
	@$(BIN)/python -m tests.arena.variants --hands 1000 $(ARGS)

refereed: .venv/.dev ## compare hands, tables and matches with models written from the specifications: a quarter of an hour
	@$(BIN)/python -m tests.seeds.referee_000 --hands 50000 --seed 1
	@$(BIN)/python -m tests.seeds.referee_004 --hands 10000 --seed 1
	@$(BIN)/python -m tests.arena.refereed --matches 40 --seed 1 $(ARGS)

cash: .venv/.dev ## play 20,000 hands at a cash table where teams come and go, with a kill every 500: one to two hours
	@$(BIN)/python -m tests.soak.cash --hands 20000 --seed 1 $(ARGS)

soak: .venv/.dev ## run 200 tables for an hour with cuts, floods, pauses and kills: make soak ARGS="--minutes 5"
	@$(BIN)/python -m tests.soak $(ARGS)

fuzz: .venv/.fuzz ## fuzz each reader of strangers' bytes for a minute: make fuzz ARGS="frame --seconds 600"
	@$(BIN)/python -m tests.fuzz $(ARGS)

mutants: .venv/.dev ## put a thousand small faults into betting, table, arena and store: one to two hours
	@$(BIN)/python -m tests.mutants --cover --mutants 1000 --seed 1 $(ARGS)

SEEDS ?= 2000

sim: .venv/.dev ## simulate a whole arena from each of many seeds: make sim SEEDS=10000
	@$(BIN)/python -m tests.sim --seeds $(SEEDS) $(ARGS)

lock: .venv/.dev ## resolve the dependencies again: make lock ARGS=--upgrade
	@$(LOCK) $(ARGS) --extra arena --extra fast --extra lab --extra sting --output-file requirements/run.lock
	@$(LOCK) $(ARGS) --extra dev --constraint requirements/run.lock --output-file requirements/dev.lock

clean: ## remove the environment and all caches
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
	@find . -name __pycache__ -prune -exec rm -rf {} +

.venv/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| { echo "pitboss needs Python 3.11 or newer, and $(PYTHON) is not: try make PYTHON=python3.12." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "$(PYTHON) cannot make environments: install its venv module (on Debian, python3-venv)." >&2; exit 1; }
	@$(PYTHON) -m venv --clear .venv
	@touch $@

.venv/.run: requirements/run.lock pyproject.toml | .venv/.made
	$(call install,run)
	@touch $@

PEERS := import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["bench"])

# Other libraries are installed one by one without a lock; those that cannot be installed are left out.
.venv/.bench: .venv/.dev
	@for peer in $$($(BIN)/python -c '$(PEERS)'); do \
		$(PIP) install "$$peer" 2>/dev/null || echo "$$peer could not be installed: it is left out" >&2; \
	done
	@touch $@

# The fuzzer has no lock, because few platforms have it.
.venv/.fuzz: .venv/.dev
	@$(PIP) install $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["fuzz"])')
	@touch $@

# The packages of the tests include those of a run.
.venv/.dev: requirements/dev.lock pyproject.toml | .venv/.made
	$(call install,dev)
	@touch .venv/.run $@
