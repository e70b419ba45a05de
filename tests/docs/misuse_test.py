#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The rows of tests/misuse, the headers and softdpu explain agree on which call answers which code; TAP."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ["SOFTDPU_SOURCE"])
sys.path.insert(0, str(ROOT / "scripts"))

import explain  # noqa: E402
import man  # noqa: E402
import tap  # noqa: E402

ROW = re.compile(r"\b(?:MISUSE|QUIET)\(\s*(\w+),\s*(doca_\w+)\(")
WHOLE_ROW = re.compile(r"\bMISUSE\(\s*INVALID_VALUE,\s*(doca_\w+)\((.*?)\);\n", re.S)
# Of the line of a row, what names the pointers that are NULL; a stub says only that "a pointer" is.
NULL_NAMES = re.compile(r"\"((?:\w+ and )*\w+) (?:is|are) NULL")
PARAMETER = re.compile(r"(?:\(\*(\w+)\)\(.*?\)|(\w+)(?:\[\w*\])?)\s*(?=,|\)$)")
# How a text of explain.txt begins that tells of a task's end, or of what a certain library adds.
LATER = re.compile(r"its (task|connection|context)|tasks |a (client|server|library)'s|the same$")
# Calls that answer what the library of their context does; their headers name what all of them do.
OF_ANY_LIBRARY = {"doca_ctx_start", "doca_ctx_stop", "doca_task_submit", "doca_task_try_submit"}
# Pairs that take more than one call at rest: a fault, a race, a command line; and the test that has them.
ELSEWHERE = {
    ("doca_argp_register_logger_callback", "DOCA_ERROR_ALREADY_EXIST"): "argp/argp_test.c",
    ("doca_argp_start", "DOCA_ERROR_IO_FAILED"): "argp/argp_json_test.c",
    ("doca_argp_start", "DOCA_ERROR_NOT_SUPPORTED"): "argp/argp_test.c",
    ("doca_ctx_start", "DOCA_ERROR_IN_PROGRESS"): "comch/pair.c",
    ("doca_ctx_stop", "DOCA_ERROR_IN_PROGRESS"): "core/ctx_test.c",
    ("doca_devinfo_create_list", "DOCA_ERROR_BAD_CONFIG"): "core/topology_test.c",
    ("doca_devinfo_get_ipv4_addr", "DOCA_ERROR_NOT_FOUND"): "core/dev_test.c",
    ("doca_dpa_peek_at_last_error", "DOCA_ERROR_BAD_STATE"): "dpa/fault_test.c",
    ("doca_dpa_rpc", "DOCA_ERROR_DRIVER"): "dpa/fault_test.c",
}
# What only a failing system, or no call at all, answers.
NEVER = {
    ("doca_comch_server_disconnect", "DOCA_ERROR_AGAIN"),
    ("doca_ctx_start", "DOCA_ERROR_INITIALIZATION"),
    ("doca_ctx_start", "DOCA_ERROR_UNEXPECTED"),
    ("doca_ctx_stop", "DOCA_ERROR_UNEXPECTED"),
    ("doca_dev_open", "DOCA_ERROR_NOT_CONNECTED"),
    ("doca_pe_create", "DOCA_ERROR_INITIALIZATION"),
    ("doca_pe_request_notification", "DOCA_ERROR_OPERATING_SYSTEM"),
}


def read_rows(name):
    for path in sorted((ROOT / "tests/misuse").glob(name)):
        for match in ROW.finditer(path.read_text()):
            yield match[2], "DOCA_ERROR_" + match[1]


NULLS = set(read_rows("null_*_test.c"))
ROWS = NULLS | {row for path in (ROOT / "tests/misuse").glob("*_test.c") for row in read_rows(path.name)}
CALLS = {(function, code) for function, code, _ in explain.read_calls(ROOT / "include")}


def read_parameters():
    """the names of each function's parameters, by its name"""
    for path in sorted((ROOT / "include").glob("*.h")):
        for item in man.Header(path).functions():
            parameters = item.prototype[item.prototype.index("("):]
            yield item.name, {pointer or plain for pointer, plain in PARAMETER.findall(parameters)}


def nulls_have_the_names_of_the_headers():
    """a line that tells of a NULL names a parameter as the function's header does"""
    parameters = dict(read_parameters())
    for path in sorted((ROOT / "tests/misuse").glob("*_test.c")):
        for function, row in WHOLE_ROW.findall(path.read_text()):
            names = NULL_NAMES.search(re.sub(r'"\s*"', "", row))
            for name in sorted(set(names[1].split(" and ")) - parameters[function]) if names else []:
                yield f"{path.name}: {function} has no parameter {name}, but {sorted(parameters[function])}"


def headers_name_what_rows_provoke():
    """the code of a row stands in its function's header, except that of a NULL, which stands in that of the file"""
    for function, code in sorted(ROWS - CALLS):
        of_file = code == "DOCA_ERROR_INVALID_VALUE" and ((function, code) in NULLS or "_dpa_" in function)
        if not of_file and function not in OF_ANY_LIBRARY:
            yield f"{function} answers {code}, which its header does not name"


def rows_provoke_what_explain_tells():
    """what softdpu explain tells of a call has a row, or stands in another test"""
    for topic in explain.read_topics(ROOT / "data/explain.txt"):
        for function, when in topic.calls if topic.kind == "error" else []:
            pair = function, topic.name
            if pair not in ROWS and pair not in ELSEWHERE and pair not in NEVER and not LATER.match(when):
                yield f"{function}: {topic.name} is told, and nothing provokes it"


def other_tests_have_what_they_are_said_to():
    """a test that is named here has the code that it is named for"""
    for (function, code), name in ELSEWHERE.items():
        if not re.search(rf"\b{code}\b", (ROOT / "tests" / name).read_text()):
            yield f"{name} has no {code}, for {function}"
    yield from (f"{pair} has a row now" for pair in sorted(ROWS & (set(ELSEWHERE) | NEVER)))


def explain_tells_what_no_call_answers():
    """what the libraries never name, no call returns, as softdpu explain says; and of nothing else"""
    named = set()
    for path in (ROOT / "lib").glob("**/*.[ch]"):
        if path.name != "error_text.c":
            named.update(re.findall(r"\bDOCA_ERROR_\w+", path.read_text()))
    for topic in explain.read_topics(ROOT / "data/explain.txt"):
        told = topic.kind == "error" and "No call of softdpu returns it" in topic.means
        if topic.kind == "error" and topic.name != "DOCA_SUCCESS" and told == (topic.name in named):
            yield f"{topic.name}: {'is' if told else 'is not'} said to be no call's answer"


def all_functions_have_rows():
    """every function that a header gives an error has a row"""
    for function in sorted({function for function, _ in CALLS} - {function for function, _ in ROWS}):
        if function.startswith("doca_"):
            yield f"{function} has no row"


if __name__ == "__main__":
    print(f"# {len(ROWS)} pairs have rows; the headers name {len(CALLS)}, {len(ROWS & CALLS)} of them the same")
    sys.exit(tap.run_checks([headers_name_what_rows_provoke, nulls_have_the_names_of_the_headers,
                             rows_provoke_what_explain_tells, other_tests_have_what_they_are_said_to,
                             explain_tells_what_no_call_answers, all_functions_have_rows]))
