#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The HTML manual: that it can be made, without a word of doxygen's against any comment, and that it is whole."""
import html.parser
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.insert(0, str(SOURCE / "scripts"))

from tap import run_checks  # noqa: E402

made = tempfile.TemporaryDirectory(prefix="sdpu-manual-test.")
MANUAL = pathlib.Path(made.name, "html")


class Page(html.parser.HTMLParser):
    """What a page links to, and the places in it that can be linked to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.places |= {attrs[name] for name in ("id", "name") if attrs.get(name)}
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])


def doxygen_is_content():
    """doxygen finds a meaning for each parameter and each result, and a target for each reference"""
    done = subprocess.run([SOURCE / "scripts/manual.py", SOURCE, MANUAL], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    yield from done.stdout.splitlines()
    if done.returncode != 0:
        yield f"manual.py ended with status {done.returncode}"


def all_is_there():
    """each function, page of docs/ and manual page of a program is in it"""
    text = "".join(p.read_text() for p in MANUAL.glob("*_8h.html"))
    yield from (name for name in (SOURCE / "tests/headers/names.txt").read_text().split() if f">{name}</a>" not in text)
    for page in (SOURCE / "docs").glob("*.md"):
        if not (MANUAL / f"md_docs_{page.stem.replace('-', '_')}.html").is_file():
            yield f"docs/{page.name}"
    made = (f"softdpu-{name}.7" for name in ("errors", "environment", "capabilities"))
    for page in [*(SOURCE / "man").glob("*.[17]"), *map(pathlib.Path, made)]:
        if not (MANUAL / f"man_{page.name.replace('.', '_').replace('-', '_')}.html").is_file():
            yield f"man/{page.name}"


def links_lead_somewhere():
    """links within the manual lead somewhere, and nowhere but into the manual or to the web"""
    pages = {path.name: Page(path) for path in MANUAL.glob("*.html")}
    for name, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme in ("http", "https", "javascript"):
                continue
            target = url.path or name
            if target not in pages:
                yield f"{name}: {link}"
            elif url.fragment and urllib.parse.unquote(url.fragment) not in pages[target].places:
                yield f"{name}: no such place: {link}"


if __name__ == "__main__":
    missing = [tool for tool in ("doxygen", "mandoc") if not shutil.which(tool)]
    if missing:
        print(f"1..0 # SKIP not here: {', '.join(missing)}")
        sys.exit(0)
    sys.exit(run_checks([doxygen_is_content, all_is_there, links_lead_somewhere]))
