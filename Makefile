# Everything starts here: each target first makes what it needs, so a fresh clone needs no other step.

SHELL := /bin/sh
VENV := .venv
PY := $(VENV)/bin/python

# The first interpreter that is new enough.
FIND_PYTHON = for p in python3.13 python3.12 python3.11 python3 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v "$$p"; exit; }; done; \
	echo "Cleanplate needs Python 3.11 or later and none is on the path; install it (apt install python3, or https://www.python.org/downloads/) and run make again." >&2; exit 1

# Libraries that scripts/qt_libraries.py unpacked for those who may not install any.
QT_ENV = if [ -f $(VENV)/sysroot/env ]; then . ./$(VENV)/sysroot/env; fi;

# An environment whose interpreter is gone is made anew.
STALE := $(shell $(PY) -c '' 2>/dev/null || echo stale)

# Real data beside the checkout, where there is any: the tests that need it skip otherwise.
CLEANPLATE_DATA ?= $(realpath ../shared/data)
ifneq ($(CLEANPLATE_DATA),)
export CLEANPLATE_DATA
endif

# What the mask's head is trained with: core/training/rounds.py says which of these clips are used.
CLIPS ?= $(if $(CLEANPLATE_DATA),$(CLEANPLATE_DATA)/video)

# Experiments of `make papers` that run at a time.
JOBS ?= $(shell $(PY) -c 'import os; print(os.cpu_count() or 1)' 2>/dev/null || echo 1)

# What a release's files get for their time: that of the commit.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1767225600)

.PHONY: help run test hostile coverage lint types contracts check format lock train papers screenshots jobs docs clean stale \
	wheel reproducible installed sbom bundle appimage deb tools
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed 's/:.*## /\t/' | while IFS="$$(printf '\t')" read -r t h; do printf '  make %-12s %s\n' "$$t" "$$h"; done

$(VENV)/.ready: pyproject.toml requirements.lock scripts/setup.py $(STALE)
	@python=$$($(FIND_PYTHON)) && "$$python" scripts/setup.py

$(VENV)/.libraries: scripts/qt_libraries.py app/system/qt_libraries.py $(VENV)/.ready
	@$(PY) scripts/qt_libraries.py

run: $(VENV)/.ready ## set up and open the window on the sample (without a display: write to out/)
	@$(PY) scripts/run.py

test: $(VENV)/.ready $(VENV)/.libraries ## set up and run the whole suite, offscreen, on all cores (ARGS=-n0: on one)
	@$(QT_ENV) QT_QPA_PLATFORM=offscreen $(PY) -m pytest -n auto --dist worksteal $(ARGS)

hostile: $(VENV)/.ready $(VENV)/.libraries ## attack the program with thousands of cases (ATTACK=KEY: of one kind); the suite runs a few of each
	@QT_QPA_PLATFORM=offscreen $(PY) -m tests.hostile $(ATTACK)

coverage: $(VENV)/.ready $(VENV)/.libraries ## run the kernels uncompiled: their tests have to execute every line
	@$(QT_ENV) QT_QPA_PLATFORM=offscreen NUMBA_DISABLE_JIT=1 $(PY) -m pytest -n auto --dist worksteal tests/core/kernels --cov

lint: $(VENV)/.ready ## ruff: rules and format
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check

types: $(VENV)/.ready ## mypy, strict
	@$(PY) -m mypy

contracts: $(VENV)/.ready ## who may import whom
	@$(VENV)/bin/lint-imports

check: test coverage lint types contracts ## all of the above

format: $(VENV)/.ready ## mend what ruff can mend
	@$(PY) -m ruff check --fix
	@$(PY) -m ruff format

lock: $(VENV)/.ready ## resolve pyproject.toml into requirements.lock
	@$(PY) -m uv pip compile --quiet --no-config --universal --python-version 3.11 --fork-strategy fewest --upgrade \
		--generate-hashes --no-annotate --default-index https://pypi.org/simple --custom-compile-command "make lock" \
		pyproject.toml --group pyproject.toml:dev --output-file requirements.lock
	@mkdir -p build
	@grep -vE '^(pyside6|shiboken6)' requirements.lock | grep -E '^[a-z].*==' | sed 's/ .*//' > build/pins.txt
	@$(PY) -m uv pip compile --quiet --no-config --python-platform x86_64-manylinux_2_31 --python-version 3.11 \
		--only-binary :all: --generate-hashes --no-annotate --default-index https://pypi.org/simple \
		--custom-compile-command "make lock" --constraint build/pins.txt --extra build pyproject.toml \
		--output-file release/debian11/requirements.lock

wheel: $(VENV)/.ready ## make the wheel and the source archive of what is committed, in dist/
	@$(PY) scripts/make_packages.py

reproducible: $(VENV)/.ready ## the same, twice: the bytes have to be the same
	@$(PY) scripts/make_packages.py --twice

installed: wheel $(VENV)/.libraries ## install the wheel into an empty environment elsewhere and run the suite there (ARGS="-n 2")
	@$(QT_ENV) $(PY) scripts/installed_suite.py $(ARGS)

tools: $(VENV)/.ready # what makes the next three, from the extra "build"
	@$(PY) -c 'import PyInstaller, cyclonedx_py' 2>/dev/null || $(PY) -m pip install --quiet --no-build-isolation --editable '.[build]'

sbom: tools ## list every part with its licence, and all as CycloneDX, in dist/
	@$(PY) scripts/parts.py

bundle: tools $(VENV)/.libraries ## make the folder that needs no Python, in dist/cleanplate (for Debian 11: release/debian11)
	@$(QT_ENV) SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) $(PY) scripts/bundle.py

appimage: ## make one file that runs, of dist/cleanplate (RUNTIME=FILE: what mounts it, see docs/handouts.md)
	@SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) $(PY) scripts/appimage.py $(if $(RUNTIME),--runtime $(RUNTIME))

deb: ## make a Debian package of dist/cleanplate
	@SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) $(PY) scripts/debian_package.py

train: $(VENV)/.ready ## train the mask's head on clips that it makes, as docs/head.md tells (CLIPS=DIR), in an hour (ARGS="--rounds 1": as these say)
	@test -n "$(CLIPS)" || { echo "Name the folder of the clips that things are cut out of: make train CLIPS=DIR" >&2; exit 2; }
	@$(PY) -c 'import torch' 2>/dev/null || $(PY) -m pip install --quiet --no-build-isolation --editable '.[train]'
ifdef ARGS
	@$(PY) -m core.training --clips "$(CLIPS)" $(ARGS)
else
	@$(PY) -m core.training --clips "$(CLIPS)" --rounds 3
	@$(PY) -m core.training --clips "$(CLIPS)" --start resources/head.npz --rounds 1 --shadows 2
	@$(PY) -m core.training --clips "$(CLIPS)" --start resources/head.npz --rounds 0 --drawn 0
endif

papers: $(VENV)/.ready ## run the papers' experiments on all cores (JOBS=1: on one) and write docs/papers.md
	@test -n "$(CLEANPLATE_DATA)" || { echo "Name the folder that holds faces/ and sequences/: make papers CLEANPLATE_DATA=DIR" >&2; exit 2; }
	@$(PY) -m app bench faces --experiment all --data "$(CLEANPLATE_DATA)" --markdown docs/papers.md --jobs $(JOBS)

screenshots: $(VENV)/.ready $(VENV)/.libraries ## take the pictures of the README
	@$(QT_ENV) $(PY) scripts/screenshots.py

jobs: $(VENV)/.ready $(VENV)/.libraries ## do five jobs in the real window, take the pictures of docs/ (JOB="plate faces")
	@$(QT_ENV) $(PY) scripts/jobs.py $(JOB)

docs: $(VENV)/.ready $(VENV)/.libraries ## write the pages that come from the program, make the site in build/site, check its links
	@$(QT_ENV) QT_QPA_PLATFORM=offscreen $(PY) scripts/reference_pages.py
	@$(PY) -c 'import material' 2>/dev/null || $(PY) -m pip install --quiet --no-build-isolation --editable '.[docs]'
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --quiet

clean: ## remove the environment and everything generated
	rm -rf $(VENV) build dist out *.egg-info .pytest_cache .coverage .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
