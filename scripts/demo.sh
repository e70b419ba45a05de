#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A host, a DPU and a storage server as three processes: a real file goes host -> DPU -> storage, all three are
# started anew, and it comes back. Exit status 0 means that every byte did.
#   demo.sh PROGRAMS-DIRECTORY WORK-DIRECTORY      (the latter's contents are removed)
set -euo pipefail
programs=$(realpath "$1")/doca_storage_zero_copy
work=$(realpath -m "$2")
block=262144
rm -rf "$work"
mkdir -p "$work"
# A runtime directory of its own: nothing that runs beside it is seen, or sees it.
SOFTDPU_RUNTIME_DIR=$(mktemp -d)
export SOFTDPU_RUNTIME_DIR

pids=()
clean_up() {
	[ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
	rm -rf "$SOFTDPU_RUNTIME_DIR" "$work"/*.data
}
trap clean_up EXIT

fail() {
	echo "demo: FAILED: $*" >&2
	for log in "$work"/*.log; do
		[ -f "$log" ] && echo "--- $log" >&2 && tail -n 15 "$log" >&2
	done
	exit 1
}

# The smallest file between 64 and 128 MiB that this machine has, or else the first 64 MiB of a tar of its own.
choose_file() {
	local found
	found=$(find /usr/lib /usr/bin /usr/share /opt -xdev -type f -size +64M -size -128M -printf '%s %p\n' \
		2>/dev/null | sort -n | head -n 1 | cut -d' ' -f2-) || true
	if [ -n "$found" ] && [ -r "$found" ]; then
		original="$found"
	else
		original="$work/tar.data"
		{ tar cf - /usr/share /usr/lib /usr/bin 2>/dev/null || true; } | head -c 64M >"$original"
	fi
	size=$(stat -c %s "$original")
	[ "$size" -ge $((64 << 20)) ] || fail "no 64 MiB of files under /usr to send"
}

# The first and the last CPU that this process may use, for the two sides of the pipeline.
cpus=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
near=${cpus%%[-,]*}
far=${cpus##*[-,]}

free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# run_pipeline read|write OPTION...: all three processes, from start to end; the options are the initiator's.
run_pipeline() {
	local operation=$1 port pid failed=
	shift
	port=$(free_port)
	pids=()
	timeout 60 "${programs}_target_rdma" -d 03:00.0 --listen-port "$port" --cpu "$near" \
		--storage-file "$work/storage.data" --stats-json "$work/$operation-target.json" >"$work/$operation-target.log" 2>&1 &
	pids+=($!)
	timeout 60 "${programs}_comch_to_rdma" -d 03:00.0 -r 3b:00.0 --storage-server "127.0.0.1:$port" --cpu "$far" \
		--stats-json "$work/$operation-bridge.json" >"$work/$operation-bridge.log" 2>&1 &
	pids+=($!)
	timeout 60 "${programs}_initiator_comch" -d 3b:00.0 --operation "$operation" --cpu "$near" --buffer-size $block \
		--per-cpu-buffer-count "$blocks" --run-limit-operation-count "$blocks" "$@" \
		--stats-json "$work/$operation-initiator.json" >"$work/$operation-initiator.log" 2>&1 &
	pids+=($!)
	for pid in "${pids[@]}"; do
		wait "$pid" || failed=1
	done
	pids=()
	[ -z "$failed" ] || fail "a process of the $operation run ended with an error"
}

checksum() { sha256sum "$1" | cut -c1-64; }

choose_file
blocks=$(((size + block - 1) / block))
echo "File:    $original ($((size >> 20)) MiB, $blocks blocks of $((block >> 10)) KiB)"
run_pipeline write --data-file "$original"
run_pipeline read --data-file "$work/out.data" --data-length "$size"

sent=$(checksum "$original")
stored=$(head -c "$size" "$work/storage.data" | sha256sum | cut -c1-64)
back=$(checksum "$work/out.data")
echo "Sent:    $sent"
echo "Stored:  $stored"
echo "Back:    $back"
"$(dirname "$0")"/demo_table.py "$work"
[ "$sent" = "$stored" ] || fail "the storage file differs from what was sent"
[ "$sent" = "$back" ] || fail "what came back differs from what was sent"
echo "Every byte came back. The figures are this machine's, and no card's."
