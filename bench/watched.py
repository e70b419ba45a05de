#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to be watched: operations a second of the storage pipeline while `softdpu top` looks at 10 Hz, divided
by those while nobody does. The pipeline's rate wanders by far more than that, within a second too, so each run is cut
into short windows, watched and not in turn; a pair is two neighbours. The bar is 0.97 for the median of all pairs.

  watched.py [--build DIRECTORY] [--runs N] [--pairs N] [--window S] [--interval S]
"""
import argparse
import contextlib
import ctypes
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time

BAR = 0.97
LIMIT = 20  # s, for whatever is waited for
WARM_UP = 1  # s
SETTLE = 0.1  # s, after the start of a watcher, and again before the window
FOREVER = "1000000000"


def arguments():
    parser = argparse.ArgumentParser(description="What it costs to be watched.")
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=30, help="of a run")
    parser.add_argument("--window", type=float, default=0.3)
    parser.add_argument("--interval", default="0.1", help="of softdpu top, in watched windows")
    return parser.parse_args()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def listens(port):
    """By the kernel's table: a connection would be taken for the bridge's."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        return any(line.split()[1].endswith(f":{int(port):04X}") and line.split()[3] == "0A" for line in table)


class Object(ctypes.Structure):
    """softdpu_object, as softdpu.h has it."""
    _fields_ = [("id", ctypes.c_uint32), ("kind", ctypes.c_uint32), ("numbers", ctypes.c_uint32 * 6),
                ("sent_messages", ctypes.c_uint64), ("counters", ctypes.c_uint64 * 12), ("more", ctypes.c_uint32 * 70),
                ("texts", ctypes.c_char * 176)]


class Reading(ctypes.Structure):
    """softdpu_reading."""
    _fields_ = [("taken_ns", ctypes.c_uint64), ("watched_ns", ctypes.c_uint64), ("num_objects", ctypes.c_uint32),
                ("num_unlisted", ctypes.c_uint32), ("objects", ctypes.POINTER(Object))]


class Entry(ctypes.Structure):
    """softdpu_entry."""
    _fields_ = [("kind", ctypes.c_int), ("name", ctypes.c_char_p), ("text", ctypes.c_char_p), ("is_alive", ctypes.c_bool),
                ("pid", ctypes.c_int)]


class Counter:
    """What a process's producers have sent. It is watched for that, but only for the moment of a look."""
    PROCESS, PRODUCER, TIMEOUT_MS = 0, 5, 5000

    def __init__(self, build, pid):
        self.library = ctypes.CDLL(os.path.join(build, "lib", "libdoca_common.so"))
        self.pid, self.name = pid, None

    def find(self):
        @ctypes.CFUNCTYPE(None, ctypes.POINTER(Entry), ctypes.c_void_p)
        def see(entry, _):
            if entry[0].kind == self.PROCESS and entry[0].pid == self.pid:
                self.name = bytes(entry[0].name)
        self.library.softdpu_registry_look(see, None)
        return self.name is not None

    def look(self):
        """When, in seconds, and how many."""
        watch, reading = ctypes.c_void_p(), Reading()
        if self.library.softdpu_watch_open(self.name, self.TIMEOUT_MS, ctypes.byref(watch)) != 0 or \
                self.library.softdpu_watch_read(watch, self.TIMEOUT_MS, ctypes.byref(reading)) != 0:
            raise SystemExit("the pipeline cannot be looked at")
        sent = sum(found.sent_messages for found in reading.objects[:reading.num_objects] if found.kind == self.PRODUCER)
        self.library.softdpu_watch_close(watch)
        return reading.taken_ns / 1e9, sent


def wait_until(condition, what):
    deadline = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(what)
        time.sleep(0.01)


class Bench:
    def __init__(self, options, directory):
        self.options = options
        os.environ["SOFTDPU_RUNTIME_DIR"] = directory
        cpus = sorted(os.sched_getaffinity(0))
        self.cpus = (str(cpus[0]), str(cpus[-1]))  # the target, which moves the data, has one of its own

    @contextlib.contextmanager
    def program(self, path, *words):
        """Runs during the block; whatever happens, not after it."""
        process = subprocess.Popen([os.path.join(self.options.build, path), *words], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    @contextlib.contextmanager
    def pipeline(self):
        """The initiator's pid."""
        port, prefix = free_port(), "apps/storage/doca_storage_zero_copy_"
        with self.program(prefix + "target_rdma", "-d", "03:00.0", "--listen-port", port, "--cpu", self.cpus[1]):
            wait_until(lambda: listens(port), "the target does not listen")
            with self.program(prefix + "comch_to_rdma", "-d", "03:00.0", "-r", "3b:00.0", "--storage-server",
                              f"127.0.0.1:{port}", "--cpu", self.cpus[0]), \
                    self.program(prefix + "initiator_comch", "-d", "3b:00.0", "--operation", "write", "--cpu",
                                 self.cpus[0], "--run-limit-operation-count", FOREVER) as initiator:
                yield initiator.pid

    def window(self, counter, is_watched):
        """Operations a second. A program that starts upsets the pipeline for longer than it takes: one does in both."""
        with contextlib.ExitStack() as programs:
            programs.enter_context(self.program("tools/softdpu", "top", "--json", "--interval", self.options.interval))
            time.sleep(SETTLE)
            if not is_watched:
                programs.close()
            time.sleep(SETTLE)
            begin, before = counter.look()
            time.sleep(self.options.window)
            end, after = counter.look()
        return (after - before) / (end - begin)

    def run(self):
        """Ratios of its pairs; who is first alternates."""
        with self.pipeline() as pid:
            counter = Counter(self.options.build, pid)
            wait_until(lambda: counter.find() and counter.look()[1] > 0, "the pipeline does not run")
            time.sleep(WARM_UP)
            return [self.pair(counter, number % 2 == 0) for number in range(self.options.pairs)]

    def pair(self, counter, watched_first):
        rates = {}
        for is_watched in (watched_first, not watched_first):
            rates[is_watched] = self.window(counter, is_watched)
        ratio = rates[True] / rates[False]
        print(f"{rates[False] / 1e3:8.0f} k/s alone {rates[True] / 1e3:8.0f} k/s watched  {ratio:.3f}", flush=True)
        return ratio


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="sdpu-bench.") as directory:
        bench = Bench(options, directory)
        ratios = sorted(ratio for _ in range(options.runs) for ratio in bench.run())
    median, quarter = statistics.median(ratios), len(ratios) // 4
    print(f"median {median:.3f} of {len(ratios)} pairs (half of them {ratios[quarter]:.3f} .. {ratios[-1 - quarter]:.3f}), "
          f"bar >= {BAR}: {'met' if median >= BAR else 'missed'}")
    return 0 if median >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
