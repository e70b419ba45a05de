#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""softdpu clean removes what the dead have left, and nothing else."""
import json
import os
import re
import select
import shutil
import signal
import sys
import tempfile
import threading

from command_kit import SOFTDPU, ask
from harness import SCALE, Program, main, sample

SERVER = sample("doca_comch_ctrl_path_server")
CLIENT = sample("doca_comch_ctrl_path_client")
RUNTIME_DIR = os.environ["SOFTDPU_RUNTIME_DIR"]
TOP = tempfile.mkdtemp(prefix="sdpu-clean.")
TEMPORARY = {"TMPDIR": TOP}  # runtime directories of groups are made there


def clean(*words, **options):
    return ask("clean", *words, env=TEMPORARY, **options)


def files(path=RUNTIME_DIR):
    """Names, inodes and contents of all that is there."""
    found = {}
    for name in os.listdir(path):
        full = os.path.join(path, name)
        text = open(full, encoding="utf-8").read() if name.endswith(".claim") else ""
        found[name] = (os.lstat(full).st_ino, text)
    return found


def server(*words):
    """A server that runs."""
    program = Program(SERVER, *words)
    program.wait_for("waits for a client")
    return program


def empty():
    """an empty directory is told to be clean"""
    assert "nothing to remove" in clean() and "that live: 0" in clean()
    assert json.loads(clean("--json")) == {"directory": RUNTIME_DIR, "dry_run": False, "removed": [], "kept": 0}


def only_the_dead():
    """of a dead and a living server the files of the dead one go, and those of the living stay as they are"""
    with server() as living:
        kept = files()
        with server("-r", "3b:00.0") as dead:
            dead.signal(signal.SIGKILL)
            dead.expect_status(-signal.SIGKILL)
        assert len(files()) == 2 * len(kept) == 6, files()
        text = clean("--dry-run")
        assert text.count("would remove file") == 2 and len(files()) == 6, text
        text = clean()
        assert 'removed file Comch server "comch_ctrl_path_sample" on 0000:03:00.0 for 0000:3b:00.0\n' in text, text
        assert "removed file process a-" in text and text.count("\n") == 2, text
        assert files() == kept, (files(), kept)
        for _ in range(3):
            assert "nothing to remove" in clean()
        assert files() == kept
        with Program(CLIENT) as client:
            client.expect_status(0)
        living.expect_status(0)


def stopped_is_alive():
    """a stopped process is alive"""
    with server() as stopped:
        kept = files()
        stopped.signal(signal.SIGSTOP)
        assert json.loads(clean("--json"))["removed"] == []
        assert files() == kept
        stopped.signal(signal.SIGCONT)
        with Program(CLIENT) as client:
            client.expect_status(0)
        stopped.expect_status(0)


def strangers_stay():
    """files that are not of softdpu stay"""
    path = os.path.join(RUNTIME_DIR, "notes.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("mine")
    assert "nothing to remove" in clean() and os.path.exists(path)
    os.unlink(path)


def abandoned(line, until):
    """The directory of a group whose command was killed, and the program of it that lives on."""
    with Program(SOFTDPU, "run", "--dpu", f"{line} & echo survivor $!; wait", env=TEMPORARY) as group:
        group.wait_for("survivor ")
        group.wait_for(until)
        directory, = [os.path.join(TOP, name) for name in os.listdir(TOP) if "-run." in name]
        assert directory not in clean() + clean("--dry-run"), directory
        group.signal(signal.SIGKILL)
        group.wait_status()
        return directory, int(re.search(r"survivor (\d+)$", group.output, re.M)[1])


def closed(line):
    """A command that has let go of all descriptors but the first three."""
    return f"{sys.executable} -c 'import os, sys; os.closerange(3, 1000); os.execvp(sys.argv[1], sys.argv[1:])' {line}"


def end(pid):
    """Of one that is not a child: until it has let go of all that it had."""
    process = os.pidfd_open(pid)
    os.kill(pid, signal.SIGKILL)
    gone, _, _ = select.select([process], [], [], 10 * SCALE)
    os.close(process)
    assert gone, pid


def abandoned_group():
    """the directory of a group whose command was killed goes, once nothing lives in it, by claim or by descriptor"""
    for line, until, is_told in ((f"setsid {SERVER}", "waits for a client", False),
                                 (f"setsid {closed(SERVER)}", "waits for a client", True), ("setsid sleep 600", "", False)):
        directory, survivor = abandoned(line, until)
        before = files(directory)
        for words, verb in ((("--dry-run",), "would keep"), ((), "kept")):
            text = clean(*words)
            assert (f"{verb} directory {directory}: " in text) == is_told, text
            assert f"remove directory {directory}" not in text, text
        assert files(directory) == before
        end(survivor)
        assert f"would remove directory {directory}\n" in clean("--dry-run")
        assert f"removed directory {directory}\n" in clean()
        assert os.listdir(TOP) == []


def beginning_group():
    """a group that begins has a directory of its own, however often clean runs meanwhile"""
    over = threading.Event()

    def clean_on():
        while not over.is_set():
            clean()
            clean("--dry-run")
    cleaner = threading.Thread(target=clean_on)
    cleaner.start()
    try:
        for _ in range(20):
            ask("run", "--host", "test -d $SOFTDPU_RUNTIME_DIR", env=TEMPORARY)
    finally:
        over.set()
        cleaner.join()
    clean()
    assert [name for name in os.listdir(TOP) if "-run." in name] == []


def unusable():
    """a directory that is not ours to use is an error"""
    text = ask("clean", env={**TEMPORARY, "SOFTDPU_RUNTIME_DIR": "/dev/null/x"}, status=1)
    assert "softdpu doctor" in text, text


try:
    main(empty, only_the_dead, stopped_is_alive, strangers_stay, abandoned_group, beginning_group, unusable)
finally:
    shutil.rmtree(TOP, ignore_errors=True)
