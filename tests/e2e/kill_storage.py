#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Target, bridge and initiator, of which one or two are killed, or one is stopped, at a random moment.

    kill_storage.py [ROUNDS] [--seed N] [--workers N] [--only VARIANT[/NUMBER]]
The moment is a little after a random one of them has entered a random phase of its life. Those who survive must end
by themselves within the control time-out: with status 1 and a sentence; with 0 only when their part was done. One
that still waits for a peer to come for the first time may wait on: it is then ended as a user would do it.
"""
import contextlib
import os
import select
import signal
import time

from chaos import RuntimeDirectory, options, run_rounds
from harness import BUILD, SCALE, Failure, Program, main
from storage_kit import bridge, free_port, initiator_command, story, target

ORPHAN = os.path.join(BUILD, "tests", "e2e", "peer", "liborphan.so")
CONTROL_TIMEOUT = 5  # storage_kit gives it to all three
WITHIN = CONTROL_TIMEOUT + 2
DONE, FAILED, ABORTED = 0, 1, 130
OPERATIONS = 10000
PHASES = {
    "target": ("open device", "wait for the bridge", "configure", "connect the threads", "start the threads", "run",
               "destroy", "write the storage file back"),
    "bridge": ("open device", "connect to the target", "wait for the initiator", "configure", "connect the threads",
               "start the threads", "run", "destroy"),
    "initiator": ("open data file", "connect to the bridge", "configure", "connect the threads", "verify",
                  "start the threads", "run", "stop the threads", "disconnect", "destroy", "save the data file"),
}
ROLES = tuple(PHASES)
WAITING = {"target": ("wait for the bridge", "configure the data path"), "bridge": ("connect to the target", "wait for the initiator")}
WINDOWS = ("", "mapped", "cross", "handed", "served")


def phase_of(program):
    phases = [line.partition("Phase: ")[2] for line in program.lines if "Phase: " in line]
    return phases[-1] if phases else "start"


class Pipeline:
    """All three in a directory, with random options; leaves the block with none of them alive."""

    def __init__(self, rng, directory, orphan=False):
        self.directory = directory
        threads = rng.choice((1, 2))
        window = rng.choice(WINDOWS)
        env = {**directory.env, **({"SOFTDPU_WINDOW": window} if window else {}),
               **({"LD_PRELOAD": ORPHAN} if orphan else {})}
        more = {"env": env, "held": True}
        debug = ("--log-level", "60")
        storage = rng.choice(((), ("--storage-file", directory.path + ".data")))
        work = rng.choice((("--validate-writes",), ("--io-memory", "shared"), ()))
        operation = "write" if "--validate-writes" in work else rng.choice(("read", "write"))
        self.options = f"{threads} threads, {operation}, {' '.join(work + storage)} {window}"
        port = free_port()
        self.programs = {}
        with contextlib.ExitStack() as stack:
            def start(role, program):
                self.programs[role] = stack.enter_context(program)
            start("target", target(*debug, *storage, port=port, threads=threads, **more))
            start("bridge", bridge(*debug, port=port, threads=threads, **more))
            start("initiator", Program(*initiator_command(*debug, *work, operation=operation, threads=threads,
                                                          operations=OPERATIONS), **more))
            stack.callback(lambda: os.path.exists(directory.path + ".data") and os.unlink(directory.path + ".data"))
            self.stack = stack.pop_all()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.stack.__exit__(kind, value, trace)

    def expect(self, condition, text):
        if not condition:
            raise Failure(f"{text} ({self.options})\n{story(self.programs.values())}")

    def wait_for_moment(self, rng):
        """A random one enters a random phase, or ends before; a little later. Returns which."""
        role = rng.choice(ROLES)
        phase = rng.choice(PHASES[role])
        with contextlib.suppress(Failure):
            self.programs[role].wait_for(f"Phase: {phase}", seconds=5)
        time.sleep(rng.random() * (0.05 if phase == "run" else 0.003))
        return role, phase

    def wait_ends(self, roles, seconds, patient=False):
        """Wait that long for them to end, or (unless patient) until those that are left may wait for ever. Returns
        when each one ended, on the monotonic clock."""
        ends = {}
        files = {os.pidfd_open(self.programs[role].pid): role for role in roles if self.programs[role].poll() is None}
        deadline = time.monotonic() + seconds * SCALE
        poller = select.poll()
        for file in files:
            poller.register(file, select.POLLIN)
        while len(ends) < len(files) and time.monotonic() < deadline:
            for file, _ in poller.poll(20):
                ends[files[file]] = time.monotonic()
                poller.unregister(file)
            if not patient and all(role in ends or self.may_wait(role) for role in files.values()):
                break
        for file in files:
            os.close(file)
        return ends

    def may_wait(self, role):
        """It waits for a peer that has never come, which has no limit."""
        return self.programs[role].poll() is None and any(
            phase_of(self.programs[role]).startswith(phase) for phase in WAITING.get(role, ()))

    def end_waiting(self, survivors, deadline):
        """As the user would, until all have ended: one that has just heard from its peers may come to wait only now.
        The bridge first: the target may be waiting for what it says."""
        waiters = [role for role in ("bridge", "target") if role in survivors]
        while True:
            self.wait_ends(survivors, 0.3, patient=True)
            for role in filter(self.may_wait, list(waiters)):
                waiters.remove(role)
                self.programs[role].signal(signal.SIGINT)
                self.wait_ends(survivors, 1, patient=True)
            if time.monotonic() > deadline or all(self.programs[role].poll() is not None for role in survivors):
                return

    def judge(self, role):
        program = self.programs[role]
        self.expect(program.poll() is not None, f"the {role} has not ended")
        program.expect_status(program.poll())
        status = program.poll()
        self.expect(status in (DONE, FAILED, ABORTED), f"the {role} ended with status {status}")
        if status == DONE:
            self.expect("| Stats" in program.output, f"the {role} ended with status 0 before its part was done")
        else:
            word = "EXCEPTION: " if status == FAILED else "Ended early: "
            sentences = [line for line in program.lines if line.startswith(word)]
            self.expect(len(sentences) == 1 and len(sentences[0]) > len(word),
                        f"the {role} said {sentences} about its end")


def kill(pipeline, victims, orphan):
    """Returns those that were alive to be killed."""
    if orphan:
        for role in victims:
            pipeline.programs[role].signal(signal.SIGUSR1)
        time.sleep(0.01)
    alive = [role for role in victims if pipeline.programs[role].poll() is None]
    for role in alive:
        pipeline.programs[role].signal(signal.SIGKILL)
    pipeline.wait_ends(alive, WITHIN, patient=True)
    return alive


def touch(pipeline):
    """The next start of any program, which a user ends."""
    with bridge(port=free_port(), env=pipeline.directory.env) as program:
        program.wait_for("configuration")
        time.sleep(0.05)
        program.signal(signal.SIGINT)
        program.wait_status()


def kill_some(rng, number, orphan=False):
    with RuntimeDirectory() as directory, Pipeline(rng, directory, orphan) as pipeline:
        victims = rng.sample(ROLES, number)
        survivors = [role for role in ROLES if role not in victims]
        role, phase = pipeline.wait_for_moment(rng)
        killed = kill(pipeline, victims, orphan)
        killed_at = time.monotonic()
        ends = pipeline.wait_ends(survivors, WITHIN)
        pipeline.end_waiting(survivors, killed_at + WITHIN * SCALE)
        for survivor in survivors:
            pipeline.judge(survivor)
        # Those who were ending when the last victim died cannot know.
        if directory.left() and max(ends.values(), default=0) < killed_at + 0.1:
            touch(pipeline)
        pipeline.expect(not directory.left(), f"left in the runtime directory: {directory.left()}")
        delays = [end - killed_at for end in ends.values()] if killed else []
        return f"in {role}'s \"{phase}\"" if killed else "none", delays


def stop_one(rng):
    with RuntimeDirectory() as directory, Pipeline(rng, directory) as pipeline:
        victim = rng.choice(ROLES)
        role, phase = pipeline.wait_for_moment(rng)
        alive = pipeline.programs[victim].poll() is None
        pipeline.programs[victim].signal(signal.SIGSTOP)
        if alive:
            time.sleep(1)
        pipeline.programs[victim].signal(signal.SIGCONT)
        pipeline.wait_ends(ROLES, 20, patient=True)
        for name in ROLES:
            status = pipeline.programs[name].poll()
            pipeline.expect(status == DONE, f"the {name} ended with status {status}, when the {victim} had been stopped")
        pipeline.expect(not directory.left(), f"left in the runtime directory: {directory.left()}")
        return f"in {role}'s \"{phase}\"" if alive else "none", []


def variants(args):
    """Each with its share of the rounds."""
    def variant(name, share, says, one_round):
        def case():
            return run_rounds(args, name, max(1, round(args.rounds * share)), one_round)
        case.__doc__ = says
        return case

    cases = [variant("one", 0.5, "one of the three is killed", lambda rng: kill_some(rng, 1)),
             variant("two", 0.2, "two of the three are killed at once", lambda rng: kill_some(rng, 2)),
             variant("stop", 0.1, "one is stopped for a second, and all go on to the end", stop_one)]
    if os.path.exists(ORPHAN):
        cases.append(variant("child", 0.2, "the victim has a child that holds what it inherited",
                             lambda rng: kill_some(rng, 1, orphan=True)))
    return cases


if __name__ == "__main__":
    arguments = options(__doc__.splitlines()[0], 30)
    print(f"# seed {arguments.seed}")
    main(*variants(arguments))
