# SPDX-License-Identifier: BSD-3-Clause
# Short names for what meson and the scripts do; nothing is built here.
BUILD ?= build
LAYOUT ?= prefix
PREFIX ?= $(if $(filter doca,$(LAYOUT)),/opt/mellanox/doca,/usr/local)

help:
	@echo "make demo       three processes move a real file through Comch and RDMA, and get it back"
	@echo "make test       build and run every test"
	@echo "make all        build everything into $(BUILD)/"
	@echo "make bench      measure, beside this machine's own limits; writes $(BUILD)/bench.json"
	@echo "make bench-sweep  how rates grow, as CSV files and plots in $(BUILD)/bench/; some four minutes"
	@echo "make bench-watched  what it costs a pipeline that softdpu top looks at it; two minutes"
	@echo "make check      all that CI runs: compilers, sanitizers, models, fuzzers, install"
	@echo "make install    into PREFIX=$(PREFIX); LAYOUT=doca lays the vendor SDK's tree"
	@echo "make docs       the manual as HTML, in $(BUILD)/manual/"
	@echo "make deb        Debian packages, in $(BUILD)/packages/"
	@echo "make test-packages  install them into a fresh system of Debian, and try them there; needs root"
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
