# SPDX-License-Identifier: BSD-3-Clause
"""What the scripts that kill processes share: many rounds in parallel, each in a runtime directory of its own, and the
figures of them."""
import argparse
import concurrent.futures
import os
import random
import shutil
import statistics
import tempfile
import time

from harness import Failure, Skip

SHM = "/dev/shm"


def options(description, rounds):
    """Of the command line: how many rounds, and which."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("rounds", nargs="?", type=int, default=rounds, help=f"in all (default {rounds})")
    parser.add_argument("--seed", default=str(time.time_ns()), help="same seed, same choices (default: the clock)")
    parser.add_argument("--workers", type=int, default=2, help="rounds at the same time (default 2)")
    parser.add_argument("--only", metavar="VARIANT[/NUMBER]", help="this variant, or this one round of it")
    return parser.parse_args()


def shm_entries():
    return {name for name in os.listdir(SHM) if "sdpu" in name or "softdpu" in name} if os.path.isdir(SHM) else set()


class RuntimeDirectory:
    """A runtime directory of its own, in which nothing may be left."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="round.", dir=os.environ["SOFTDPU_RUNTIME_DIR"])
        self.env = {"SOFTDPU_RUNTIME_DIR": self.path, "SOFTDPU_LOG_LEVEL": "40"}
        return self

    def __exit__(self, kind, value, trace):
        shutil.rmtree(self.path)

    def left(self):
        """Names of what lies there."""
        return " ".join(name for _, _, names in os.walk(self.path) for name in names)

    def expect_empty(self, when):
        if self.left():
            raise Failure(f"left in the runtime directory {when}: {self.left()}")


class Figures:
    """What the rounds of one variant came to."""

    def __init__(self):
        self.hits = {}
        self.delays = []

    def add(self, hit, delays=()):
        self.hits[hit] = self.hits.get(hit, 0) + 1
        self.delays += delays

    def text(self):
        parts = [", ".join(f"{count} {name}" for name, count in sorted(self.hits.items()))]
        if self.delays:
            ms = sorted(delay * 1000 for delay in self.delays)
            late = sum(delay > 100 for delay in ms)
            parts.append(f"noticed after {statistics.median(ms):.1f} ms at the median, "
                         f"{ms[int(len(ms) * 0.99)]:.1f} at p99, {ms[-1]:.1f} at most; {late} of {len(ms)} later than 100")
        return "; ".join(parts)


def run_rounds(args, variant, rounds, one_round):
    """one_round(rng) -> (what was hit, delays in seconds); raises Failure. Returns the figures as text."""
    numbers = range(rounds)
    if args.only:
        name, _, number = args.only.partition("/")
        if name != variant:
            raise Skip("not asked for")
        numbers = [int(number)] if number else numbers
    figures = Figures()
    faults = []
    shm = shm_entries()

    def run(number):
        try:
            return one_round(random.Random(f"{args.seed}/{variant}/{number}"))
        except Failure as failure:
            return f"{variant}/{number}: {failure}"

    with concurrent.futures.ThreadPoolExecutor(args.workers) as workers:
        for result in workers.map(run, numbers):
            if isinstance(result, str):
                faults.append(result)
            else:
                figures.add(*result)
    if shm_entries() - shm:
        faults.append(f"left in {SHM}: {' '.join(shm_entries() - shm)}")
    if faults:
        raise Failure(f"{len(faults)} of {len(numbers)} rounds failed (--seed {args.seed}); {figures.text()}\n" +
                      "\n".join(faults))
    return f"{len(numbers)} rounds: {figures.text()}"
