#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The storage pipeline when all is well: every mode, files, both kinds of memory, statistics."""
import re

from harness import Failure, main
from storage_kit import (BLOCK, Files, Pipeline, bridge, distinct_blocks, expect_equal, expect_nothing_left,
                         file_there_and_back, free_port, initiator, target, transfer)

RULE = "+" + "=" * 48 + "+"
THIN_RULE = "+" + "-" * 48 + "+"
HIT_RATE = r"\| PE hit rate: \d+\.\d{3}% \(\d+:\d+\)"


def expect_block(output, patterns):
    """The lines of output end in a statistics block of these patterns."""
    lines = output.splitlines()
    start = lines.index(RULE)
    block = lines[start:start + len(patterns)]
    for line, pattern in zip(block, patterns):
        if not re.fullmatch(pattern, line):
            raise Failure(f"{line!r} does not match {pattern!r} in:\n{output}")
    expect_equal(len(block), len(patterns), "lines of the statistics block")


def thread_block(threads):
    lines = [re.escape(RULE), r"\| Stats", re.escape(RULE)]
    for i in range(threads):
        lines += [rf"\| Thread\[{i}\]", HIT_RATE, re.escape(THIN_RULE)]
    return lines + [re.escape(RULE)]


def plain_write():
    """write: all three end with 0, and the statistics have their form"""
    initiator_says, bridge_says, target_says = transfer(operations=1000)
    expect_block(initiator_says, [
        re.escape(RULE), r"\| Stats", re.escape(RULE), r"\| Duration \(seconds\): \d+\.\d{6}",
        r"\| Operation count: 1000", r"\| Data rate: \d+\.\d{3} GiB/s", r"\| IO rate: \d+\.\d{3} MIOP/s", HIT_RATE,
        r"\| Latency:", r"\| \tMin: \d+us", r"\| \tMax: \d+us", r"\| \tMean: \d+us", r"\| \tp50: \d+us",
        r"\| \tp99: \d+us", r"\| \tp99\.9: \d+us", re.escape(RULE)])
    expect_block(bridge_says, thread_block(1))
    expect_block(target_says, thread_block(1))


def plain_read():
    """read: the operations are those asked for"""
    says, _, _ = transfer(operation="read", operations=777)
    if "| Operation count: 777\n" not in says:
        raise Failure(says)


def configuration_is_printed():
    """each program prints its name, version and configuration first"""
    with Pipeline("--per-cpu-buffer-count", "8", "--buffer-size", "128") as pipeline:
        pipeline.expect_success()
        for program, name, lines in (
                (pipeline.initiator, "initiator_comch",
                 ['device : "3b:00.0",', 'command_channel_name : "storage_zero_copy_comch",', "buffer_size : 128,",
                  "buffer_count : 8,", "batch_size : 4,", "run_limit_operation_count : 1000,", "validate_writes : no,",
                  "control_timeout : 5,"]),
                (pipeline.bridge, "comch_to_rdma",
                 ['device : "03:00.0",', 'representor : "3b:00.0",',
                  'command_channel_name : "storage_zero_copy_comch",', f"storage_server : 127.0.0.1:{pipeline.port}"]),
                (pipeline.target, "target_rdma", ['device : "03:00.0",', f"listen_port : {pipeline.port},"])):
            if not re.match(rf"doca_storage_zero_copy_{name}: v\d", program.lines[0]):
                raise Failure(program.lines[0])
            start = program.lines.index("configuration: {")
            if not re.fullmatch(r"\tcpu_set : \[\d+\]", program.lines[start + 1]):
                raise Failure(program.lines[start + 1])
            expect_equal(program.lines[start + 2:start + 3 + len(lines)], ["\t" + line for line in lines] + ["}"],
                         "configuration")


def validated_write():
    """validated write: each thread says that all was verified"""
    says, _, _ = transfer("--validate-writes", operations=300, threads=2)
    expect_equal(says.count("All data transfers verified successfully"), 2, "verdicts")
    if "| Operation count: 300\n" not in says:
        raise Failure(says)


def odd_shapes():
    """shapes at the edges: one buffer, one operation, uneven shares, large and small blocks"""
    for args, more in ((("--per-cpu-buffer-count", "1"), {"operations": 50}),
                       (("--batch-size", "128"), {"operations": 1}),
                       (("--batch-size", "1", "--buffer-size", "64"), {"operations": 101, "threads": 2}),
                       (("--per-cpu-buffer-count", "3", "--validate-writes"), {"operations": 7, "threads": 3}),
                       (("--buffer-size", str(4 << 20), "--per-cpu-buffer-count", "4", "--validate-writes"),
                        {"operations": 9})):
        says, _, _ = transfer(*args, **more)
        if f"| Operation count: {more['operations']}\n" not in says:
            raise Failure(says)


def file_private():
    """a file goes there and back, two threads, private memory; the storage file has every byte"""
    file_there_and_back("private", 2)


def file_shared():
    """a file goes there and back, two threads, shared memory; the storage file has every byte"""
    file_there_and_back("shared", 2)


def storage_of_all_threads():
    """what two threads wrote to a storage file, one thread reads"""
    content = distinct_blocks(64)
    with Files() as files:
        storage = ("--storage-file", files.path("storage"))
        transfer("--data-file", files.write("original", content), "--per-cpu-buffer-count", "32", operations=64,
                 threads=2, target_args=storage)
        transfer("--data-file", files.path("back"), "--per-cpu-buffer-count", "64", operation="read", operations=64,
                 target_args=storage)
        expect_equal(files.read("back"), content, "what came back")


def storage_starts_as_zeros():
    """reading storage that nobody wrote gives zeros"""
    with Files() as files:
        transfer("--data-file", files.path("back"), operation="read", operations=64)
        expect_equal(files.read("back"), bytes(64 * BLOCK), "what was read")


def every_window():
    """each way to reach the initiator's memory carries every block to its place"""
    content = distinct_blocks(64)
    for window in ("mapped", "cross", "handed", "served"):
        memory = "shared" if window == "mapped" else "private"
        port = free_port()
        env = {"SOFTDPU_WINDOW": window}
        with Files() as files, \
                target("--storage-file", files.path("storage"), port=port, threads=2, env=env) as storage, \
                bridge(port=port, threads=2, env=env) as middle, \
                initiator("--data-file", files.write("original", content), "--per-cpu-buffer-count", "32",
                          "--io-memory", memory, operations=64, threads=2, env=env) as first:
            for program in (first, middle, storage):
                program.expect_status(0)
            expect_equal(files.read("storage"), content, f"storage file by {window}")


def statistics_as_json():
    """--stats-json of all three says how much was moved"""
    with Files() as files:
        path = files.path
        transfer("--stats-json", path("i"), operations=500, bridge_args=("--stats-json", path("b")),
                 target_args=("--stats-json", path("t")))
        for name in "ibt":
            stats = files.read_json(name)
            expect_equal(stats["outcome"], "ok", "outcome")
            expect_equal(stats["operations"], 500, "operations")
            expect_equal(stats["bytes"], 500 * BLOCK, "bytes")
            expect_equal(stats["failures"], 0, "failures")
            if not stats["operations_per_second"] > 0 or not stats["gib_per_second"] > 0:
                raise Failure(str(stats))
        latencies = files.read_json("i")
        order = [latencies[f"latency_{name}_us"] for name in ("min", "p50", "p99", "p99_9", "max")]
        expect_equal(order, sorted(order), "latencies")


def any_order():
    """the programs may be started in the opposite order, within their time limits"""
    port = free_port()
    with initiator(timeout=20) as first, bridge(port=port) as middle:
        first.wait_for("configuration")
        middle.wait_for("configuration")
        with target(port=port) as storage:
            for program in (first, middle, storage):
                program.expect_status(0)
    expect_nothing_left()


def other_channel_name():
    """two pipelines share a device under two channel names"""
    with Pipeline("--command-channel-name", "one", bridge_args=("--command-channel-name", "one"),
                  operations=20000) as one, \
            Pipeline("--command-channel-name", "two", bridge_args=("--command-channel-name", "two"),
                     operations=20000) as two:
        for program in one.all + two.all:
            program.expect_status(0)


def device_names():
    """devices are found by IB name, interface name and long PCI address"""
    for name in ("mlx5_2", "ens1f0np0", "0000:3b:00.0"):
        with Pipeline(device=name) as pipeline:
            pipeline.expect_success()


def repeated_runs():
    """ten runs one after the other leave nothing behind"""
    for _ in range(10):
        transfer(operations=100)


main(plain_write, plain_read, configuration_is_printed, validated_write, odd_shapes, file_private, file_shared,
     storage_of_all_threads, storage_starts_as_zeros, every_window, statistics_as_json, any_order, other_channel_name,
     device_names, repeated_runs)
