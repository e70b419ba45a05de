#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compile every public header alone, in the languages, roles and API levels that programs use.

    check_headers.py [INCLUDE_DIR [COMPILER...]]

A header comes first in a file of its own, must bring in what programs expect of any DOCA header, and
must not cause a warning. The sources beside this script then use the macros and check the values. One
TAP line per header (or source) and language; compilers that are missing are left out.
"""
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LANGUAGES = {"c11": "c", "c++11": "c++", "c++17": "c++", "c++20": "c++"}
# Those in which every role and API level is tried; in the others a header either compiles or does not.
THOROUGH = ("c11", "c++17")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wundef", "-Werror"]
WORKERS = 2

PROBE = """\
#include <%(header)s>
#if defined(DOCA_ARCH_HOST) == defined(DOCA_ARCH_DPU) || !defined(%(role)s)
#error wrong role
#endif
"""

# What programs use without including it themselves.
EXPECTED = """\
size_t probe(size_t size);
size_t probe(size_t size)
{
	uint64_t number = UINT64_MAX;
	bool done = number != 0;
	char *memory = (char *)malloc(size);

	assert(done);
	if (memory != NULL)
		memset(memory, 0, size);
	free(memory);
	return strlen("%" PRIu64) + sizeof(number);
}
"""

# Source beside this script -> sets of macros that it is compiled with.
SOURCES = {
    "macros.c": [[], ["SEMICOLON"], ["DOCA_LOGGING_ALLOW_TRACE"]],
    "values.c": [[], ["SOFTDPU_API=209"], ["DOCA_COMPAT_HELPERS"]],
}


def roles(include):
    """Macro of each role -> directories to search. The DPU's directory is renamed when installed."""
    dpu = next((d for d in (include / "dpu", include / "softdpu-dpu") if d.is_dir()), None)
    found = {"DOCA_ARCH_HOST": [include]}
    if dpu:
        found["DOCA_ARCH_DPU"] = [dpu, include]
    return found


def compile_text(compiler, std, text, options):
    """Return what the compiler said, empty when it said nothing and succeeded."""
    command = [compiler, "-x", LANGUAGES[std], "-std=" + std, *WARNINGS, *options,
               "-fsyntax-only", "-"]
    run = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    if run.returncode == 0 and not run.stderr:
        return ""
    return " ".join(command) + "\n" + run.stderr


def header_jobs(header, std, compilers, include):
    ways = roles(include)
    if std not in THOROUGH:
        ways = {"DOCA_ARCH_HOST": ways["DOCA_ARCH_HOST"]}
    for role, directories in ways.items():
        text = PROBE % {"header": header, "role": role}
        if header != "doca_build_config.h":
            text += EXPECTED
        else:
            text += "extern int not_empty;\n"
        search = ["-I%s" % d for d in directories]
        levels = [[], ["-DSOFTDPU_API=209"]] if role == "DOCA_ARCH_HOST" and std in THOROUGH else [[]]
        for compiler in compilers:
            for level in levels:
                yield compiler, std, text, search + level


def source_jobs(source, std, compilers, include):
    text = (HERE / source).read_text()
    for macros in SOURCES[source]:
        options = ["-D" + m for m in macros + ["DOCA_ALLOW_EXPERIMENTAL_API"]]
        for compiler in compilers:
            yield compiler, std, text, ["-I%s" % include] + options


def usable(compilers, std):
    return [c for c in compilers if not compile_text(c, std, "extern int nothing;\n", [])]


def main(arguments):
    include = pathlib.Path(arguments[0]) if arguments else HERE.parent.parent / "include"
    compilers = [c for c in arguments[1:] or ["gcc", "clang"] if shutil.which(c)]
    headers = sorted(h.name for h in include.glob("*.h"))
    checks = [(name, std) for name in headers + list(SOURCES) for std in LANGUAGES]
    able = {std: usable(compilers, std) for std in LANGUAGES}
    failed = 0 if headers else 1

    def check(job):
        name, std = job
        make_jobs = source_jobs if name in SOURCES else header_jobs
        said = [compile_text(*j) for j in make_jobs(name, std, able[std], include)]
        return "".join(said)

    print("TAP version 13\n1..%d" % len(checks))
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for number, (job, said) in enumerate(zip(checks, pool.map(check, checks)), 1):
            skip = "" if able[job[1]] else " # SKIP no compiler for it"
            failed += bool(said)
            print("%s %d - %s as %s%s" % ("not ok" if said else "ok", number, *job, skip))
            for line in said.splitlines():
                print("# " + line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
