#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The samples as a user runs them; those of Comch with a peer: server first, then client."""
import os

from harness import Failure, Program, main, sample

CTRL = ("doca_comch_ctrl_path_server", "doca_comch_ctrl_path_client")
DATA = ("doca_comch_data_path_high_speed_server", "doca_comch_data_path_high_speed_client")
KERNEL_LAUNCH = "doca_dpa_kernel_launch"
PING_PONG = "doca_comch_msgq_ping_pong"
DEFAULT_TEXTS = ("Message from the server", "Message from the client")
LONG_TEXT = "0123456789" * 407 + "012345678"  # 4079 bytes: the longest


def run_pair(pair, texts, server_args=(), client_args=()):
    """Each side must say what the other one sends."""
    with Program(sample(pair[0]), *server_args) as server:
        server.wait_for("waits for a client")
        with Program(sample(pair[1]), *client_args) as client:
            client.expect_status(0)
            server.expect_status(0)
            client.expect_text(f": {texts[0]}\n")
            server.expect_text(f": {texts[1]}\n")


def own_texts(pair, server_text, client_text):
    run_pair(pair, (server_text, client_text), ("-t", server_text), ("--text", client_text))


def ctrl_default():
    """control path: default texts are seen on both sides"""
    run_pair(CTRL, DEFAULT_TEXTS)


def ctrl_own_text():
    """control path: own texts, with spaces and multi-byte characters"""
    own_texts(CTRL, "Grüße von der DPU", "two  spaces, and a 'quote'")


def ctrl_longest_text():
    """control path: the longest text arrives whole"""
    own_texts(CTRL, LONG_TEXT, LONG_TEXT[::-1])


def ctrl_other_devices():
    """control path: over other devices, by long options and long addresses"""
    run_pair(CTRL, DEFAULT_TEXTS, ("--pci-addr", "0000:03:00.1", "--rep-pci", "0000:3b:00.1"),
             ("--pci-addr", "0000:3b:00.1"))


def data_default():
    """fast path: default texts are seen on both sides"""
    run_pair(DATA, DEFAULT_TEXTS)


def data_own_text():
    """fast path: own texts, one byte and the longest"""
    own_texts(DATA, "x", LONG_TEXT)


def data_repeats():
    """fast path: ten pairs one after the other"""
    for number in range(10):
        own_texts(DATA, f"server {number}", f"client {number}")


def expect_lines(name, args, *lines):
    with Program(sample(name), *args) as program:
        program.expect_status(0)
        for line in lines:
            program.expect_text(line)


def kernel_launch():
    """kernel launch: on few and on many threads, and on each side's devices"""
    expect_lines(KERNEL_LAUNCH, (), "Thread 7 of 8: 289", "8 numbers from 10: their sum is 1500")
    expect_lines(KERNEL_LAUNCH, ("-n", "1"), "Thread 0 of 1: 100", "1 numbers from 10: their sum is 100")
    expect_lines(KERNEL_LAUNCH, ("-n", "128", "-p", "3b:00.0"), "Thread 127 of 128: 18769", "their sum is 866240")


def ping_pong():
    """MsgQ: a ball goes to the DPA and comes back, once and ten thousand times"""
    expect_lines(PING_PONG, (), "came back 100 times, with 200 hits")
    expect_lines(PING_PONG, ("-n", "1"), "came back 1 times, with 2 hits", "was woken 1 times")
    expect_lines(PING_PONG, ("-n", "10000", "-p", "b1:00.0"), "came back 10000 times, with 20000 hits")


def no_dpa():
    """DPA samples say so where a device has none"""
    topology = os.path.join(os.environ["SOFTDPU_RUNTIME_DIR"], "..", f"no-dpa.{os.getpid()}.json")
    with open(topology, "w", encoding="utf-8") as file:
        file.write('{"limits": {"dpa_cores": 0}}')
    try:
        with Program(sample(KERNEL_LAUNCH), env={"SOFTDPU_TOPOLOGY": topology}) as program:
            program.expect_status(1)
            program.expect_text("03:00.0 has no DPA")
    finally:
        os.unlink(topology)


def client_alone():
    """a client without a server says so, with status 1"""
    for name in (CTRL[1], DATA[1]):
        with Program(sample(name)) as client:
            client.expect_status(1)
            client.expect_text("is it running")


def wrong_function():
    """a client on another function than the one served does not get in"""
    with Program(sample(CTRL[0])) as server:
        server.wait_for("waits for a client")
        with Program(sample(CTRL[1]), "-p", "3b:00.0") as client:
            client.expect_status(1)


def expect_refusal(name, args, reason):
    with Program(sample(name), *args) as program:
        program.expect_status(1)
        program.expect_text(reason)


def bad_arguments():
    """bad arguments are refused with a reason"""
    for args, reason in ((("-p", "99:00.0"), "99:00.0"), (("-t", ""), "empty"), (("-t", LONG_TEXT + "x"), "too long"),
                         (("-p", "0000:03:00.00"), "too long"), (("--nonsense",), "nonsense")):
        expect_refusal(CTRL[0], args, reason)
    for args, reason in ((("-p", "99:00.0"), "99:00.0"), (("-n", "0"), "at least 1"), (("-n", "129"), "128 at most"),
                         (("-t", "text"), "-t")):
        expect_refusal(KERNEL_LAUNCH, args, reason)


def help_text():
    """-h names the options with their defaults, with status 0"""
    for name in CTRL + DATA:
        with Program(sample(name), "-h") as program:
            program.expect_status(0)
            program.expect_text("(default 03:00.0)" if name.endswith("server") else "(default b1:00.0)")
            for option in ("-p, --pci-addr", "-t, --text"):
                program.expect_text(option)
            if name.endswith("server"):
                program.expect_text("-r, --rep-pci")
    for name in (KERNEL_LAUNCH, PING_PONG):
        with Program(sample(name), "-h") as program:
            program.expect_status(0)
            program.expect_text("-n, --number")
            program.expect_text("(default 03:00.0)")


def nothing_left():
    """what killed samples left behind is gone after the next start"""
    with Program(sample(CTRL[0])) as server:
        server.wait_for("waits for a client")
    run_pair(CTRL, DEFAULT_TEXTS)
    left = os.listdir(os.environ["SOFTDPU_RUNTIME_DIR"])
    if left:
        raise Failure(f"left in the runtime directory: {left}")


main(ctrl_default, ctrl_own_text, ctrl_longest_text, ctrl_other_devices, data_default, data_own_text, data_repeats,
     kernel_launch, ping_pong, no_dpa, client_alone, wrong_function, bad_arguments, help_text, nothing_left)
