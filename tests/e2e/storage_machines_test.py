#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The storage pipeline over two machines: the target in a network namespace and a runtime directory of its own."""
import os
import signal
import tempfile
import time

from harness import SCALE, Failure, main
from netns import ADDRESSES, Machines, NoNamespaces
from storage_kit import (Pipeline, bridge, expect_equal, expect_failure, expect_nothing_left,
                         file_there_and_back, initiator, target, transfer)

FOREVER = 2000000000  # operations: the run does not end by itself
DEBUG = ("--log-level", "60")
TIMEOUT = 15  # --control-timeout: joining two machines loads libfabric, which may take a second of processor time
NOTICED = 2  # s from a cut cable to the word of the program that it was told of it
MACHINES = None
FAR = None  # runtime directory of the target's machine


class Spread(Pipeline):
    """Target on machine 1, the other two on machine 0."""

    def start(self, args, threads, target_args, bridge_args, more):
        near = MACHINES.prefix(0)
        self.target = target(*target_args, port=self.port, threads=threads, timeout=TIMEOUT, within=MACHINES.prefix(1),
                             env={"SOFTDPU_RUNTIME_DIR": FAR})
        self.bridge = bridge(*bridge_args, port=self.port, threads=threads, timeout=TIMEOUT, within=near,
                             address=ADDRESSES[1])
        self.initiator = initiator(*args, threads=threads, timeout=TIMEOUT, within=near, **more)

    def expect_success(self, seconds=40):
        super().expect_success(seconds)
        expect_nothing_left_far()


def expect_nothing_left_far():
    left = os.listdir(FAR)
    if left:
        raise Failure(f"left in the target's runtime directory: {left}")


def verified_write():
    """validated write, two threads: all was verified; both kinds of the initiator's memory"""
    for memory in ("private", "shared"):
        says, _, _ = transfer("--validate-writes", "--io-memory", memory, operations=300, threads=2, pipeline=Spread)
        expect_equal(says.count("All data transfers verified successfully"), 2, "verdicts")


def plain_read():
    """read: the operations are those asked for"""
    says, _, _ = transfer(operation="read", operations=777, pipeline=Spread)
    if "| Operation count: 777\n" not in says:
        raise Failure(says)


def file_private():
    """a file goes there and back, two threads, private memory; the storage file has every byte"""
    file_there_and_back("private", 2, pipeline=Spread)


def file_shared():
    """a file goes there and back, shared memory; the storage file has every byte"""
    file_there_and_back("shared", 1, pipeline=Spread)


def every_window():
    """each way to reach the initiator's memory carries every block over the network"""
    for window in ("mapped", "cross", "handed", "served"):
        os.environ["SOFTDPU_WINDOW"] = window
        try:
            file_there_and_back("shared" if window == "mapped" else "private", 1, pipeline=Spread)
        finally:
            del os.environ["SOFTDPU_WINDOW"]


def running_pipeline():
    return Spread(*DEBUG, target_args=DEBUG, bridge_args=DEBUG, operations=FOREVER)


def cable_cut():
    """the cable is cut in the middle: all three end with 1 and a sentence, and leave nothing behind"""
    with running_pipeline() as pipeline:
        for program in pipeline.all:
            program.wait_for("Phase: run")
        MACHINES.cut()
        try:
            begun = time.monotonic()
            for program in (pipeline.bridge, pipeline.initiator, pipeline.target):
                expect_failure(program, "", seconds=TIMEOUT + NOTICED + 2)
            seconds = time.monotonic() - begun
        finally:
            MACHINES.mend()
    expect_nothing_left()
    expect_nothing_left_far()
    return f"all had ended after {seconds:.1f} s"


def killed():
    """each of the three is killed in the middle: the others end with 1 and a sentence"""
    for name in ("target", "bridge", "initiator"):
        with running_pipeline() as pipeline:
            for program in pipeline.all:
                program.wait_for("Phase: run")
            victim = getattr(pipeline, name)
            victim.signal(signal.SIGKILL)
            for program in pipeline.all:
                if program is not victim:
                    expect_failure(program, "", seconds=TIMEOUT + 2)
        transfer(operations=10, pipeline=Spread)  # removes what the dead left, and leaves nothing itself


def target_stopped():
    """the target is stopped for some seconds and continued: that only delays the run"""
    with Spread(*DEBUG, operations=5000) as pipeline:
        pipeline.initiator.wait_for("Phase: run")
        pipeline.target.signal(signal.SIGSTOP)
        time.sleep(3)
        pipeline.target.signal(signal.SIGCONT)
        pipeline.expect_success(60 * SCALE)


CASES = (verified_write, plain_read, file_private, file_shared, every_window, cable_cut, killed, target_stopped)

try:
    with tempfile.TemporaryDirectory(prefix="sdpu-far.") as FAR, Machines() as MACHINES:
        main(*CASES)
except NoNamespaces as reason:
    print(f"1..0 # SKIP no network namespaces here: {reason}")
