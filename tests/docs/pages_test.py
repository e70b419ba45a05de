#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pages of docs/ whose commands and listings are run, as a reader would (page.py says how).

    pages_test.py            against the build directory, as from a clone
    pages_test.py DIRECTORY  against an installed softdpu, whose pages are in the directory; shows what is run
"""
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.insert(0, str(SOURCE / "scripts"))
sys.path.insert(0, str(HERE))

import page  # noqa: E402
from tap import run_checks  # noqa: E402

IS_INSTALLED = len(sys.argv) > 1
DOCS = pathlib.Path(sys.argv[1]) if IS_INSTALLED else SOURCE / "docs"
BUILD = pathlib.Path(os.environ.get("SOFTDPU_BUILD", SOURCE / "build"))
# What the vendor's own variables may hold must not reach a page that tells how to set them.
ENV = {name: value for name, value in os.environ.items() if name not in ("PKG_CONFIG_PATH", "LD_LIBRARY_PATH")}
made = tempfile.TemporaryDirectory(prefix="sdpu-pages.")


def place(name):
    """An empty directory in which a clone's docs/ and build/ are found, as far as there are such."""
    directory = pathlib.Path(made.name, name)
    directory.mkdir()
    (directory / "docs").symlink_to(DOCS)
    if not IS_INSTALLED:
        (directory / "build").symlink_to(BUILD)
    return directory


def run_page(name, directory):
    for commands, said, wrong in page.run(DOCS / name, directory, "packages" if IS_INSTALLED else "clone", ENV):
        if wrong:
            yield from f"{name}: the commands\n{commands}printed\n{said}\n{wrong}".splitlines()
        elif IS_INSTALLED:
            print(re.sub("^", "#   ", f"{commands}{said}".rstrip("\n"), flags=re.M))


def tutorial_works():
    """docs/tutorial.md: its programs are built by its commands, and print what it shows"""
    directory = place("tutorial")
    yield from run_page("tutorial.md", directory)
    page.extract(DOCS / "tutorial.md", directory / "again")
    for path in (directory / "again").iterdir():
        if path.read_text() != (directory / "tutorial" / path.name).read_text():
            yield f"tutorial.md: {path.name} as its command cuts it out is not the whole of it"


def build_files_work():
    """docs/bring-your-program.md: programs are built by each of its build files in both roles, and run"""
    directory = place("bring")
    page.extract(DOCS / "tutorial.md", directory)
    page.extract(DOCS / "bring-your-program.md", directory)
    yield from run_page("bring-your-program.md", directory)


if __name__ == "__main__":
    sys.exit(run_checks([tutorial_works, build_files_work]))
