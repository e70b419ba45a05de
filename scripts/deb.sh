#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the Debian packages of the sources as they stand, from a copy of them, and asks lintian about the result.
#   deb.sh DIRECTORY       the packages go there; what it held before is removed
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
out=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What git knows of; all but build directories, where the sources came without it.
list_sources() {
	git ls-files -z 2>/dev/null || find . -path '*/build*' -prune -o -type f -print0
}

ours=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
[ "$(dpkg-parsechangelog -S Version)" = "$ours" ] || {
	echo "deb: debian/changelog has another version than meson.build, which says $ours" >&2
	exit 1
}
mkdir "$work/softdpu"
list_sources | tar -c --null --files-from - | tar -x -C "$work/softdpu"
echo "Building packages in $work"
(cd "$work/softdpu" && dpkg-buildpackage --build=binary --unsigned-changes >"$work/log" 2>&1) || {
	tail -n 40 "$work/log" >&2
	exit 1
}
rm -rf "$out"
mkdir -p "$out"
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$out"
lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$out"/*.changes
echo "Packages, without a complaint of lintian's, in $out:"
(cd "$out" && ls ./*.deb)
