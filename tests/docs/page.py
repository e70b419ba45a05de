# SPDX-License-Identifier: BSD-3-Clause
"""A page of docs/ that is also a program: its commands are run, and must print what the page shows.

In a page, a block fenced with three backticks is
- ```sh: commands. All blocks of a page run in one shell, one after the other, and each command must succeed. A block
  below a mark runs only where the caller gives this mark (how softdpu was got is another story here and there).
- ```text: what the commands before it print, on both streams. … stands for any text, alone on a line for any lines.
- ```LANGUAGE below a mark: a piece of the file that the mark names. The commands of the page cut it out, or extract()
  does, as the page wants.

A mark is a comment of HTML on the line above, which readers do not see: <!-- WORD -->.
"""
import re
import shutil
import subprocess

FENCE = re.compile(r"(?:^<!-- (?P<mark>\S+) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.S | re.M)
KILLED = re.compile(r"^\S+: line \d+: +\d+ Killed .*\n", re.M)  # bash's remark, not the programs'
END = "--- block %d"


def blocks(page):
    """(language, mark or "", text) of each block."""
    found = FENCE.finditer(page.read_text(encoding="utf-8"))
    return [(block["language"], block["mark"] or "", block["text"]) for block in found]


def extract(page, directory):
    """Put the files of the page there, each made of its pieces."""
    for language, name, text in blocks(page):
        if name and language != "sh":
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "a", encoding="utf-8") as file:
                file.write(text)


def steps(page, mark):
    """[commands, expected output or None] of each block of commands that is to run."""
    found = []
    is_left_out = False
    for language, word, text in blocks(page):
        if language == "sh":
            is_left_out = word not in ("", mark)
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


def run(page, directory, mark, env=None, seconds=120):
    """Run the page's commands in the directory. Yields for each block: commands, output, what is wrong or None."""
    todo = steps(page, mark)
    script = "set -e -o pipefail; exec 2>&1\n" + "".join(
        f"{commands}echo; echo '{END % number}'\n" for number, (commands, _) in enumerate(todo))
    bash = shutil.which("bash")
    done = subprocess.run([bash, "-c", script], cwd=directory, env=env, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, errors="replace", timeout=seconds)
    rest = KILLED.sub("", done.stdout)
    for number, (commands, expected) in enumerate(todo):
        got, end, rest = rest.partition("\n" + (END % number) + "\n")
        if not end:
            yield commands, got, "one of them failed"
            return
        wrong = expected is not None and not matches(expected, got)
        yield commands, got, f"the page shows other output:\n{expected}" if wrong else None
