# SPDX-License-Identifier: BSD-3-Clause
"""A page of docs/ that is also a program: its commands are run, and must print what the page shows.

In a page, a block fenced with three backticks is
- ```sh [TAG]: commands. All blocks of a page run in one shell, one after the other, and each command must succeed. A
  block with a tag runs only where the caller gives this tag (how softdpu was got is another story here and there).
- ```text: what the commands before it print, on both streams. … stands for any text, alone on a line for any lines.
- ```LANGUAGE FILE: a piece of a file. The commands of the page cut it out, or extract() does, as the page wants.
"""
import re
import shutil
import subprocess

FENCE = re.compile(r"^```(\w+)[ ]?(\S*)\n(.*?)^```$", re.S | re.M)
KILLED = re.compile(r"^\S+: line \d+: +\d+ Killed .*\n", re.M)  # bash's remark, not the programs'
MARK = "--- block %d"


def blocks(page):
    """(language, word after it, text) of each block."""
    return FENCE.findall(page.read_text(encoding="utf-8"))


def extract(page, directory):
    """Put the files of the page there, each made of its pieces."""
    for language, name, text in blocks(page):
        if name and language != "sh":
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "a", encoding="utf-8") as file:
                file.write(text)


def steps(page, tag):
    """[commands, expected output or None] of each block of commands that is to run."""
    found = []
    is_left_out = False
    for language, word, text in blocks(page):
        if language == "sh":
            is_left_out = word not in ("", tag)
            if not is_left_out:
                found.append([text, None])
        elif language == "text" and not is_left_out:
            found[-1][1] = text
    return found


def matches(expected, got):
    """Whether the output is as the page says."""
    lines = ["(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + "\n"
             for line in expected.strip("\n").split("\n")]
    return re.fullmatch("".join(lines), got.strip("\n") + "\n") is not None


def run(page, directory, tag, env=None, seconds=120):
    """Run the page's commands in the directory. Yields for each block: commands, output, what is wrong or None."""
    todo = steps(page, tag)
    script = "set -e -o pipefail; exec 2>&1\n" + "".join(
        f"{commands}echo; echo '{MARK % number}'\n" for number, (commands, _) in enumerate(todo))
    bash = shutil.which("bash")
    done = subprocess.run([bash, "-c", script], cwd=directory, env=env, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, errors="replace", timeout=seconds)
    rest = KILLED.sub("", done.stdout)
    for number, (commands, expected) in enumerate(todo):
        got, mark, rest = rest.partition("\n" + (MARK % number) + "\n")
        if not mark:
            yield commands, got, "one of them failed"
            return
        wrong = expected is not None and not matches(expected, got)
        yield commands, got, f"the page shows other output:\n{expected}" if wrong else None
