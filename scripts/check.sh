#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# All that CI runs. Three builds, warnings as errors: gcc for the tests as the README runs them, clang with ASan,
# UBSan and the fuzzers, clang with TSan. Goes on after a failure; the last line sums up, the exit status obeys it.
set -uo pipefail
cd "$(dirname "$0")/.."
out=build/check
rm -rf $out
mkdir -p $out
exec 3>$out/stages.tap

# stage NAME COMMAND...: its output is shown when it fails; counts as one result.
stage() {
	local name=$1 start=$SECONDS
	shift
	echo "== $name"
	if "$@" >"$out/stage.log" 2>&1; then
		echo "ok - $name" >&3
	else
		cat "$out/stage.log"
		echo "not ok - $name" >&3
	fi
	echo "   $((SECONDS - start)) s"
}

# checker NAME SCRIPT: prints TAP, each line of which counts.
checker() {
	echo "== $1"
	"$2" >"$out/$1.tap" || grep -E '^(#|not ok)' "$out/$1.tap"
}

# suite NAME BUILD-DIRECTORY COMMAND...: a run of meson's tests, each result of which counts.
suite() {
	local name=$1 dir=$2 start=$SECONDS
	shift 2
	echo "== tests: $name"
	rm -f "$dir/meson-logs/testlog.json"
	"$@" 2>&1 | tail -n 200
	cp "$dir/meson-logs/testlog.json" "$out/$name.json" || echo "not ok - tests: $name did not run" >&3
	echo "   $((SECONDS - start)) s"
}

# sanitized NAME SANITIZERS MESON-OPTION...
sanitized() {
	local name=$1 sanitizers=$2
	shift 2
	CC=clang stage "build: clang, $name" scripts/build.sh $out/$name -Dwerror=true -Db_lundef=false \
		-Db_sanitize=$sanitizers -Dc_args=-fno-sanitize-recover=all "$@"
	T_TIMEOUT_SCALE=4 suite $name $out/$name \
		$fixed_addresses meson test -C $out/$name --no-rebuild --print-errorlogs --timeout-multiplier 4
}

check_install() {
	local prefix=$PWD/$out/prefix doca=$PWD/$out/doca
	make install PREFIX="$prefix" && "$prefix/bin/softdpu" version &&
		make install LAYOUT=doca DESTDIR="$doca" &&
		"$doca/opt/mellanox/doca/tools/softdpu" env --dpu || return 1
	# Where libraries stand that are not ours, nothing may be touched.
	rm -r "$doca"
	mkdir -p "$doca/opt/mellanox/doca/lib/any"
	echo vendor >"$doca/opt/mellanox/doca/lib/any/libdoca_common.so.2"
	! make install LAYOUT=doca DESTDIR="$doca" && [ "$(find "$doca" -type f | wc -l)" -eq 1 ]
}

# TSan's shadow memory does not fit every layout of the address space that newer kernels choose at random.
fixed_addresses=
setarch -R true 2>/dev/null && fixed_addresses="setarch -R"

checker layers scripts/check_layers.py
checker style scripts/check_style.py
stage "build: gcc" scripts/build.sh build -Dwerror=true
suite gcc build make test
sanitized asan address,undefined -Dfuzz=true
sanitized tsan thread
stage "install: prefix, vendor's layout, refusal" check_install
stage "demo" make demo

exec 3>&-
scripts/contract_table.py $out/gcc.json
scripts/tally.py $out/*.json $out/*.tap
