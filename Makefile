# Every target sets up .venv by itself; on a bare Debian or Raspberry Pi OS the system's Python is used. To run needs
# less than to test: `make run` installs the program and draws the deck of the simulated table, no more.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAME ?= schotten-totten
VARIANT ?= base

.PHONY: run test test-long bench lint clean install uninstall

run: $(VENV)/runs
	@$(BIN)/marchwarden run --game $(GAME) --variant $(VARIANT)

test: $(VENV)/ready lint
	$(BIN)/pytest -n auto

test-long: $(VENV)/ready
	$(BIN)/pytest -n auto -m "long or not long"

bench: $(VENV)/ready
	$(BIN)/python -m benchmarks

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

define environment
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Marchwarden needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing: installing python3-venv (asks for your password)."; \
	    if [ "$$(id -u)" = 0 ]; then apt-get update && apt-get install -y python3-venv; \
	    else sudo apt-get update && sudo apt-get install -y python3-venv; fi; }
	@echo "Setting up Marchwarden in $(VENV), once: about a minute on a good line …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --upgrade pip
endef

$(VENV)/runs: pyproject.toml
	$(environment)
	@PYTHONWARNINGS=ignore $(BIN)/pip install --quiet --editable .
	@$(BIN)/python -c 'from firmware import decks, folders; decks.find_deck(decks.DRAWN, folders.decks())'
	@touch $@

$(VENV)/ready: pyproject.toml
	$(environment)
	@PYTHONWARNINGS=ignore $(BIN)/pip install --quiet --editable '.[dev]'
	@touch $(VENV)/runs $@

# The station as a service. DESTDIR=… lays the files out there, DRY_RUN=1 prints every step, YES=1 agrees to all.
INSTALL = $(PYTHON) systemd/install.py $(if $(DESTDIR),--root $(DESTDIR)) $(if $(DRY_RUN),--dry-run)

install:
	$(INSTALL) $(if $(YES),--yes) $(if $(PROFILE),--profile $(PROFILE)) install

uninstall:
	$(INSTALL) uninstall

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
