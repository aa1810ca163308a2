# The commands of the course. `make book` and `make test` set up what they need in .venv.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/ready

.PHONY: book test record notebooks release bench requirements clean

book: $(READY)
	@$(PY) -m tools.build_book

test: $(READY)
	@$(PY) -m tools.run_tests

# The same tests; how each notebook went is then written into book/status.
record: $(READY)
	@$(PY) -m tools.run_tests --record

notebooks: $(READY)
	@$(PY) -m tools.notebooks

release: $(READY)
	@$(PY) -m tools.grading

bench: $(READY)
	@$(PY) -m benchmarks

requirements:
	@$(PYTHON) tools/freeze_requirements.py

clean:
	rm -rf _build .venv .pytest_cache .ruff_cache .hypothesis

# Remade when a requirement changes. The mark is written last, so an interrupted set-up starts again.
$(READY): requirements.txt pyproject.toml tools/set_up.py
	@$(PYTHON) tools/set_up.py $(VENV)
