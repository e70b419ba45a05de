#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Configures a build directory, the first time, and builds it. At a terminal it shows how far it is; elsewhere it says
# nothing more unless it fails.
#   build.sh DIRECTORY [MESON-OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() { "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }; }

echo "Building in $dir"
[ -f "$dir/build.ninja" ] || quietly meson setup "$dir" . "$@"
if [ -t 2 ]; then
	NINJA_STATUS=${NINJA_STATUS:-'[%f of %t, %e s] '} ninja -C "$dir" >&2
else
	quietly ninja -C "$dir"
fi
