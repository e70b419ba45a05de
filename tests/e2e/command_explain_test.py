#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""softdpu explain, and the data that it and three manual pages are made of: complete, and as the sources have it."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from command_kit import USAGE, ask
from harness import SOURCE, main

sys.path.insert(0, os.path.join(SOURCE, "scripts"))

import explain  # noqa: E402

ROOT = pathlib.Path(SOURCE)
DATA = ROOT / "data/explain.txt"
TOPICS = explain.read_topics(DATA)
FUNCTIONS = set((ROOT / "tests/headers/names.txt").read_text().split())
CALLS = list(explain.read_calls(ROOT / "include"))
READ = re.compile(r'"((?:SOFTDPU|DOCA_LOG)_[A-Z_]+)"')
LIMIT = re.compile(r"LIMIT\((\w+), \d+, ([^)]*)\)")
# How a text begins that tells of a task's end, or of what a certain library adds to a call of all of them.
LATER = re.compile(r"its (task|connection)|tasks |a (client|server|library)'s|the same$")


def of(kind):
    return {topic.name: topic for topic in TOPICS if topic.kind == kind}


def errors_are_complete():
    """every error code has an entry, with its number, and there are no others"""
    header = (ROOT / "include/doca_error.h").read_text()
    codes = re.findall(r"^\t(DOCA_SUCCESS|DOCA_ERROR_\w+)(?: = (\d+))?,", header, re.M)
    assert len(codes) == 32, codes
    assert {name: str(number) for number, (name, _) in enumerate(codes)} == \
           {name: topic.value for name, topic in of("error").items()}
    for topic in of("error").values():
        none = re.search(r"[Nn]o call of (softdpu|DOCA's)|No failure|Devices of softdpu do not|refuses a peer|"
                         r"not answer|did not", topic.means)
        assert topic.calls or none or topic.name == "DOCA_SUCCESS", f"{topic.name} comes from nowhere"


def variables_are_complete():
    """every variable that the libraries read has an entry, and there are no others"""
    sources = "".join(file.read_text() for file in (ROOT / "lib").glob("*/*.c"))
    assert "getenv" in sources
    assert set(READ.findall(sources)) == set(of("variable")), set(READ.findall(sources)) ^ set(of("variable"))


def capabilities_are_complete():
    """every limit has an entry, with its value, and every capability call is told by one entry"""
    topics = of("capability")
    for key, value in LIMIT.findall((ROOT / "lib/core/topology_limits.c").read_text()):
        size = re.fullmatch(r"(\d)ll << 30", value)
        text = f"{size[1]} GiB" if size else value
        assert re.match(rf"{text}\b", topics[key].value), (key, value, topics[key].value)
    asked = [function for topic in topics.values() for function in topic.asked]
    assert len(asked) == len(set(asked)), asked
    calls = {name for name in FUNCTIONS if re.search(r"_cap_", name)}
    assert calls <= set(asked), calls - set(asked)


def functions_exist():
    """every function that is named exists"""
    for topic in TOPICS:
        text = " ".join([topic.means, *topic.cures, *[when for _, when in topic.calls]])
        named = [function for function, _ in topic.calls] + topic.asked + re.findall(r"\b(doca_\w+)\(\)", text)
        for function in named:
            assert function in FUNCTIONS, (topic.name, function)
        for name in re.findall(r"\bDOCA_\w+", text):
            header = "".join(file.read_text() for file in (ROOT / "include").glob("*.h"))
            assert name in header, (topic.name, name)


def headers_agree():
    """a call that is said to answer a code has it in its header"""
    told = {(function, code) for function, code, _ in CALLS}
    for topic in of("error").values():
        for function, when in topic.calls:
            if not LATER.match(when) and (function, topic.name) not in told:
                raise AssertionError(f"{function}() does not return {topic.name}, as its header has it: {when}")


def each_can_be_explained():
    """each is found by its name, its short name in small letters, its number or text, and by calls that tell it"""
    assert ask("explain", "--names").split() == [topic.name for topic in TOPICS]
    for topic in TOPICS:
        short = re.sub(r"^(DOCA_ERROR_|SOFTDPU_|DOCA_)", "", topic.name).lower()
        text = ask("explain", topic.name)
        assert topic.name in text and " ".join(topic.means.split()) in " ".join(text.split()), text
        assert max(map(len, text.splitlines()[2:])) <= 80, text
        printed = re.search(r"\(\d+\): (.*)", text)[1] if topic.kind == "error" else short
        for name in [short, printed, printed.lower(), *topic.asked, *([topic.value] if topic.kind == "error" else [])]:
            assert ask("explain", name) == text, (topic.name, name)


def calls():
    """--calls tells all that the headers say; a function is told with all its codes"""
    text = ask("explain", "--calls", "DOCA_ERROR_FULL")
    assert re.findall(r"^  (\w+)\(\)", text, re.M) == \
           sorted(function for function, code, _ in CALLS if code == "DOCA_ERROR_FULL"), text
    text = ask("explain", "doca_comch_server_create()")
    assert text == ask("explain", "doca_comch_server_create") and "the device cannot run a server" in text, text
    shown = json.loads(ask("explain", "--json", "doca_comch_server_create"))
    assert {line["error"] for line in shown["returns"]} == \
           {code for function, code, _ in CALLS if function == "doca_comch_server_create"}, shown


def functions_and_headers():
    """every function and header leads to its page, those without error codes too; a header tells its functions"""
    headers = [path.name for path in (ROOT / "include").glob("*.h") if "@file" in path.read_text()]
    told = set()
    for name in headers:
        text = ask("explain", name)
        assert f"More: man 3 {name}" in text, text
        told |= set(re.findall(r"^  (\w+)$", text, re.M))
    assert FUNCTIONS <= told, FUNCTIONS - told
    assert ask("explain", "doca_comch_producer") == ask("explain", "doca_comch_producer.h")
    text = ask("explain", "doca_comch_producer_as_ctx")
    assert "no error code" in text and "More: man 3 doca_comch_producer_as_ctx" in text, text
    shown = json.loads(ask("explain", "--json", "doca_pe.h"))
    assert shown["kind"] == "header" and "doca_pe_progress" in shown["functions"], shown


def statuses():
    """statuses of run that are its own, and its signals, are explained"""
    own = re.findall(r"^#define EXIT_\w+ (\d+)", (ROOT / "tools/run.h").read_text(), re.M)
    page = (ROOT / "man/softdpu.1").read_text().partition(".SS run")[2].partition(".SS ls")[0]
    own += re.findall(r"^\.BR? (\d{3})\b", page, re.M)
    assert {"123", "124", "127"} <= set(own) <= set(of("status")), own
    for name, topic in of("status").items():
        for number in re.findall(r"^128 \+ (\d+):", topic.means):
            assert int(name) == 128 + int(number) and signal.Signals(int(number)).name in topic.value + topic.means, name
        assert ask("explain", name).endswith("More: man 1 softdpu\n"), name


def as_json():
    """--json prints one as an object, all as an array"""
    shown = json.loads(ask("explain", "--json", "AGAIN"))
    assert (shown["kind"], shown["name"], shown["number"]) == ("error", "DOCA_ERROR_AGAIN", 5), shown
    assert {"function", "when"} == set(shown["comes_from"][0]) and shown["cures"], shown
    shown = json.loads(ask("explain", "--json", "--calls", "AGAIN"))
    assert any(line["function"] == "doca_task_submit" for line in shown["returned_by"]), shown
    shown = json.loads(ask("explain", "--json", "poll", env={"SOFTDPU_POLL": "spin"}))
    assert shown["set_to"] == "spin", shown
    assert [topic["name"] for topic in json.loads(ask("explain", "--json"))] == [topic.name for topic in TOPICS]


def mistakes():
    """what is unknown gets a hint and status 1, more than one thing status 2"""
    for name, near in (("reset", "DOCA_ERROR_CONNECTION_RESET or doca_buf_reset_data_len"),
                       ("not_conected", "DOCA_ERROR_NOT_CONNECTED"), ("invalid imput", "DOCA_ERROR_INVALID_VALUE"),
                       ("SOFTDPU_POL", "SOFTDPU_POLL"),
                       ("doca_pe_conect_ctx()", "doca_pe_connect_ctx"),
                       ("doca_comch_producer_cap_...", "doca_comch_producer_cap_is_supported, "
                        "doca_comch_producer_cap_get_max_buf_size or doca_comch_producer_cap_get_max_num_tasks")):
        text = ask("explain", name, status=1)
        assert text.endswith(f"; is it {near}?\n") and text.count("\n") == 1, text
    for name in ("32", "", "...", "nonsense", "x" * 1000):
        assert "softdpu explain lists" in ask("explain", name, status=1), name
    assert "one thing" in ask("explain", "1", "2", status=USAGE)
    assert "one thing" in ask("explain", "x" * 1000, "y", status=USAGE)
    assert ask("explain", "Not", "connected") == ask("explain", "NOT_CONNECTED")


def pages():
    """the pages hold every entry"""
    with tempfile.TemporaryDirectory() as top:
        for kind in explain.KINDS:
            page = os.path.join(top, kind)
            subprocess.run([ROOT / "scripts/explain.py", "man", DATA, kind, page, "0"], check=True)
            text = pathlib.Path(page).read_text()
            for name in of(kind):
                assert re.search(rf"^\.SS {name}\b", text, re.M), name


main(errors_are_complete, variables_are_complete, capabilities_are_complete, functions_exist, headers_agree,
     each_can_be_explained, calls, functions_and_headers, statuses, as_json, mistakes, pages)
