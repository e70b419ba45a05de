#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs one test program in a runtime directory of its own, and fails when it leaves anything behind there.
#   isolated.sh PROGRAM [ARGUMENT...]
# In memory: on a busy disk a name that is made or found may wait for the journal, for longer
# than the tests give a program to end.
memory=/dev/shm
[ -w $memory ] || memory=/tmp
SOFTDPU_RUNTIME_DIR=$(mktemp -d "${TMPDIR:-$memory}/test-room.XXXXXX") || exit 99
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
