#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""softdpu top: the figures of live processes, on a terminal with keys and elsewhere."""
import contextlib
import json
import os
import re
import signal
import tempfile
import time

from command_kit import SOFTDPU, USAGE, ask
from harness import BUILD, SCALE, Failure, Program, main
from storage_kit import Pipeline
from terminal import Terminal

PEER = os.path.join(BUILD, "tests", "e2e", "peer", "comch_peer")
FOREVER = "1000000000"


def wait_until(condition, seconds=10):
    deadline = time.monotonic() + seconds * SCALE
    while not condition():
        if time.monotonic() > deadline:
            raise Failure(f"not so after {seconds * SCALE} s")
        time.sleep(0.01)


class Pair:
    """Two ends of the fast path; the client does what it is told, and stands still meanwhile."""

    def __enter__(self):
        self.server = Program(PEER, "ping-server", "alarm=100")
        self.server.wait_for("listening")
        self.client = Program(PEER, "ping-client", "obey", "alarm=100", held=True)
        self.client.wait_for("ready")
        self.told = 0
        return self

    def __exit__(self, kind, value, trace):
        self.client.__exit__(kind, value, trace)
        self.server.__exit__(kind, value, trace)
        ask("clean")  # what they leave as they are killed

    def tell(self, line):
        self.client.say(line)
        self.told += 1
        wait_until(lambda: sum("done" in line for line in self.client.lines) == self.told, 60)  # spins beside others


def top(*words, **more):
    return Terminal(SOFTDPU, "top", "--interval", "0.2", *words, **more)


def as_json(*words, **options):
    return [json.loads(line) for line in ask("top", "--json", *words, **options).splitlines()]


def processes(interval="0.3"):
    """Those that are seen now, by pid."""
    return {process["pid"]: process for process in as_json("--count", "1", "--interval", interval)[0]["processes"]}


def quits():
    """on a terminal there is a table until q, and the terminal is then as it was"""
    with Pair() as pair, top() as terminal:
        terminal.wait_for("2 processes")
        terminal.wait_for("in the last 0.2 s")
        for text in ("process, object", "sent/s", f"{pair.server.pid} comch_peer", f"{pair.client.pid} comch_peer",
                     "  engine", "    server", "producer", "consumer", "polls"):
            terminal.wait_for(text)
        assert 1049 in terminal.screen.modes
        terminal.type("q")
        terminal.expect_end(0)


def ends():
    """SIGINT from the keyboard and SIGTERM end it after the terminal is in order; so does --count, in peace"""
    for end, status in ((lambda t: t.type("\003"), -signal.SIGINT), (lambda t: t.signal(signal.SIGTERM), -signal.SIGTERM)):
        with top() as terminal:
            terminal.wait_for("No process has a device open in " + os.environ["SOFTDPU_RUNTIME_DIR"])
            end(terminal)
            terminal.expect_end(status)
    with top("--count", "2") as terminal:
        terminal.expect_end(0)


def keys():
    """keys sort, filter, collapse, freeze, and explain themselves"""
    with Pair() as pair, top() as terminal:
        terminal.wait_for("by process, object")
        assert "reverse" in terminal.style_of("sent/s", "process, object"), terminal.text
        terminal.type(">")
        terminal.wait_for("by sent/s")
        terminal.type("r")
        terminal.wait_for("by sent/s, reversed")
        terminal.type("/consum")
        terminal.wait_for("filter: consum_")
        terminal.type("\r")
        terminal.wait_until(lambda: "producer" not in terminal.text, "a table without producers")
        terminal.wait_for("consumer")
        terminal.type("\033")
        terminal.wait_for("producer")
        terminal.type("-")
        terminal.wait_until(lambda: "engine" not in "\n".join(terminal.screen.lines()[3:]), "processes only")
        terminal.wait_for(f"+{pair.client.pid} comch_peer")
        terminal.type("\r")
        terminal.wait_for("  engine")
        terminal.type("?")
        terminal.wait_for("receives that wait for a message")
        terminal.type("x")
        terminal.wait_for("softdpu top: 2 processes")
        terminal.type("f")
        terminal.wait_for("FROZEN")
        pair.server.signal(signal.SIGKILL)
        pair.server.wait_status()
        time.sleep(0.5)
        terminal.type("+")
        terminal.wait_for("server")
        terminal.type("f")
        terminal.wait_until(lambda: "FROZEN" not in terminal.text and f"{pair.server.pid} comch" not in terminal.text,
                            "that the server is gone")


def sizes():
    """the table follows the size of the window, down to nothing"""
    with Pair(), top() as terminal:
        terminal.wait_for("rdma/s")
        terminal.resize(10, 60)
        terminal.wait_for("columns do not fit)")
        assert "rdma/s" not in terminal.text and "idle" in terminal.text, terminal.text
        for rows, columns in ((1, 1), (2, 5), (3, 30), (24, 132)):
            terminal.resize(rows, columns)
            terminal.read(0.5)
        terminal.wait_for("rdma/s")
        terminal.type("q")
        terminal.expect_end(0)


def terminals():
    """a terminal of no known type is refused in a sentence"""
    for term, words in (("", "TERM is not set"), ("nonsense", 'type "nonsense"'), ("dumb", 'type "dumb"')):
        with top(env={"TERM": term}) as terminal:
            terminal.wait_for(words)
            terminal.wait_for("softdpu top | cat")
            terminal.expect_end(1)


def stuck():
    """an engine that does not progress while work waits is red; one without work is not"""
    with Pair() as pair, top() as terminal:
        client, server = f"{pair.client.pid} comch_peer", f"{pair.server.pid} comch_peer"
        terminal.wait_until(lambda: re.search(r" \d\d\dms +polls", terminal.line_of(client)), "an idle client")
        assert "red" not in terminal.style_of(client, "ms "), terminal.text
        pair.tell("send")
        terminal.wait_until(lambda: "red" in terminal.style_of(client, "s     stuck"), "red")
        terminal.wait_until(lambda: "red" not in terminal.style_of(server, "s     polls"), "a server that is well")

        def is_told():
            client, server = (processes().get(program.pid, {}) for program in (pair.client, pair.server))
            return client.get("stuck") and client["idle_ns"] > 1e8 and server.get("stuck") is False
        wait_until(is_told)
        text = ask("top", "--interval", "0.3", "--count", "1")
        assert re.search(rf"^{client} .* stuck$", text, re.M), text
        assert re.search(rf"^{server} .* (polls|sleeps)$", text, re.M), text
        pair.tell("rounds 0")


def stuck_at_start():
    """a client that starts, and nobody progresses its engine, is stuck, though it has no task yet"""
    with Program(PEER, "starting") as client:
        client.wait_for("started")
        text = ask("top", "--interval", "0.3", "--count", "1")
        assert re.search(r'^ +client "peer", starting .* stuck$', text, re.M), text
    ask("clean")


def silent():
    """a process that is stopped is said not to answer, holds up nobody, and comes back"""
    with Pair() as pair, top() as terminal:
        server = f"{pair.server.pid} comch_peer"
        terminal.wait_for(server)
        pair.server.signal(signal.SIGSTOP)
        terminal.wait_until(lambda: "no answer" in terminal.line_of(server), "no answer")
        terminal.wait_until(lambda: "polls" in terminal.line_of(f"{pair.client.pid} comch_peer"), "the client")
        assert processes()[pair.server.pid]["mode"] == "no answer"
        pair.server.signal(signal.SIGCONT)
        terminal.wait_until(lambda: "polls" in terminal.line_of(server), "polls")


def refused():
    """a process that cannot be watched is shown with the reason that softdpu ls gives, not as stopped"""
    with Program(PEER, "ping-server", "alarm=100") as server, contextlib.ExitStack() as stack:
        server.wait_for("listening")
        watchers = [stack.enter_context(Program(SOFTDPU, "top", "--json", "--interval", "0.5")) for _ in range(32)]
        for watcher in watchers:
            watcher.wait_for('"answer":"listed"')
        shown = processes()[server.pid]
        assert (shown["mode"], shown["answer"]) == ("refused", "too many look at it already"), shown
        assert "its objects are not known: " + shown["answer"] in ask("ls", "processes")
        text = ask("top", "--interval", "0.1", "--count", "1")
        assert re.search(rf"\n{server.pid} comch_peer +{shown['answer']}\n", text), text


def comes_and_goes():
    """a process that comes is found; one that is killed is shown dim once more, and then no longer"""
    with Terminal(SOFTDPU, "top", "--interval", "1") as terminal:
        terminal.wait_for("No process has a device open")
        with Program(PEER, "ping-server", "alarm=100") as server:
            name = f"{server.pid} comch_peer"
            terminal.wait_for(name)
            server.signal(signal.SIGKILL)
            server.wait_status()
            terminal.wait_for("gone")
            assert "dim" in terminal.style_of(name, name), terminal.text
            terminal.wait_until(lambda: name not in terminal.text, "that the process is gone")


def plain():
    """where no terminal is, a table is printed at each interval"""
    with Pair() as pair:
        text = ask("top", "--interval", "0.1", "--count", "2")
        assert text.count("softdpu top: 2 processes") == text.count("process, object") == 2, text
        assert text.count(f"{pair.client.pid} comch_peer") == 2 and "\033" not in text, text
        only = ask("top", "--interval", "0.1", "--count", "1", "--pid", str(pair.server.pid))
        assert "1 process," in only and f"{pair.client.pid} comch" not in only, only
        assert "producer" not in ask("top", "--interval", "0.1", "--count", "1", "--filter", "consumer")


def nothing_to_show():
    """an empty table says why: nobody is there, not this process, or nothing has the text"""
    once = "top", "--interval", "0.05", "--count", "1"
    assert f"Process {os.getpid()} has no device open" in ask(*once, "--pid", str(os.getpid()))
    with Pair():
        assert "Nothing has this text." in ask(*once, "--filter", "zebra")


def groups():
    """a group of softdpu run, which has a directory of its own, is named where nothing else is to be seen"""
    with tempfile.TemporaryDirectory() as directory, \
            Program(SOFTDPU, "run", "--on", "server", f"exec {PEER} serve asleep", env={"TMPDIR": directory}) as group:
        group.wait_for("listening")
        text = ask("top", "--interval", "0.1", "--count", "1", env={"TMPDIR": directory})
        group_dir = re.search(r"For a group of softdpu run: SOFTDPU_RUNTIME_DIR=(\S+) softdpu top", text)[1]
        assert group_dir.startswith(directory), text
        text = ask("top", "--interval", "0.1", "--count", "1", env={"SOFTDPU_RUNTIME_DIR": group_dir})
        assert re.search(r" comch_peer .* sleeps\n", text), text
        assert group_dir in as_json("--interval", "0.1", "--count", "1", env={"TMPDIR": directory})[0]["groups"]
        assert "a group of" not in ask("top", "--interval", "0.1", "--count", "1", env={"TMPDIR": group_dir})


def is_pipeline(shown):
    """What one of them sends the others have, as nearly as three looks can tell."""
    initiator, target = shown.get("initiator_comch"), shown.get("target_rdma")
    if not initiator or not target or not initiator["sent"] or not target["sent"]:
        return False
    return all(0.5 < value / initiator["sent"] < 2 for value in (
        initiator["received"], target["received"], target["sent"], target["rdma"] / 2,  # a read, and an answer
        target["received_bytes"] / (4096 + 64)))


def pipeline():
    """the storage pipeline at work: each of its three processes moves what the others do"""
    with Pipeline(operations=FOREVER) as storage, top("--sort", "rdma") as terminal:
        terminal.wait_for("3 processes")
        terminal.wait_until(lambda: re.search(r"zero_copy.* [\d.]+[kM] ", terminal.text), "rates")
        wait_until(lambda: is_pipeline({p["name"].rpartition("copy_")[2]: p for p in processes("1").values()}), 30)
        terminal.type("/initiator\r")
        terminal.wait_until(lambda: "comch_to_rdma" not in terminal.text, "one process")
        terminal.type("q")
        terminal.expect_end(0)


def all_counts(pair, path):
    """Of both ends. Asks anew when one of them, on a busy machine, does not answer in time."""
    ask("top", "--interval", "0.1", "--count", "1", "--prometheus", path)
    with open(path, encoding="utf-8") as file:
        found = {(int(pid), kind, name): float(value) for name, pid, kind, value in re.findall(
            r'^softdpu_(\w+)\{process="(\d+) [^}]*kind="(\w+)".*\} ([\d.]+)$', file.read(), re.M)}
    for pid in (pair.client.pid, pair.server.pid):
        if (pid, "producer", "queued") not in found:
            return False
        for kind, name, value in (("producer", "sent_messages_total", 4200), ("producer", "queued", 0),
                                  ("producer", "sent_bytes_total", 4200 * 64), ("consumer", "posted_receives", 4),
                                  ("consumer", "received_messages_total", 4200), ("producer", "again_total", 0),
                                  ("consumer", "received_bytes_total", 4200 * 64),
                                  ("connection", "sent_messages_total", 1), ("connection", "received_messages_total", 1)):
            assert found[pid, kind, name] == value, (pid == pair.client.pid, kind, name, found[pid, kind, name])
    return True


def figures():
    """messages, bytes, posted receives and latencies are those of the programs"""
    with Pair() as pair, Program(SOFTDPU, "top", "--json", "--interval", "0.1") as watcher:
        watcher.wait_for(f'"pid":{pair.client.pid}')
        pair.tell("rounds 3200")  # beside a thousand to warm up
        wait_until(lambda: re.search(r'"p50_ns":\d', watcher.output))
        with tempfile.TemporaryDirectory() as directory:
            wait_until(lambda: all_counts(pair, os.path.join(directory, "file")))
        sent = sum((process["sent"] or 0) * line["interval"] for line in map(json.loads, watcher.lines)
                   for process in line["processes"] if process["pid"] == pair.client.pid)
        assert 0.3 * 3200 < sent < 1.5 * 3200, sent


def prometheus():
    """the file for Prometheus is whole whenever it is read, and nothing is left beside it"""
    with Pair() as pair, tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "softdpu.prom")
        with Program(SOFTDPU, "top", "--interval", "0.02", "--prometheus", path) as writer:
            wait_until(lambda: os.path.exists(path))
            for _ in range(200):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                assert re.search(r"\nsoftdpu_task_latency_seconds_count\{.*\} \d+\n$", text), text[-200:]
            assert writer.poll() is None and writer.output == ""
        ask("top", "--interval", "0.1", "--count", "1", "--prometheus", path)
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        for line in lines:
            assert re.fullmatch(r'# (HELP|TYPE) softdpu_\w+ .+|softdpu_\w+\{(\w+="(\\.|[^"\\])*",?)+\} [\d.e+-]+', line), line
        assert f'softdpu_process_answers{{process="{pair.server.pid} comch_peer"}} 1' in lines
        assert "cannot be written" in ask("top", "--count", "1", "--prometheus", "/nowhere/file", status=1)


def mistakes():
    """values that make no sense are refused"""
    for words in (("--interval", "0"), ("--interval", "x"), ("--interval", "nan"), ("--count", "0"), ("--count", "1x"),
                  ("--pid", "-1"), ("--filter", "x" * 64), ("--sort", "beauty"), ("--prometheus", "")):
        assert f'"{words[1]}"; see softdpu top --help' in ask("top", *words, status=USAGE)
    assert "takes no argument" in ask("top", "more", status=USAGE)
    assert "softdpu doctor" in ask("top", env={"SOFTDPU_RUNTIME_DIR": "/proc/1/root/nowhere"}, status=1)


if __name__ == "__main__":
    main(quits, ends, keys, sizes, terminals, stuck, stuck_at_start, silent, refused, comes_and_goes, plain,
         nothing_to_show, groups, pipeline, figures, prometheus, mistakes)
