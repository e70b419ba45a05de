#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs of a user's own, built against an installed softdpu in both roles, as the README says."""
import json
import os
import shutil
import tempfile

from harness import BUILD, SOURCE, Program, main, run

TOP = tempfile.mkdtemp(prefix="sdpu-install.")
PREFIX = os.path.join(TOP, "moved")  # not where it was configured for: a prefix can be moved
SAMPLES = ("comch_ctrl_path_server", "comch_ctrl_path_client", "comch_data_path_high_speed_server",
           "comch_data_path_high_speed_client")
DPA_SAMPLES = ("doca_dpa/dpa_kernel_launch", "doca_comch/comch_msgq_ping_pong")
DPA_PROGRAM = os.path.join(SOURCE, "tests/e2e/dpa_program")
DPA_OUTPUT = "thread 0: 40\nthread 1: 42\nthread 2: 44\nthread 3: 46\nhalf: 42"


def exports(*args):
    """The environment that the lines of `softdpu env` make in a shell."""
    lines = run(os.path.join(PREFIX, "bin", "softdpu"), "env", *args)
    names = ("PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "PATH")
    shown = run("sh", "-c", lines + "\n" + "\n".join(f'echo "${name}"' for name in names))
    return dict(zip(names, shown.splitlines()))


def configured_prefix():
    options = json.loads(run("meson", "introspect", BUILD, "--buildoptions"))
    return next(option["value"] for option in options if option["name"] == "prefix")


def install():
    """a plain user installs, without root, below any prefix"""
    stage = os.path.join(TOP, "stage")
    run("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", stage)
    shutil.move(stage + configured_prefix(), PREFIX)
    version = run("pkg-config", "--modversion", "doca-comch", env=exports())
    assert version == "3.1.0105\n", version


def echo():
    """a Comch echo is built in both roles by the three lines of the README, and runs"""
    for role, args in (("dpu", ("--dpu",)), ("host", ())):
        run("sh", "-c", 'cc -Wall -Wextra -Werror -o "$1" "$2" $(pkg-config --cflags --libs doca-comch)', "sh",
            os.path.join(TOP, f"echo-{role}"), os.path.join(SOURCE, "tests/e2e/echo.c"), env=exports(*args))
    with Program(os.path.join(TOP, "echo-dpu"), env=exports()) as server:
        server.wait_for("listening")
        with Program(os.path.join(TOP, "echo-host"), "to and fro", env=exports()) as client:
            client.expect_status(0)
            client.expect_text("echo: to and fro")
        server.expect_status(0)
        server.expect_text("client connected")


def roles():
    """exactly one of the two role macros is defined, by the set of pkg-config files"""
    for args, macro, other in ((("--dpu",), "DOCA_ARCH_DPU", "DOCA_ARCH_HOST"), ((), "DOCA_ARCH_HOST", "DOCA_ARCH_DPU")):
        for module in ("common", "argp", "comch", "rdma", "dma", "dpa"):
            macros = run("sh", "-c", 'echo "#include <doca_log.h>" | cc $(pkg-config --cflags "$1") -dM -E -', "sh",
                         f"doca-{module}", env=exports(*args))
            assert macro in macros and other not in macros, (module, macro)


def build_sample(path, role, env):
    name = os.path.basename(path)
    source = os.path.join(PREFIX, "share/softdpu/samples", path)
    build = os.path.join(TOP, f"{name}-{role}")
    run("meson", "setup", build, "-Dwerror=true", cwd=source, env=env)
    run("ninja", "-C", build, env=env)
    program = os.path.join(build, f"doca_{name}")
    assert os.access(program, os.X_OK), program
    return program


def samples_alone():
    """each installed sample directory builds alone, in both roles, and the pairs run"""
    for role, args in (("dpu", ("--dpu",)), ("host", ())):
        env = exports(*args)
        programs = [build_sample(f"doca_comch/{name}", role, env) for name in SAMPLES]
        for server_program, client_program in zip(programs[::2], programs[1::2]):
            with Program(server_program, env=env) as server:
                server.wait_for("waits for a client")
                with Program(client_program, env=env) as client:
                    client.expect_status(0)
                server.expect_status(0)


def dpa_samples_alone():
    """each installed DPA sample builds alone, in both roles, and runs"""
    for role, args in (("dpu", ("--dpu",)), ("host", ())):
        for path in DPA_SAMPLES:
            with Program(build_sample(path, role, exports(*args)), env=exports(*args)) as program:
                program.expect_status(0)


def dpa_meson():
    """a DPA program is built by meson with dpacc, as the vendor's build files call it, and runs"""
    build = os.path.join(TOP, "dpa-meson")
    run("meson", "setup", build, DPA_PROGRAM, "-Dwerror=true", env=exports())
    run("ninja", "-C", build, env=exports())
    with Program(os.path.join(build, "dpa_program"), os.path.join(TOP, "log"), "fill", env=exports()) as program:
        program.expect_status(0)
        program.expect_text(DPA_OUTPUT)


def dpa_make():
    """the same by make"""
    build = os.path.join(TOP, "dpa-make")
    os.mkdir(build)
    run("make", "-f", os.path.join(DPA_PROGRAM, "Makefile"), cwd=build, env=exports("--dpu"))
    with Program(os.path.join(build, "dpa_program"), os.path.join(TOP, "log"), "fill", env=exports()) as program:
        program.expect_status(0)
        program.expect_text(DPA_OUTPUT)


def installed_programs():
    """installed programs run without any environment"""
    run(os.path.join(PREFIX, "bin", "softdpu"), "version")
    with Program(os.path.join(PREFIX, "bin", "doca_comch_ctrl_path_server"), "-h") as server:
        server.expect_status(0)


try:
    main(install, roles, echo, samples_alone, dpa_samples_alone, dpa_meson, dpa_make, installed_programs)
finally:
    shutil.rmtree(TOP, ignore_errors=True)
