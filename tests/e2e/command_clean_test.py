#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""softdpu clean removes what the dead have left, and nothing else."""
import json
import os
import shutil
import signal
import tempfile
import threading

from command_kit import SOFTDPU, ask
from harness import Program, main, sample

SERVER = sample("doca_comch_ctrl_path_server")
CLIENT = sample("doca_comch_ctrl_path_client")
ROOM = os.environ["SOFTDPU_RUNTIME_DIR"]
TOP = tempfile.mkdtemp(prefix="sdpu-clean.")
ROOMS = {"TMPDIR": TOP}


def clean(*words, **options):
    return ask("clean", *words, env=ROOMS, **options)


def files(path=ROOM):
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
    assert "nothing of the dead" in clean() and "0 files of the living" in clean()
    assert json.loads(clean("--json")) == {"directory": ROOM, "dry_run": False, "removed": [], "kept": 0}


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
            assert "nothing of the dead" in clean()
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
    path = os.path.join(ROOM, "notes.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("mine")
    assert "nothing of the dead" in clean() and os.path.exists(path)
    os.unlink(path)


def abandoned_group():
    """the directory of a group whose command was killed goes, once nothing lives in it"""
    pidfile = os.path.join(TOP, "pid")
    with Program(SOFTDPU, "run", "--dpu", f"setsid {SERVER} & echo $! > {pidfile}; wait", env=ROOMS) as group:
        group.wait_for("waits for a client")
        room = [name for name in os.listdir(TOP) if "-run." in name]
        assert len(room) == 1 and room[0] not in clean(), room
        with open(pidfile, encoding="utf-8") as file:
            survivor = int(file.read())
        group.signal(signal.SIGKILL)
        group.wait_status()
        before = files(os.path.join(TOP, room[0]))
        assert f"kept directory {TOP}/{room[0]}" in clean()
        assert files(os.path.join(TOP, room[0])) == before
        os.kill(survivor, signal.SIGKILL)
    assert f"would remove directory {TOP}/{room[0]}" in clean("--dry-run")
    assert f"removed directory {TOP}/{room[0]}" in clean()
    assert os.listdir(TOP) == ["pid"]


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
            ask("run", "--host", "test -d $SOFTDPU_RUNTIME_DIR", env=ROOMS)
    finally:
        over.set()
        cleaner.join()
    clean()
    assert [name for name in os.listdir(TOP) if "-run." in name] == []


def unusable():
    """a directory that is not ours to use is an error"""
    text = ask("clean", env={**ROOMS, "SOFTDPU_RUNTIME_DIR": "/dev/null/x"}, status=1)
    assert "softdpu doctor" in text, text


try:
    main(empty, only_the_dead, stopped_is_alive, strangers_stay, abandoned_group, beginning_group, unusable)
finally:
    shutil.rmtree(TOP, ignore_errors=True)
