# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the softdpu command share."""
import os
import subprocess

from harness import BUILD, SCALE, Failure

SOFTDPU = os.path.join(BUILD, "tools", "softdpu")
USAGE = 2


def ask(*words, status=0, env=None, split=False):
    """What softdpu prints when it ends with this status: both streams, together or as a pair."""
    done = subprocess.run([SOFTDPU, *words], env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE if split else subprocess.STDOUT, text=True,
                          errors="replace", timeout=60 * SCALE)
    if done.returncode != status:
        raise Failure(f"softdpu {' '.join(words)} ended with status {done.returncode}, not {status}:\n{done.stdout}"
                      f"{done.stderr or ''}")
    return (done.stdout, done.stderr) if split else done.stdout
