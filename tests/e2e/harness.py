# SPDX-License-Identifier: BSD-3-Clause
"""What the end-to-end tests share: processes with an end, and TAP.

A case is a function whose docstring says what must be true; it raises Failure (or lets an assert fail) when it is
not, and Skip when that cannot be seen here. Text that it returns is printed beside its name: figures. The runtime directory is the one that isolated.sh made.
"""
import ctypes
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

SOURCE = os.environ.get("SOFTDPU_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("SOFTDPU_BUILD") or os.path.join(SOURCE, "build")
SCALE = int(os.environ.get("T_TIMEOUT_SCALE", "1"))
_RUNTIME = None

if "SOFTDPU_RUNTIME_DIR" not in os.environ:  # started by hand
    _RUNTIME = tempfile.TemporaryDirectory(prefix="sdpu-test.")
    os.environ["SOFTDPU_RUNTIME_DIR"] = _RUNTIME.name


class Failure(Exception):
    pass


class Skip(Exception):
    pass


_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def _die_with_the_test():
    """In a child before it runs its program: a test that is killed at its time-out leaves nobody behind."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class Program:
    """A process whose output (both streams) is collected, and which never outlives the `with` block.

    held: its standard input is a pipe that ends with end_input(), or with the block.
    within: words before the command (those of a wrapper).
    """

    def __init__(self, *command, env=None, held=False, within=()):
        self.name = os.path.basename(command[0])
        self.lines = []
        self._news = queue.Queue()
        self._process = subprocess.Popen(
            [*within, *command], env={**os.environ, **(env or {})}, stdin=subprocess.PIPE if held else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
            preexec_fn=_die_with_the_test)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            self.lines.append(line.rstrip("\n"))
            self._news.put(None)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.end_input()
        self._reader.join()
        self._process.stdout.close()

    @property
    def output(self):
        return "\n".join(self.lines)

    @property
    def pid(self):
        return self._process.pid

    def signal(self, number):
        """Unless it has ended already."""
        self._process.send_signal(number)

    def say(self, line):
        """To one that is held."""
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def end_input(self):
        """What holds standard input open, forked children too, is told to go."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def wait_for(self, text, seconds=10):
        """Until the program has said `text`."""
        deadline = time.monotonic() + seconds * SCALE
        while True:
            over = not self._reader.is_alive() or time.monotonic() > deadline
            if text in self.output:
                return
            if over:
                raise Failure(f"{self.name} did not say {text!r}, but:\n{self.output}")
            try:
                self._news.get(timeout=0.1)
            except queue.Empty:
                pass

    def wait_until_it_sleeps(self, seconds=10):
        """Until its main thread waits in the kernel. ThreadSanitizer can lose a signal that comes while it runs."""
        deadline = time.monotonic() + seconds * SCALE
        while time.monotonic() < deadline:
            with open(f"/proc/{self._process.pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "S":
                    return
        raise Failure(f"{self.name} does not sleep, but said:\n{self.output}")

    def poll(self):
        """Status, or None when it has not ended."""
        return self._process.poll()

    def wait_status(self, seconds=20):
        """Until the program has ended: its status (negative: the signal). A child of it may still be speaking."""
        try:
            return self._process.wait(seconds * SCALE)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name} has not ended after {seconds * SCALE} s, and said:\n{self.output}") from None

    def expect_status(self, status, seconds=20):
        """Until the program has ended, with this status, and all of its output is there."""
        got = self.wait_status(seconds)
        self._reader.join()
        if got != status:
            raise Failure(f"{self.name} ended with status {got}, not {status}, and said:\n{self.output}")

    def expect_text(self, text):
        if text not in self.output:
            raise Failure(f"{self.name} did not say {text!r}, but:\n{self.output}")


def run(*command, env=None, cwd=None, seconds=120):
    """Run a command that must succeed, and return what it printed."""
    done = subprocess.run(command, env={**os.environ, **(env or {})}, cwd=cwd, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds * SCALE)
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}")
    return done.stdout


def sample(name):
    return os.path.join(BUILD, "samples", name)


def main(*cases):
    failed = 0
    print(f"1..{len(cases)}", flush=True)
    for number, case in enumerate(cases, 1):
        try:
            figures = case()
            print(f"ok {number} - {case.__doc__}{': ' + figures if figures else ''}", flush=True)
        except Skip as reason:
            print(f"ok {number} - {case.__doc__} # SKIP {reason}", flush=True)
        except Exception as error:  # whatever it is, the next case runs
            failed += 1
            text = str(error) if isinstance(error, Failure) else traceback.format_exc()
            print("\n".join(f"# {line}" for line in text.splitlines()))
            print(f"not ok {number} - {case.__doc__}", flush=True)
    sys.exit(1 if failed else 0)
