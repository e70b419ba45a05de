#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Configures a build directory, the first time, and builds it; says nothing more unless it fails.
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
quietly ninja -C "$dir"
