#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write the pages of section 3 from the comments of the public headers.

    man.py INCLUDE_DIR OUTPUT_DIR VERSION [DEPFILE]

One page for each header, with its types and a list of its functions, and one for each function, so
that `man doca_comch_server_create` works. What OUTPUT_DIR held before is removed. The headers are
read as they stand for DOCA 3.x.
"""
import pathlib
import re
import shutil
import sys
import textwrap

V209 = re.compile(r"^#if defined\(SOFTDPU_API\) && SOFTDPU_API == 209\n.*?^#else\n(.*?)^#endif\n",
                  re.S | re.M)
ITEM = re.compile(r"/\* ---- (?P<section>.*?) ---- \*/|/\*\*\s(?P<doc>.*?)\*/\s*", re.S)
FUNCTION = re.compile(r"(?:DOCA_STABLE|DOCA_EXPERIMENTAL|static inline)\s+(?P<prototype>[^;{]*)")
EXPERIMENTAL = re.compile(r"DOCA_EXPERIMENTAL\b")
TAG = re.compile(r"^@(\w+)(?:\[[\w,]+\])?\s*", re.M)
CODE = re.compile(r"^(DOCA_(?:SUCCESS|ERROR_\w+))(?::\s*(.*))?$", re.S)
END_OF_HEADER_BRIEF = r"\.(?:\s|$)"
WORD = re.compile(r"\b((?:doca|softdpu)_\w+)(\(\)|\.h\b)?")


class Comment:
    """A comment in its parts: what stands before the first tag, and the texts of each tag."""

    def __init__(self, text):
        lines = [re.sub(r"^\s*\* ?", "", line) for line in text.split("\n")]
        parts = TAG.split("\n".join(lines).strip())
        self.paragraphs = split_paragraphs(parts[0])
        self.tags = {}
        for tag, body in zip(parts[1::2], parts[2::2]):
            if tag == "brief":
                self.paragraphs += split_paragraphs(body)
            elif tag == "file":
                self.paragraphs += split_paragraphs(body.partition("\n")[2])
            else:
                self.tags.setdefault(tag, []).append(" ".join(body.split()))

    def brief(self, end=r"[.:](?:\s|$)"):
        """The first sentence, as NAME wants it."""
        first = " ".join(self.paragraphs[0].split()) if self.paragraphs else "see below"
        return re.split(end, first)[0]


class Item:
    """A function, or (name None) a type or macro, with its comment and the section it stands in."""

    def __init__(self, comment, code, section):
        match = FUNCTION.match(code)
        self.comment, self.code, self.section = comment, code, section
        self.name = None
        if match:
            self.prototype = re.sub(r"\s*(?:SOFTDPU_V209\(.*?\)|__attribute__\(.*\))", "",
                                    match["prototype"]).strip()
            self.name = re.search(r"(\w+)\s*\(", self.prototype)[1]
            self.experimental = bool(EXPERIMENTAL.match(code))


class Header:
    def __init__(self, path):
        text = V209.sub(r"\1", path.read_text())
        self.name, self.items, section = path.name, [], None
        self.comment = Comment("")
        for match in ITEM.finditer(text):
            if match["section"]:
                section = match["section"]
            elif "@file" in match["doc"]:
                self.comment = Comment(match["doc"])
            elif not match["doc"].startswith("<"):
                self.items.append(Item(Comment(match["doc"]), take_code(text[match.end():]), section))
        self.copy_details()

    def copy_details(self):
        """Parameters and results of functions that are documented as another one's."""
        by_name = {item.name: item.comment.tags for item in self.functions()}
        for tags in by_name.values():
            for name in tags.get("copydetails", []):
                tags.update({tag: texts for tag, texts in by_name[name].items() if tag in ("param", "return")})

    def functions(self):
        return [i for i in self.items if i.name]

    def library(self):
        """pkg-config module, by the name of the header; what is not known by name is in common."""
        match = re.match(r"doca_(argp|comch|rdma|dma|dpa)(?!_bridge)", self.name)
        return "doca-" + (match[1] if match else "common")

    def build_line(self):
        """How a source that includes it is compiled: for the host, or for the DPA."""
        if re.match(r"doca_dpa_dev(?!_handles)|dpaintrin", self.name):
            return "dpacc ... \\-app\\-name NAME \\-o FILE.a"
        return "cc ... $(pkg\\-config \\-\\-cflags \\-\\-libs %s)" % self.library().replace("-", "\\-")


def split_paragraphs(text):
    return [p for p in re.split(r"\n\s*\n", text.strip()) if p.strip()]


def take_code(text):
    """The declaration that the text begins with: a macro, a block up to its end, or a statement."""
    if text.startswith("#if"):
        return text[:text.index("#endif") + len("#endif")]
    if text.startswith("#"):
        return re.match(r"(?:[^\n]*\\\n)*[^\n]*", text)[0]
    end, depth = 0, 0
    for end, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if depth == 0 and (char == ";" or char == "}" and not text[end + 1:].lstrip(" ").startswith(
                (";", "doca_"))):
            break
    return text[:end + 1]


def escape(text):
    text = text.replace("\\", "\\e")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def wrap(text, width=70):
    return "\n".join(textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False))


def prose(text, width=70):
    """Running text in lines of the given width, names of the API in bold."""
    text = wrap(text, width)
    return WORD.sub(lambda m: "\\fB%s\\fP%s" % ((m[1], m[2]) if m[2] == "()" else (m[0], "")),
                    escape(text))


def code_block(code):
    text = escape(code.expandtabs(8)).replace("-", "\\-")
    return [".nf", *text.split("\n"), ".fi"]


def paragraphs(texts):
    """Paragraphs, of which one whose lines begin with a dash is a list."""
    lines = []
    for text in texts:
        lead, *points = re.split(r"^- ", text, flags=re.M)
        if lead.strip():
            lines += [".PP", prose(lead)]
        for point in points:
            lines += [".IP \\(bu 2", prose(point)]
    return lines


def title(name, brief, version):
    return ['.TH %s 3 "" "softdpu %s" "DOCA in software"' % (name.upper(), version),
            ".SH NAME", "%s \\-\n%s" % (name, prose(brief))]


def returns(texts):
    lines, codes = [], False
    for text in texts:
        code = CODE.match(text)
        if code:
            lines += [".TP", ".B %s" % code[1], prose(code[2] or "Done.")]
            codes = True
        else:
            lines += [".PP", prose(text[:1].upper() + text[1:] + "." * (text[-1:] != "."))]
    return [".SH RETURN VALUE", *lines] + ([".PP", "Outputs are written on success only."]
                                           if codes else [])


def parameters(texts):
    lines = []
    for text in texts:
        name, _, meaning = text.partition(" ")
        lines += [".TP", ".I %s" % name, prose(meaning)]
    return lines


def function_page(header, item, version):
    comment = item.comment
    lines = title(item.name, comment.brief(), version)
    lines += [".SH SYNOPSIS", ".nf", ".B #include <%s>" % header.name, ".PP",
              *code_block(item.prototype + ";")[1:-1], ".PP",
              header.build_line(), ".fi", ".SH DESCRIPTION", *paragraphs(comment.paragraphs)]
    if "param" in comment.tags:
        lines += [".SS Parameters", *parameters(comment.tags["param"])]
    if "return" in comment.tags:
        lines += returns(comment.tags["return"])
    if item.experimental:
        lines += [".SH NOTES", "Experimental in DOCA: programs define",
                  ".B DOCA_ALLOW_EXPERIMENTAL_API", "before its first header."]
    return lines + [".SH SEE ALSO", ".BR %s (3)," % header.name, ".BR softdpu (7)"]


def listing(items):
    lines, section = [], None
    for item in items:
        if item.section != section:
            section = item.section
            lines += [".SS %s" % prose(section, 200)]
        lines += [".TP", ".BR %s (3)" % item.name, prose(item.comment.brief()) + "."]
    return lines


def header_page(header, version):
    types = [i for i in header.items if not i.name]
    lines = title(header.name, header.comment.brief(END_OF_HEADER_BRIEF), version)
    lines += [".SH SYNOPSIS", ".nf", ".B #include <%s>" % header.name, ".fi",
              ".SH DESCRIPTION", *paragraphs(header.comment.paragraphs)]
    if header.functions():
        lines += [".SH FUNCTIONS", *listing(header.functions())]
    if types:
        lines.append(".SH TYPES AND MACROS")
    for item in types:
        lines += [*paragraphs(item.comment.paragraphs), ".PP", ".in +4n", *code_block(item.code), ".in"]
    return lines + [".SH SEE ALSO", ".BR softdpu (7)"]


def write_page(directory, name, lines):
    comment = '.\\" SPDX-License-Identifier: BSD-3-Clause, made by scripts/man.py\n'
    text = re.sub(r"^(\.S[HS] .*\n)\.PP\n", r"\1", "\n".join(lines) + "\n", flags=re.M)
    (directory / (name + ".3")).write_text(comment + text)


def main(include, output, version, depfile=None):
    include, output = pathlib.Path(include), pathlib.Path(output)
    paths = sorted(include.glob("*.h"))
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    for header in map(Header, paths):
        if not header.items and not header.comment.paragraphs:
            continue
        write_page(output, header.name, header_page(header, version))
        for item in header.functions():
            write_page(output, item.name, function_page(header, item, version))
    if depfile:
        # The directory itself: a header may come or go.
        names = " ".join(str(p).replace(" ", "\\ ") for p in [include, *paths])
        pathlib.Path(depfile).write_text("%s: %s\n" % (output, names))


if __name__ == "__main__":
    main(*sys.argv[1:])
