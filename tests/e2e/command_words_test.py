#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The softdpu command's words: help, mistakes, JSON, and what shells complete, all from one table."""
import json
import os
import re
import shutil

from command_kit import SOFTDPU, USAGE, ask
from harness import BUILD, SOURCE, Failure, Skip, main, run

def listed():
    return re.findall(r"^  (\w+) ", ask("--help"), re.M)


def options_of(command):
    return re.findall(r"^  (?:-h, )?(--[\w-]+)", ask(command, "--help"), re.M)


def page():
    with open(os.path.join(SOURCE, "man/softdpu.1"), encoding="utf-8") as file:
        return file.read()


def help_is_complete():
    """each sub-command has help with usage, options and an example"""
    assert "env" in listed() and "version" in listed(), listed()
    for command in listed():
        text = ask(command, "--help")
        for part in (f"Usage: softdpu {command}", "Options:", "Example:\n  ", f"softdpu {command}: "):
            assert part in text, (command, part)
        assert text == ask(command, "-h"), command


def page_is_complete():
    """softdpu(1) has each sub-command, each of its options, and the exit statuses"""
    text = page().replace("\\-", "-")
    sections = dict(re.findall(r"^\.SS (\w+)\n(.*?)(?=^\.S[SH] )", text, re.M | re.S))
    for command in listed():
        assert command in sections, f"no section for {command}"
        for option in set(options_of(command)) - {"--help"}:
            assert option in sections[command], f"{command}: {option} is not in its section"
    for section in set(sections) - set(listed()):
        raise Failure(f"the page tells of a command {section}, which there is not")
    assert ".SH EXIT STATUS" in text


def mistakes():
    """mistakes are told in one line that leads to help, with status 2"""
    for words, reason in ((("env", "--nonsense"), "there is no option --nonsense"), (("env", "-x"), "no option -x"),
                          (("env", "--dpu=1"), "takes no value"), (("version", "more"), "takes no argument"),
                          (("completion",), "bash zsh fish"), (("completion", "tcsh"), "tcsh")):
        text = ask(*words, status=USAGE)
        assert reason in text and f"softdpu {words[0]} --help" in text and text.count("\n") == 1, text
    assert 'no command "dance"' in ask("dance", status=USAGE)
    assert "Usage:" in ask(status=USAGE)


def facts_as_json():
    """env and version print JSON that says what their text says"""
    version = json.loads(ask("version", "--json"))
    assert version["softdpu"] in ask("version") and version["doca_api"] in ask("version"), version
    for args in ((), ("--dpu",)):
        shown = json.loads(ask("env", "--json", *args))
        for variable, value in shown.items():
            for directory in value.split(":"):
                assert f"'{directory}'" in ask("env", *args), (variable, directory)
                assert variable == "PATH" or os.path.isdir(directory), directory
    assert "pkgconfig/dpu" in json.loads(ask("env", "--dpu", "--json"))["PKG_CONFIG_PATH"]


BASH = """
. <("$0" completion bash)
COMP_WORDS=(softdpu "$@"); COMP_CWORD=$#
_softdpu softdpu "${@: -1}" "${@: -2:1}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def in_bash(*words):
    return run("bash", "-c", BASH, SOFTDPU, *words, env=with_path()).split()


def in_fish(*words):
    shown = run("fish", "-c", f'"$argv[1]" completion fish | source; complete -C "softdpu {" ".join(words)}"', SOFTDPU,
                env=with_path())
    return [line.split("\t")[0] for line in shown.splitlines()]


def with_path():
    return {"PATH": os.path.dirname(SOFTDPU) + ":" + os.environ["PATH"]}


def completes(complete):
    """All that help lists, and nothing else."""
    assert set(complete("")) - {"--help", "-h"} == set(listed()), complete("")
    for command in listed():
        assert set(complete(command, "--")) - {"-h"} == set(options_of(command)), (command, complete(command, "--"))
    assert complete("completion", "f") == ["fish"], complete("completion", "f")
    assert complete("ver") == ["version"], complete("ver")
    assert complete("run", "--gdb", "h") == ["host"], complete("run", "--gdb", "h")
    assert complete("explain", "AGAI") == ["DOCA_ERROR_AGAIN"], complete("explain", "AGAI")
    columns = re.search(r"columns are ([\w ]+), but", ask("top", "--sort", "?", status=USAGE))[1].split()
    assert len(columns) > 10 and set(complete("top", "--sort", "")) == set(columns), complete("top", "--sort", "")
    for column in columns:
        ask("top", "--count", "1", "--interval", "0.02", "--sort", column)


def bash_completes():
    """bash completes each sub-command and each option that help lists"""
    completes(in_bash)


def fish_completes():
    """fish completes each sub-command and each option that help lists"""
    if not shutil.which("fish"):
        raise Skip("no fish here")
    completes(in_fish)


# What _arguments would be given, as nobody types here.
ZSH = """
_arguments() { print -rl -- "$@" }
_describe() { print -rl -- "${(@P)2}" }
compdef() { }
eval "$($1 completion zsh)"
words=(softdpu "$2" --) CURRENT=$3
_softdpu
"""


def in_zsh(command, position):
    return run("zsh", "-f", "-c", ZSH, "zsh", SOFTDPU, command, str(position))


def zsh_completes():
    """zsh is told of each sub-command and each option that help lists"""
    if not shutil.which("zsh"):
        raise Skip("no zsh here")
    assert re.findall(r"^(\w+):", in_zsh("", 2), re.M) == listed(), in_zsh("", 2)
    for command in listed():
        found = set(re.findall(r"^(?:\*|\(- \*\))?(--[\w-]+)", in_zsh(command, 3), re.M))
        assert found == set(options_of(command)), (command, found)


def installed_completion():
    """an installation puts the scripts where the shells look for them"""
    plan = json.loads(run("meson", "introspect", BUILD, "--installed"))
    for path, shell in (("bash-completion/completions/softdpu", "bash"), ("zsh/site-functions/_softdpu", "zsh"),
                        ("fish/vendor_completions.d/softdpu.fish", "fish")):
        made = [source for source, target in plan.items() if target.endswith("/share/" + path)]
        assert len(made) == 1, path
        with open(made[0], encoding="utf-8") as file:
            assert file.read() == ask("completion", shell), path


if __name__ == "__main__":
    main(help_is_complete, page_is_complete, mistakes, facts_as_json, bash_completes, fish_completes, zsh_completes,
         installed_completion)
