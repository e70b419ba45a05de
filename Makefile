# SPDX-License-Identifier: BSD-3-Clause
# Short names for what meson and the scripts do; nothing is built here.
BUILD ?= build
LAYOUT ?= prefix
PREFIX ?= $(if $(filter doca,$(LAYOUT)),/opt/mellanox/doca,/usr/local)

help:
	@echo "make demo       three processes move a real file through Comch and RDMA, and get it back"
	@echo "make test       build and run every test"
	@echo "make all        build everything into $(BUILD)/"
	@echo "make bench      measure, beside limits of this machine; writes $(BUILD)/bench.json"
	@echo "make bench-sweep    measure how rates grow: CSV files and plots in $(BUILD)/bench/; four minutes"
	@echo "make bench-watched  measure what softdpu top costs the programs that it watches; two minutes"
	@echo "make check      run all that CI runs: compilers, sanitizers, models, fuzzers, install"
	@echo "make install    install into PREFIX=$(PREFIX); LAYOUT=doca: as a tree like the vendor's SDK"
	@echo "make docs       make the manual as HTML, in $(BUILD)/manual/"
	@echo "make deb        make Debian packages, in $(BUILD)/packages/"
	@echo "make test-packages  try these packages in a fresh Debian system; needs root"
	@echo "make deps       install missing build tools with apt (the targets above do it too)"
	@echo "make fmt        format the sources"
	@echo "make clean      remove $(BUILD)/"

deps:
	@scripts/deps.sh build

all: deps
	@scripts/build.sh $(BUILD)

demo: all
	@scripts/demo.sh $(BUILD)/apps/storage $(BUILD)/demo

test:
	@scripts/deps.sh test
	@scripts/build.sh $(BUILD)
	@meson test -C $(BUILD) --no-rebuild --print-errorlogs

bench: all
	@$(BUILD)/bench/softdpu_bench --json $(BUILD)/bench.json

bench-sweep: all
	@scripts/deps.sh sweep
	@$(BUILD)/bench/softdpu_sweep --output $(BUILD)/bench
	@gnuplot -c bench/plots.gp $(BUILD)/bench

bench-watched: all
	@bench/watched.py --build $(BUILD)

check:
	@scripts/deps.sh check
	@scripts/check.sh

install: all
	@scripts/install.sh $(BUILD) $(PREFIX) $(LAYOUT)

docs:
	@scripts/deps.sh docs
	@scripts/manual.py . $(BUILD)/manual && echo "The manual: $(BUILD)/manual/index.html"

deb:
	@scripts/deps.sh deb
	@scripts/deb.sh $(BUILD)/packages

test-packages: deb
	@scripts/deps.sh test-packages
	@tests/package/chroot_test.py $(BUILD)/packages

fmt:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf $(BUILD)

.PHONY: help deps all demo test bench bench-sweep bench-watched check install docs deb test-packages fmt clean
