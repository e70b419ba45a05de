#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Comch as the kernel sees it: which sockets it opens, and what a data path that polls asks of it."""
import collections
import os
import re
import shutil
import subprocess

from harness import BUILD, SCALE, Failure, Program, Skip, main

PEER = os.path.join(BUILD, "tests", "e2e", "peer", "comch_peer")
ROUNDS = 10000
# To give the processor away and to know the time are not part of moving data.
PERMITTED = {"sched_yield", "clock_gettime", "clock_nanosleep"}
# Of other threads, which sleep; one for each message would be thousands.
SETTLING = 10


def need_strace():
    if shutil.which("strace") is None:
        raise Skip("strace is not installed")
    if subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode != 0:
        raise Skip("ptrace is not permitted")


def trace_path(name):
    return os.path.join(os.environ["SOFTDPU_RUNTIME_DIR"], f"{name}.strace")


def take(name):
    """The lines of a trace, which goes."""
    with open(trace_path(name), encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    os.unlink(trace_path(name))
    return lines


def strace(name, *words, only=None):
    command = ["strace", "-f", "-o", trace_path(name)] + (["-e", f"trace={only}"] if only else [])
    return Program(*command, PEER, *words, f"alarm={60 * SCALE}")


def sockets_of(mode, *words):
    """What socket(2) and socketpair(2) were asked for, by both sides of a pair."""
    with strace("server", f"{mode}-server", *words, only="socket,socketpair") as server:
        server.wait_for("listening")
        with strace("client", f"{mode}-client", *words, only="socket,socketpair") as client:
            client.expect_status(0, seconds=60)
            server.expect_status(0)
    return re.findall(r"\bsocket(?:pair)?\((\w+)", "\n".join(take("server") + take("client")))


def unix_sockets_only():
    """a Comch pair opens no socket but Unix sockets"""
    need_strace()
    families = collections.Counter()
    for words in ((), ("shared",), ("asleep",)):
        families.update(sockets_of("pair", "rounds=50", *words))
    if not families or set(families) != {"AF_UNIX"}:
        raise Failure(f"sockets: {dict(families)}")
    return f"{families['AF_UNIX']} of them"


def calls_between(lines, begin, end):
    """System calls, of the thread that writes `begin` and of all others, from there to where `end` is written."""
    thread = None
    calls, others = collections.Counter(), collections.Counter()
    for line in lines:
        call = re.match(r"(\d+) +(?:<\.\.\. )?(\w+)", line)
        if f'"{begin}\\n"' in line:
            thread = call.group(1)
        elif f'"{end}\\n"' in line:
            return calls, others
        elif thread and call and "resumed>" not in line:
            (calls if call.group(1) == thread else others)[call.group(2)] += 1
    raise Failure(f"no call between {begin!r} and {end!r}")


def ping_calls(*words):
    with Program(PEER, "ping-server", *words, f"alarm={60 * SCALE}") as server:
        server.wait_for("listening")
        with strace("client", "ping-client", f"rounds={ROUNDS}", *words) as client:
            client.expect_status(0, seconds=60)
            server.expect_status(0)
    return calls_between(take("client"), "begin", "end")


def no_system_call():
    """10000 round trips of 64 bytes make no system call"""
    need_strace()
    figures = []
    for words in ((), ("shared",)):
        calls, others = ping_calls(*words)
        # Others may still be on their way to sleep, but are not woken by messages.
        if set(calls) - PERMITTED or sum(others.values()) > SETTLING:
            raise Failure(f"system calls on the data path ({' '.join(words) or 'private'} memory): {dict(calls)}; "
                          f"of other threads: {dict(others)}")
        figures.append(f"{sum(calls.values())} to yield ({' '.join(words) or 'private'} memory)")
    return ", ".join(figures)


main(unix_sockets_only, no_system_call)
