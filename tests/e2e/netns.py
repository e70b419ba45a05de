#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Two machines for tests: network namespaces that are joined by a cable (a veth pair), made without root.

As a module: Machines. As a program: runs a test that speaks TAP on the first of them, with this in its environment:

    netns.py PROGRAM [ARGUMENT...]             T_NETNS_0, T_NETNS_1: files of the namespaces, for tests that move
                                               processes there; T_NETNS_ADDR_0, _1: their addresses; T_NETNS_RUNDIR_1:
                                               a runtime directory for the second one
    netns.py --ipv6 PROGRAM [ARGUMENT...]      the same, where they have nothing but IPv6
    netns.py --mirror PROGRAM [ARGUMENT...]    T_NETNS_ADDR_1: an address where the program finds itself, at the other
                                               end of the cable, for tests that have both ends in one process
"""
import os
import subprocess
import sys
import tempfile
import time

ADDRESSES = ("10.77.0.1", "10.77.0.2")
ADDRESSES_IPV6 = ("fd77::1", "fd77::2")
MIRROR = "10.77.0.3"
FAR_MAC = "02:00:00:00:00:01"
MIRROR_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mirror.py")
DEADLINE = 10  # s


class NoNamespaces(Exception):
    """This machine does not let us make them; the text says why."""


def _run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != 0:
        raise NoNamespaces(f"{' '.join(command)}: {done.stdout.strip()}")


class Machines:
    """Two of them, numbered 0 and 1, from `with` to the end of the block."""

    def __init__(self, addresses=ADDRESSES):
        self._holders = []
        self.addresses = addresses
        # As root no user namespace is needed, and where those are forbidden root still gets on.
        self._unshare = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        self._enter = [] if os.geteuid() == 0 else ["--user", "--preserve-credentials"]

    def __enter__(self):
        try:
            self._hold(["unshare", *self._unshare, "--net"])
            self._hold([*self.prefix(0), "unshare", "--net"])
            self._join()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind, value, trace):
        for holder in self._holders:
            holder.kill()
            holder.wait()
            holder.stdout.close()

    def _hold(self, prefix, command=("sh", "-c", "echo there && exec sleep 86400")):
        """A process that lives as long as we do; its first line says that it is there. One with a prefix that makes a
        namespace keeps that alive."""
        try:
            holder = subprocess.Popen([*prefix, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True)
        except FileNotFoundError as error:
            raise NoNamespaces(str(error)) from None
        self._holders.append(holder)
        said = holder.stdout.readline().strip()
        if said != "there":
            raise NoNamespaces(f"{' '.join(prefix)}: {said}")

    def _join(self):
        far = str(self._holders[1].pid)
        self._ip(0, "link", "add", "cable0", "type", "veth", "peer", "name", "cable1", "address", FAR_MAC, "netns", far)
        for number, address in enumerate(self.addresses):
            is_ipv6 = ":" in address
            self._ip(number, "link", "set", "lo", "up")
            if is_ipv6:  # or else it goes with the cable
                _run(*self.prefix(number), "sh", "-c", f"echo 1 >/proc/sys/net/ipv6/conf/cable{number}/keep_addr_on_down")
            # Nobody else can have that address, and to ask takes seconds.
            self._ip(number, "addr", "add", f"{address}/{64 if is_ipv6 else 24}", "dev", f"cable{number}",
                     *(["nodad"] if is_ipv6 else []))
            self._ip(number, "link", "set", f"cable{number}", "up")
        self._await_cable()

    def _await_cable(self):
        """Until a packet gets through: the link needs some moments after it was set up."""
        probe = (f"import socket\n"
                 f"try: socket.create_connection(('{self.addresses[1]}', 1), 1)\n"
                 f"except ConnectionRefusedError: raise SystemExit(0)\n"
                 f"raise SystemExit(1)")
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            done = subprocess.run([*self.prefix(0), sys.executable, "-c", probe], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if done.returncode == 0:
                return
        raise NoNamespaces("nothing gets through between the namespaces")

    def _ip(self, number, *words):
        _run(*self.prefix(number), "ip", *words)

    def prefix(self, number):
        """Words before a command that shall run on this machine."""
        return ["nsenter", "--target", str(self._holders[number].pid), *self._enter, "--net", "--"]

    def file(self, number):
        return f"/proc/{self._holders[number].pid}/ns/net"

    def mirror(self):
        """From now on, who calls MIRROR from machine 0 reaches himself."""
        self._ip(0, "neigh", "add", MIRROR, "lladdr", FAR_MAC, "dev", "cable0")
        _run(*self.prefix(0), sys.executable, MIRROR_PROGRAM, "plain", "cable0")
        self._hold(self.prefix(1), (sys.executable, MIRROR_PROGRAM, "reflect", "cable1", MIRROR))

    def cut(self):
        """Pulls the cable out. Nobody is told."""
        self._ip(1, "link", "set", "cable1", "down")

    def mend(self):
        self._ip(1, "link", "set", "cable1", "up")


def apart(machines, far):
    return {"T_NETNS_0": machines.file(0), "T_NETNS_1": machines.file(1), "T_NETNS_ADDR_0": machines.addresses[0],
            "T_NETNS_ADDR_1": machines.addresses[1], "T_NETNS_RUNDIR_1": far}


def mirrored(machines):
    machines.mirror()
    return {"T_NETNS_ADDR_1": MIRROR, "SOFTDPU_FABRIC_ADDR": MIRROR}


def main(command):
    how = command.pop(0) if command[0].startswith("--") else None
    try:
        with Machines(ADDRESSES_IPV6 if how == "--ipv6" else ADDRESSES) as machines, \
                tempfile.TemporaryDirectory(prefix="sdpu-far.") as far:
            names = mirrored(machines) if how == "--mirror" else apart(machines, far)
            return subprocess.run([*machines.prefix(0), *command], env={**os.environ, **names}, check=False).returncode
    except NoNamespaces as reason:
        print(f"1..0 # SKIP no network namespaces here: {reason}")
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
