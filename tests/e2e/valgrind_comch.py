#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A Comch pair under valgrind: no error, nothing definitely lost, on either side, in every mode."""
import os
import shutil

from harness import BUILD, SCALE, Failure, Program, Skip, main

PEER = os.path.join(BUILD, "tests", "e2e", "peer", "comch_peer")
ROUNDS = 24
SECONDS = 120
VALGRIND = ("valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=definite",
            "--errors-for-leak-kinds=definite", "--fair-sched=yes")


def valgrind(*words, env):
    return Program(*VALGRIND, PEER, *words, f"alarm={SECONDS * SCALE}", env=env)


def run_pair(mode, *words, env=None):
    if shutil.which("valgrind") is None:
        raise Skip("valgrind is not installed")
    with valgrind(f"{mode}-server", *words, env=env) as server:
        server.wait_for("listening", seconds=SECONDS)
        with valgrind(f"{mode}-client", *words, env=env) as client:
            for program in (client, server):
                program.expect_status(0, seconds=SECONDS)
                if "==" in program.output:  # valgrind's own lines
                    raise Failure(program.output)


def polling():
    """both poll, private memory"""
    run_pair("pair", f"rounds={ROUNDS}")


def asleep_shared():
    """both sleep in between, shared memory"""
    run_pair("pair", f"rounds={ROUNDS}", "asleep", "shared")


def windows():
    """private memory, reached through its owner's descriptor, and by its owner's agent"""
    for kind in ("handed", "served"):
        run_pair("pair", f"rounds={ROUNDS // 2}", env={"SOFTDPU_WINDOW": kind})


def ping():
    """short messages to and fro"""
    run_pair("ping", f"rounds={ROUNDS * 10}")


main(polling, asleep_shared, windows, ping)
