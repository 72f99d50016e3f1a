#!/usr/bin/env python3
"""Holds the documents against the programs: every `opledger` and `opledgerd` line that a reader could
type exists, with known options, required ones present and no argument too many; and the manual pages
name every option, key and variable. Prints each breach, exit 1 if any."""
import glob
import os
import re
import shlex
import subprocess
import sys

ROOT = os.environ.get("SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
BIN = os.path.join(os.environ.get("BINARY_DIR", os.path.join(ROOT, "build", "release")), "bin")
MANY = 1000


def text_of(path):
    return open(os.path.join(ROOT, path), encoding="utf-8").read()


def run(*argv):
    done = subprocess.run([os.path.join(BIN, argv[0]), *argv[1:]], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


class Command:
    """What --help says of one command."""

    def __init__(self, words, text):
        self.words = words
        self.takes_value = {}
        self.long_name = {}
        for letter, name, value in re.findall(r"^  (?:-(\w), )?--([\w-]+)(?: ([A-Z]\S*))?", text, re.M):
            self.takes_value["--" + name] = bool(value)
            if letter:
                self.takes_value["-" + letter] = bool(value)
                self.long_name["-" + letter] = "--" + name
        usage = text.splitlines()[0].split()[2 + len(words):]
        self.required = [w for w in usage if w.startswith("--") and w != "--"]
        self.rest = "[--" in usage
        self.least = self.most = 0
        if self.rest:
            usage = usage[:usage.index("[--")]
        for before, word in zip([""] + usage, usage):
            if word == "[options]" or word.startswith("--") or before.startswith("--"):
                continue
            self.least += not word.startswith("[")
            self.most += MANY if "..." in word else 1


def commands():
    found = {}
    for noun in re.findall(r"^  (\w+) ", run("opledger", "help")[1], re.M):
        text = run("opledger", "help", noun)[1]
        if "VERB ..." not in text.splitlines()[0]:
            found[(noun,)] = Command((noun,), text)
            continue
        for verb in re.findall(r"^  (\S+(?: \S+)?)  +\S", text, re.M):
            words = (noun, *verb.split())
            found[words] = Command(words, run("opledger", "help", *words)[1])
    return found


def without_shell(line):
    """The words of the command itself: no comment, pipe, redirection or && behind it."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    words = []
    for word in lexer:
        if set(word) <= set("|&;<>()"):
            break
        words.append(word)
    return words


def check(table, words, whole):
    """What is wrong with `opledger WORDS...`, or None; `whole`: nothing is left out."""
    while words and words[0] in ("--json", "--url"):
        words = words[2 if words[0] == "--url" else 1:]
    if not words or words[0].startswith("--") or not words[0].islower():
        return None
    taken = [n for n in (3, 2, 1) if tuple(words[:n]) in table]
    if not taken:
        is_noun = any(known[0] == words[0] for known in table)
        return None if is_noun and (len(words) == 1 or not words[1].islower()) else "no such command"
    command, words = table[tuple(words[:taken[0]])], words[taken[0]:]
    given, positional = [], 0
    while words:
        word = words.pop(0)
        if word == "--":
            return None if command.rest else "takes nothing behind --"
        if not word.startswith("-") or word in ("-", "-…"):
            positional += word not in ("...", "…", "\\")
            continue
        name, equals, _ = word.partition("=")
        if name not in command.takes_value:
            return f"no option {name}"
        given.append(command.long_name.get(name, name))
        if command.takes_value[name] and not equals and words:
            words.pop(0)
    lacking = [name for name in command.required if name not in given]
    if whole and lacking:
        return f"lacks {lacking[0]}"
    if positional > command.most or (whole and positional < command.least):
        return f"{positional} arguments, {command.least} to {command.most} are taken"
    return None


def lines_of(text):
    """(number, command line, whole): lines of fenced blocks, and code within sentences."""
    fenced = False
    pending = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            line = pending + line.strip()
            pending = line[:-1] if line.endswith("\\") else ""
            if not pending:
                yield number, re.sub(r"^(\w*\$|#) ", "", line), True
        else:
            for code in re.findall(r"`([^`]+)`", line):
                yield number, code, False


def commands_in(text, program):
    for number, line, whole in lines_of(text):
        # at the start, behind a pipe, &&, sudo or NAME=value: where a shell would look for a program
        for match in re.finditer(r"(?:^|[|&;] *|\$\()(?:sudo (?:-\S+(?: \w+)? )*)?(?:\w+=\S* )*" + program + r"(?= |$)", line):
            rest = line[match.end():]
            try:
                yield number, without_shell(rest), whole
            except ValueError:
                yield number, rest.split(), False


def breaches(table, service_options, path, text):
    for number, words, whole in commands_in(text, "opledger"):
        wrong = check(table, words, whole)
        if wrong:
            yield f"{path}:{number}: opledger {' '.join(words)}: {wrong}"
    for number, words, _ in commands_in(text, "opledgerd"):
        for word in words:
            if word.startswith("--") and word.partition("=")[0] not in service_options:
                yield f"{path}:{number}: opledgerd {' '.join(words)}: no option {word}"


def documents():
    names = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
    for pattern in ("docs/**/*.md", "policies/**/*.md", "*/README.md"):
        names += [os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, pattern), recursive=True)]
    return sorted(set(names))


BLIND = """```
opledger incident opne
opledger incident list --colour
opledger change propose inc-1 --title x
opledger gate check chg-1 chg-2
maria$ sudo -u maria opledger whoami now
opledgerd --data /srv/x --prot 1
```
In words: `opledger gate aply chg-1`, `opledger log checkpoint --depp`.
"""


def roff_names(text):
    return text.replace("\\-", "-")


def rule_manual():
    """opledgerd(8) and opledger.conf(5) are written by hand; their names are the tables'."""
    service = roff_names(text_of("docs/man/opledgerd.8"))
    for name in sorted(set(re.findall(r"(?:--[\w-]+|OPLEDGERD_\w+)", run("opledgerd", "--help")[1]))):
        if not re.search(re.escape(name) + r"(?![\w-])", service):
            yield f"docs/man/opledgerd.8 does not mention {name}"
    conf = roff_names(text_of("docs/man/opledger.conf.5"))
    gate = set(re.findall(r'^    \{"(\w+)", +read_', text_of("client/gate_conf.c"), re.M))
    gate |= set(re.findall(r'line->key, "(\w+)"', text_of("client/gate_conf.c")))
    client = set(re.findall(r"in files: (\w+)", roff_names(run("opledger", "help", "--man")[1])))
    if len(gate) < 9 or len(client) < 5:
        yield f"the tables of configuration keys were not found: gate.conf {sorted(gate)}, client {sorted(client)}"
    known = gate | client
    told = set(re.findall(r"^\.B (\w+) =", conf, re.M))
    yield from (f"docs/man/opledger.conf.5 does not mention {key}" for key in sorted(known - told))
    yield from (f"docs/man/opledger.conf.5: there is no key {key}" for key in sorted(told - known))


def main():
    table = commands()
    options = set(re.findall(r"--[\w-]+", run("opledgerd", "--help")[1])) | {"--config"}
    found = []
    if len(table) < 30 or len(options) < 10:
        found.append(f"the programs' help gave only {len(table)} commands and {len(options)} options")
    seen = list(breaches(table, options, "made up", BLIND))
    if len(seen) != 8:
        found.append(f"of 8 lines that are wrong on purpose {len(seen)} were noticed: {seen}")
    count = 0
    for path in documents():
        text = text_of(path)
        count += len(list(commands_in(text, "opledgerd?")))
        found += breaches(table, options, path, text)
    found += rule_manual()
    print(f"{count} command lines in {len(documents())} documents, {len(table)} commands")
    for breach in found:
        print(breach)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
