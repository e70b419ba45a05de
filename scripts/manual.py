#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make the HTML manual, with doxygen and mandoc: headers, docs/ and the manual pages of programs.

    manual.py SOURCE OUTPUT

OUTPUT is made anew; what is read first is its index.html. Exit status 1 when doxygen finds fault with anything.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import explain

VERSION = re.compile(r"^ *version: '(.*)'", re.M)
NAME = re.compile(r"^\.SH NAME\n(.*?) \\- (.*)$", re.M)
PAGE = re.compile(r"\.md\b|\bdir_\w+\.html")  # in a list of files, and directories
REFERENCE = re.compile(r"<b>([\w.-]+)</b>\((\d)\)")
MENTIONED = re.compile(r"\.\./([\w-]+\.md)")


def label(path):
    """What doxygen calls the page of a program."""
    return "man_" + re.sub(r"\W", "_", path.name)


def target(name, section, pages):
    """File that a reference leads to; None where the manual has none of that name."""
    if name.endswith(".h"):
        return name.replace("_", "__").replace(".h", "_8h.html")
    page = next((p for p in pages if p.name == f"{name}.{section}"), None)
    return label(page) + ".html" if page else None


def convert(path, pages):
    """A manual page as HTML that stands inside of a page of doxygen's."""
    html = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", path], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    html = re.sub(r'(?s)<table class="(?:head|foot)">.*?</table>\n?', "", html)

    def link(match):
        file = target(match[1], match[2], pages)
        return f'<a href="{file}">{match[0]}</a>' if file else match[0]
    return REFERENCE.sub(link, html)


def write_pages(pages, directory):
    """A page of doxygen's for each manual page, and one that lists them."""
    listing = ["# Programs and environment {#man_pages}", ""]
    for path in pages:
        name, brief = NAME.search(path.read_text()).groups()
        title = f"{path.stem}({path.suffix[1:]})"
        (directory / (path.name + ".html")).write_text(convert(path, pages))
        (directory / (path.name + ".md")).write_text(
            f"# {title} {{#{label(path)}}}\n\n\\htmlinclude {path.name}.html\n")
        listing.append(f"- @subpage {label(path)} &mdash; {brief}")
    (directory / "pages.md").write_text("\n".join(listing) + "\n")


def manual_pages(source, made, version):
    """Those that are written by hand, and those that are made of data/explain.txt."""
    for kind in explain.KINDS:
        explain.write_man(source / "data/explain.txt", kind, made / f"{explain.PAGES[kind][0]}.7", version)
    return sorted(page for place in (source / "man", made) for page in place.glob("*.[17]"))


def configuration(source, made, output, version):
    index = source / "docs/manual/index.md"
    order = MENTIONED.findall(index.read_text())
    docs = sorted((source / "docs").glob("*.md"), key=lambda p: order.index(p.name) if p.name in order else len(order))
    inputs = [index, *docs, source / "include", made]
    return "\n".join([
        (source / "docs/manual/Doxyfile").read_text(),
        f"PROJECT_NUMBER = {version}",
        f'OUTPUT_DIRECTORY = "{output}"',
        f'STRIP_FROM_PATH = "{source}" "{source}/include" "{made}"',
        f'EXAMPLE_PATH = "{made}"',
        "INPUT = " + " ".join(f'"{path}"' for path in inputs),
    ])


def list_headers_only(output):
    """Doxygen counts pages among the files."""
    path = output / "files.html"
    path.write_text(re.sub(r"<tr id=.*?(?=<tr id=|</table>)", lambda row: "" if PAGE.search(row[0]) else row[0],
                           path.read_text(), flags=re.S))
    for path in output.glob("files*.js"):
        path.write_text("".join(line for line in path.read_text().splitlines(True) if not PAGE.search(line)))


def main(source, output):
    source, output = pathlib.Path(source).resolve(), pathlib.Path(output).resolve()
    version = VERSION.search((source / "meson.build").read_text())[1]
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="sdpu-manual.") as made:
        made = pathlib.Path(made)
        write_pages(manual_pages(source, made, version), made)
        done = subprocess.run(["doxygen", "-"], cwd=source, text=True,
                              input=configuration(source, made, output, version))
    list_headers_only(output)
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
