#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to be watched: operations a second of the storage pipeline while `softdpu top` looks at 10 Hz, divided
by those while nobody does. Runs of the pipeline differ among themselves by far more than that, so each run is cut into
windows, watched and not in turn; a pair is two neighbours. The bar is 0.97 for the median of all pairs.

  watched.py [--build DIRECTORY] [--runs N] [--pairs N] [--window S] [--interval S]
"""
import argparse
import contextlib
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time

BAR = 0.97
LIMIT = 20  # s, for whatever is waited for
WARM_UP = 1  # s
FOREVER = "1000000000"


def arguments():
    parser = argparse.ArgumentParser(description="What it costs to be watched.")
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=10, help="of a run")
    parser.add_argument("--window", type=float, default=0.8)
    parser.add_argument("--interval", default="0.1", help="of softdpu top, in watched windows")
    return parser.parse_args()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def wait_for_listener(port):
    """By the kernel's table: a connection would be taken for the bridge's."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        with open("/proc/net/tcp", encoding="ascii") as table:
            if any(line.split()[1].endswith(f":{int(port):04X}") and line.split()[3] == "0A" for line in table):
                return
        time.sleep(0.01)
    raise SystemExit("the target does not listen")


class Bench:
    def __init__(self, options, directory):
        self.options = options
        self.file = os.path.join(directory, "look")
        self.env = {**os.environ, "SOFTDPU_RUNTIME_DIR": directory}
        cpus = sorted(os.sched_getaffinity(0))
        self.cpus = (str(cpus[0]), str(cpus[-1]))  # the target, which moves the data, has one of its own

    @contextlib.contextmanager
    def program(self, path, *words):
        """Runs during the block; whatever happens, not after it."""
        process = subprocess.Popen([os.path.join(self.options.build, path), *words], env=self.env,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
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
            wait_for_listener(port)
            with self.program(prefix + "comch_to_rdma", "-d", "03:00.0", "-r", "3b:00.0", "--storage-server",
                              f"127.0.0.1:{port}", "--cpu", self.cpus[0]), \
                    self.program(prefix + "initiator_comch", "-d", "3b:00.0", "--operation", "write", "--cpu",
                                 self.cpus[0], "--run-limit-operation-count", FOREVER) as initiator:
                yield initiator.pid

    def look(self, pid):
        """When, and how many operations the initiator has asked for until then; both kinds of window have one."""
        with self.program("tools/softdpu", "top", "--count", "1", "--interval", "0.02", "--pid", str(pid), "--prometheus",
                          self.file) as looker:
            if looker.wait(LIMIT) != 0:
                raise SystemExit("softdpu top failed")
        now = time.monotonic()
        with open(self.file, encoding="utf-8") as file:
            found = re.search(r'^softdpu_sent_messages_total\{.*kind="producer".*\} (\d+)$', file.read(), re.M)
        return now, int(found[1]) if found else 0

    def window(self, pid, is_watched):
        """Operations a second."""
        watcher = self.program("tools/softdpu", "top", "--json", "--interval", self.options.interval)
        with watcher if is_watched else contextlib.nullcontext():
            begin, before = self.look(pid)
            time.sleep(self.options.window)
            end, after = self.look(pid)
        return (after - before) / (end - begin)

    def run(self):
        """Ratios of its pairs; who is first alternates."""
        with self.pipeline() as pid:
            deadline = time.monotonic() + LIMIT
            while self.look(pid)[1] == 0:
                if time.monotonic() > deadline:
                    raise SystemExit("the pipeline does not run")
            time.sleep(WARM_UP)
            return [self.pair(pid, number % 2 == 0) for number in range(self.options.pairs)]

    def pair(self, pid, watched_first):
        rates = {}
        for is_watched in (watched_first, not watched_first):
            rates[is_watched] = self.window(pid, is_watched)
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
