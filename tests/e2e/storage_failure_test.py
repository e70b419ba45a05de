#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The storage pipeline when something goes wrong: peers that differ, die, lie or never come; the user who ends it."""
import os
import random
import signal
import socket
import time

from harness import BUILD, SCALE, Failure, Program, main
from storage_kit import (BLOCK, CONFIGURE, ROLE_CTRL, ROLE_DATA, START_STORAGE, TIMEOUT, Files, Peer, Pipeline, bridge,
                         configure, create_request, expect_equal, expect_failure, expect_nothing_left,
                         expect_nothing_left_of_the_dead, free_port, initiator, initiator_command, message, response,
                         target, transfer)

FOREVER = 2000000000  # operations: the run does not end by itself
USER_ABORT = 130

# The phases of each program in which its peers are already engaged, as its debug log names them.
PHASES = {
    "target": ("configure the data path", "connect the threads", "start the threads", "run"),
    "bridge": ("wait for the initiator", "configure the data path", "connect the threads", "start the threads", "run"),
    "initiator": ("configure the data path", "connect the threads", "verify the connections", "start the threads",
                  "run"),
}
DEBUG = ("--log-level", "60")


def verbose_pipeline(**more):
    return Pipeline(*DEBUG, target_args=DEBUG, bridge_args=DEBUG, operations=FOREVER, **more)


def expect_survivors_to_fail(pipeline, victim):
    for program in pipeline.all:
        if program is not victim:
            expect_failure(program, "", seconds=TIMEOUT + 2)
    expect_nothing_left_of_the_dead()


def kill_in_phase(victim_name, phase, **more):
    with verbose_pipeline(**more) as pipeline:
        victim = getattr(pipeline, victim_name)
        victim.wait_for(f"Phase: {phase}")
        victim.signal(signal.SIGKILL)
        expect_survivors_to_fail(pipeline, victim)


def killed_in_each_phase(victim_name):
    for phase in PHASES[victim_name]:
        kill_in_phase(victim_name, phase)
    kill_in_phase(victim_name, "run", threads=2)


def target_killed():
    """target killed in each phase: the others end with 1 and a sentence, and leave nothing behind"""
    killed_in_each_phase("target")


def bridge_killed():
    """bridge killed in each phase: the others end with 1 and a sentence, and leave nothing behind"""
    killed_in_each_phase("bridge")


def initiator_killed():
    """initiator killed in each phase: the others end with 1 and a sentence, and leave nothing behind"""
    killed_in_each_phase("initiator")


def killed_while_another_is_stopped():
    """a process killed while its peer is held up: the peer ends once it is continued, the third at once"""
    for held, victim in (("target", "bridge"), ("target", "initiator"), ("bridge", "target"), ("bridge", "initiator"),
                         ("initiator", "bridge"), ("initiator", "target")):
        with verbose_pipeline() as pipeline:
            stopped, killed = getattr(pipeline, held), getattr(pipeline, victim)
            third = next(program for program in pipeline.all if program not in (stopped, killed))
            pipeline.initiator.wait_for("Phase: run")
            stopped.signal(signal.SIGSTOP)
            killed.signal(signal.SIGKILL)
            if held != "bridge":  # or else the third hears of it only through the bridge
                expect_failure(third, "", seconds=TIMEOUT + 2)
            stopped.signal(signal.SIGCONT)
            for program in (stopped, third):
                expect_failure(program, "", seconds=TIMEOUT + 2)
            expect_nothing_left_of_the_dead()


def two_killed():
    """two of the three killed at once: the survivor ends with 1 and leaves nothing behind"""
    for survivor in ("target", "bridge", "initiator"):
        with verbose_pipeline() as pipeline:
            pipeline.initiator.wait_for("Phase: run")
            for program in pipeline.all:
                if program is not getattr(pipeline, survivor):
                    program.signal(signal.SIGKILL)
            expect_failure(getattr(pipeline, survivor), "", seconds=TIMEOUT + 2)
            expect_nothing_left_of_the_dead()


def killed_at_random():
    """a random one of the three killed at a random moment, twenty times (fewer under sanitizers)"""
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    for round_number in range(20 // SCALE):
        with verbose_pipeline(threads=chance.choice((1, 2))) as pipeline:
            pipeline.bridge.wait_for("Phase: configure the data path")
            time.sleep(chance.random() * 0.2)
            victim = chance.choice(pipeline.all)
            try:
                victim.signal(signal.SIGKILL)
                expect_survivors_to_fail(pipeline, victim)
            except Failure as failure:
                raise Failure(f"seed {seed}, round {round_number}, victim {victim.name}:\n{failure}") from None


def stopped_for_a_second():
    """a process that is stopped for a second and continued only delays the run"""
    for name in ("target", "bridge", "initiator"):
        with Pipeline(*DEBUG, operations=300000) as pipeline:
            pipeline.initiator.wait_for("Phase: run")
            getattr(pipeline, name).signal(signal.SIGSTOP)
            time.sleep(1)
            getattr(pipeline, name).signal(signal.SIGCONT)
            pipeline.expect_success()


def thread_counts_that_differ():
    """different numbers of threads: all three end with 1, and the text says so"""
    for counts in ((2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 2, 1), (1, 2, 2), (2, 1, 2)):
        port = free_port()
        with target(port=port, threads=counts[0]) as storage, bridge(port=port, threads=counts[1]) as middle, \
                initiator(threads=counts[2]) as first:
            for program in (first, middle, storage):
                expect_failure(program, "the same number of --cpu")
        expect_nothing_left()


def wrong_channel_name():
    """an initiator with another channel name gives up after its time-out; the bridge goes on waiting"""
    port = free_port()
    with target(port=port) as storage, bridge("--command-channel-name", "other", port=port) as middle:
        middle.wait_for("waiting for an initiator")
        with initiator(timeout=1) as first:
            expect_failure(first, "Failed to connect doca_comch_client after 1 seconds")
        with initiator("--command-channel-name", "other") as second:
            for program in (second, middle, storage):
                program.expect_status(0)


def second_initiator():
    """a second initiator is turned away, and the first is not disturbed"""
    with Pipeline(*DEBUG, operations=400000) as pipeline:
        pipeline.initiator.wait_for("Phase: run")
        with initiator() as second:
            expect_failure(second, "already serves another initiator")
        pipeline.expect_success()
        pipeline.bridge.expect_text("Ignoring a second client")


def second_bridge():
    """a second bridge under the same name is refused"""
    port = free_port()
    with target(port=port), bridge(port=port) as first, target(port=port + 1), bridge(port=port + 1) as second:
        deadline = time.monotonic() + 10 * SCALE
        while first.poll() is None and second.poll() is None:
            if time.monotonic() > deadline:
                raise Failure("both bridges serve the same name")
            time.sleep(0.05)


def bridge_without_target():
    """a bridge whose target never comes can be ended by the user: nothing was lost, status 130"""
    with bridge(port=free_port()) as middle:
        middle.wait_for("configuration")
        middle.signal(signal.SIGINT)
        middle.expect_status(USER_ABORT, 2)
        middle.expect_text("aborted while waiting for the TCP connection to the target: User requested abort")


def waiting_ended_by_the_user():
    """SIGINT and SIGTERM end the waits for peers that never come, with status 130"""
    for number in (signal.SIGINT, signal.SIGTERM):
        port = free_port()
        with target(port=port) as storage:
            storage.wait_for("Listening")
            storage.wait_until_it_sleeps()
            storage.signal(number)
            storage.expect_status(USER_ABORT, 2)
        with target(port=port) as storage, bridge(port=port) as middle:
            middle.wait_for("waiting for an initiator")
            middle.wait_until_it_sleeps()
            middle.signal(number)
            middle.expect_status(USER_ABORT, 2)
            middle.expect_text("aborted while waiting for an initiator")
            expect_failure(storage, "aborted while waiting for an initiator", 3)
        with initiator() as first:
            first.wait_for("configuration")
            first.wait_until_it_sleeps()
            first.signal(number)
            first.expect_status(USER_ABORT, 2)
    expect_nothing_left()


def run_ended_by_the_user():
    """SIGINT at the initiator ends the run in order: 130 there, 0 at the others, statistics everywhere"""
    for args in ((), ("--validate-writes",)):
        with Files() as files, Pipeline(*DEBUG, *args, "--stats-json", files.path("stats"), operations=FOREVER,
                                        threads=2) as pipeline:
            pipeline.initiator.wait_for("Phase: run")
            time.sleep(0.3)
            pipeline.initiator.signal(signal.SIGINT)
            pipeline.initiator.expect_status(USER_ABORT, TIMEOUT)
            pipeline.bridge.expect_status(0, TIMEOUT)
            pipeline.target.expect_status(0, TIMEOUT)
            pipeline.initiator.expect_text("| Operation count: ")
            stats = files.read_json("stats")
            expect_equal((stats["outcome"], stats["error"]), ("aborted", "User requested abort"), "statistics")
            if stats["operations"] == 0:
                raise Failure("no operation was counted")
            expect_nothing_left()


def run_ended_at_the_others():
    """SIGINT at bridge or target during the run: all three end with 1, and the others hear why"""
    for name in ("bridge", "target"):
        with verbose_pipeline() as pipeline:
            pipeline.initiator.wait_for("Phase: run")
            getattr(pipeline, name).signal(signal.SIGINT)
            for program in pipeline.all:
                expect_failure(program, "User requested abort")
            expect_nothing_left()


def read_ended_by_the_user():
    """a read that is ended early does not touch its data file"""
    with Files() as files:
        files.write("data", b"old")
        with Pipeline(*DEBUG, "--data-file", files.path("data"), operation="read", operations=FOREVER) as pipeline:
            pipeline.initiator.wait_for("Phase: run")
            pipeline.initiator.signal(signal.SIGINT)
            pipeline.initiator.expect_status(USER_ABORT, TIMEOUT)
        expect_equal(files.read("data"), b"old", "data file")


def bridge_that_never_answers():
    """a bridge that is stopped from the start: the initiator gives up after its time-out"""
    port = free_port()
    with target(port=port) as storage, bridge(port=port) as middle:
        middle.wait_for("waiting for an initiator")
        storage.wait_for("Listening")
        storage.signal(signal.SIGSTOP)
        with initiator(timeout=1) as first:
            expect_failure(first, "Timed out waiting on response of the bridge", 4)
        expect_failure(middle, "The initiator", 3)
        storage.signal(signal.SIGCONT)
        expect_failure(storage, "", 3)


def run_that_gets_stuck():
    """no completion within the time-out ends the run"""
    with Pipeline(*DEBUG, operations=FOREVER) as pipeline:
        pipeline.initiator.wait_for("Phase: run")
        pipeline.target.signal(signal.SIGSTOP)
        expect_failure(pipeline.initiator, f"No operation completed within {TIMEOUT} seconds")
        pipeline.target.signal(signal.SIGCONT)
        expect_failure(pipeline.bridge, "")
        expect_failure(pipeline.target, "")
        expect_nothing_left()


def target_of_a_strange_bridge():
    """the target answers unexpected, malformed and oversized messages with an error, or ends on them"""
    for data, number, text in ((message(START_STORAGE, 5), 5, "Expected configure_data_path"),
                               (configure(6, 64, BLOCK, 32, b"no export at all"), 6, "Cannot import"),
                               (response(7, 9, b"I am ill"), None, "The bridge reports: I am ill"),
                               (message(99, 8), 0, "unknown type"),
                               (b"\xff\xff" + bytes(10), 0, "Malformed"),
                               (message(CONFIGURE, 9, bytes(12) + b"\xff\xff\xff\xff"), 0, "inner length")):
        port = free_port()
        with target(port=port) as storage:
            storage.wait_for("Listening")
            with Peer.connect(port) as peer:
                peer.send(data)
                if number is not None:
                    peer.expect_error(number, text)
            expect_failure(storage, text)
    expect_nothing_left()


def target_of_a_silent_end():
    """the target notices the end of the connection, in the middle of a message too"""
    for data in (b"", b"\x00", message(START_STORAGE, 1)[:5]):
        port = free_port()
        with target(port=port) as storage:
            storage.wait_for("Listening")
            with Peer.connect(port) as peer:
                peer.send(data)
            expect_failure(storage, "The bridge has gone", 3)


def bridge_of_a_strange_target():
    """a target that answers wrongly: the bridge ends, and the initiator hears why"""
    def wrong_id(peer, number):
        peer.send(response(number + 1))

    def wrong_type(peer, number):
        peer.send(create_request(number, ROLE_CTRL, b"x"))

    def failure(peer, number):
        peer.send(response(number, 27, b"no room for you"))

    def wrong_role(peer, number):
        peer.send(response(number))
        _, number, payload = peer.receive()
        peer.send(message(3, number, bytes([ROLE_DATA]) + payload[1:]))

    def nonsense(peer, number):
        peer.send(b"nonsense")

    for answer, text in ((wrong_id, "answered request"), (wrong_type, "Expected response from the target"),
                         (failure, "no room for you"), (wrong_role, "connection"), (nonsense, "Malformed")):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            listener.settimeout(10)
            with bridge(port=listener.getsockname()[1]) as middle, initiator() as first:
                with Peer(listener.accept()[0]) as peer:
                    kind, number, _ = peer.receive()
                    expect_equal((kind, number), (CONFIGURE, 1), "first message")
                    answer(peer, number)
                    expect_failure(middle, text)
                    expect_failure(first, text)
    expect_nothing_left()


def bridge_whose_target_is_slow():
    """a target that does not answer: the bridge gives up after its time-out and tells the initiator"""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        with bridge(port=listener.getsockname()[1]) as middle, initiator(timeout=20) as first:
            expect_failure(middle, "Timed out waiting on response of the target")
            expect_failure(first, "Timed out waiting on response of the target")


def strange_run(way, **more):
    port = free_port()
    return (target(port=port), bridge(port=port),
            Program(os.path.join(BUILD, "tests", "storage", "strange_initiator"), *initiator_command(**more)[1:],
                    env={"STRANGE": way}))


def operations_that_fail():
    """addresses outside the region and unknown types: the operation fails, the session ends in order"""
    for way in ("before", "beyond", "wraps", "size", "type"):
        storage, middle, first = strange_run(way)
        with storage, middle, first:
            expect_failure(first, "An operation on buffer 0 of thread 0 failed: DOCA_ERROR_INVALID_VALUE")
            middle.expect_status(0)
            storage.expect_status(0)
    expect_nothing_left()


def memory_that_is_gone():
    """a transfer that fails: the initiator hears of it, and all three end with 1"""
    for operation in ("write", "read"):
        storage, middle, first = strange_run("memory", operation=operation)
        with storage, middle, first:
            expect_failure(first, "failed: DOCA_ERROR_IO_FAILED")
            expect_failure(middle, "")
            expect_failure(storage, "Data path thread 0")
    expect_nothing_left()


def stop_in_the_middle():
    """a stop message that the initiator does not know of ends all three"""
    storage, middle, first = strange_run("stop")
    with storage, middle, first:
        expect_failure(first, "")
        expect_failure(middle, "")
        expect_failure(storage, "")
    expect_nothing_left()


def validation_that_fails():
    """storage that changes under a validated write: 1 at the initiator, which says where; 0 at the others"""
    with Files() as files:
        storage = files.write("storage", bytes(64 * BLOCK))
        with Pipeline(*DEBUG, "--validate-writes", operations=FOREVER,
                      target_args=("--storage-file", storage)) as pipeline:
            pipeline.initiator.wait_for("Phase: run")
            deadline = time.monotonic() + 20 * SCALE
            with open(storage, "r+b") as file:
                while pipeline.initiator.poll() is None and time.monotonic() < deadline:
                    file.seek(0)
                    file.write(b"\0" * BLOCK * 64)
                    file.flush()
            expect_failure(pipeline.initiator, "Validation failed: buffer ")
            pipeline.bridge.expect_status(0)
            pipeline.target.expect_status(0)
            pipeline.initiator.expect_text("| Operation count: ")


def after_all_that():
    """a run after all these failures succeeds"""
    transfer("--validate-writes")


main(target_killed, bridge_killed, initiator_killed, killed_while_another_is_stopped, two_killed, killed_at_random,
     stopped_for_a_second, thread_counts_that_differ, wrong_channel_name, second_initiator, second_bridge,
     bridge_without_target, waiting_ended_by_the_user, run_ended_by_the_user, run_ended_at_the_others,
     read_ended_by_the_user, bridge_that_never_answers, run_that_gets_stuck, target_of_a_strange_bridge,
     target_of_a_silent_end, bridge_of_a_strange_target, bridge_whose_target_is_slow, operations_that_fail,
     memory_that_is_gone, stop_in_the_middle, validation_that_fails, after_all_that)
