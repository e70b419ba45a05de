#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""softdpu ls: devices as this process sees them, and who is there, the dead included."""
import json
import os
import signal

from command_kit import USAGE, ask
from harness import Program, main, sample

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


def tricks():
    """what others have written is shown, and never obeyed by a terminal"""
    room, quiet = os.environ["SOFTDPU_RUNTIME_DIR"], {"SOFTDPU_DEVICES": "none"}  # no device is opened, which reaps
    left = {"s-x": "a-0 \033[2J \x9b5m gr%c3%bcn%1b%9b%c2%9b%25\n", "r-7-host-\033[1m": "a-0 0\n", "x-\033[2J": "\n"}
    for name, text in left.items():
        with open(os.path.join(room, f"{name}.claim"), "wb") as file:
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


main(devices, who_is_there, tricks, mistakes)
