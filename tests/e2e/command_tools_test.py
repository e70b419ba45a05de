#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""softdpu run with one of its programs under a debugger or a checker."""
import os
import shutil
import subprocess
import tempfile

from command_kit import SOFTDPU, ask
from harness import SCALE, Skip, main, run

SERVER, CLIENT = "doca_comch_ctrl_path_server", "doca_comch_ctrl_path_client"


def need(tool):
    if not shutil.which(tool):
        raise Skip(f"no {tool} here")


def under_gdb():
    """--gdb gives a program the input, and the next waits for it for as long as it takes"""
    need("gdb")
    words = [SOFTDPU, "run", "--gdb", "dpu", "--dpu", SERVER, "--host", f"{CLIENT} -t '2 words'", "--wait", "0.1"]
    done = subprocess.run(words, input="set confirm off\nset pagination off\nshell sleep 1\nrun\nquit\n", text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60 * SCALE)
    assert done.returncode == 0, done.stdout
    for text in ("Received from the client: 2 words", "exited normally", "dpu is ready after", "host    | "):
        assert text in done.stdout, (text, done.stdout)


def under_valgrind():
    """--valgrind checks a program, and its findings are a failure"""
    need("valgrind")
    text = ask("run", "--valgrind", "host", "--dpu", SERVER, "--host", f"{CLIENT} -t '2 words'", "--timeout", "50")
    assert "Received from the client: 2 words" in text, text
    ask("run", "--valgrind", "fine", "--on", "fine", "sh -c 'exit 7'", status=7)
    with tempfile.TemporaryDirectory() as top:
        program = os.path.join(top, "bad")
        with open(program + ".c", "w", encoding="utf-8") as file:
            file.write("#include <stdlib.h>\nint main(void) { int *p = malloc(4); return *p == 7; }\n")
        run("cc", "-O0", "-w", "-o", program, program + ".c")
        text = ask("run", "--valgrind", "bad", "--on", "bad", program, status=99)
    assert "uninitialised" in text, text


main(under_gdb, under_valgrind)
