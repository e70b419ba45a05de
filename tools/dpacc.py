#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""dpacc: make a DPA program of device sources.

    dpacc SOURCE.c... -app-name NAME -o FILE.a      a static archive for the host program
    dpacc -c SOURCE.c... [-o FILE.o]                objects, to be given to another call
    dpacc -gen-libs SOURCE.c... -o libNAME.a        a device library, for -device-libs

The archive defines the functions marked __dpa_global__ and __dpa_rpc__, and the pointer NAME to a
struct doca_dpa_app; nothing else in it can be seen. Device code is compiled for the host's processor,
by the host's compiler, and its calls of the DPA are resolved by libdoca_dpa and libdoca_comch.

Example:
    dpacc kernels.c -app-name my_app -o kernels.a -devicecc-options="-Wall, -DDOCA_ALLOW_EXPERIMENTAL_API"
    cc main.c kernels.a $(pkg-config --cflags --libs doca-dpa)

Exit status: 0 when the output was made; 1 otherwise, with the reason on standard error. More: man 1 dpacc
"""
import collections
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parent / "@include@"
VERSION = "@version@"

# Debugging and readable crash reports are what a DPA in software is for.
DEVICE_FLAGS = ["-O2", "-g", "-fPIC", "-fno-omit-frame-pointer", "-fasynchronous-unwind-tables"]
# What only means something to the compiler of the card. Code is merged as objects, so that -flto has no object.
CARD_ONLY = re.compile(r"-flto(=.*)?$|-mcpu=nv-dpa|-march=rv|-mabi=|--target=riscv")
# Libraries that hold on the card what is here in libdoca_dpa and libdoca_comch.
RUNTIME = re.compile(r"doca_|flexio_|(c|m|gcc)$")
DESCRIPTOR = "__softdpu_kernel_"

# Names of options, and where their values go: None for what has no meaning here. One or two dashes; the value follows,
# or comes after an equals sign.
LONG = {
    "flag": {"flto": None, "disable-asm-checks": None, "disable-all-checks": None, "compile": "compile",
             "gen-libs": "gen_libs", "keep": "keep", "dryrun": "dryrun", "dry-run": "dryrun", "verbose": "verbose",
             "version": "version", "help": "help"},
    "value": {"output-file": "output", "app-name": "app", "hostcc": "hostcc", "mcpu": None, "keep-dir": "keep_dir",
              "options-file": "file", "optf": "file"},
    "list": {"hostcc-options": "host", "devicecc-options": "device", "device-libs": "libs",
             "devicelink-options": None, "common-include-path": "include", "include-path": "include"},
}
SHORT = {"o": "output-file", "a": "app-name", "c": "compile", "h": "help", "v": "verbose", "V": "version"}
COMPILER = re.compile(r"-std=|-[IDUOWgf]") # options of every C compiler
KEYWORDS = {"__dpa_global__": 1, "__dpa_rpc__": 2}

Kernel = collections.namedtuple("Kernel", "name kind parameters returns_void")
Parameter = collections.namedtuple("Parameter", "name declaration")


class Mistake(Exception):
    """What the user has to change."""


# ---- the command line ----


class Options:
    def __init__(self, words):
        self.inputs, self.output, self.app, self.hostcc, self.keep_dir = [], None, None, "cc", None
        self.compile = self.gen_libs = self.keep = self.dryrun = self.verbose = self.help = self.version = False
        self.host, self.device, self.libs, self.include, self.common = [], [], [], [], []
        self.read(list(words))

    def read(self, words):
        while words:
            word = words.pop(0)
            if not word.startswith("-"):
                self.inputs.append(word)
            elif not self.read_long(word, words) and not self.read_compiler(word, words):
                raise Mistake(f"{word} is no option of dpacc; options of the device compiler go into -devicecc-options")

    def read_long(self, word, words):
        name, equals, value = word.lstrip("-").partition("=")
        name = SHORT.get(name, name) if not word.startswith("--") else name
        kind = next((k for k in LONG if name in LONG[k]), None)
        if kind is None or (kind == "flag" and equals):
            return False
        if kind != "flag" and not equals and not words:
            raise Mistake(f"{word} needs a value")
        self.take(kind, LONG[kind][name], True if kind == "flag" else value if equals else words.pop(0))
        return True

    def take(self, kind, attribute, value):
        if attribute is None:
            return
        if attribute == "file":
            self.read(split_words(pathlib.Path(value).read_text()))
        elif attribute == "include":
            self.include += [part for part in value.split(",") if part]
        elif kind == "list":
            setattr(self, attribute, getattr(self, attribute) + split_words(value))
        else:
            setattr(self, attribute, value)

    def read_compiler(self, word, words):
        if not COMPILER.match(word):
            return False
        if word in ("-I", "-D", "-U"):
            if not words:
                raise Mistake(f"{word} needs a value")
            word += words.pop(0)
        self.common.append(word)
        return True


def split_words(text):
    """Words of a list that stands in one argument: blanks part them, and commas before a dash or at the end."""
    text = re.sub(r"(?<!-Wl)(?<!-Wa)(?<!-Wp),(?=\s|$|-)", " ", text)
    return shlex.split(text)


# ---- device sources: which kernels, with which parameters ----

TOKEN = re.compile(r'^#[^\n]*\n|\s+|("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\.?\d[\w.]*|\w+|\.\.\.|[<>=!&|+/%^-]+|.)',
                   re.M | re.S)
CLOSING = {"(": ")", "[": "]", "{": "}"}
ATTRIBUTES = {"__attribute__", "__attribute", "_Alignas", "__asm__", "__asm", "asm", "__extension__", "_Noreturn"}
TYPE_WORDS = {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "const",
              "volatile"}
TAGS = ("struct", "union", "enum")
TYPEOF = ("__typeof__", "__typeof", "typeof")


def tokenize(text):
    return [m[1] for m in TOKEN.finditer(text) if m[1]]


def matching(tokens, start):
    """Where the bracket that opens at start is closed."""
    depth = []
    for place in range(start, len(tokens)):
        token = tokens[place]
        if token in CLOSING:
            depth.append(CLOSING[token])
        elif depth and token == depth[-1]:
            depth.pop()
            if not depth:
                return place
    raise Mistake(f"a {tokens[start]} is never closed")


def group(tokens):
    """Tokens as items: a bracketed part is one, a list; attributes are left out."""
    items, place = [], 0
    while place < len(tokens):
        token = tokens[place]
        end = matching(tokens, place) if token in CLOSING else place
        if token in ATTRIBUTES:
            if tokens[place + 1:place + 2] == ["("] and token != "__extension__":
                end = matching(tokens, place + 1)
        else:
            items.append(tokens[place:end + 1] if end > place else token)
        place = end + 1
    return items


def declarations(items):
    """(items, is a definition of a function) of each declaration outside of functions."""
    current = []
    for item in items:
        if item == ";":
            yield current, False
            current = []
        elif item[0] == "{" and current and current[-1][0] == "(":
            yield current, True
            current = []
        else:
            current.append(item)


def is_name(item):
    return isinstance(item, str) and re.fullmatch(r"[A-Za-z_]\w*", item) is not None


def split_parameters(tokens, kernel):
    """What stands between the parentheses, one by one."""
    parts, current = [], []
    for item in group(tokens[1:-1]):
        if item == ",":
            parts.append(current)
            current = []
        elif item != "register":
            current.append(item)
    parts.append(current)
    return [] if parts in ([[]], [["void"]]) else [make_parameter(part, kernel) for part in parts]


def flat(items):
    return " ".join(" ".join(item) if isinstance(item, list) else item for item in items)


def make_parameter(items, kernel):
    if items == ["..."]:
        raise Mistake(f"{kernel}() takes variable arguments; a kernel has a fixed list of parameters")
    brackets = [n for n, item in enumerate(items) if isinstance(item, list) and item[0] == "["]
    groups = [n for n, item in enumerate(items)
              if isinstance(item, list) and item[0] == "(" and (n == 0 or items[n - 1] not in TYPEOF)]
    if brackets and not groups:  # an array is a pointer to its first element
        first = brackets[0]
        name = items[first - 1]
        items = items[:first - 1] + ["(", "*", name, ")"] + items[first + 1:]
    elif groups:  # a pointer to a function
        name = next((token for token in items[groups[0]] if is_name(token)), None)
    else:
        name = items[-1]
    if not is_name(name) or name in TYPE_WORDS or len(items) < 2 or items[-2] in TAGS:
        raise Mistake(f"a parameter of {kernel}(), \"{flat(items)}\", has no name")
    return Parameter(name, flat(items))


def find_kernels(text):
    """The kernels that a preprocessed source defines; the keyword may stand at an earlier declaration of it."""
    marked, kernels = {}, []
    for items, is_definition in declarations(group(tokenize(text))):
        kinds = [KEYWORDS[item] for item in items if isinstance(item, str) and item in KEYWORDS]
        if "typedef" in items or len(items) < 2 or items[-1][0] != "(" or not is_name(items[-2]):
            continue
        name = items[-2]
        if kinds:
            marked[name] = kinds[0]
        if is_definition and name in marked:
            kernels.append(make_kernel(name, marked[name], items))
    return kernels


def make_kernel(name, kind, items):
    returned = [item for item in items[:-2] if item not in KEYWORDS and item not in ("extern", "inline", "const")]
    if "static" in returned:
        raise Mistake(f"{name}() is static, so that the host could not name it")
    if kind == KEYWORDS["__dpa_global__"] and returned != ["void"]:
        raise Mistake(f"{name}() is marked __dpa_global__ and returns \"{flat(returned)}\", but must return void")
    return Kernel(name, kind, split_parameters(items[-1], name), returned == ["void"])


# ---- what is generated ----

THUNK_HEAD = """\
#pragma GCC system_header
#include <softdpu_dpa_app.h>
#define __softdpu_x(type, name) (((struct type *)0)->name)
/* As what an argument passes through the host's variable arguments. */
#define __softdpu_passed(x) __typeof__(_Generic((x), _Bool : 0, char : 0, signed char : 0, unsigned char : 0, \\
\tshort : 0, unsigned short : 0, float : 0.0, default : (x)))
"""


def make_thunk(kernel):
    """Text that packs the host's arguments for a kernel, and calls it with them."""
    name, parameters = kernel.name, kernel.parameters
    fields = " ".join(p.declaration + ";" for p in parameters)
    passed = [f"__softdpu_passed(__softdpu_x(__softdpu_args_{name}, {p.name}))" for p in parameters]
    take = "".join(f"\t{how} __softdpu_{n} = __builtin_va_arg(*__softdpu_list, {how});\n"
                   for n, how in enumerate(passed))
    values = ", ".join(f".{p.name} = __softdpu_{n}" for n, p in enumerate(parameters))
    call = f"{name}({', '.join(f'__softdpu_frame->{p.name}' for p in parameters)})"
    pack = f"{take}\tstruct __softdpu_args_{name} __softdpu_all = {{ {values} }};\n" \
           f"\t__builtin_memcpy(__softdpu_frame, &__softdpu_all, sizeof(__softdpu_all));\n" if parameters else ""
    size = f"sizeof(struct __softdpu_args_{name})" if parameters else "0"
    return f"""
struct __softdpu_args_{name} {{ {fields} }};
_Static_assert({size} <= SOFTDPU_DPA_FRAME_SIZE, "the parameters of {name}() are too large");
static void __softdpu_pack_{name}(void *__softdpu_frame, __builtin_va_list *__softdpu_list)
{{
{pack}}}
static uint64_t __softdpu_call_{name}(const void *__softdpu_arg)
{{
\tconst struct __softdpu_args_{name} *__softdpu_frame = __softdpu_arg;
\t(void)__softdpu_frame;
\t{f"{call}; return 0;" if kernel.returns_void else f"return (uint64_t){call};"}
}}
extern const struct softdpu_dpa_kernel {DESCRIPTOR}{name};
const struct softdpu_dpa_kernel {DESCRIPTOR}{name} = {{
\t"{name}", (void (*)(void)){name}, {kernel.kind}, {len(parameters)}, {size},
\t__softdpu_pack_{name}, __softdpu_call_{name},
}};
"""


def make_thunks(kernels, header):
    """After the source, in whose preprocessed text its macros have done their work."""
    words = {w for k in kernels for p in k.parameters for w in re.findall(r"[A-Za-z_]\w*", p.declaration)}
    words |= set(re.findall(r"[a-z]\w*", re.sub(r"/\*.*?\*/|^#.*?$", "", header, flags=re.S | re.M)))
    undefs = "".join(f"#undef {word}\n" for word in sorted(words))
    head, rest = THUNK_HEAD.split("\n", 1)
    return f"{head}\n{undefs}{rest}" + "".join(map(make_thunk, kernels))


def make_app(name, kernels):
    listed = "".join(f"\t&{DESCRIPTOR}{kernel},\n" for kernel in kernels)
    declared = "".join(f"extern const struct softdpu_dpa_kernel {DESCRIPTOR}{kernel};\n" for kernel in kernels)
    return f"""\
#include <softdpu_dpa_app.h>
{declared}
static const struct softdpu_dpa_kernel *const kernels[] = {{
{listed}}};
static struct doca_dpa_app image = {{
\tSOFTDPU_DPA_APP_MAGIC, SOFTDPU_DPA_APP_VERSION, "{name}", {len(kernels)}, kernels,
}};
extern struct doca_dpa_app *{name};
struct doca_dpa_app *{name} = &image;
"""


# ---- the compiler's work ----


class Build:
    def __init__(self, options, directory):
        self.options, self.directory = options, pathlib.Path(directory)
        self.cc = shlex.split(options.hostcc)
        include = [f"-I{path}" for path in options.include]
        names = [f"-ffile-prefix-map={self.directory}=dpacc"]
        self.device_flags = [*DEVICE_FLAGS, *names, *without_card(options.common + options.device), *include,
                             f"-I{INCLUDE}"]
        self.host_flags = ["-fPIC", *names, *without_card(options.host), *include, f"-I{INCLUDE}"]

    def run(self, *command):
        """Run a tool, which says itself what is wrong; its standard output."""
        if self.options.verbose or self.options.dryrun:
            print(shlex.join(map(str, command)), flush=True)
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Mistake(f"{os.path.basename(str(command[0]))} ended with status {done.returncode}")
        return done.stdout

    def tool(self, name):
        """A companion of the compiler, which may be one for another machine."""
        done = subprocess.run([*self.cc, f"-print-prog-name={name}"], stdout=subprocess.PIPE, text=True)
        return done.stdout.strip() or name

    def write(self, name, text):
        path = self.directory / name
        path.write_text(text)
        return path

    def compile(self, source, number):
        """Object of a device source: what it defines, and the descriptors of its kernels."""
        source = pathlib.Path(source).resolve()
        keep = [f"-D{keyword}={keyword}" for keyword in KEYWORDS]
        text = self.run(*self.cc, "-E", *self.device_flags, *keep, source)
        try:
            kernels = find_kernels(text)
        except Mistake as mistake:
            raise Mistake(f"{source}: {mistake}") from None
        stem = f"{number}.{source.stem}"
        thunks = self.write(f"{stem}.thunks.h", make_thunks(kernels, (INCLUDE / "softdpu_dpa_app.h").read_text()))
        unit = self.write(f"{stem}.unit.c", f'#include "{source}"\n#include "{thunks}"\n')
        output = self.directory / f"{stem}.o"
        remove = [f"-D{keyword}=" for keyword in KEYWORDS]
        self.run(*self.cc, *self.device_flags, *remove, "-c", unit, "-o", output)
        return output

    def find_library(self, word, directories):
        """Path of a device library; None for what is a part of the DPA here."""
        if not word.startswith("-l"):
            return word
        name = word[2:]
        if RUNTIME.match(name):
            return None
        for directory in directories:
            path = pathlib.Path(directory, f"lib{name}.a")
            if path.exists():
                return path
        raise Mistake(f"there is no device library lib{name}.a in {', '.join(directories) or 'any -L directory'}")

    def libraries(self):
        directories = [word[2:] for word in self.options.libs if word.startswith("-L")]
        words = [word for word in self.options.libs if not word.startswith("-L")]
        return [path for path in (self.find_library(word, directories) for word in words) if path]

    def kernels_of(self, objects):
        """Names of the kernels that objects define."""
        names = []
        for path in objects:
            listing = self.run(self.tool("nm"), "--defined-only", "-g", "-P", path)
            names += re.findall(rf"^{DESCRIPTOR}(\w+)", listing, re.M)
        return names

    def link(self, objects):
        """One object that shows the kernels and the image and nothing else, in an archive."""
        app, output = self.options.app, self.options.output
        kernels = self.kernels_of(objects)
        if not kernels:
            raise Mistake("no function is marked __dpa_global__ or __dpa_rpc__, so that the host could run none")
        if app in kernels:
            raise Mistake(f"the program is called {app}, as is a kernel; choose another -app-name")
        image = self.write("image.c", make_app(app, kernels))
        image_object, whole = self.directory / "image.o", self.directory / f"{app}.o"
        self.run(*self.cc, *self.host_flags, "-c", image, "-o", image_object)
        self.run(*self.cc, "-r", "-nostdlib", "-o", whole, *objects, image_object, *self.libraries())
        names = self.write("names.txt", "\n".join([app, *kernels, ""]))
        self.run(self.tool("objcopy"), f"--keep-global-symbols={names}", whole)
        self.archive(output, [whole])

    def archive(self, output, objects):
        made = self.directory / "archive.a"
        self.run(self.tool("ar"), "rcsD", made, *objects)
        self.deliver(made, output)

    def deliver(self, made, output):
        if not self.options.dryrun:
            pathlib.Path(output).write_bytes(pathlib.Path(made).read_bytes())


def without_card(words):
    return [word for word in words if not CARD_ONLY.match(word)]


# ---- what is asked for ----


def check(options):
    if not options.inputs:
        raise Mistake("no device source was given")
    for path in options.inputs:
        if pathlib.Path(path).suffix not in (".c", ".o"):
            raise Mistake(f"{path} is neither a device source in C (.c) nor an object of dpacc (.o)")
        if not pathlib.Path(path).exists():
            raise Mistake(f"there is no {path}")
    if options.compile:
        if options.output and len(options.inputs) > 1:
            raise Mistake("-o names one object, but there are several sources")
        return
    if not options.output:
        raise Mistake("-o must name the archive to make")
    if not options.gen_libs and not options.app:
        raise Mistake("-app-name must give the name by which the host program knows this program")
    if options.app and not re.fullmatch(r"[A-Za-z_]\w*", options.app):
        raise Mistake(f"-app-name is \"{options.app}\", which is no identifier of C; the host program declares it")


def build(options, directory):
    work = Build(options, directory)
    objects = [path if path.endswith(".o") else work.compile(path, number)
               for number, path in enumerate(options.inputs, 1)]
    if options.compile:
        for source, made in zip(options.inputs, objects):
            work.deliver(made, options.output or pathlib.Path(source).stem + ".o")
    elif options.gen_libs:
        work.archive(options.output, objects)
    else:
        work.link(objects)


def main(words):
    try:
        options = Options(words)
        if options.help:
            print(__doc__.strip())
        elif options.version:
            print(f"dpacc (softdpu) {VERSION}")
        else:
            check(options)
            if options.keep or options.keep_dir:
                directory = pathlib.Path(options.keep_dir or ".").resolve()
                directory.mkdir(parents=True, exist_ok=True)
                build(options, directory)
            else:
                with tempfile.TemporaryDirectory(prefix="dpacc.") as directory:
                    build(options, directory)
    except (Mistake, OSError) as error:
        print(f"dpacc: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
