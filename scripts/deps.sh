#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing of the tools that a target needs, with apt, and says so.
#   deps.sh build|test|check     (each includes the ones before it)
#   deps.sh sweep|deb|test-packages|docs     (build, and what draws plots, makes packages, tries them, makes the manual)
set -euo pipefail
purpose=${1:-build}

has() { command -v "$1" >/dev/null 2>&1; }
has_json_c() { pkg-config --exists json-c 2>/dev/null; }
has_ncurses() { pkg-config --exists ncursesw 2>/dev/null; }
has_libfabric() { pkg-config --exists libfabric 2>/dev/null; }
has_libc() { echo 'int main(void){return 0;}' | cc -x c - -o /dev/null 2>/dev/null; }
has_fuzzer() {
	echo 'int LLVMFuzzerTestOneInput(void){return 0;}' |
		clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null 2>/dev/null
}

missing=()
need() { # need PACKAGE PROBE...: the package, unless the probe succeeds
	local package=$1
	shift
	"$@" || missing+=("$package")
}

need gcc has cc
need libc6-dev has_libc
need meson has meson
need ninja-build has ninja
need pkg-config has pkg-config
need libjson-c-dev has_json_c
need libncurses-dev has_ncurses
need libfabric-dev has_libfabric
case $purpose in
build) ;;
sweep) need gnuplot-nox has gnuplot ;;
deb)
	need dpkg-dev has dpkg-buildpackage
	need debhelper has dh
	need lintian has lintian
	;;
test-packages) need debootstrap has debootstrap ;;
docs)
	need doxygen has doxygen
	need mandoc has mandoc
	;;
*)
	need g++ has c++ # the public headers must also be clean C++
	need cmake has cmake # a build file of docs/bring-your-program.md
	need gdb has gdb
	need strace has strace
	need iproute2 has ip
	;;
esac
if [ "$purpose" = check ]; then
	need clang has clang
	need libclang-rt-dev has_fuzzer
	need clang-format has clang-format
	need doxygen has doxygen
	need mandoc has mandoc
	need spin has spin
	need valgrind has valgrind
	need zsh has zsh # completion of the command is tried in each shell
	need fish has fish
fi

[ ${#missing[@]} -eq 0 ] && exit 0
echo "Missing: ${missing[*]}"
if ! has apt-get; then
	echo "This system has no apt-get: install the same by its own means, then run this again." >&2
	exit 1
fi

install="apt-get install -y --no-install-recommends ${missing[*]}"
if [ "$(id -u)" -eq 0 ]; then
	as_root=
elif has sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
	as_root=sudo
else
	echo "Neither root nor sudo here. Ask somebody who is root to run:" >&2
	echo "    apt-get update && $install" >&2
	exit 1
fi
echo "Running: ${as_root:+sudo }$install"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
$as_root $install >/dev/null || {
	echo "apt-get failed; the same by hand: ${as_root:+sudo }$install" >&2
	exit 1
}
