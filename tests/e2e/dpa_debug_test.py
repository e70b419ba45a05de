#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a developer of DPA code sees: a debugger in a kernel, and the report of one that crashed."""
import glob
import os
import re
import shutil
import tempfile

from harness import BUILD, SOURCE, Failure, Program, Skip, main, run

TOP = tempfile.mkdtemp(prefix="sdpu-dpa.")
PROGRAM = os.path.join(TOP, "dpa_program")
LOG = os.path.join(TOP, "device.log")


def environment():
    """As `eval "$(softdpu env)"` makes it, in the build directory."""
    names = ("PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "PATH")
    lines = run(os.path.join(BUILD, "tools", "softdpu"), "env")
    shown = run("sh", "-c", lines + "\n" + "\n".join(f'echo "${name}"' for name in names))
    return dict(zip(names, shown.splitlines()))


def build():
    """the program is built with make against the build directory, and runs"""
    run("make", "-f", os.path.join(SOURCE, "tests/e2e/dpa_program/Makefile"), cwd=TOP, env=environment())
    with Program(PROGRAM, LOG, "fill", env=environment()) as program:
        program.expect_status(0)
        program.expect_text("thread 0: 40\nthread 1: 42\nthread 2: 44\nthread 3: 46\nhalf: 42")


def breakpoint_by_name():
    """gdb stops in a kernel by its name, shows where it is and what it was given, and goes on"""
    if not shutil.which("gdb"):
        raise Skip("no gdb")
    said = run("gdb", "-nx", "-batch", "-ex", "set breakpoint pending on", "-ex", "break half", "-ex", "run", "-ex", "backtrace",
               "-ex", "print number", "-ex", "continue", "--args", PROGRAM, LOG, "fill", env=environment())
    for wanted in (r'Thread \d+ "[^"]*" hit Breakpoint 1, half \(number=84\.5\) at .*device\.c:\d+', r"#0 +half \(number=84\.5\)",
                   r"\$1 = 84\.5", r"half: 42", r"exited normally"):
        if not re.search(wanted, said):
            raise Failure(f"gdb did not say {wanted!r}, but:\n{said}")


def breakpoint_in_every_thread():
    """a breakpoint in a launched kernel is hit by each of its threads"""
    if not shutil.which("gdb"):
        raise Skip("no gdb")
    said = run("gdb", "-nx", "-batch", "-ex", "break fill", "-ex", "run", *["-ex", "continue"] * 4, "--args", PROGRAM, LOG, "fill",
               env=environment())
    hits = len(re.findall(r"hit Breakpoint 1, fill \(values=\d+, place=\.*", said))
    if hits != 4 or "exited normally" not in said:
        raise Failure(f"{hits} threads were stopped, not 4:\n{said}")


def crash_report():
    """a kernel that faults leaves a report with kernel, address and place in the source; the program goes on"""
    with Program(PROGRAM, LOG, "fault", env={**environment(), "SOFTDPU_LOG_LEVEL": "30"}) as program:
        program.expect_status(0)
        program.expect_text("the program goes on")
        reports = glob.glob(f"{LOG}.{program.pid}.crash")
    if len(reports) != 1:
        raise Failure(f"reports: {reports}; the program said:\n{program.output}")
    with open(reports[0], encoding="utf-8") as file:
        report = file.read()
    for wanted in ("Kernel:  fault", "Thread:  thread 0 of 1 of a launch", "address 0x8", "small_app", "#0 "):
        if wanted not in report:
            raise Failure(f"no {wanted!r} in the report:\n{report}")
    for wanted in ("kernel fault (thread 0 of 1 of a launch) failed", "address 0x8", reports[0]):
        program.expect_text(wanted)



try:
    main(build, breakpoint_by_name, breakpoint_in_every_thread, crash_report)
finally:
    shutil.rmtree(TOP, ignore_errors=True)
