# make demo | test | lint | docs | handbook | bench | soak | clean: each sets up what it needs, with Python 3.11+.
#
#   PYTHON=python3.12   the interpreter that makes the environment (default: the first one here that is new enough)
#   VENV=.venv          where the environment goes
#   WORKERS=2           processes that run the tests side by side; each wants a core and up to 2 GB
#   PIP_ARGS="..."      options for every pip install, such as a mirror, or PyTorch's CPU builds (see README.md)

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; exit; }; done; echo python3)
VENV ?= .venv
WORKERS ?= 2
PIP_ARGS ?=
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO := .caveat-demo

.PHONY: demo test lint docs handbook bench soak clean constraints
.DEFAULT_GOAL := demo

# torch is named in the call that installs what depends on it: alone, those packages would take another build of it.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "caveat: needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3.12" >&2; exit 2; }
	@echo "Setting up $(VENV) once: some 450 MB of downloads, more with CUDA (README.md, Installing); a few minutes."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check $(PIP_ARGS) -c constraints.txt torch==2.13.0 -e '.[dev]'
	@touch $(READY)

demo: $(READY)
	@echo "> caveat index data/handbook --state $(DEMO)"
	@$(BIN)/caveat index data/handbook --state $(DEMO)
	@echo
	@echo '> caveat search "seat downgrade credit calculation table" --as-of 2026-03-15 -k 1 --full --state $(DEMO)'
	@$(BIN)/caveat search "seat downgrade credit calculation table" --as-of 2026-03-15 -k 1 --full --state $(DEMO)
	@echo
	@echo "What to type next:"
	@echo "  . $(BIN)/activate"
	@echo "  caveat history 4.2.2 --state $(DEMO)           how the notice clause changed, word by word"
	@echo "  caveat diff 2025-07-01 2026-07-01 --state $(DEMO)"
	@echo "  caveat index YOUR-HANDBOOK                          your own files, into ./.caveat"
	@echo "  caveat search \"your question\" --as-of 2026-01-31"

test: $(READY)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(READY)
	$(BIN)/python -m eval.docs

# Kills index runs at random while others search, and prints how many answers were right.
soak: $(READY)
	$(BIN)/python -m tests.soak 100

handbook: $(READY)
	$(BIN)/python data/source/build_handbook.py data/handbook
	$(BIN)/python data/source/build_formats.py data/handbook data/formats

bench: $(READY)
	$(BIN)/python -m eval.bench
	$(BIN)/python -m eval.bench_reading

constraints: $(READY)
	$(BIN)/python -m pip freeze --all --exclude-editable | grep -v '^pip==' | sed 's/+cpu$$//' | LC_ALL=C sort -f > constraints.new
	{ sed -n '1p' constraints.txt; cat constraints.new; } > constraints.tmp && mv constraints.tmp constraints.txt
	rm constraints.new

clean:
	rm -rf $(VENV) $(DEMO) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find ingest index retrieve eval tests data -name __pycache__ -type d -prune -exec rm -rf {} +
