#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/build.sh, what `make all` runs: how far it is where somebody watches, silence elsewhere, and failures in both."""
import os
import pathlib
import pty
import subprocess
import tempfile

from harness import SOURCE, main

SCRIPT = os.path.join(SOURCE, "scripts", "build.sh")


def build(does, errors):
    """(status, what it printed on stdout) with a ninja that does this, in a directory that is configured."""
    with tempfile.TemporaryDirectory(prefix="sdpu-build.") as top:
        directory, ninja = pathlib.Path(top, "build"), pathlib.Path(top, "ninja")
        directory.mkdir()
        (directory / "build.ninja").touch()
        ninja.write_text(f"#!/bin/sh\n{does}\n")
        ninja.chmod(0o755)
        done = subprocess.run([SCRIPT, directory], env={**os.environ, "PATH": f"{top}:{os.environ['PATH']}"},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True, timeout=60)
    return done.returncode, done.stdout


def on_terminal(does):
    """Status, and what stood on a terminal that has stderr only."""
    terminal, errors = pty.openpty()
    try:
        status, printed = build(does, errors)
        os.write(errors, b"\n")  # so that there is something to read
        assert printed.startswith("Building in ") and printed.count("\n") == 1, printed
        return status, os.read(terminal, 4096).decode()
    finally:
        os.close(errors)
        os.close(terminal)


def shows_progress():
    """at a terminal ninja's status is shown while it builds, with the time"""
    status, shown = on_terminal('echo "${NINJA_STATUS}Linking"')
    assert status == 0 and "[%f of %t, %e s] Linking" in shown, shown


def is_silent():
    """elsewhere there is one line, of where it builds"""
    status, printed = build('echo "[1/2] Linking"', subprocess.STDOUT)
    assert status == 0 and printed.startswith("Building in ") and printed.count("\n") == 1, printed


def failures_are_told():
    """what a build that failed has printed is told in both, and its status is not 0"""
    status, shown = on_terminal("echo FAILED: a.o; exit 1")
    assert status != 0 and "FAILED: a.o" in shown, (status, shown)
    status, printed = build("echo FAILED: a.o; exit 1", subprocess.STDOUT)
    assert status != 0 and "FAILED: a.o" in printed, (status, printed)


main(shows_progress, is_silent, failures_are_told)
