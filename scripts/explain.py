#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make of data/explain.txt what the softdpu command is compiled with, and pages of section 7.

    explain.py c DATA INCLUDE_DIR OUTPUT DEPFILE
    explain.py man DATA KIND OUTPUT VERSION         KIND: error, variable or capability

The first lines of the data say how it is laid out. What the headers say of each error code that a
function returns goes into the C source, too, and the names of all pages of section 3.
"""
import pathlib
import re
import sys

import man

HEAD = re.compile(r"\[(error|variable|capability|status) (\w+) = (.*)\]$")
FIELD = re.compile(r"(means|asked|cure|from \w+): (.*)$")
KINDS = ("error", "variable", "capability")  # that have a page


class Topic:
    def __init__(self, kind, name, value):
        self.kind, self.name, self.value = kind, name, value
        self.means, self.asked, self.calls, self.cures = "", [], [], []

    def add(self, key, text):
        text = " ".join(text.split())
        if key == "means":
            self.means = text
        elif key == "asked":
            self.asked = text.split()
        elif key == "cure":
            self.cures.append(text)
        else:
            self.calls.append((key.split()[1], text))


def read_topics(path):
    topics, key, text = [], None, ""

    def finish():
        if key:
            topics[-1].add(key, text)

    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        head, field = HEAD.match(line), FIELD.match(line)
        if head:
            finish()
            key = None
            topics.append(Topic(*head.groups()))
        elif field and topics:
            finish()
            key, text = field.groups()
        elif line.startswith(" ") and key:
            text += "\n" + line
        elif line and not line.startswith("#"):
            raise SystemExit(f"{path}:{number}: neither a topic nor a field of one: {line}")
    finish()
    return topics


def read_calls(include):
    """(function, code, when) of each error code that a header says a function returns."""
    for path in sorted(pathlib.Path(include).glob("*.h")):
        for item in man.Header(path).functions():
            for text in item.comment.tags.get("return", []):
                code = man.CODE.match(text)
                if code and code[1] != "DOCA_SUCCESS":
                    yield item.name, code[1], code[2] or ""


def read_pages(include):
    """(name, brief) of each page of section 3: those of a header's functions behind its own."""
    for header in map(man.Header, sorted(pathlib.Path(include).glob("*.h"))):
        if header.items or header.comment.paragraphs:
            yield header.name, header.comment.brief(man.END_OF_HEADER_BRIEF)
            yield from ((item.name, item.comment.brief()) for item in header.functions())


# ---- the C source ----


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def array(name, kind, items):
    """A static array and its name, or NULL where there is nothing."""
    if not items:
        return "", "NULL"
    lines = "".join(f"\t{item},\n" for item in items)
    return f"static const {kind} {name}[] = {{\n{lines}\t{{0}},\n}};\n\n", name


def write_c(data, include, output, depfile):
    topics, arrays, rows = read_topics(data), "", ""
    for number, topic in enumerate(topics):
        fields = []
        for kind, items in (("call", topic.calls), ("asked", [(a, "") for a in topic.asked]),
                            ("cure", [("", c) for c in topic.cures])):
            text, name = array(f"{kind}_{number}", "struct explain_line",
                               [f"{{{quote(first)}, {quote(second)}}}" for first, second in items])
            arrays += text
            fields.append(name)
        rows += (f"\t{{EXPLAIN_{topic.kind.upper()}, {quote(topic.name)}, {quote(topic.value)},\n"
                 f"\t {quote(topic.means)},\n\t {', '.join(fields)}}},\n")
    calls = "".join(f"\t{{{quote(function)}, {code}, {quote(when)}}},\n"
                    for function, code, when in sorted(read_calls(include)))
    pages = "".join(f"\t{{{quote(name)}, {quote(brief)}}},\n" for name, brief in read_pages(include))
    pathlib.Path(output).write_text(
        f'/* Made of data/explain.txt and the public headers by scripts/explain.py. */\n#include "explain.h"\n\n'
        f"{arrays}const struct explain_topic explain_topics[] = {{\n{rows}\t{{0}},\n}};\n\n"
        f"const struct explain_call explain_calls[] = {{\n{calls}\t{{0}},\n}};\n\n"
        f"const struct explain_page explain_pages[] = {{\n{pages}\t{{0}},\n}};\n")
    # The directory itself: a header may come or go.
    names = " ".join(str(p).replace(" ", "\\ ") for p in [include, *sorted(pathlib.Path(include).glob("*.h"))])
    pathlib.Path(depfile).write_text(f"{output}: {names}\n")


# ---- pages ----

PAGES = {
    "error": ("softdpu-errors", "what error codes mean here, and what to do", "ERRORS",
              "Each call of DOCA returns one of these codes. For an error softdpu writes one line to the log: what was "
              "found, what was needed, what to do. The page of each function lists all its codes; this page has the "
              "usual reasons."),
    "variable": ("softdpu-environment", "environment variables that the libraries read",
                 "VARIABLES", "Set them before the program starts. An empty variable counts as not set."),
    "capability": ("softdpu-capabilities", "what the devices of softdpu can do, and how much of it", "CAPABILITIES",
                   "Names that are keys of \"limits\" in a topology file (topology.md) can be lowered there; capability "
                   "calls then return the lowered value."),
}
BOLD = re.compile(r"\b((?:SOFTDPU|DOCA|doca)_\w+(?:\(\))?)(?!\w)")


def prose(text):
    return BOLD.sub(lambda m: f"\\fB{m[1].removesuffix('()')}\\fP{'()' if m[1].endswith('()') else ''}",
                    man.wrap(man.escape(text).replace("-", "\\-")))


def bullets(title, items):
    if len(items) == 1:
        return [".PP", title, items[0]]
    return [".PP", title] + [line for item in items for line in (".IP \\(bu 2", item)] if items else []


def topic_lines(topic):
    value = f" = {topic.value}" if topic.kind == "error" else f": {topic.value}"
    lines = [".SS %s%s" % (topic.name, man.escape(value).replace("-", "\\-")), prose(topic.means)]
    lines += bullets("It comes from", [prose(f"{function}(): {when}") for function, when in topic.calls])
    lines += bullets("It is told by", [f".BR {function} (3)" for function in topic.asked])
    return lines + bullets("What to do:", [prose(cure) for cure in topic.cures])


def write_man(data, kind, output, version):
    name, brief, title, text = PAGES[kind]
    lines = ['.\\" SPDX-License-Identifier: BSD-3-Clause, made of data/explain.txt by scripts/explain.py',
             f'.TH {name.upper()} 7 "" "softdpu {version}" "DOCA in software"', ".SH NAME",
             f"{name} \\- {brief}", ".SH DESCRIPTION", prose(text), ".PP",
             ".B softdpu explain", ".I NAME", "prints one of these texts.", f".SH {title}"]
    for topic in read_topics(data):
        if topic.kind == kind:
            lines += topic_lines(topic)
    others = sorted({page[0] for page in PAGES.values()} - {name})
    lines += [".SH SEE ALSO", ".BR softdpu (1),", *[f".BR {other} (7)," for other in others], ".BR softdpu (7)"]
    pathlib.Path(output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    {"c": write_c, "man": write_man}[sys.argv[1]](*sys.argv[2:])
