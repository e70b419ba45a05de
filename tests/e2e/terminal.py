# SPDX-License-Identifier: BSD-3-Clause
"""A terminal in which a test runs a program and sees what its user would: characters, and how they are shown."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from harness import SCALE, Failure

CONTROL = re.compile(r"\033\[([?>]?)([\d;]*)([@-~])|\033[()][0-9A-B]|\033[=>78M]|[\r\n\b\a\t\x0e\x0f]")
STYLES = {1: "bold", 2: "dim", 7: "reverse", 31: "red"}
ENDS = {22: {"bold", "dim"}, 27: {"reverse"}, 39: {"red"}}


class Screen:
    """What a terminal of type xterm makes of what it is sent, as far as curses sends it."""

    def __init__(self, rows, columns):
        self.rest = ""
        self.modes = set()
        self.style = frozenset()
        self.resize(rows, columns)

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.row = self.column = 0
        self.bounds = (0, rows - 1)  # of what scrolls
        self.cells = [self.blank() for _ in range(rows)]

    def blank(self):
        return [(" ", frozenset())] * self.columns

    def feed(self, text):
        text = self.rest + text
        at = 0
        while at < len(text):
            found = CONTROL.match(text, at)
            if found:
                self.control(found)
                at = found.end()
            elif text[at] == "\033":
                if len(text) - at > 40:
                    raise Failure(f"the terminal does not know {text[at:at + 20]!r}")
                break
            else:
                self.put(text[at])
                at += 1
        self.rest = text[at:]

    def put(self, char):
        if self.column >= self.columns:
            self.column = 0
            self.line_feed()
        self.cells[self.row][self.column] = (char, self.style)
        self.column += 1

    def line_feed(self):
        if self.row == self.bounds[1]:
            self.scroll(self.bounds[0], 1)
        elif self.row < self.rows - 1:
            self.row += 1

    def scroll(self, top, count):
        """Lines from top on go up, or down."""
        bottom = self.bounds[1]
        for _ in range(abs(count)):
            gone, new = (top, bottom) if count > 0 else (bottom, top)
            del self.cells[gone]
            self.cells.insert(new, self.blank())

    def control(self, found):
        if found[3] is None:
            self.plain_control(found[0])
            return
        numbers = [int(word or 0) for word in found[2].split(";")]
        if found[1]:
            (self.modes.add if found[3] == "h" else self.modes.discard)(numbers[0])
        else:
            self.sequence(found[3], numbers, max(numbers[0], 1))

    def plain_control(self, text):
        if text == "\r":
            self.column = 0
        elif text == "\n":
            self.line_feed()
        elif text == "\b":
            self.column = max(0, self.column - 1)
        elif text == "\t":
            self.column = min(self.columns - 1, self.column // 8 * 8 + 8)
        elif text == "\033M":
            if self.row == self.bounds[0]:
                self.scroll(self.row, -1)
            else:
                self.row -= 1

    def erase(self, row, begin, end):
        for column in range(begin, min(end, self.columns)):
            self.cells[row][column] = (" ", frozenset())

    def sequence(self, kind, numbers, count):
        row = self.cells[self.row]
        if kind in "Hf":
            self.row = min(count, self.rows) - 1
            self.column = min(max(numbers[1] if len(numbers) > 1 else 1, 1), self.columns) - 1
        elif kind == "d":
            self.row = min(count, self.rows) - 1
        elif kind == "G":
            self.column = min(count, self.columns) - 1
        elif kind in "ABCD":
            self.row = min(max(self.row + {"A": -count, "B": count}.get(kind, 0), 0), self.rows - 1)
            self.column = min(max(self.column + {"D": -count, "C": count}.get(kind, 0), 0), self.columns - 1)
        elif kind == "J":
            for at in range(0 if numbers[0] == 2 else self.row + 1, self.rows):
                self.erase(at, 0, self.columns)
            self.erase(self.row, self.column, self.columns)
        elif kind == "K":
            self.erase(self.row, 0 if numbers[0] else self.column, self.column + 1 if numbers[0] == 1 else self.columns)
        elif kind == "X":
            self.erase(self.row, self.column, self.column + count)
        elif kind == "P":
            row[self.column:] = row[self.column + count:] + self.blank()[:count]
        elif kind == "@":
            row[self.column:] = (self.blank()[:count] + row[self.column:])[:self.columns - self.column]
        elif kind in "LM":
            self.scroll(self.row, count if kind == "M" else -count)
        elif kind in "ST":
            self.scroll(self.bounds[0], count if kind == "S" else -count)
        elif kind == "b":
            for _ in range(count):
                self.put(row[self.column - 1][0])
        elif kind == "r":
            self.bounds = (count - 1, (numbers[1] if len(numbers) > 1 else self.rows) - 1)
        elif kind == "m":
            self.restyle(numbers)
        elif kind not in "tlh":
            raise Failure(f"the terminal does not know {numbers} {kind}")

    def restyle(self, numbers):
        for number in numbers:
            if number == 0:
                self.style = frozenset()
            self.style = self.style - ENDS.get(number, set()) | ({STYLES[number]} if number in STYLES else set())

    def lines(self):
        return ["".join(char for char, _ in row).rstrip() for row in self.cells]

    def row_of(self, text):
        """The first line that has it, character by character; None: there is none."""
        for row in self.cells:
            if text in "".join(char for char, _ in row):
                return row
        return None


class Terminal:
    """A program with its standard streams at a terminal, which never outlives the `with` block."""

    def __init__(self, *command, env=None, rows=24, columns=132):
        self.screen = Screen(rows, columns)
        self.name = os.path.basename(command[0])
        self.master, self.slave = pty.openpty()
        self.set_size(rows, columns)
        self.settings = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(command, env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **(env or {})},
                                        stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True,
                                        preexec_fn=self._take_terminal)

    @staticmethod
    def _take_terminal():
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    def set_size(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows, columns):
        self.read(0.2)
        self.screen.resize(rows, columns)
        self.set_size(rows, columns)

    def type(self, keys):
        os.write(self.master, keys.encode())

    def read(self, seconds):
        """What comes before long; False: nothing did."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        self.screen.feed(os.read(self.master, 65536).decode(errors="replace"))
        return True

    @property
    def text(self):
        return "\n".join(self.screen.lines())

    def wait_until(self, condition, what, seconds=10):
        deadline = time.monotonic() + seconds * SCALE
        while self.read(0.02) or not condition():  # half a picture is none
            if time.monotonic() > deadline:
                raise Failure(f"{self.name} does not show {what}, but:\n{self.text}")

    def wait_for(self, text, seconds=10):
        self.wait_until(lambda: text in self.text, repr(text), seconds)

    def line_of(self, text):
        """The line that has it; empty: there is none."""
        return "".join(char for char, _ in self.screen.row_of(text) or [])

    def style_of(self, line, text):
        """How the text is shown in the line that has the other one."""
        at = self.line_of(line).find(text)
        return frozenset() if at < 0 else self.screen.row_of(line)[at][1]

    def signal(self, number=signal.SIGTERM):
        self.process.send_signal(number)

    def expect_end(self, status, seconds=10):
        """It ends with this status, and the terminal is as it was: settings, cursor, the screen of before."""
        deadline = time.monotonic() + seconds * SCALE
        while self.process.poll() is None or self.read(0.1):
            if time.monotonic() > deadline:
                raise Failure(f"{self.name} does not end, but shows:\n{self.text}")
            self.read(0.1)
        if self.process.returncode != status:
            raise Failure(f"{self.name} ended with {self.process.returncode}, not {status}:\n{self.text}")
        assert termios.tcgetattr(self.slave) == self.settings, "the terminal's settings are not as they were"
        assert 1049 not in self.screen.modes, "the program's screen was not left"
        assert 1 not in self.screen.modes and not self.screen.style, self.screen.modes
