#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""dpacc by itself: what it accepts, what is in the archive, and how it says what is wrong."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))

from harness import BUILD, SOURCE, Failure, main, run  # noqa: E402

DPACC = os.path.join(BUILD, "tools", "dpacc")
INCLUDE = "-I" + os.path.join(SOURCE, "include")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
KERNEL = "__dpa_global__ void kernel(unsigned long value) { (void)value; }\n"
TOP = tempfile.TemporaryDirectory(prefix="sdpu-dpacc.")


def compilers():
    return [cc for cc in ("gcc", "clang") if shutil.which(cc)]


def directory():
    return pathlib.Path(tempfile.mkdtemp(dir=TOP.name))


def write(text, name="device.c"):
    path = directory() / name
    path.write_text(text)
    return str(path)


def dpacc(*words, cwd=None):
    return run(DPACC, *map(str, words), cwd=cwd)


def symbols(path):
    """What an archive shows."""
    return {line.split()[0] for line in run("nm", "-g", "-P", "--defined-only", str(path)).splitlines() if " " in line}


def arguments():
    """arguments of every kind arrive as the parameters' types, with each compiler"""
    source = HERE / "dpacc"
    for cc in compilers():
        place = directory()
        archive, program = place / "arguments.a", place / "program"
        dpacc(source / "arguments_device.c", "-o", archive, "-app-name", "arguments_app", "-hostcc", cc,
              "-hostcc-options=" + " ".join(STRICT), "-devicecc-options=" + " ".join(STRICT))
        run(cc, *STRICT, INCLUDE, str(source / "arguments_host.c"), str(archive), "-o", str(program))
        run(str(program))


def hidden():
    """an archive shows its kernels and its image, and nothing else"""
    archive = directory() / "a.a"
    dpacc(write("int shared; int helper(void) { return shared; }\n" + KERNEL), "-o", archive, "-app-name", "app")
    assert symbols(archive) == {"kernel", "app"}, symbols(archive)


def two_programs():
    """two device programs with the same helpers stand in one host program"""
    place = directory()
    for name in ("one", "two"):
        text = f"int helper(void) {{ return 1; }}\n__dpa_rpc__ unsigned long {name}_rpc(void) {{ return helper(); }}\n"
        dpacc(write(text), "-o", place / f"{name}.a", "-app-name", name)
    host = write("void one_rpc(void); void two_rpc(void); extern void *one, *two;\n"
                 "int main(void) { one_rpc(); two_rpc(); return one == two; }\n", "host.c")
    run("cc", host, str(place / "one.a"), str(place / "two.a"), "-o", str(place / "program"))
    run(str(place / "program"))


def vendor_command_line():
    """the command lines of published build files are understood, in long and short forms"""
    place = directory()
    (place / "inc").mkdir()
    (place / "inc" / "own.h").write_text("#define VALUE OTHER\n")
    source = write('#include "own.h"\nint v = VALUE + MORE;\n' + KERNEL)
    dpacc(source, "-o", place / "a.a", "-mcpu=nv-dpa-bf3,nv-dpa-cx7", "-hostcc=gcc",
          "-hostcc-options=-Wno-deprecated-declarations -Werror -Wall -Wextra", "--devicecc-options="
          f"-Wno-deprecated-declarations, -Werror, -Wall,-DOTHER=1 -DMORE=2, -I{place}/inc", "-device-libs="
          "-L/opt/mellanox/doca/lib -ldoca_dpa_dev -ldoca_dpa_dev_comm -lflexio_dev", "--app-name=first", "-flto",
          "-disable-asm-checks")
    dpacc(source, "--output-file", place / "b.a", "--mcpu", "nv-dpa-bf3", "--hostcc", "gcc", "--hostcc-options",
          "-Wall", "-devicecc-options", "-DOTHER=1", "-I", place / "inc", "-DMORE=2", "-a", "second", "--flto", "-O0")
    dpacc(source, f"-I{place}/inc", "-DOTHER=1", "-D", "MORE=2", "-o", "c.a", "-app-name=third", cwd=place)
    assert {"first", "second", "third"} < symbols(place / "a.a") | symbols(place / "b.a") | symbols(place / "c.a")


def options_file():
    """options may stand in a file"""
    place = directory()
    (place / "options").write_text(f'-app-name filed -o "{place}/a.a"\n-devicecc-options="-DONE -DTWO"\n')
    source = write("#if !defined(ONE) || !defined(TWO)\n#error no options\n#endif\n" + KERNEL)
    dpacc(source, "-options-file", place / "options")
    assert symbols(place / "a.a") == {"kernel", "filed"}


def in_steps():
    """objects are made first and linked afterwards, with a device library"""
    place = directory()
    library = write("int twice(int x) { return 2 * x; }\n")
    first = write("int twice(int x);\n__dpa_rpc__ unsigned long rpc(int x) { return twice(x); }\n", "first.c")
    dpacc("-gen-libs", library, "-o", place / "libtwice.a")
    dpacc("-c", first, cwd=place)
    dpacc("--compile", write(KERNEL, "second.c"), "-o", place / "kernel.o")
    dpacc(place / "first.o", place / "kernel.o", "-o", place / "a.a", "-app-name", "app",
          f"-device-libs=-L{place} -ltwice")
    assert symbols(place / "a.a") == {"rpc", "kernel", "app"}, symbols(place / "a.a")
    assert "twice" not in run("nm", "-u", str(place / "a.a"))


def same_again():
    """the same source gives the same archive"""
    place, source = directory(), write(KERNEL)
    for name in ("1.a", "2.a"):
        dpacc(source, "-o", place / name, "-app-name", "app")
    assert (place / "1.a").read_bytes() == (place / "2.a").read_bytes()


def dry_run():
    """a dry run shows the commands and makes nothing; -keep leaves what lies between"""
    place, source = directory(), write(KERNEL)
    said = dpacc(source, "-o", place / "a.a", "-app-name", "app", "-dryrun")
    assert "objcopy" in said and not list(place.iterdir()), said
    dpacc(source, "-o", place / "a.a", "-app-name", "app", "-keep", "-keep-dir", place / "kept")
    assert (place / "kept" / "1.device.thunks.h").exists()


MISTAKES = {
    "no -app-name": ([KERNEL], ["-o", "a.a"], "-app-name must give the name"),
    "no -o": ([KERNEL], ["-app-name", "app"], "-o must name the archive"),
    "no source": ([], ["-o", "a.a", "-app-name", "app"], "no device source"),
    "value missing": ([KERNEL], ["-o"], "-o needs a value"),
    "unknown option": ([KERNEL], ["-nonsense"], "-nonsense is no option of dpacc"),
    "no option": ([KERNEL], ["-"], "- is no option of dpacc"),
    "other language": ([], ["device.cpp", "-o", "a.a", "-app-name", "app"], "device.cpp is neither a device source"),
    "no file": ([], ["none.c", "-o", "a.a", "-app-name", "app"], "there is no none.c"),
    "no name": (["__dpa_global__ void k(unsigned long);\n__dpa_global__ void k(unsigned long) {}\n"],
                ["-o", "a.a", "-app-name", "app"], "has no name"),
    "no name of a structure": (["struct s { int x; };\n__dpa_global__ void k(struct s) {}\n"],
                               ["-o", "a.a", "-app-name", "app"], "\"struct s\", has no name"),
    "bad name": ([KERNEL], ["-o", "a.a", "-app-name", "a-b"], "no identifier"),
    "name of a kernel": ([KERNEL], ["-o", "a.a", "-app-name", "kernel"], "as is a kernel"),
    "no kernel": (["int x;\n"], ["-o", "a.a", "-app-name", "app"], "no function is marked"),
    "no library": ([KERNEL], ["-o", "a.a", "-app-name", "app", "-device-libs=-L/tmp -lnone"], "libnone.a in /tmp"),
    "static": (["__dpa_global__ static void k(void) {}\n"], ["-o", "a.a", "-app-name", "app"], "k() is static"),
    "result": (["__dpa_global__ int k(void) { return 0; }\n"], ["-o", "a.a", "-app-name", "app"], "k() is marked"),
    "variable": (["__dpa_rpc__ long k(int a, ...) { return a; }\n"], ["-o", "a.a", "-app-name", "app"],
                 "variable arguments"),
    "too much": (["struct s { char c[1025]; };\n__dpa_global__ void k(struct s s) { (void)s; }\n"],
                 ["-o", "a.a", "-app-name", "app"], "parameters of k() are too large"),
    "wrong code": (["__dpa_global__ void k(void) { wrong }\n"], ["-o", "a.a", "-app-name", "app"], "device.c:1:"),
    "warning": (["__dpa_global__ void k(void) { int x; }\n"],
                ["-o", "a.a", "-app-name", "app", "-devicecc-options=-Wall -Werror"], "unused variable"),
}


def mistakes():
    """each mistake ends with status 1, a reason, and without an archive"""
    for name, (texts, words, reason) in MISTAKES.items():
        place = directory()
        done = subprocess.run([DPACC, *map(write, texts), *words], cwd=place, capture_output=True, text=True)
        if done.returncode != 1 or reason not in done.stderr or list(place.iterdir()):
            raise Failure(f"{name}: status {done.returncode}, {done.stderr}")


def about():
    """help and version"""
    assert "-app-name" in dpacc("-h") and "softdpu" in dpacc("--version")


main(arguments, hidden, two_programs, vendor_command_line, options_file, in_steps, same_again, dry_run, mistakes, about)
