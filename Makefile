# Needs Python 3.11 or newer with venv and pip; everything else is installed into .venv.
# Plain sh and GNU make 3.81 (the one macOS ships) are enough.

VENV := .venv
BIN := $(VENV)/bin
OLDEST := .venv-oldest

# Versions that CI has seen come first; PYTHON=/path/to/python overrides.
USABLE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3; do \
	"$$python" -c '$(USABLE)' >/dev/null 2>&1 && { echo "$$python"; break; }; done)

.PHONY: help demo test check format bench ablation against-baseline kills notebooks service overhead lock test-oldest task \
	clean
.DEFAULT_GOAL := help

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' Makefile
	@echo 'Arguments are passed on by ARGS, as in: make test ARGS="-k demo -x"'

demo: $(VENV)/installed ## solve made-up passengers; needs no data
	@$(BIN)/solvers demo $(ARGS)

test: $(VENV)/installed ## run the tests that need no data and little time
	$(BIN)/pytest $(ARGS)

check: $(VENV)/installed ## ruff check, ruff format and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/installed ## let ruff mend what it can, and lay the code out
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/installed ## time the ways to spread fits over cores
	$(BIN)/python -m tests.benchmarks.parallel $(ARGS)

ablation: $(VENV)/installed ## what each group of features is worth: make ablation ARGS=DIR
	@$(BIN)/python -m tests.benchmarks.ablation $(ARGS)

kills: $(VENV)/installed ## kill runs and let them go on: make kills ARGS=DIR
	@$(BIN)/python -m tests.benchmarks.kills $(ARGS)

against-baseline: $(VENV)/installed ## what solvers gain over the baseline, on the same folds
	@$(BIN)/python -m tests.benchmarks.against_baseline $(ARGS)

notebooks: $(VENV)/installed ## write the notebooks from the scripts that they are paired with
	@for script in notebooks/*.py; do $(BIN)/jupytext --quiet --update --to ipynb "$$script"; done

service: $(VENV)/installed ## measure the service: card, memory, many tasks at once
	@$(BIN)/python -m tests.benchmarks.service $(ARGS)

overhead: $(VENV)/installed ## time what record, checkpoints and report cost
	@$(BIN)/python -m tests.benchmarks.overhead $(ARGS)

# Both spellings: the slug names test cases, its Python form names test files.
task: $(VENV)/installed ## test one known task: make task NAME=spaceship-titanic
	@test -n "$(NAME)" || { echo 'Name the task: make task NAME=spaceship-titanic' >&2; exit 2; }
	$(BIN)/pytest tests -m '' -k '$(NAME) or $(subst -,_,$(NAME))' $(ARGS)

# Resolved from the public registry alone, whatever indexes this machine is set up with.
# Existing pins are kept; ARGS=--upgrade moves them all, ARGS="--upgrade-package NAME" one.
# The override takes xgboost out where the group `lock` puts xgboost-cpu in. An unchanged
# lock is left untouched, for a newer file would mean a new environment.
lock: $(VENV)/installed ## bring requirements.lock up to date with pyproject.toml
	@unset UV_INDEX UV_DEFAULT_INDEX UV_INDEX_URL UV_EXTRA_INDEX_URL UV_FIND_LINKS UV_CONSTRAINT; \
	cp requirements.lock $(VENV)/requirements.lock && \
	echo "xgboost ; sys_platform != 'linux' or (platform_machine != 'x86_64' and platform_machine != 'aarch64')" \
	> $(VENV)/override.txt && \
	$(BIN)/uv pip compile pyproject.toml --extra agent --extra dev --extra images --extra kaggle --extra tune --group lock \
	--override $(VENV)/override.txt \
	--no-config --universal --fork-strategy fewest --python-version 3.11 --generate-hashes \
	--custom-compile-command 'make lock' --quiet --output-file $(VENV)/requirements.lock $(ARGS)
	@cmp -s $(VENV)/requirements.lock requirements.lock || cp $(VENV)/requirements.lock requirements.lock

# Python 3.11, for newer ones have no wheels of the oldest versions. Without the group
# `lock`: xgboost's oldest version has no CPU build. The extra `agent` comes second: with it
# pydantic cannot be the oldest.
test-oldest: $(VENV)/installed ## run the tests with the oldest versions pyproject.toml admits
	$(BIN)/uv venv --quiet --clear --no-python-downloads --python 3.11 $(OLDEST)
	$(BIN)/uv pip compile pyproject.toml --extra images --extra kaggle --extra tune --resolution lowest-direct --python $(OLDEST)/bin/python \
	--quiet --output-file $(OLDEST)/requirements.txt
	$(BIN)/uv pip install --quiet --python $(OLDEST)/bin/python \
	-r $(OLDEST)/requirements.txt pytest hatchling editables jsonschema in-toto-attestation playwright
	$(BIN)/uv pip install --quiet --python $(OLDEST)/bin/python \
	--no-deps --no-build-isolation --editable .
	$(OLDEST)/bin/pytest --ignore purple_agent --ignore tests/purple_agent \
	--ignore tests/benchmarks/service.py $(ARGS)
	$(BIN)/uv pip compile pyproject.toml --extra agent --resolution lowest-direct \
	--python $(OLDEST)/bin/python --quiet --output-file $(OLDEST)/requirements-agent.txt
	$(BIN)/uv pip install --quiet --python $(OLDEST)/bin/python -r $(OLDEST)/requirements-agent.txt
	$(OLDEST)/bin/pytest tests/purple_agent purple_agent $(ARGS)

clean: ## remove the environments and caches (never runs or data)
	rm -rf $(VENV) $(OLDEST) build dist .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The two stamps are touched last, so a step that was interrupted is done again. The
# environment is made anew when the lock changes: nothing that has left it stays behind.
$(VENV)/locked: requirements.lock
	@test -n "$(PYTHON)" || { \
	echo 'No usable Python found: 3.11 or newer with venv and ensurepip is needed (Debian: python3-venv).' >&2; \
	echo "python3 is: $$(python3 --version 2>&1 || true). Name another: make PYTHON=/path/to/python3.11" >&2; \
	exit 1; }
	@"$(PYTHON)" -c '$(USABLE)' || { \
	echo 'PYTHON=$(PYTHON) will not do: 3.11 or newer with venv and ensurepip is needed (Debian: python3-venv).' >&2; \
	exit 1; }
	@echo "Installing requirements.lock into $(VENV); this happens once and takes a few minutes." >&2
	@"$(PYTHON)" -m venv --clear $(VENV)
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes -r requirements.lock
	@touch $@

$(VENV)/installed: $(VENV)/locked pyproject.toml
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
