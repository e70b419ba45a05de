#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""As many clients as a server takes, with 1024 descriptors for each process."""
import contextlib
import os
import re

from harness import BUILD, SCALE, Program, main

PEER = os.path.join(BUILD, "tests", "e2e", "peer", "comch_peer")
CLIENTS = 512
REFUSED = 4
ALARM = f"alarm={60 * SCALE}"


def peer(*words):
    """As after `ulimit -n 1024`."""
    return Program("/bin/sh", "-c", 'ulimit -n 1024 && exec "$@"', "sh", PEER, *words, ALARM, held=True)


def number_after(word, program):
    return int(re.search(rf"^{word} (\d+)$", program.output, re.M).group(1))


def leave_in_order(clients, server):
    for client in clients:
        client.end_input()
    for client in clients:
        client.expect_status(0)
    server.expect_status(0)


def expect_refusal():
    """One client more does not get in, and hears of it at once."""
    with peer("crowd", "clients=1") as late:
        late.expect_status(REFUSED)


def crowd(processes, *words):
    """All of them up, so many processes with as many clients each."""
    each = CLIENTS // processes
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(peer("serve", *words))
        server.wait_for("listening")
        clients = [stack.enter_context(peer("crowd", f"clients={each}", "messages=20", "leave", "asleep"))
                   for _ in range(processes)]
        for client in clients:
            client.wait_for("up", seconds=60)
            client.expect_text("refused 0")
        expect_refusal()
        leave_in_order(clients, server)


def one_process():
    """512 clients of one process get in and are answered, the 513th is refused"""
    crowd(1)


def many_processes():
    """64 processes with 8 clients each get in and are answered, the 513th client is refused"""
    crowd(64)


def many_processes_asleep():
    """the same, with a server that sleeps"""
    crowd(64, "asleep")


def one_active():
    """one client is answered as before when 511 silent ones are beside it"""
    times = []
    for clients in (1, CLIENTS):
        with peer("serve") as server:
            server.wait_for("listening")
            # The first of many, while the silent ones go cold, are dearer: the mean is what counts.
            with peer("crowd", f"clients={clients}", "active=20000", "leave") as client:
                client.wait_for("up", seconds=60)
                times.append(number_after("active", client))
                leave_in_order([client], server)
    return f"{times[0] / 1000:.1f} us for an answer alone, {times[1] / 1000:.1f} us among {CLIENTS}"


main(one_process, many_processes, many_processes_asleep, one_active)
