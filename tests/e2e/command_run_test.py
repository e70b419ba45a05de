#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""softdpu run: groups of real programs, what becomes of them, and one program alone."""
import ctypes
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from command_kit import SOFTDPU, USAGE, ask
from harness import BUILD, SCALE, Failure, Program, Skip, main, sample

SERVER, CLIENT = "doca_comch_ctrl_path_server", "doca_comch_ctrl_path_client"
PEER = os.path.join(BUILD, "tests", "e2e", "peer", "comch_peer")
LEFT_OVERS, TIMED_OUT = 123, 124
TOP = tempfile.mkdtemp(prefix="sdpu-run.")
TEMPORARY = {"TMPDIR": TOP}  # runtime directories are made there
LISTEN = f"{sys.executable} -c 'import socket, time; s = socket.create_server((\"127.0.0.1\", 0)); time.sleep(60)'"


def run_group(*words, status=0, **options):
    """What it printed; no runtime directory may stay."""
    text = ask("run", *words, status=status, env=TEMPORARY, **options)
    if os.listdir(TOP):
        raise Failure(f"{os.listdir(TOP)} stayed:\n{text}")
    return text


def without_directory(text):
    """The rest of it: at first stands where the group is."""
    first, rest = text.split("\n", 1)
    assert first.startswith(f"softdpu | the group's directory: SOFTDPU_RUNTIME_DIR={TOP}/softdpu-"), text
    return rest


def script(name, *lines):
    path = os.path.join(TOP, "..", f"{os.path.basename(TOP)}.{name}")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def events(text, kind):
    return [event for event in map(json.loads, text.splitlines()) if event["event"] == kind]


def pair():
    """a server and a client meet, each line behind its program's name and on its own stream"""
    out, err = run_group("--dpu", SERVER, "--host", f"{CLIENT} -t 'from here'", "--timeout", "60", split=True)
    assert re.search(r"^dpu     \| .*Received from the client: from here$", out, re.M), out
    assert re.search(r"^host    \| .*Sample finished successfully$", out, re.M), out
    assert re.search(r'^softdpu \| dpu is ready after \d+\.\d\d s: Comch server "comch_ctrl_path_sample" on 0000:03:00.0 '
                     r"for 0000:b1:00.0$", err, re.M), err
    assert "\033" not in out + err


def order():
    """a program is started when the one before listens, however long that takes"""
    run_group("--dpu", f"sleep 1; {SERVER}", "--host", CLIENT, "--timeout", "60", "--wait", "60")


def ready_by_tcp():
    """listening to TCP counts, also in a child of the program"""
    text = run_group("--on", "target", f"{LISTEN} & wait", "--host", "kill -INT $PPID", "--wait", "60", status=130)
    assert re.search(r"target is ready after .* s: TCP port \d+$", text, re.M), text


def ready_by_rdma():
    """listening to an RDMA port counts"""
    path = script("port", "import fcntl, os, time",
                  "file = open(os.environ['SOFTDPU_RUNTIME_DIR'] + '/r-4711-host-0000:3b:00.0.claim', 'w')",
                  "fcntl.lockf(file, fcntl.LOCK_EX, 1)",  # the owner's byte, as lib/bus/claim_file.c has it
                  "file.write('a-0 0\\n')", "file.flush()", "time.sleep(60)")
    text = run_group("--on", "target", f"{sys.executable} {path}", "--host", "kill -INT $PPID", "--wait", "60",
                     status=130)
    os.unlink(path)
    assert re.search(r"target is ready after .* s: RDMA port 4711 on 0000:3b:00.0$", text, re.M), text


def never_listens():
    """one that listens to nothing holds up the next for the given time only, or until it has ended well"""
    text = run_group("--host", "sleep 1", "--dpu", "echo second", "--wait", "0.2")
    assert "host does not listen to anything after 0.2 s" in text and "dpu     | second" in text, text
    text = run_group("--host", "echo first", "--dpu", "echo second", "--wait", "1000")
    assert without_directory(text) == "host    | first\ndpu     | second\n", text


def first_failure():
    """the first failing status is passed on; the others are ended, those that wait are not started"""
    text = run_group("--on", "a", "sleep 600", "--on", "b", "exit 3", "--on", "c", "echo started; sleep 600", "--wait",
                     "0.1", status=3)
    assert "b ended with status 3" in text and "c was not started: " in text and "c       |" not in text, text
    text = run_group("--on", "a", "kill -SEGV $$", status=128 + signal.SIGSEGV)
    assert "a was ended by signal 11" in text, text
    text = run_group("--on", "a", "exit 255", status=255)
    assert "a ended with status 255" in text, text
    text = run_group("--on", "a", "no-such-program", status=127)
    assert "not found" in text, text


def time_out():
    """--timeout ends the group with status 124, and kills what does not obey"""
    text = run_group("--dpu", "sleep 600", "--host", "sleep 600", "--wait", "0.1", "--timeout", "0.5", status=TIMED_OUT)
    assert "time is over" in text and "dpu still runs: it listens to nothing; it has no device open" in text, text
    assert "left" not in text, text


def time_out_tells():
    """when time is over, each living program is told with what it has, and which engines do not progress"""
    text = run_group("--dpu", SERVER, "--host", f"{PEER} starting", "--timeout", "2", status=TIMED_OUT)
    assert re.search(r'dpu still runs: it is ready \(Comch server "comch_ctrl_path_sample" on 0000:03:00.0 for 0000:b1:00.0\); '
                     r'server "comch_ctrl_path_sample" is running$', text, re.M), text
    assert re.search(r'host still runs: it listens to nothing; client "peer" is starting, and its engine did not progress: '
                     r"nobody called doca_pe_progress\(\) in the 0\.\d s that it was looked at$", text, re.M), text
    assert "left" not in text, text


def excused():
    """what those leave behind that are killed is removed without a word; what the others leave is told in one line"""
    wait = 'while [ -z "$(ls $SOFTDPU_RUNTIME_DIR/s-* 2>/dev/null)" ]; do sleep 0.1; done'
    text = run_group("--dpu", f"exec {SERVER}", "--host", f"{wait}; kill -9 $(pgrep -P $PPID {SERVER[:15]}); sleep 0.2",
                     status=128 + signal.SIGKILL)
    assert "dpu was ended by signal 9" in text and "left" not in text, text
    text = run_group("--dpu", f"{SERVER} & {wait}; kill -9 $!; wait $!; true", "--host", "setsid sleep 600 & sleep 0.5",
                     status=LEFT_OVERS)
    assert re.search(r"^softdpu \| removed what dpu left behind: 2 files, process \d+ \(sleep\)$", text, re.M), text


def group(*words):
    return Program(SOFTDPU, "run", *words, env=TEMPORARY)


def interrupt():
    """Ctrl-C reaches all programs and ends the group, with status 130"""
    with group("--on", "a", "trap 'echo told; exit 0' INT; echo begun; while :; do sleep 0.1; done", "--on", "b",
               "echo begun too; exec sleep 600", "--wait", "0.1") as run:
        run.wait_for("b       | begun too")
        run.signal(signal.SIGINT)
        run.expect_status(128 + signal.SIGINT)
        run.expect_text("a       | told")
    assert not os.listdir(TOP)


def interrupt_twice():
    """programs that do not obey are killed at the second Ctrl-C; stopped ones too"""
    with group("--on", "a", "trap 'echo told' INT TERM; kill -STOP $$; echo woken; while :; do sleep 0.1; done", "--on",
               "b", "echo begun; exec sleep 600", "--wait", "0.1") as run:
        run.wait_for("begun")
        run.signal(signal.SIGINT)
        run.wait_for("a       | told")
        run.signal(signal.SIGINT)
        run.expect_status(128 + signal.SIGINT)


def seize(pid):
    """Who is traced is not gone for its parent before its tracer, this process, has taken note."""
    if ctypes.CDLL(None, use_errno=True).ptrace(0x4206, pid, None, None) != 0:  # PTRACE_SEIZE
        raise Skip(f"nothing can be traced here: {os.strerror(ctypes.get_errno())}")


def gives_up():
    """what does not go away though it was killed is left to the kernel, after some seconds, and told"""
    if SCALE > 1:
        raise Skip("it takes 12 seconds, and the sanitizers have seen the rest of how a group ends")
    with group("--on", "a", "echo $$; exec sleep 600") as run:
        run.wait_for("a       | ")
        pid = int(re.search(r"^a +\| (\d+)$", run.output, re.M)[1])
        seize(pid)
        run.signal(signal.SIGINT)
        run.signal(signal.SIGINT)
        run.expect_status(128 + signal.SIGINT)
        run.expect_text("what was killed does not go away; it is left to the kernel")
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) < 0
    assert not os.listdir(TOP)


def left_over_process():
    """a process that outlives its program is told and ended, with status 123"""
    text = run_group("--host", "setsid sleep 600 & sleep 0.5; echo $!", status=LEFT_OVERS)
    pid = re.search(r"^host    \| (\d+)$", text, re.M)[1]
    assert re.search(rf"^softdpu \| removed what host left behind: process {pid} \(sleep\)$", text, re.M), text
    assert not os.path.exists(f"/proc/{pid}"), pid


def left_over_files():
    """what a killed process left in the runtime directory is told and removed, with status 123"""
    wait = 'while [ -z "$(ls $SOFTDPU_RUNTIME_DIR/s-* 2>/dev/null)" ]; do sleep 0.1; done'
    words = "--dpu", f"{SERVER} & {wait}; kill -9 $!; wait $!; true"
    text = run_group(*words, status=LEFT_OVERS)
    assert re.search(r"^softdpu \| removed what dpu left behind: 2 files$", text, re.M), text
    left = sorted(event["what"] for event in events(run_group("--json", *words, status=LEFT_OVERS), "left"))
    assert re.match(r'Comch server "comch_ctrl_path_sample" on 0000:03:00.0 .*,process a-', ",".join(left)), left


def stranger():
    """what somebody else has in the group's directory is told, stays, and is no failure"""
    go = os.path.join(TOP, "go")
    with group("--host", f"echo at $SOFTDPU_RUNTIME_DIR; until test -e {go}; do sleep 0.1; done") as run:
        run.wait_for("at /")
        directory = re.search(r"at (/.*)", run.output)[1]
        with Program(sample(SERVER), env={"SOFTDPU_RUNTIME_DIR": directory}) as server:
            server.wait_for("waits for a client")
            open(go, "w", encoding="utf-8").close()
            run.expect_status(0)
            run.expect_text(f"is of process {server.pid}, which lives on")
            run.expect_text("stays: ")
            assert "left behind" not in run.output, run.output
            server.signal(signal.SIGKILL)
            server.wait_status()
    os.unlink(go)
    ask("clean", env=TEMPORARY)
    assert not os.listdir(TOP)


def left_over_memory():
    """new shared memory with a name is pointed out"""
    name = f"sdpu-run-test.{os.getpid()}"
    try:
        text = run_group("--host", f"echo x > /dev/shm/{name}")
    finally:
        os.unlink(f"/dev/shm/{name}")
    assert f"/dev/shm/{name} came while this ran" in text, text


def environment():
    """each side sees its own devices; all share one private runtime directory and the topology"""
    file = script("topology", '{"limits": {"comch_max_clients": 3}}')
    show = "echo $SOFTDPU_SIDE,$SOFTDPU_RUNTIME_DIR,$SOFTDPU_TOPOLOGY; stat -c %a $SOFTDPU_RUNTIME_DIR"
    text = run_group("--dpu", show, "--host", show, "--on", "both", show, "--host", show, "--topology",
                     os.path.relpath(file))
    directories = set()
    for name, side in (("dpu", "dpu"), ("host", "host"), ("both", ""), ("host2", "host")):
        match = re.search(rf"^{name} *\| {side},(.*),(.*)\n{name} *\| 700$", text, re.M)
        assert match and os.path.realpath(file) == match[2], (name, text)
        directories.add(match[1])
    assert len(directories) == 1 and os.path.dirname(directories.pop()) == TOP, directories
    assert os.environ["SOFTDPU_RUNTIME_DIR"] not in text
    os.unlink(file)


def as_json():
    """--json prints an object for each thing that happens, whatever the bytes of the programs"""
    text = run_group("--json", "--on", "a", "printf 'gr\\303\\274n \\377\\n\\303'; echo bad >&2; exit 4", "--on", "b", ":",
                     status=4)
    assert events(text, "begin")[0]["directory"].startswith(TOP) and events(text, "start")[0]["program"] == "a"
    lines = [(e["stream"], e["line"]) for e in events(text, "output")]
    assert sorted(lines) == [("stderr", "bad"), ("stdout", "grün \ufffd"), ("stdout", "\ufffd")], lines
    assert [(e["program"], e["status"]) for e in events(text, "end")] == [("a", 4)]
    assert events(text, "over") == [{"event": "over", "status": 4}]
    text = run_group("--json", "--dpu", SERVER, "--host", CLIENT, "--timeout", "60")
    assert "Comch server" in events(text, "ready")[0]["by"]
    text = run_group("--json", "--host", "setsid sleep 600 & sleep 0.3", status=LEFT_OVERS)
    assert [e["kind"] for e in events(text, "left")] == ["process"], text


def broken_pipe():
    """a program ends when nobody reads its pipe any more, as it does under a shell"""
    assert without_directory(run_group("--host", "yes | head -1")) == "host    | y\n"


def long_lines():
    """lines of any length come through, in pieces"""
    text = run_group("--host", "head -c 20000 /dev/zero | tr '\\0' x; echo; echo end")
    pieces = re.findall(r"^host    \| (x+)$", text, re.M)
    assert sum(map(len, pieces)) == 20000 and text.endswith("host    | end\n"), \
        ([len(p) for p in pieces], text[-300:])


def terminal():
    """on a terminal each name has its colour"""
    shown = b""
    pid, master = pty.fork()
    if pid == 0:
        os.execve(SOFTDPU, [SOFTDPU, "run", "--dpu", "echo one", "--host", "echo two"], {**os.environ, **TEMPORARY})
    try:
        while chunk := os.read(master, 4096):
            shown += chunk
    except OSError:  # how the end of a terminal shows itself
        pass
    assert os.waitpid(pid, 0)[1] == 0
    found = re.findall(rb"\033\[(\d+)m(\w+) +\|\033\[0m (\w+)\r", shown)
    assert [f[1:] for f in found] == [(b"dpu", b"one"), (b"host", b"two")] and found[0][0] != found[1][0], shown


def mistakes():
    """wrong requests are refused before anything starts, with status 2"""
    for words, reason in ((("--on", "a b", "true"), "a name is"), (("--on", "a"), "needs NAME COMMAND"),
                          (("--host", " "), "needs a command"), (("--timeout", "0", "--host", "true"), "number of seconds"),
                          (("--timeout", "1s", "--host", "true"), "number of seconds"), (("--host",), "needs a value"),
                          (("--topology", "/nowhere", "--host", "true"), "cannot read /nowhere"),
                          (("--gdb", "dpu", "--host", "true"), '"dpu"'), (("--timeout", "1"), "--host"), ((), "after --"),
                          (("--host", "true", "--on", "host", "true"), "name of its own"),
                          (("--gdb", "host", "--valgrind", "host", "--host", "true"), "gdb or under valgrind"),
                          (("--host", "true", "more"), '"more"'),
                          (("./dpu", "./host"), "softdpu run -- ./dpu ./host; two, together, are: "
                                                "softdpu run --dpu './dpu' --host './host'"),
                          (("true",), "softdpu run -- true; "),
                          (("--json", "--", "true"), "for a group"), (17 * ("--host", "true"), "16 programs")):
        text = run_group(*words, status=USAGE)
        assert reason in text and text.count("\n") == 1, (words, text)
    text = ask("run", "--host", "true", status=125, env={"TMPDIR": "/nowhere"})
    assert "set TMPDIR" in text, text


def alone():
    """one program takes the command's place, with our libraries and programs in its paths"""
    bare = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    for words, status in (((CLIENT, "-h"), 0), (("sh", "-c", "exit 5"), 5), (("no-such-program",), 127), (("/etc",), 126)):
        done = subprocess.run([SOFTDPU, "run", "--", *words], env=bare, capture_output=True, text=True, timeout=60)
        assert done.returncode == status, (words, done)
    with Program(SOFTDPU, "run", "--", "sh", "-c", "echo $$ $SOFTDPU_RUNTIME_DIR; echo $LD_LIBRARY_PATH") as program:
        program.expect_status(0)
        program.expect_text(f"{program.pid} {os.environ['SOFTDPU_RUNTIME_DIR']}")
        program.expect_text(os.path.join(os.path.dirname(os.path.dirname(SOFTDPU)), "lib"))


try:
    main(pair, order, ready_by_tcp, ready_by_rdma, never_listens, first_failure, time_out, time_out_tells, excused, interrupt, interrupt_twice,
         gives_up, left_over_process, left_over_files, stranger, left_over_memory, environment, as_json, broken_pipe,
         long_lines, terminal, mistakes, alone)
finally:
    shutil.rmtree(TOP)
