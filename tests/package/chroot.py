# SPDX-License-Identifier: BSD-3-Clause
"""A fresh system of Debian's or Ubuntu's in a directory, made with debootstrap of the mirror that this system's own apt
is set to, and what a Containerfile says to do with one.

Each command runs in name spaces of its own: what it mounts, and what it leaves running, is gone when it ends. For root.
"""
import pathlib
import re
import shlex
import shutil
import subprocess

# /dev is this system's, as nodes cannot be made everywhere.
ENTER = 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
# What of apt's settings tells how to reach a mirror.
REACHING = re.compile(r"^Acquire::(?:https?|Check-Valid-Until|Check-Date|Retries)\b.*;$", re.M | re.I)
INSTRUCTION = re.compile(r"^(FROM|COPY|RUN|USER|WORKDIR) (.*)$", re.M)


class Failure(Exception):
    pass


def say(command, **kwargs):
    """What a command of this system prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **kwargs).stdout


def release_in_use():
    """(code name, mirror, components) of the system that this is."""
    system = dict(re.findall(r'^(\w+)="?(.*?)"?$', pathlib.Path("/etc/os-release").read_text(), re.M))
    name = system["VERSION_CODENAME"]
    targets = say(["apt-get", "indextargets", "--format", "$(RELEASE) $(SITE) $(COMPONENT)", "Created-By: Packages"])
    found = [line.split()[1:] for line in targets.splitlines() if line.split()[0] == name]
    site = found[0][0]
    return name, site, sorted({component for at, component in found if at == site})


class System:
    def __init__(self, root, log):
        self.root, self.log = pathlib.Path(root), log
        self.user, self.directory = "root", "/"

    def run(self, command, seconds=600):
        """Run a shell's command in the system, as the present user. Returns what it said; it goes to the log, too."""
        inner = f"cd {shlex.quote(self.directory)} && {command}"
        words = ["runuser", "-u", self.user, "--", "bash", "-c", inner]
        done = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, self.root, *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            timeout=seconds, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive",
                                  "LANG": "C.UTF-8", "HOME": "/root" if self.user == "root" else f"/home/{self.user}"})
        print(f"{self.user}$ {command}\n{done.stdout}", file=self.log, flush=True)
        if done.returncode != 0:
            raise Failure(f"{command}\nended with status {done.returncode}:\n{done.stdout[-3000:]}")
        return done.stdout

    def boot(self):
        """What FROM does: the smallest system there is, which can reach the mirror."""
        name, site, components = release_in_use()
        done = subprocess.run(["debootstrap", "--variant=minbase", "--components=" + ",".join(components), name,
                               self.root, site], stdout=self.log, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise Failure(f"debootstrap of {name} ended with status {done.returncode}; see the log")
        settings = "\n".join(REACHING.findall(say(["apt-config", "dump"])))
        (self.root / "etc/apt/apt.conf.d/99mirror").write_text(settings + "\n")
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")

    def copy(self, source, target):
        """What COPY does."""
        shutil.copytree(source, self.root / target.lstrip("/"), dirs_exist_ok=True)

    def follow(self, containerfile, context):
        """Do what a Containerfile says, with the files of a directory."""
        for instruction, words in INSTRUCTION.findall(containerfile.read_text()):
            if instruction == "FROM":
                self.boot()
            elif instruction == "COPY":
                self.copy(context / words.split()[0], words.split()[1])
            elif instruction == "RUN":
                self.run(words)
            elif instruction == "USER":
                self.user = words
            elif instruction == "WORKDIR":
                self.directory = words
