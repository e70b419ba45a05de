# SPDX-License-Identifier: BSD-3-Clause
"""The storage pipeline under test: target, bridge and initiator as a user runs them."""
import json
import os
import socket
import struct
import tempfile

from harness import BUILD, Failure, Program

PREFIX = os.path.join(BUILD, "apps", "storage", "doca_storage_zero_copy_")
CPUS = sorted(os.sched_getaffinity(0))
TIMEOUT = 5  # --control-timeout of all three, unless a case says otherwise
BLOCK = 4096


_reserved = []


def free_port():
    """A port that a listener with SO_REUSEADDR gets, and that the kernel gives to nobody else as long as this lives."""
    reservation = socket.socket()
    reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reservation.bind(("", 0))
    _reserved.append(reservation)
    return reservation.getsockname()[1]


def cpus(count):
    """count --cpu options; CPUs may repeat."""
    return [word for i in range(count) for word in ("--cpu", str(CPUS[i % len(CPUS)]))]


def target(*args, port, threads=1, device="03:00.0", timeout=TIMEOUT, **more):
    return Program(PREFIX + "target_rdma", "-d", device, "--listen-port", str(port), "--control-timeout",
                   str(timeout), *cpus(threads), *args, **more)


def bridge(*args, port, threads=1, device="03:00.0", rep="3b:00.0", address="127.0.0.1", timeout=TIMEOUT,
           **more):
    return Program(PREFIX + "comch_to_rdma", "-d", device, "-r", rep, "--storage-server", f"{address}:{port}",
                   "--control-timeout", str(timeout), *cpus(threads), *args, **more)


def initiator_command(*args, operation="write", operations=1000, threads=1, timeout=TIMEOUT, device="3b:00.0"):
    return (PREFIX + "initiator_comch", "-d", device, "--operation", operation, "--run-limit-operation-count",
            str(operations), "--control-timeout", str(timeout), *cpus(threads), *args)


def initiator(*args, env=None, within=(), **more):
    return Program(*initiator_command(*args, **more), env=env, within=within)


def story(programs):
    """What each of them has said, to be told when one has failed."""
    return "\n".join(f"--- {program.name}, status {program.poll()}\n{program.output}" for program in programs)


class Pipeline:
    """All three, started in the usual order. Leaves the `with` block with none of them alive."""

    def __init__(self, *args, threads=1, target_args=(), bridge_args=(), **more):
        self.port = free_port()
        self.start(args, threads, target_args, bridge_args, more)
        self.all = (self.target, self.bridge, self.initiator)

    def start(self, args, threads, target_args, bridge_args, more):
        self.target = target(*target_args, port=self.port, threads=threads)
        self.bridge = bridge(*bridge_args, port=self.port, threads=threads)
        self.initiator = initiator(*args, threads=threads, **more)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        for program in self.all:
            program.__exit__(kind, value, trace)

    def expect_success(self, seconds=40):
        for program in (self.initiator, self.bridge, self.target):
            try:
                program.expect_status(0, seconds)
            except Failure as failure:  # its cause may be another's
                raise Failure(f"{failure}\n{story(other for other in self.all if other is not program)}") from None
        expect_nothing_left()


def transfer(*args, pipeline=Pipeline, **more):
    """One run that must succeed; returns what the three printed."""
    with pipeline(*args, **more) as pipeline:
        pipeline.expect_success()
        return pipeline.initiator.output, pipeline.bridge.output, pipeline.target.output


def expect_failure(program, text, seconds=TIMEOUT + 5):
    """Ends with status 1 and a sentence that contains text."""
    program.expect_status(1, seconds)
    sentences = [line for line in program.lines if line.startswith("EXCEPTION: ")]
    if len(sentences) != 1 or text not in sentences[0]:
        raise Failure(f"{program.name} should say {text!r} in one EXCEPTION line, but said:\n{program.output}")


def expect_nothing_left():
    left = os.listdir(os.environ["SOFTDPU_RUNTIME_DIR"])
    if left:
        raise Failure(f"left in the runtime directory: {left}")


def expect_nothing_left_of_the_dead():
    """A killed process may take longer to die than its survivors to end; then the next start finds what it left."""
    with target("--storage-file", "/no/such/place", port=free_port()) as next_start:
        expect_failure(next_start, "its directory does not exist")
    expect_nothing_left()


def expect_equal(got, expected, what):
    if got != expected:
        raise Failure(f"{what}: {got!r}, not {expected!r}")


class Files:
    """A directory for the files of one case."""

    def __enter__(self):
        self._directory = tempfile.TemporaryDirectory(prefix="storage-test.")
        return self

    def __exit__(self, kind, value, trace):
        self._directory.cleanup()

    def path(self, name):
        return os.path.join(self._directory.name, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def read_json(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)


def distinct_blocks(count, size=BLOCK):
    """Content in which no 8 bytes occur twice, so that a block in the wrong place shows."""
    return b"".join(struct.pack(">Q", i) for i in range(count * size // 8))


def file_there_and_back(memory, threads, **more):
    """A file of distinct blocks goes into a storage file, and comes back in another run of all three."""
    count = 2 * 32
    content = distinct_blocks(count)[:-100]
    shape = ("--per-cpu-buffer-count", str(count // threads), "--io-memory", memory)
    with Files() as files:
        original = files.write("original", content)
        storage = ("--storage-file", files.path("storage"))
        transfer("--data-file", original, *shape, operations=count, threads=threads, target_args=storage,
                 **more)
        expect_equal(files.read("storage"), content + bytes(100), "storage file")
        transfer("--data-file", files.path("back"), "--data-length", str(len(content)), *shape, operation="read",
                 operations=count, threads=threads, target_args=storage, **more)
        expect_equal(files.read("back"), content, "what came back")


# The control protocol, spoken by the tests themselves where a peer must misbehave.

RESPONSE, CONFIGURE, CREATE_REQUEST, CREATE_RESPONSE, START_CONNECTIONS, START_STORAGE, DESTROY = range(7)
ROLE_DATA, ROLE_CTRL = 0, 1


def message(kind, number, payload=b""):
    return struct.pack(">HHI", 8 + len(payload), kind, number) + payload


def response(number, result=0, text=b""):
    return message(RESPONSE, number, struct.pack(">II", result, len(text)) + text)


def configure(number, count, size, batch, blob):
    return message(CONFIGURE, number, struct.pack(">IIII", count, size, batch, len(blob)) + blob)


def create_request(number, role, blob):
    return message(CREATE_REQUEST, number, struct.pack(">BI", role, len(blob)) + blob + bytes(3))


class Peer:
    """One end of a control connection over TCP, in the hands of a test."""

    def __init__(self, connection):
        self.connection = connection
        self.connection.settimeout(10)

    @classmethod
    def connect(cls, port):
        return cls(socket.create_connection(("127.0.0.1", port), timeout=10))

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.connection.close()

    def send(self, data):
        self.connection.sendall(data)

    def _read(self, count):
        data = b""
        while len(data) < count:
            piece = self.connection.recv(count - len(data))
            if not piece:
                raise Failure(f"connection closed after {len(data)} of {count} bytes")
            data += piece
        return data

    def receive(self):
        """The next message: type, id, payload."""
        size, kind, number = struct.unpack(">HHI", self._read(8))
        return kind, number, self._read(size - 8)

    def expect_error(self, number, text):
        kind, got_number, payload = self.receive()
        result, length = struct.unpack(">II", payload[:8])
        expect_equal((kind, got_number, length), (RESPONSE, number, len(payload) - 8), "error response")
        if result == 0 or text not in payload[8:].decode():
            raise Failure(f"result {result} and text {payload[8:]!r}, where {text!r} was expected")
