#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs one test program in a runtime directory of its own, and fails when it leaves anything behind there.
#   isolated.sh PROGRAM [ARGUMENT...]
SOFTDPU_RUNTIME_DIR=$(mktemp -d "${TMPDIR:-/tmp}/sdpu-test.XXXXXX") || exit 99
export SOFTDPU_RUNTIME_DIR
"$@"
status=$?
left=$(find "$SOFTDPU_RUNTIME_DIR" -mindepth 1 ! -type d)
rm -rf "$SOFTDPU_RUNTIME_DIR"
if [ -n "$left" ]; then
	echo "left behind in the runtime directory:" "$left" >&2
	[ $status -eq 0 ] && status=1
fi
exit $status
