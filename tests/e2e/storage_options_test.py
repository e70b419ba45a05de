#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The command lines of the storage set: what is taken, what is refused and with which words."""
import os
import pty
import re
import resource
import socket
import subprocess

from harness import SOURCE, Failure, Program, main
from storage_kit import (BLOCK, CPUS, PREFIX, Files, Peer, bridge, configure, cpus, expect_equal, expect_failure,
                         free_port, initiator, initiator_command, target, transfer)

INITIATOR, BRIDGE, TARGET = PREFIX + "initiator_comch", PREFIX + "comch_to_rdma", PREFIX + "target_rdma"


def refuse(text, *command, said=""):
    """command ends with status 1 and text in its EXCEPTION line, having said `said`."""
    with Program(*command) as program:
        expect_failure(program, text)
        program.expect_text(said)


def help_text():
    """--help lists both groups of flags, and all of them"""
    common = ["-h, --help", "-v, --version", "-l, --log-level", "--sdk-log-level", "-j, --json <path>",
              "-d, --device", "--cpu", "--control-timeout", "--stats-json"]
    for command, flags in (
            (INITIATOR, ["--operation", "--run-limit-operation-count", "--per-cpu-buffer-count", "--buffer-size",
                         "--validate-writes", "--command-channel-name", "--batch-size", "--io-memory", "--data-file"]),
            (BRIDGE, ["-r, --representor", "--storage-server", "--command-channel-name"]),
            (TARGET, ["--listen-port", "--storage-file"])):
        for flag in ("-h", "--help"):
            with Program(command, flag) as program:
                program.expect_status(0)
                name = os.path.basename(command)
                program.expect_text(f"Usage: {name} [DOCA Flags] [Program Flags]")
                for text in common + flags + ["DOCA Flags:", "Program Flags:"]:
                    program.expect_text(text)


def version():
    """--version prints versions and ends with 0"""
    for command in (INITIATOR, BRIDGE, TARGET):
        for flag in ("-v", "--version"):
            with Program(command, flag) as program:
                program.expect_status(0)
                program.expect_text("Version")


def mandatory_flags():
    """each mandatory flag is missed by its name"""
    complete = {
        INITIATOR: {"device": "3b:00.0", "operation": "read", "run-limit-operation-count": "1", "cpu": "0"},
        BRIDGE: {"device": "03:00.0", "representor": "3b:00.0", "storage-server": "127.0.0.1:1", "cpu": "0"},
        TARGET: {"device": "03:00.0", "listen-port": "1", "cpu": "0"},
    }
    for command, flags in complete.items():
        for missing in flags:
            words = [word for name, value in flags.items() if name != missing for word in ("--" + name, value)]
            refuse("command line", command, *words, said=missing)


def malformed_flags():
    """unknown flags, values of the wrong type and out of range are refused"""
    for args, said in ((["--nonsense"], "nonsense"), (["--buffer-size", "many"], "buffer-size"),
                       (["--run-limit-operation-count"], "run-limit-operation-count"),
                       (["--run-limit-operation-count", "99999999999"], "run-limit-operation-count")):
        refuse("command line", INITIATOR, "-d", "3b:00.0", *args, said=said)
    for port in ("0", "65536", "-1"):
        refuse("command line", TARGET, "-d", "03:00.0", "--cpu", "0", "--listen-port", port, said="listen-port")
    for server in ("127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.256:1", "127.0.0.1 :1", "localhost:1",
                   "1.2.3:4", "1.2.3.4.5:6"):
        refuse("command line", BRIDGE, "-d", "03:00.0", "-r", "3b:00.0", "--cpu", "0", "--storage-server", server,
               said="storage-server")


def invalid_configurations():
    """values that make no sense are refused at once, a line each"""
    base = {"-d": "3b:00.0", "--operation": "write", "--run-limit-operation-count": "100", "--cpu": str(CPUS[0])}
    for changes, said in (
            ({"--buffer-size": "0"}, "buffer-size"), ({"--buffer-size": "100"}, "multiple of 64"),
            ({"--buffer-size": "-64"}, "buffer-size"), ({"--per-cpu-buffer-count": "0"}, "per-cpu-buffer-count"),
            ({"--run-limit-operation-count": "0"}, "run-limit-operation-count"),
            ({"--control-timeout": "0"}, "control-timeout"), ({"--batch-size": "-1"}, "batch-size"),
            ({"--operation": "erase"}, 'not "erase"'), ({"--cpu": "1023"}, "cpu 1023 does not exist"),
            ({"--cpu": "-1"}, "cpu -1"), ({"--io-memory": "other"}, "io-memory"),
            ({"--data-length": "5"}, "data-length")):
        words = [word for pair in {**base, **changes}.items() for word in pair]
        refuse("Invalid configuration detected", INITIATOR, *words, said=said)
    refuse("Invalid configuration detected", INITIATOR, "-d", "3b:00.0", "--operation", "read",
           "--run-limit-operation-count", "1", *cpus(2), said="each thread needs an operation")
    for command, more in ((BRIDGE, ["-r", "3b:00.0", "--storage-server", "127.0.0.1:1"]),
                          (TARGET, ["--listen-port", "1"])):
        refuse("Invalid configuration detected", command, "-d", "03:00.0", "--cpu", "1023", *more,
               said="cpu 1023 does not exist")


def devices_that_do_not_exist():
    """unknown devices and representors, and devices of the wrong side, are refused"""
    with initiator(device="99:00.0") as program:
        expect_failure(program, 'no device matched "99:00.0"')
    with bridge(device="no_such_dev", port=1) as program:
        expect_failure(program, "no device matched")
    with target(device="03:00.7", port=free_port()) as program:
        expect_failure(program, "no device matched")
    with bridge(rep="99:00.0", port=1) as program:
        expect_failure(program, 'no representor matched "99:00.0"')
    with bridge(device="3b:00.0", port=1) as program:
        expect_failure(program, "must be a device of the DPU")
    with initiator(device="03:00.0") as program:
        expect_failure(program, "must be a device of the host")


def json_files():
    """all flags of all three from JSON files: comments, trailing commas, hexadecimal, lists and scalars"""
    port = free_port()
    with Files() as files:
        names = {
            "target": f"""{{ "doca_program_flags": {{
                "device": "03:00.0", "listen-port": {port}, "cpu": [{CPUS[0]}] }} }}""",
            "bridge": f"""{{
                // as the published file, with another address
                "doca_general_flags": {{ "log-level": 50, "sdk-log-level": 40, }},
                "doca_program_flags": {{
                    "device": "03:00.0", "representor": "3b:00.0", "cpu": {CPUS[-1]}, /* a scalar */
                    "storage-server": "127.0.0.1:{port}", "command-channel-name": "storage_zero_copy_comch",
                }}
            }}""",
            "initiator": f"""{{ "doca_program_flags": {{
                "device": "3b:00.0", "operation": "write", "run-limit-operation-count": 0x100, "cpu": [{CPUS[0]}],
                "validate-writes": true, "buffer-size": 0x200, "control-timeout": 10 }} }}""",
        }
        paths = {name: files.write(f"doca_storage_{name}_params.json", text.encode()) for name, text in names.items()}
        with Program(TARGET, "--json", paths["target"]) as storage, Program(BRIDGE, "-j", paths["bridge"]) as middle, \
                Program(INITIATOR, "--json", paths["initiator"]) as first:
            for program in (first, middle, storage):
                program.expect_status(0)
            first.expect_text("verified successfully")
            first.expect_text("| Operation count: 256\n")
            first.expect_text("buffer_size : 512,")


def shipped_json_files():
    """the JSON files beside the sources work, with another port and other CPUs"""
    port = free_port()
    with Files() as files:
        programs = []
        for command in (TARGET, BRIDGE, INITIATOR):
            name = f"{os.path.basename(command)}_params.json"
            with open(os.path.join(SOURCE, "apps", "storage", name), encoding="utf-8") as file:
                text = file.read().replace("12345", str(port)).replace('"cpu": [0]', f'"cpu": [{CPUS[0]}]')
            programs.append(Program(command, "--json", files.write(name, text.encode())))
        with programs[0], programs[1], programs[2]:
            for program in programs:
                program.expect_status(0)


def json_mistakes():
    """mistakes in a JSON file are refused with their place"""
    good = '"device": "3b:00.0", "operation": "read", "run-limit-operation-count": 1, "cpu": [0]'
    with Files() as files:
        for text, said in (('{ "doca_program_flags": {' + good, ""), ("nonsense", ""),
                           ('{ "doca_program_flags": { "cpu": [0, "x"] } }', "cpu[1]"),
                           ('{ "doca_program_flags": { "no-such-flag": 1 } }', "no-such-flag"),
                           ('{ "doca_program_flags": { "device": "3b:00.0" } }', "cpu is missing")):
            refuse("command line", INITIATOR, "--json", files.write("bad.json", text.encode()), said=said)
        refuse("command line", INITIATOR, "--json", files.path("missing.json"), said="missing.json")


def several_storage_servers():
    """of several --storage-server the last is used, and the others are named"""
    port = free_port()
    with target(port=port) as storage, bridge("--storage-server", f"127.0.0.1:{port}", port=1) as middle, \
            initiator() as first:
        for program in (first, middle, storage):
            program.expect_status(0)
        middle.expect_text("Ignoring --storage-server 127.0.0.1:1")
        middle.expect_text(f"storage_server : 127.0.0.1:{port}")


def log_levels():
    """--log-level and --sdk-log-level choose what is told"""
    quiet, _, _ = transfer("--log-level", "10")
    if "[INF]" in quiet or "[WRN]" in quiet:
        raise Failure(quiet)
    loud, _, _ = transfer("-l", "60")
    if "[DBG]" not in loud or "Phase: run" not in loud:
        raise Failure(loud)
    with initiator("--sdk-log-level", "10", timeout=1) as program:
        expect_failure(program, "Failed to connect")
        if "[client" in program.output:
            raise Failure(program.output)


def data_files_that_do_not_fit():
    """a data file that does not fit says which counts would, and these do"""
    with Files() as files:
        path = files.write("data", bytes(100 * BLOCK))
        with initiator("--data-file", path, operations=100) as program:
            expect_failure(program, "--per-cpu-buffer-count 100 and --run-limit-operation-count 100")
        with initiator("--data-file", path, "--per-cpu-buffer-count", "100", operations=99) as program:
            expect_failure(program, "--run-limit-operation-count 100")
        transfer("--data-file", path, "--per-cpu-buffer-count", "100", operations=100)
        transfer("--data-file", path, "--buffer-size", "6400", operations=64)
        with initiator("--data-file", files.path("missing")) as program:
            expect_failure(program, "No such file")
        with initiator("--data-file", path, "--validate-writes") as program:
            expect_failure(program, "Invalid configuration")


def unusable_storage_files():
    """a storage file that is a directory, read-only, of somebody else, or cannot grow is refused"""
    with Files() as files:
        with target("--storage-file", os.path.dirname(files.path("x")), port=free_port()) as program:
            expect_failure(program, "it is a directory")
        with target("--storage-file", files.path("no/such/place"), port=free_port()) as program:
            expect_failure(program, "its directory does not exist")
        if os.geteuid() != 0:
            os.chmod(files.write("locked", b""), 0o444)
            with target("--storage-file", files.path("locked"), port=free_port()) as program:
                expect_failure(program, "readable and writable")
        with target("--storage-file", files.path("shared"), port=free_port()) as first:
            first.wait_for("Listening")
            with target("--storage-file", files.path("shared"), port=free_port()) as second:
                expect_failure(second, "in use by another target")


def storage_file_that_cannot_grow():
    """a storage file without room for the initiator's need fails the run of all three, with the reason"""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    port = free_port()
    with Files() as files:
        resource.setrlimit(resource.RLIMIT_FSIZE, (BLOCK, limit[1]))
        storage = target("--storage-file", files.path("storage"), port=port)
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        with storage, bridge(port=port) as middle, initiator() as first:
            for program in (first, middle, storage):
                expect_failure(program, "cannot grow")


def statistics_file_that_cannot_be_written():
    """--stats-json to a place that does not exist is refused before anything runs"""
    with initiator("--stats-json", "/no/such/place") as program:
        expect_failure(program, "--stats-json")


def port_in_use():
    """a --listen-port that somebody has is refused"""
    with socket.socket() as other:
        other.bind(("", 0))
        other.listen()
        with target(port=other.getsockname()[1]) as program:
            expect_failure(program, "choose another --listen-port")


def progress_on_a_terminal():
    """a run shows its progress when standard error is a terminal, and only then"""
    port = free_port()
    ours, theirs = pty.openpty()
    with target(port=port) as storage, bridge(port=port) as middle, \
            subprocess.Popen(initiator_command(operations=400000), stdout=subprocess.DEVNULL, stderr=theirs) as first:
        os.close(theirs)
        shown = read_terminal(ours)
        expect_equal(first.wait(20), 0, "status of the initiator")
        for program in (middle, storage):
            program.expect_status(0)
    if not re.search(r"\d\.\d %  \d+ of 400000  \d+\.\d kop/s  \d+\.\d\d GiB/s  \d+:\d\d left", shown):
        raise Failure(f"no progress in {shown!r}")
    if " left" in transfer(operations=20000)[0]:
        raise Failure("progress without a terminal")


def read_terminal(descriptor):
    """All that is written to a terminal until nobody has it open."""
    text = b""
    try:
        while True:
            text += os.read(descriptor, 4096)
    except OSError:  # how Linux says that the other end is closed
        os.close(descriptor)
    return text.decode(errors="replace")


def target_configuration_from_the_wire():
    """sizes of zero are refused by the target with an error reply"""
    port = free_port()
    with target(port=port) as storage:
        storage.wait_for("Listening")
        with Peer.connect(port) as peer:
            peer.send(configure(7, 0, 0, 1, b"blob"))
            peer.expect_error(7, "Cannot work with 0 buffers")
        expect_failure(storage, "Cannot work with 0 buffers")


main(help_text, version, mandatory_flags, malformed_flags, invalid_configurations, devices_that_do_not_exist,
     json_files, shipped_json_files, json_mistakes, several_storage_servers, log_levels, data_files_that_do_not_fit, unusable_storage_files,
     storage_file_that_cannot_grow, statistics_file_that_cannot_be_written, port_in_use, progress_on_a_terminal,
     target_configuration_from_the_wire)
