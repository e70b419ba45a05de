#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""softdpu ls: devices as this process sees them, who is there, the dead included, and what they have."""
import json
import os
import re
import signal
import tempfile
import time

from command_kit import SOFTDPU, USAGE, ask
from harness import BUILD, SCALE, Program, main, sample
from storage_kit import Pipeline

PEER = os.path.join(BUILD, "tests", "e2e", "peer", "comch_peer")
SERVER = sample("doca_comch_ctrl_path_server")


def devices():
    """devices stand with arguments to paste; hidden ones do not"""
    text = ask("ls", "devices")
    assert "dpu   0000:03:00.0  mlx5_0    p0          -d 03:00.0 -r 3b:00.0 | 3b:00.2 | b1:00.0\n" in text, text
    assert "host  0000:3b:00.0  mlx5_2    ens1f0np0   -d 3b:00.0\n" in text, text
    assert "dpu " not in ask("ls", "devices", env={"SOFTDPU_SIDE": "host"})
    assert ask("ls", "devices", env={"SOFTDPU_DEVICES": "none"}) == "Devices:\n  none\n"


def who_is_there():
    """a server is listed with its process; once killed, as what a dead one has left, and nothing is removed"""
    assert ask("ls", "servers") == "Comch servers:\n  none\n"
    with Program(SERVER) as server:
        server.wait_for("waits for a client")
        words = 'Comch server "comch_ctrl_path_sample" on 0000:03:00.0 for 0000:b1:00.0'
        assert f"  {words}: pid {server.pid} (doca_comch_ctrl" in ask("ls", "servers")
        shown = json.loads(ask("ls", "--json"))
        assert [(e["kind"], e["alive"], e["pid"]) for e in sorted(shown["entries"], key=lambda e: e["kind"])] == \
               [("process", True, server.pid), ("server", True, server.pid)], shown
        assert len(shown["devices"]) == 6 and shown["directory"] == os.environ["SOFTDPU_RUNTIME_DIR"], shown
        server.signal(signal.SIGKILL)
        server.wait_status()
    for _ in range(2):
        # Looking at other parts opens devices, which reaps.
        assert f"  {words}: of a dead process" in ask("ls", "servers", env={"SOFTDPU_DEVICES": "none"})
    ask("clean")
    assert ask("ls", "processes") == "Processes:\n  none\n"


def groups():
    """groups of softdpu run are named; where nobody else is, the only one is looked into, and that is said"""
    with tempfile.TemporaryDirectory() as directory:
        usual = {"TMPDIR": directory, "SOFTDPU_RUNTIME_DIR": ""}
        words = "run", "--on", "server", f"exec {PEER} serve asleep"
        with Program(SOFTDPU, *words, env={"TMPDIR": directory}) as first:
            first.wait_for("listening")
            group_dir = re.search(r"SOFTDPU_RUNTIME_DIR=(\S+)", first.output)[1]
            assert os.path.dirname(group_dir) == directory, group_dir
            assert json.loads(ask("ls", "--json", env={"TMPDIR": directory}))["groups"] == [group_dir]
            text, shown = ask("ls", "processes", env=usual), json.loads(ask("ls", "--json", env=usual))
            assert shown["groups"] == [group_dir], shown
            assert group_dir in ask("doctor", "--json", env={"TMPDIR": directory})
            if shown["directory"] == group_dir:
                assert text.startswith(f"The group of softdpu run in {group_dir}, as no process runs outside of it.\n"), text
                assert "(comch_peer)" in text and any(e["command"] == "comch_peer" for e in shown["entries"]), text
            else:  # somebody is at work in this user's usual directory
                assert f"For a group of softdpu run: SOFTDPU_RUNTIME_DIR={group_dir} softdpu ls\n" in text, text
            with Program(SOFTDPU, *words, env={"TMPDIR": directory}) as second:
                second.wait_for("listening")
                text, shown = ask("ls", "processes", env=usual), json.loads(ask("ls", "--json", env=usual))
                assert len(shown["groups"]) == text.count("For a group of softdpu run: ") == 2, text
                assert os.path.dirname(shown["directory"]) != directory, shown
                assert "a group of" not in ask("ls", "processes", env={**usual, "SOFTDPU_RUNTIME_DIR": group_dir})


def wait_for(part, *patterns, seconds=20):
    """What ls prints of a part, once every pattern is in it."""
    end = time.monotonic() + seconds * SCALE
    while True:
        text = ask("ls", part)
        missing = [pattern for pattern in patterns if not re.search(pattern, text, re.M)]
        if not missing:
            return text
        assert time.monotonic() < end, f"no {missing} in {text}"


def engines_at_work(at_least, seconds=20):
    """All engines are at work, once each has had a turn, which in a crowd may take a while."""
    end = time.monotonic() + seconds * SCALE
    while True:
        shown = json.loads(ask("ls", "--json"))
        engines = [o for e in shown["entries"] for o in e.get("objects", ()) if o["kind"] == "engine"]
        if len(engines) >= at_least and {engine["mode"] for engine in engines} <= {"polled", "asleep"}:
            return
        assert time.monotonic() < end, engines


def what_they_have():
    """a process is listed with engines, ends of connections, memory and RDMA, and who is at the other end"""
    with Pipeline(operations=100_000_000, operation="read") as pipeline:
        bridge, start = pipeline.bridge.pid, pipeline.initiator.pid
        wait_for("connections",
                 rf"  pid {bridge} \(.*\):\n    server \"storage_zero_copy_comch\" on 03:00.0: running\n"
                 rf"      connection with pid {start}: running, sent 3 \(\d+ bytes\), received 3 \(\d+ bytes\)\n",
                 rf"    client \"storage_zero_copy_comch\" on 3b:00.0: running\n      connection with pid {bridge}: ",
                 r"        consumer 1: running, \d+ receives posted, received [1-9]\d+ \(\d+ bytes\)",
                 r"        producer 1: running, sent [1-9]\d+ \(\d+ bytes\)")
        wait_for("rdma", rf"      connection 0, back end local, with pid {pipeline.target.pid}: running, ",
                 r"    context \d+ on 03:00.0: running, \d+ tasks done, .*\d+ receives posted")
        wait_for("memory", r"^    0x[0-9a-f]+, \d+ bytes, own, private: reached by 2, local read write, ",
                 rf"^    0x[0-9a-f]+, \d+ bytes, of pid {start}: \w+, ")
        engines_at_work(3)
        shown = json.loads(ask("ls", "memory", "--json"))
        kinds = {o["kind"] for e in shown["entries"] for o in e["objects"]}
        assert kinds == {"window", "reach"} and "devices" not in shown, shown
        assert [*json.loads(ask("ls", "servers", "--json"))["entries"][0]][0] == "kind"
        assert "entries" not in json.loads(ask("ls", "devices", "--json"))
        pipeline.bridge.signal(signal.SIGSTOP)
        wait_for("processes", rf"pid {bridge} .*\n    its objects are not known: no answer: it is stopped")
        pipeline.bridge.signal(signal.SIGCONT)
        wait_for("processes", rf"pid {bridge} .*\n    engine \d+: polled")


def left_alone():
    """an engine that nobody progresses is told"""
    with Program(PEER, "ping-server", "alarm=100") as server:
        server.wait_for("listening")
        with Program(PEER, "ping-client", "obey", "alarm=100", held=True) as client:
            client.wait_for("ready")
            wait_for("processes", rf"pid {server.pid} .*\n    engine \d+: polled\n",
                     rf"pid {client.pid} .*\n    engine \d+: left alone, nobody called doca_pe_progress\(\) for \d+ ms")


def tricks():
    """what others have written is shown, and never obeyed by a terminal"""
    directory, quiet = os.environ["SOFTDPU_RUNTIME_DIR"], {"SOFTDPU_DEVICES": "none"}  # no device is opened, which reaps
    left = {"s-x": "a-0 \033[2J \x9b5m gr%c3%bcn%1b%9b%c2%9b%25\n", "r-7-host-\033[1m": "a-0 0\n", "x-\033[2J": "\n"}
    for name, text in left.items():
        with open(os.path.join(directory, f"{name}.claim"), "wb") as file:
            file.write(text.encode("latin-1"))
    try:
        assert 'Comch server "grün%1b%9b%c2%9b%" on %1b[2J for %9b5m: ' in ask("ls", "servers", env=quiet)
        assert "RDMA port 7 on %1b[1m: " in ask("ls", "rdma", env=quiet)
        text = ask("clean", "--dry-run")
        assert "unknown file x-%1b[2J\n" in text and "\033" not in text, text
    finally:
        ask("clean")


def mistakes():
    """what cannot be listed is refused, and a wrong topology told"""
    assert "devices processes" in ask("ls", "cats", status=USAGE)
    assert "softdpu doctor" in ask("ls", env={"SOFTDPU_TOPOLOGY": "/nowhere"}, status=1)


main(devices, who_is_there, groups, what_they_have, left_alone, tricks, mistakes)
