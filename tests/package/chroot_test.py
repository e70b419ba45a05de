#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Debian packages, installed into a fresh system as contrib/Containerfile says, and tried there by a plain user.

    chroot_test.py PACKAGES [LOG]

PACKAGES is the directory that `make deb` has filled; all that was said goes to LOG, package-test.log beside it if it is
not given. Needs root, and debootstrap; takes some minutes.
"""
import os
import pathlib
import re
import shutil
import sys
import tempfile
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path[:0] = [str(SOURCE / "scripts"), str(SOURCE / "tests/docs")]

import chroot  # noqa: E402
import page  # noqa: E402
from tap import run_checks  # noqa: E402

PACKAGES = pathlib.Path(sys.argv[1]).resolve()
LOG = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else PACKAGES.parent / "package-test.log"
# Of a step of a workflow: its name, and its commands.
STEP = re.compile(r"^ *- name: (.*)\n *run: \|\n((?: {10}.*\n)+)", re.M)

made = tempfile.TemporaryDirectory(prefix="sdpu-system.")
system = chroot.System(pathlib.Path(made.name, "root"), open(LOG, "w", encoding="utf-8"))


def attempt(*commands):
    """Breaches, for run_checks(): the first command that fails."""
    try:
        for command in commands:
            system.run(command)
    except chroot.Failure as failure:
        yield from str(failure).splitlines()


def as_root(command):
    system.user, user = "root", system.user
    yield from attempt(command)
    system.user = user


def image_is_made():
    """contrib/Containerfile makes a system of the packages"""
    context = pathlib.Path(made.name, "context")
    shutil.copytree(PACKAGES, context / "packages")
    try:
        system.follow(SOURCE / "contrib/Containerfile", context)
    except chroot.Failure as failure:
        yield from str(failure).splitlines()
        return
    for part in ("scripts/tap.py", "tests/docs/page.py", "tests/docs/pages_test.py"):
        target = system.root / "opt/pages" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / part, target)


def loader_knows_nothing():
    """the system's loader, compiler and pkg-config find none of it unless they are told to"""
    yield from attempt("! ldconfig -p | grep libdoca", "! pkg-config --exists doca-comch",
                       "! echo '#include <doca_log.h>' | cc -E - 2>/dev/null")


def command_speaks():
    """softdpu version; softdpu doctor, which finds nothing wrong"""
    yield from attempt("softdpu version", "! softdpu doctor --help >/dev/null 2>&1 || softdpu doctor")


def manual_is_there():
    """programs, functions and environment have their pages"""
    pages = ("man1/softdpu.1", "man3/doca_comch_server_create.3", "man7/softdpu.7", "man1/dpacc.1")
    yield from attempt(*(f"test -s /usr/share/man/{name}.gz" for name in pages))


def demo_runs():
    """the demo: a real file through host, DPU and storage server, and back"""
    yield from attempt("/usr/share/doc/softdpu-storage/examples/demo.sh /usr/bin demo")


def pages_run():
    """the tutorial and the build files of docs/bring-your-program.md"""
    yield from attempt("/opt/pages/tests/docs/pages_test.py /usr/share/doc/softdpu")


def samples_build():
    """samples build from their installed sources, device code too, and run"""
    yield from attempt(
        'eval "$(softdpu env)" && meson setup b /usr/share/softdpu/samples/doca_dpa/dpa_kernel_launch && ninja -C b && '
        "b/doca_dpa_kernel_launch",
        "doca_comch_ctrl_path_server & sleep 1; doca_comch_ctrl_path_client && wait $!")


def workflow_runs():
    """contrib/workflow.yml: its steps build and run a user's program, that of the tutorial"""
    checkout = system.root / "home/user/checkout"
    page.extract(SOURCE / "docs/tutorial.md", checkout)
    os.chmod(checkout, 0o777)
    home, system.directory = system.directory, "/home/user/checkout"
    steps = [(name, textwrap.dedent(commands)) for name, commands in
             STEP.findall((SOURCE / "contrib/workflow.yml").read_text())]
    yield from attempt(*("set -e -o pipefail\n" + commands for _, commands in steps))
    system.directory = home
    if len(steps) < 3:
        yield f"only {len(steps)} steps were found"


def packages_go():
    """purged, they leave nothing"""
    yield from as_root("apt-get purge -y 'softdpu*' 'libsoftdpu*'")
    yield from as_root("! find / -xdev -not -path '/home/*' -not -path '/tmp/*' -not -path '/proc/*' "
                       "'(' -name '*softdpu*' -o -name '*doca_*' ')' -not -path '/var/log/*' | grep .")


def main():
    if os.geteuid() != 0:
        print("1..0 # SKIP not root: a system cannot be made")
        return 0
    if not shutil.which("debootstrap"):
        print("1..0 # SKIP no debootstrap here")
        return 0
    status = run_checks([image_is_made, loader_knows_nothing, command_speaks, manual_is_there, demo_runs, pages_run,
                         samples_build, workflow_runs, packages_go])
    print(f"# all that was said is in {LOG}")
    return status


if __name__ == "__main__":
    sys.exit(main())
