# Every target sets up .venv by itself; on a bare Debian or Raspberry Pi OS the system's Python is used.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAME ?= schotten-totten

.PHONY: run test test-long bench lint clean install uninstall

run: $(VENV)/ready
	$(BIN)/marchwarden run --game $(GAME)

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

$(VENV)/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Marchwarden needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing: installing python3-venv (asks for your password)."; \
	    if [ "$$(id -u)" = 0 ]; then apt-get update && apt-get install -y python3-venv; \
	    else sudo apt-get update && sudo apt-get install -y python3-venv; fi; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

# The station as a service. DESTDIR=… lays the files out there, DRY_RUN=1 prints every step, YES=1 agrees to all.
INSTALL = $(PYTHON) systemd/install.py $(if $(DESTDIR),--root $(DESTDIR)) $(if $(DRY_RUN),--dry-run)

install:
	$(INSTALL) $(if $(YES),--yes) $(if $(PROFILE),--profile $(PROFILE)) install

uninstall:
	$(INSTALL) uninstall

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
