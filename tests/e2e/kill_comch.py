#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A Comch server and a client, of which one, or both, are killed or stopped at a random moment.

    kill_comch.py [ROUNDS] [--seed N] [--workers N] [--only VARIANT[/NUMBER]]
The victim kills itself by a timer of the kernel, set when it enters a phase (peer/pair.c), so that moments are as
fine as the clock; both at once are killed from here. Whoever survives must notice, end by itself with the status
that says so, hold no more than before, and leave nothing in the runtime directory.
"""
import contextlib
import os
import re
import signal
import time

from chaos import RuntimeDirectory, options, run_rounds
from harness import BUILD, SCALE, Failure, Program, main

PEER = os.path.join(BUILD, "tests", "e2e", "peer", "comch_peer")
DONE, LOST, REFUSED = 0, 3, 4
PHASES = ("connect", "register", "traffic", "teardown")
ROLES = ("server", "client")
MODES = [[word for word in mode if word] for mode in
         (("", ""), ("shared", ""), ("asleep", ""), ("asleep", "shared"))]
WINDOWS = ("", "cross", "handed", "served")  # kinds of memory window, "" for the best one
MESSAGES = 100
NS = 1e9


def said(program, pattern):
    """The numbers that follow a word in what the program said."""
    return [int(number) for number in re.findall(rf"^{pattern} (\d+)$", program.output, re.M)]


def phase_of(program):
    """The last phase that it entered."""
    phases = re.findall(r"^phase (\w+)", program.output, re.M)
    return phases[-1] if phases else "connect"


class Pair:
    """A server and a client in a directory; leaves the block with none of them alive."""

    def __init__(self, directory, mode, server=(), client=(), window=""):
        self.directory = directory
        self.mode = mode
        self.env = {**directory.env, "SOFTDPU_WINDOW": window} if window else directory.env
        self.programs = {"server": self.start("server", server)}
        self.programs["server"].wait_for("listening")
        self.programs["client"] = self.start("client", client)

    def start(self, role, mischief=()):
        return Program(PEER, f"pair-{role}", f"rounds={MESSAGES}", f"alarm={30 * SCALE}", *self.mode, *mischief,
                       env=self.env, held=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        for program in self.programs.values():
            program.__exit__(kind, value, trace)

    def status(self, role):
        """Of a program that ends by itself."""
        try:
            return self.programs[role].wait_status()
        except Failure:
            return self.expect(False, f"the {role} has not ended")

    def story(self):
        return "\n".join(f"--- {role}, status {program.poll()}\n{program.output}"
                         for role, program in self.programs.items())

    def expect(self, condition, text):
        if not condition:
            raise Failure(f"{text} (mode: {' '.join(self.mode) or 'plain'} {self.env.get('SOFTDPU_WINDOW', '')})\n{self.story()}")


def measure_phases():
    """How long each role is in each phase, at most, in each mode: the span of random moments."""
    spans = {}
    for mode in MODES:
        with RuntimeDirectory() as directory, Pair(directory, mode) as pair:
            for role in ("client", "server"):
                pair.programs[role].expect_status(DONE)
            for role, program in pair.programs.items():
                starts = [said(program, f"phase {phase}")[0] for phase in PHASES + ("end",)]
                for phase, begin, end in zip(PHASES, starts, starts[1:]):
                    spans[role, phase, *mode] = end - begin
            spans["pair", *mode] = starts[-1] - said(pair.programs["client"], "phase connect")[0]
    return spans


def mischief(rng, spans, role, phase, mode, number):
    after = rng.randrange(int(spans[role, phase, *mode] * 1.1))
    return [f"phase={phase}", f"signal={int(number)}", f"after={after}"]


def replace_client(pair):
    """The client died before it was connected, so nobody has lost anything: the server goes on, and serves another."""
    server = pair.programs["server"]
    deadline = time.monotonic() + 0.2 * SCALE
    while server.poll() is None and "phase register" not in server.output and time.monotonic() < deadline:
        time.sleep(0.005)
    if server.poll() is not None or "phase register" in server.output:
        return
    pair.programs["another client"] = pair.start("client")
    status = pair.status("another client")
    pair.expect(status in (DONE, LOST, REFUSED), f"the client after a killed one ended with status {status}")
    pair.expect((status == DONE) == (pair.status("server") == DONE), "a client was served, or not, on one side only")


def judge_survivor(pair, role, victim_phase):
    """Its status must fit the phase in which the other one died."""
    status = pair.status(role)
    if "another client" in pair.programs:
        return
    right = {"connect": (LOST, REFUSED), "register": (LOST, REFUSED), "traffic": (LOST,),
             "teardown": (LOST, DONE), "end": (DONE,)}[victim_phase]
    pair.expect(status in right, f"the {role} ended with status {status}, not one of {right}, when the other side died in "
                                 f"phase {victim_phase}")


def leave_empty(pair, survivor):
    """Who noticed a death leaves nothing of the dead; who had done all before it cannot know, but the next one does."""
    if pair.status(survivor) == DONE:
        touch(pair.directory)
    left = pair.directory.left()
    pair.expect(not left, f"left in the runtime directory by the survivor: {left}")


def touch(directory):
    """The next start of any program."""
    with Program(PEER, "touch", env=directory.env) as program:
        program.expect_status(DONE)


def kill_one(spans, rng, phases=PHASES, child=None):
    mode = rng.choice(MODES)
    role, phase = rng.choice(ROLES), rng.choice(phases)
    survivor = ROLES[1 - ROLES.index(role)]
    words = mischief(rng, spans, role, phase, mode, signal.SIGKILL) + ([child] if child else [])
    with RuntimeDirectory() as directory, Pair(directory, mode, **{role: words}, window=rng.choice(WINDOWS)) as pair:
        victim = pair.programs[role]
        status = pair.status(role)
        if status == DONE:  # the moment was after the end
            judge_survivor(pair, survivor, "end")
            hit, delays = "none", []
        else:
            pair.expect(status == -signal.SIGKILL, f"the victim ended with status {status}")
            if survivor == "server":
                replace_client(pair)
            leave_empty(pair, survivor)
            victim.end_input()
            victim.expect_status(status)
            hit = phase_of(victim)
            judge_survivor(pair, survivor, hit)
            lost = said(pair.programs[survivor], "lost")
            delays = [(lost[0] - said(victim, "due")[0]) / NS] if lost else []
        directory.expect_empty("in the end")
        return f"in {hit}", delays


def kill_both(spans, rng):
    mode = rng.choice(MODES)
    with RuntimeDirectory() as directory, Pair(directory, mode, window=rng.choice(WINDOWS)) as pair:
        time.sleep(rng.random() * 1.1 * spans["pair", *mode] / NS)
        for role in rng.sample(ROLES, 2):
            pair.programs[role].signal(signal.SIGKILL)
        for role, program in pair.programs.items():
            status = pair.status(role)
            pair.expect(status in (-signal.SIGKILL, DONE, LOST, REFUSED), f"the {role} ended with status {status}")
            program.expect_status(status)
        hit = phase_of(pair.programs["client"])
        touch(directory)
        directory.expect_empty("after the next start")
        return f"in {hit}", []


def stop_one(spans, rng):
    mode = rng.choice(MODES)
    role, phase = rng.choice(ROLES), rng.choice(PHASES)
    words = mischief(rng, spans, role, phase, mode, signal.SIGSTOP)
    with RuntimeDirectory() as directory, Pair(directory, mode, **{role: words}, window=rng.choice(WINDOWS)) as pair:
        victim = pair.programs[role]
        how = os.waitid(os.P_PID, victim.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        stopped = how.si_code == os.CLD_STOPPED
        if stopped:
            time.sleep(1)
            victim.signal(signal.SIGCONT)
        for name in ROLES:
            status = pair.status(name)
            pair.expect(status == DONE, f"the {name} ended with status {status}, after the {role} had been stopped")
        directory.expect_empty("in the end")
        return f"in {phase}" if stopped else "none", []


def disturb_neighbour(rng, stop):
    """Clients of one process are answered, whatever becomes of those of another on the same server."""
    mode = rng.choice(((), ("asleep",)))
    with RuntimeDirectory() as directory, contextlib.ExitStack() as stack:
        def start(*words):
            return stack.enter_context(Program(PEER, *words, *mode, f"alarm={30 * SCALE}", env=directory.env, held=True))

        server = start("serve")
        server.wait_for("listening")
        # The server may leave when those have left who are the last to do so.
        victim = start("crowd", "clients=4", "messages=2000", *(["leave"] if stop else []))
        other = start("crowd", "clients=4", "messages=500", *([] if stop else ["leave"]))
        time.sleep(rng.random() * 0.05)
        victim.signal(signal.SIGSTOP if stop else signal.SIGKILL)
        other.wait_for("up")
        other.end_input()
        other.expect_status(DONE)
        other.expect_text("refused 0")
        if stop:
            victim.signal(signal.SIGCONT)
        victim.end_input()
        victim.expect_status(DONE if stop else -signal.SIGKILL)
        server.expect_status(DONE)
        directory.expect_empty("in the end")
        return "with " + ("sleep" if mode else "polling"), []


def variants(args):
    """Each with its share of the rounds."""
    spans = measure_phases()

    def variant(name, share, says, one_round):
        def case():
            return run_rounds(args, name, max(1, round(args.rounds * share)), one_round)
        case.__doc__ = says
        return case

    return (variant("one", 0.4, "one of the two is killed", lambda rng: kill_one(spans, rng)),
            variant("connect", 0.15, "one is killed while they connect",
                    lambda rng: kill_one(spans, rng, phases=("connect",))),
            variant("child", 0.2, "the victim has a child that holds what it inherited",
                    lambda rng: kill_one(spans, rng, child=rng.choice(("child", "rawchild")))),
            variant("both", 0.15, "both are killed at once", lambda rng: kill_both(spans, rng)),
            variant("stop", 0.1, "one is stopped for a second, and both go on to the end",
                    lambda rng: stop_one(spans, rng)),
            variant("neighbour killed", 0.05, "the clients of one process are killed, the others are answered",
                    lambda rng: disturb_neighbour(rng, False)),
            variant("neighbour stopped", 0.05, "the clients of one process are stopped, the others are answered",
                    lambda rng: disturb_neighbour(rng, True)))


if __name__ == "__main__":
    arguments = options(__doc__.splitlines()[0], 40)
    print(f"# seed {arguments.seed}")
    main(*variants(arguments))
