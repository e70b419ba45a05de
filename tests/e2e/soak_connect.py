#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A server that clients come to and leave, and a connection on which consumers and producers come and go: what the
processes hold does not grow.

    soak_connect.py [ROUNDS]
"""
import os
import re
import sys

from harness import BUILD, SCALE, Failure, Program, main

PEER = os.path.join(BUILD, "tests", "e2e", "peer", "comch_peer")
LOOKS = 10  # at what is held; the first one, when everything has been used once, is what the others may not exceed
NAMES = ("descriptors", "threads", "mappings")
RSS_SLACK = 256  # KiB: pages of the heap that a look touches or not


def holdings(program):
    """Each (descriptors, threads, mappings, KiB resident)."""
    return [tuple(map(int, look)) for look in re.findall(r"^holdings (\d+) (\d+) (\d+) (\d+)$", program.output, re.M)]


def expect_flat(who, looks):
    if len(looks) != LOOKS:
        raise Failure(f"the {who} told {len(looks)} times what it holds, not {LOOKS}")
    first, last = looks[0], looks[-1]
    for name, before, after in zip(NAMES, first, last):
        if before != after:
            raise Failure(f"{name} of the {who} went from {before} to {after}: {looks}")
    if last[3] > first[3] + RSS_SLACK:
        raise Failure(f"memory of the {who} went from {first[3]} to {last[3]} KiB: {looks}")
    return f"{who} {last[0]} descriptors, {last[1]} threads, {last[2]} mappings, {first[3]} -> {last[3]} KiB"


def cycle(mode, rounds, *words):
    """Run a client that does something many times over; both must end well. Returns both programs."""
    limit = f"alarm={(30 + rounds // 20) * SCALE}"
    with Program(PEER, "serve", limit, *words) as server:
        server.wait_for("listening")
        with Program(PEER, mode, f"rounds={rounds}", f"every={rounds // LOOKS}", limit, *words) as client:
            client.expect_status(0, seconds=40 + rounds // 20)
            server.expect_status(0)
            return server, client


def connects(rounds, *words):
    server, _ = cycle("cycle", rounds, *words)
    return f"{rounds} connections: {expect_flat('server', holdings(server))}"


def paths(rounds, *words):
    server, client = cycle("cycle-path", rounds, *words)
    return (f"{rounds} consumers and producers on each side: {expect_flat('server', holdings(server))}; "
            f"{expect_flat('client', holdings(client))}")


if __name__ == "__main__":
    ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 500

    def polling():
        """connections come and go, both sides polling"""
        return connects(ROUNDS)

    def asleep():
        """connections come and go, both sides asleep in between"""
        return connects(ROUNDS, "asleep")

    def paths_polling():
        """consumers and producers come and go on one connection"""
        return paths(max(LOOKS, ROUNDS // 5))

    def paths_asleep():
        """consumers and producers come and go on one connection, both sides asleep in between"""
        return paths(max(LOOKS, ROUNDS // 5), "asleep")

    main(polling, asleep, paths_polling, paths_asleep)
