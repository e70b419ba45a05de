#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""softdpu doctor: passes all checks where all is well, and stops at the first bad one, with a cure."""
import json
import os
import re
import shutil
import signal
import tempfile

from command_kit import SOFTDPU, USAGE, ask
from harness import BUILD, SOURCE, Failure, Program, Skip, main, run, sample

TOP = tempfile.mkdtemp(prefix="sdpu-doctor.")
CHECKS = ["libraries", "environment", "directory", "topology", "memory access", "shared memory", "limits", "processors", "network",
         "self-test"]
LIB = os.path.join(BUILD, "lib")


def run_checks(*words, status=0, **env):
    """The checks, by name."""
    shown = json.loads(ask("doctor", "--json", *words, status=status, env=env))
    assert shown["healthy"] == (status == 0), shown
    return {check["name"]: check for check in shown["checks"]}


def ends_at(name, found, cure, *words, **env):
    """It stops there, in words as in JSON."""
    checks = run_checks(*words, status=1, **env)
    last = list(checks.values())[-1]
    if not (last["name"] == name and last["verdict"] == "bad" and found in last["found"] and cure in last["cure"]):
        raise Failure(f"not {name}, {found}, {cure}, but {last}")
    assert all(check["verdict"] != "bad" for check in list(checks.values())[:-1]), checks
    text = ask("doctor", *words, status=1, env=env)
    assert re.search(rf"^BAD  {name} ", text, re.M) and "cure: " in text and "All is well" not in text, text


def noted(name, found, **env):
    check = run_checks(**env)[name]
    assert check["verdict"] == "note" and found in check["found"] and check["cure"], check


def in_file(name, text):
    path = os.path.join(TOP, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def healthy():
    """where all is well it passes all checks, and ends with one line that says so"""
    text = ask("doctor")
    assert text.splitlines()[-1].startswith("All is well") and "BAD" not in text, text
    assert re.findall(r"^(?:good|note) +(\w+(?:[ -]\w+)?)  ", text, re.M) == CHECKS, text
    assert max(map(len, text.splitlines())) <= 100, text
    checks = run_checks()
    assert list(checks) == CHECKS, list(checks)
    figures = re.match(r"(\d+) control messages there and back, .*; (\d+) RDMA writes and reads", checks["self-test"]["found"])
    assert int(figures[1]) > 0 and int(figures[2]) > 0, checks["self-test"]
    assert not os.listdir(os.environ["SOFTDPU_RUNTIME_DIR"])


def directory():
    """a runtime directory that others may enter, that is no directory, or somebody else's is bad"""
    wide = os.path.join(TOP, "wide")
    os.mkdir(wide)
    os.chmod(wide, 0o755)
    ends_at("directory", "mode 755", "chmod 700", SOFTDPU_RUNTIME_DIR=wide)
    ends_at("directory", "no directory", "of your own", SOFTDPU_RUNTIME_DIR=in_file("file", ""))
    ends_at("directory", "cannot be made", "of your own", SOFTDPU_RUNTIME_DIR="/dev/null/x")
    if os.geteuid() == 0:
        os.chmod(wide, 0o700)
        os.chown(wide, 1, 1)
        ends_at("directory", "belongs to user 1", "of your own", SOFTDPU_RUNTIME_DIR=wide)


def long_path():
    """the path of a runtime directory may be longer than that of a socket"""
    path = os.path.join(TOP, 30 * "long/" + "directory")
    os.makedirs(path, mode=0o700)
    run_checks(SOFTDPU_RUNTIME_DIR=path)


def the_dead():
    """what the dead have left is noted"""
    directory = tempfile.mkdtemp(dir=TOP)
    with Program(sample("doca_comch_ctrl_path_server"), env={"SOFTDPU_RUNTIME_DIR": directory}) as server:
        server.wait_for("waits for a client")
        server.signal(signal.SIGKILL)
        server.wait_status()
    noted("directory", "of dead ones: 2", SOFTDPU_RUNTIME_DIR=directory)


def topology():
    """a wrong topology is told with its place; hidden devices too"""
    ends_at("topology", "wrong.json:2", "SOFTDPU_TOPOLOGY", SOFTDPU_TOPOLOGY=in_file("wrong.json", '{"limits":\n  nonsense}'))
    ends_at("topology", "no device", "SOFTDPU_DEVICES", SOFTDPU_DEVICES="none")
    noted("topology", "one side is hidden", SOFTDPU_SIDE="host")


def environment():
    """a variable with a value that is refused is bad, one that is ignored or misspelt is noted"""
    ends_at("environment", 'SOFTDPU_SIDE is "left"', "host dpu", SOFTDPU_SIDE="left")
    ends_at("environment", 'SOFTDPU_WINDOW is "map"', "mapped cross handed served", SOFTDPU_WINDOW="map")
    noted("environment", "which is ignored", SOFTDPU_RDMA="net")
    noted("environment", "is it SOFTDPU_RUNTIME_DIR?", SOFTDPU_RUNTIMEDIR="/tmp")
    assert run_checks(SOFTDPU_POLL="yield")["environment"]["verdict"] == "good"


def machine():
    """few descriptors, and a spinning poller on one processor, are bad"""
    limited = Program("sh", "-c", 'ulimit -n 40; exec "$0" doctor', SOFTDPU)
    with limited as program:
        program.expect_status(1)
        program.expect_text("40 descriptors")
        program.expect_text("ulimit -n 1024")
    cpu = str(min(os.sched_getaffinity(0)))
    with Program("taskset", "-c", cpu, SOFTDPU, "doctor", env={"SOFTDPU_POLL": "spin"}) as program:
        program.expect_status(1)
        program.expect_text("unset SOFTDPU_POLL")
    with Program("taskset", "-c", cpu, SOFTDPU, "doctor") as program:
        program.expect_status(0)
        program.expect_text("take turns")


def network():
    """without a provider for TCP RDMA stays on this machine: a note, or bad where the network is wanted"""
    if "libfabric.so.1 is" in run_checks()["network"]["found"]:
        raise Skip("no libfabric here")
    noted("network", "stays on this machine", FI_PROVIDER="nonsense")
    ends_at("network", "SOFTDPU_RDMA=fabric", "unset FI_PROVIDER", FI_PROVIDER="nonsense", SOFTDPU_RDMA="fabric")


def self_test_fails():
    """the self-test fails where programs would, and says at what"""
    tiny = in_file("tiny.json", '{"limits": {"comch_max_msg_size": 16}}')
    ends_at("self-test", "half: ", "SOFTDPU_LOG_LEVEL", SOFTDPU_TOPOLOGY=tiny)


def self_test_by_network():
    """the self-test goes over the network when RDMA does"""
    if run_checks()["network"]["verdict"] != "good":
        raise Skip("no network here")
    assert "RDMA writes" in run_checks(SOFTDPU_RDMA="fabric")["self-test"]["found"]


def build(name, *words):
    """A program that calls Comch, and knows of no place of libraries."""
    source = in_file("uses.c", "int doca_comch_client_destroy(void *);\n"
                     "int main(int n, char **v) { return n > 1 && doca_comch_client_destroy(v); }\n")
    path = os.path.join(TOP, name)
    run("cc", "-o", path, source, *words)
    return path


def program():
    """a program is told which libraries it would load: ours, a real SDK's, or none"""
    check = run_checks(sample("doca_comch_ctrl_path_server"))["program"]
    assert check["verdict"] == "good" and "libdoca_common.so.2" in check["found"], check
    ends_at("program", "No such file", "path of a program", "/nowhere")
    ends_at("program", "script", "that it starts", os.path.join(SOURCE, "tests/isolated.sh"))
    ends_at("program", "no library of DOCA", "pkg-config", shutil.which("true"))

    # Neither is executed.
    ran = os.path.join(TOP, "ran")
    source = in_file("runs.c", f'#include <stdio.h>\nint main(void) {{ return fopen("{ran}", "w") == NULL; }}\n')
    for name, options, found in (("static", ["-static"], "linked statically"),
                                 ("other-loader", [f"-Wl,--dynamic-linker={TOP}/static"], "which does not load softdpu")):
        run("cc", *options, "-o", os.path.join(TOP, name), source)
        ends_at("program", found, "it with", os.path.join(TOP, name))
    assert not os.path.exists(ran)

    links = ("-Wl,--allow-shlib-undefined", f"-L{LIB}", "-ldoca_comch")
    uses = build("uses", *links)
    ends_at("program", "needs libdoca_comch.so.2", "softdpu env", uses, LD_LIBRARY_PATH="")
    assert run_checks(uses, LD_LIBRARY_PATH=LIB)["program"]["verdict"] == "good"

    other = os.path.join(TOP, "sdk")
    os.mkdir(other)
    run("cc", "-shared", "-fPIC", "-o", os.path.join(other, "libdoca_comch.so.2"), "-Wl,-soname,libdoca_comch.so.2", "-xc",
        in_file("other.c", "int doca_comch_client_destroy(void *x) { return !x; }\nint doca_comch_dance(void) { return 0; }\n"))
    # The command finds its own libraries by its own place, before this variable.
    ends_at("program", "which is not softdpu's", "softdpu run", uses, LD_LIBRARY_PATH=other)

    lacking = os.path.join(TOP, "lacking")
    run("cc", "-o", lacking, in_file("lacking.c", "int doca_comch_dance(void);\nint main(void) { return doca_comch_dance(); }\n"),
        f"-L{other}", "-l:libdoca_comch.so.2")
    ends_at("program", "doca_comch_dance", "build it against", lacking, LD_LIBRARY_PATH=LIB)


def mistakes():
    """wrong arguments are refused"""
    assert "one program" in ask("doctor", "a", "b", status=USAGE)
    assert "self-test" not in ask("--help").replace("self-test.", "")


try:
    main(healthy, environment, directory, long_path, the_dead, topology, machine, network, self_test_fails, self_test_by_network,
         program, mistakes)
finally:
    shutil.rmtree(TOP, ignore_errors=True)
