# `make demo` and `make test` set up all they need in .venv; they need Python 3.11+ and make, and a C compiler for full
# speed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Processes that run side by side must not each start one thread per core.
SINGLE := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1

# Tests run in so many processes (pytest-xdist), which keep what they compile for the next run.
JOBS ?= 2
PYTEST := $(SINGLE) PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

KERNELS := setup.py $(wildcard src/gnbayes/kernels/*.c src/gnbayes/kernels/*.h)

.PHONY: demo docs quick test lint check-build bench accuracy clean

$(VENV)/demo: pyproject.toml $(KERNELS)
	@$(PYTHON) -c 'import sys; sys.exit("gnbayes needs Python 3.11 or newer, found " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	rm -f src/gnbayes/kernels/_native*.so
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[cli,plot]"
	@touch $@

$(VENV)/test: $(VENV)/demo pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	@touch $@

demo: $(VENV)/demo  ## fit the four structures on WDBC, then the same from the shell
	$(BIN)/gnbayes demo -o demo-output

$(VENV)/docs: $(VENV)/demo pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@

docs: $(VENV)/docs  ## the documentation site in docs/_build/html, with every example run; warnings are errors
	$(SINGLE) $(BIN)/python -m sphinx -q -W --keep-going -b html -d docs/_build/doctrees docs docs/_build/html

lint: $(VENV)/test  ## style, types and layering
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

check-build: $(VENV)/test  ## the C kernels under warnings and sanitizers, and the install without a compiler
	$(SINGLE) tests/kernels/check_build.sh $(BIN)/python

quick: $(VENV)/test  ## for daily work: style, and the tests without a browser, a cluster, examples or a long wait
	$(BIN)/ruff check .
	$(PYTEST) --dist loadfile -q --hypothesis-profile quick -m "not slow and not browser and not cluster and not data" tests

test: lint $(VENV)/docs  ## everything with the C kernels, and without them all that they could change
	$(MAKE) --no-print-directory -j $(JOBS) check-build docs
	$(PYTEST)
	GNBAYES_KERNELS=numpy $(PYTEST) -m "not once and not browser and not cluster"

bench: $(VENV)/test  ## speed and memory against other libraries
	$(BIN)/python benchmarks/speed/run.py
	.venv-bench/bin/python benchmarks/speed/growth.py
	.venv-bench/bin/python benchmarks/kernels/roofline.py

TABLES ?= SUITE
accuracy: $(VENV)/test  ## accuracy and calibration against other classifiers, of TABLES="wdbc iris"; GNBAYES_DATA names their folder
	$(BIN)/python benchmarks/accuracy/run.py --tables "$(TABLES)"
	$(BIN)/python benchmarks/accuracy/report.py --tables "$(TABLES)"

clean:
	rm -rf docs/_build docs/gallery docs/reference/generated $(VENV) .venv-* src/gnbayes/kernels/_native*.so demo-output build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
