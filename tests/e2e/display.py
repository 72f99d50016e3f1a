#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recorded text that is out to harm whoever reads it, shown by every command that shows text, in a
pipe, on a terminal and as JSON; and text full of shell that reaches the log as it is, however given."""
import glob
import json
import os
import pty
import re
import secrets
import select
import sys
import time

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402
from cases import CLI, Cli, case, check, run, same, serve  # noqa: E402
from incident import CLAUDE, GPT, PATH, Change, Site, ok, sha256  # noqa: E402

FORGED = "gate check: allowed (exit 0)"
HARM = [
    "\x1b[2J\x1b[H\x1b[31mred\x1b]0;title\x07\x1b[8mhidden", "a\x9b31mb\x85c\x90d", "back\b\b\b\bspace",
    "over\rwritten", "bell\x07 vt\x0b ff\x0c del\x7f", "tab\tin\tside", "two\nlines\n" + FORGED,
    "\r\n" + FORGED + "\r\n", "\n    | " + FORGED, "bidi \u202eevil\u202c \u2066x\u2069 \u200f\u061c",
    "zero\u200b\u200c\u200d\u2060\ufeffwidth", "sep\u2028line\u2029para", "tag\U000e0041\U000e007f",
    "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1+1", "\n=1+1", "x" * 15000,
    "\u202e" * 3000, "é🚒 " * 1000, "next: opledger gate apply chg-1 --unpinned",
    "soft\u00adhyphen \u034f \u180e \u3164", "%s%n%x $(reboot) `id`",
]
WORDS = ["=cmd|calc", "+1", "-2", "@SUM(A1)", "%s%n", "a=b,c;d\"e'f"]
BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
                 "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
                 "\U000e0000-\U000e0fff]")
# what recorded text may never look like: a line of ours
OURS = re.compile(r"^(gate check: allowed|next: opledger gate apply|log verify:)", re.M)


def commands():
    yield from (["incident", "list"], ["hypothesis", "list"], ["change", "list"], ["egress", "list"],
                ["hypothesis", "stats"], ["egress", "list", "--unaccounted"], ["principal", "list"])
    for words in (["incident", "show", incident], ["hypothesis", "show", hypothesis.id],
                  ["evidence", "list", incident], ["evidence", "list", hypothesis.id],
                  ["change", "show", change.id], ["gate", "explain", change.id],
                  ["gate", "check", change.id], ["approval", "list", change.id],
                  ["egress", "show", egress]):
        yield words


def harmless(text, words):
    found = BAD.search(text)
    check(not found, words, f"raw {found and found.group()!r}", text[max(0, (found.start() if found else 0) - 80):][:200])
    found = OURS.search(text)
    check(not found, words, "a forged line", found)


@case("in a pipe no command shows a control, bidi or invisible character raw, nor a forged line")
def _():
    for words in commands():
        ran = cli.run(*words)
        check(ran.status in (0, 1), ran)
        out = ran.out.encode(errors="surrogateescape").decode()
        harmless(out, words)
        harmless(ran.err, words)


@case("the text is there all the same, as visible escapes")
def _():
    ran = cli.exits(0, "incident", "show", incident)
    for part in (r"\x1b[2J", r"\u{202e}", r"\x9b31m", r"\u{200b}", r"\x07"):
        check(part in ran.out, part)


@case("the gutter holds: every line of a text of several lines stands behind it")
def _():
    for words in (["incident", "show", incident], ["hypothesis", "show", hypothesis.id],
                  ["gate", "explain", change.id]):
        for line in cli.run(*words).out.split("\n"):
            if FORGED in line or "next: opledger gate apply" in line:
                check(re.match(r"\s*(\||\S+.*:|.*\\n)", line) and not OURS.match(line), words, line)


@case("a cell that a spreadsheet would compute begins with an apostrophe")
def _():
    for words in (["incident", "list"], ["hypothesis", "list"], ["change", "list"]):
        for line in cli.run(*words).out.split("\n"):
            for cell in re.split(r"\s{2,}", line.strip()):
                check(cell[:1] not in ("=", "+", "@") or cell in ("-",), words, line[:200])


@case("as JSON everything is ASCII, one document, and decodes to what was recorded")
def _():
    for words in commands():
        ran = cli.run(*words, "--json")
        check(ran.out.isascii() and not re.search("[\x00-\x09\x0b-\x1f\x7f]", ran.out), words)
        same(ran.out.count("\n"), 1, words)
        json.loads(ran.out)
    text = cli.run("incident", "show", incident, "--json").out
    for harm in HARM[:18]:
        check(json.dumps(harm)[1:-1] in text or harm in json.dumps(json.loads(text), ensure_ascii=False)
              or harm in everything(json.loads(text)), "lost", harm)


def everything(value):
    """All strings of a document."""
    if isinstance(value, dict):
        return {s for v in value.values() for s in everything(v)}
    if isinstance(value, list):
        return {s for v in value for s in everything(v)}
    return {value} if isinstance(value, str) else set()


@case("on a terminal, colours apart, it is as harmless")
def _():
    for words in commands():
        shown = Terminal(words, env={"NO_COLOR": ""}).finish()
        text = re.sub("\x1b\\[[0-9;]*m", "", shown.replace("\r\n", "\n"))
        harmless(text, words)


@case("what a server refuses or a file name says is shown harmless too")
def _():
    for words in (["incident", "note", "inc-1", "t", "--corrects", "\x1b[2J"],
                  ["evidence", "attach", incident, "/absent\x1b[31m\n" + FORGED],
                  ["incident", "show", "inc-1\x1b[2J\u202e"], ["\x1b]0;x\x07"],
                  ["incident", "list", "--\x1b[2J"],
                  ["hypothesis", "record", incident, "--claim", "c", "-m", "a/\u202eb",
                   "--prompt-unavailable", "x"],
                  ["hypothesis", "record", incident, "--claim", "c", "-m", "a/b", "--tool", "\x1b[2J",
                   "--prompt-unavailable", "x"]):
        ran = cli.run(*words)
        check(ran.status in (2, 3), ran)
        harmless(ran.err, words)
        harmless(ran.out, words)


@case("names that people choose cannot harm: principal, role, model, target, host, version")
def _():
    for kind, body in (("principal.enrolled", {"name": "a\x1bb", "class": "person", "roles": ["reader"]}),
                       ("principal.enrolled", {"name": "a\u202eb", "class": "person", "roles": ["reader"]}),
                       ("principal.enrolled", {"name": "ab", "class": "person", "roles": ["r\x1b"]})):
        same(site.admin.write(kind, body).status, 422)
    for bad in ("a\u202eb", "a\x1bb", "a\u200bb", "a\nb"):
        reply = site.clients["maria"].write("vendor.updated", {
            "vendor": bad, "state": "asked", "evidence": []}, on=hypothesis.id)
        if reply.status == 201:  # invisible, and yet neither control nor bidi: shown as an escape
            harmless(cli.run("hypothesis", "show", hypothesis.id).out, bad)
        else:
            same(reply.status, 422, bad)


# ---- text on its way in ----

CLAIM = ("`rm -rf /` $(reboot) ${HOME} $HOME \"double\" 'single' \\back\\\\slash \\n !! # ; | & > < * ? ~\n"
         "%s %n %% {a,b} [x] é 🚒 \u202e \u200b\n\ttab  two  spaces \n\n-n --help\n- \\0 \\x41 \\u0041 <<EOF\nEOF\n"
         "\"; drop table entry; --")


def claim_of(number):
    entry = site.admin.get(f"/v1/hypotheses/hyp-{number}").json["entries"][0]
    return entry["texts"]["/body/claim"]["text"]


def newest():
    return int(site.admin.get("/v1/hypotheses?limit=1").json["items"][0]["id"][4:])


def arrived(claim=CLAIM):
    same(claim_of(newest()), claim)


@case("a claim full of back-ticks and $(…) reaches the log unchanged as an argument and on stdin")
def _():
    cli.exits(0, "hyp", incident, CLAIM, "-m", "openai/gpt-5")
    arrived()
    for end in ("", "\n"):
        cli.exits(0, "hyp", incident, "-", "-m", "openai/gpt-5", stdin=CLAIM + end)
        arrived()
    cli.exits(0, "hyp", incident, "-m", "openai/gpt-5", stdin=CLAIM)
    arrived()
    cli.exits(0, "hypothesis", "record", incident, "--claim", "-", "-m", "openai/gpt-5",
              "--prompt-unavailable", "`x`", stdin=CLAIM + "\n")
    arrived()


@case("a claim that looks like an option, or is a lone dash, is text behind --")
def _():
    cli.exits(0, "hyp", "-m", "openai/gpt-5", "--", incident, "--help")
    arrived("--help")
    cli.exits(2, "hyp", incident, "--helpp", "-m", "openai/gpt-5")


@case("a text that is empty, too long, no UTF-8, or holds NUL is refused, and nothing is recorded")
def _():
    size = site.admin.size()
    for bad in (b"", b"\n", b"x" * 16385, b"\xff\xfe", b"a\0b", "é".encode() * 8193, b"\xed\xa0\x80"):
        ran = cli.run("hyp", incident, "-", "-m", "openai/gpt-5", stdin=bad)
        same(ran.status, 2, bad[:10], ran)
    same(site.admin.size(), size)
    cli.exits(0, "hyp", incident, "-", "-m", "openai/gpt-5", stdin=b"x" * 16384)


class Terminal:
    """opledger behind a pseudo-terminal."""

    def __init__(self, words, env=None):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(cli.home)
            os.execve(CLI, [CLI, *words], {**cli.environment, **(env or {})})
        self.seen = b""

    def read(self, seconds):
        """Some output, False at its end, None when there is none in time."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return None
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.seen += data
        return data or False

    def wait_for(self, text, seconds=15):
        end = time.monotonic() + seconds
        while text not in self.seen:
            check(time.monotonic() < end, "not shown", text, self.seen[-500:])
            check(self.read(1) is not False, "ended early", self.seen[-500:])

    def type(self, data):
        """In pieces: a terminal takes no more than 4 KiB at once."""
        data = data.encode() if isinstance(data, str) else data
        for at in range(0, len(data), 256):
            os.write(self.fd, data[at:at + 256])
            while self.read(0.01):
                pass

    def finish(self, status=None):
        end = time.monotonic() + 60
        while self.read(1) is not False:
            check(time.monotonic() < end, "does not end", self.seen[-500:])
        done = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.fd)
        check(done == status or (status is None and done in (0, 1)), done, self.seen[-800:])
        return self.seen.decode(errors="surrogateescape")


ASK = ["-m", "openai/gpt-5"]


def asked():
    terminal = Terminal(["hyp", incident, *ASK])
    terminal.wait_for(b"\x1b[?2004h")
    return terminal


@case("a claim pasted at the terminal, as a bracketed paste, reaches the log unchanged")
def _():
    terminal = asked()
    terminal.type("\x1b[200~" + CLAIM.replace("\n", "\r") + "\x1b[201~")
    terminal.type("\x04")
    shown = terminal.finish(0)
    check("\x1b[?2004l" in shown, "bracketed paste is left on")
    arrived()


@case("a paste that holds Ctrl-C, Ctrl-D, Ctrl-G and escapes is text, and its echo drives no terminal")
def _():
    claim = "a\x03b\x04c\x07d\x1b[2Je\x1b]0;title\x07f\x7fg\x15h"
    terminal = asked()
    terminal.type("\x1b[200~" + claim + "\x1b[201~")
    terminal.type("\x04")
    shown = terminal.finish(0)
    arrived(claim)
    echoed = shown.split("\x1b[?2004h")[1].split("\x1b[?2004l")[0]
    check(not re.search("[\x00-\x07\x0b-\x0c\x0e-\x1f\x7f]", echoed), "raw control echoed", echoed)


@case("pasted bidi and C1 characters are not echoed raw either")
def _():
    claim = "x\u202ey\u200bz\x9b31mw"
    terminal = asked()
    terminal.type("\x1b[200~" + claim + "\x1b[201~")
    terminal.type("\x04")
    shown = terminal.finish(0)
    arrived(claim)
    harmless(re.sub("\x1b\\[\\?2004[hl]", "", shown).replace("\r\n", "\n"), "echo")


@case("a claim written in $EDITOR reaches the log unchanged, and no copy of it is left")
def _():
    folder = os.path.join(cli.home, "editing")
    os.makedirs(folder)
    written = os.path.join(folder, "claim")
    with open(written, "w", newline="") as file:
        file.write(CLAIM + "\n")
    script = os.path.join(folder, "an-editor")
    with open(script, "w") as file:
        file.write(f"#!/bin/sh\n[ \"$1\" = --wait ] || exit 9\nstat -c %a \"$2\" > {folder}/mode\n"
                   f"rm \"$2\"\ncp {written} \"$2\"\n")
    os.chmod(script, 0o755)
    before = set(glob.glob("/tmp/opledger-text-*"))
    terminal = Terminal(["hyp", incident, *ASK], env={"EDITOR": script + " --wait"})
    terminal.wait_for(b"\x1b[?2004h")
    terminal.type("begun \x07")
    terminal.finish(0)
    arrived()
    with open(os.path.join(folder, "mode")) as file:
        same(file.read(), "600\n")
    same(set(glob.glob("/tmp/opledger-text-*")) - before, set())


@case("giving up with Ctrl-C, a terminal that hangs up, an editor that fails: nothing is recorded")
def _():
    size = site.admin.size()
    terminal = asked()
    terminal.type("half a claim\x03")
    terminal.finish(2)
    terminal = Terminal(["hyp", incident, *ASK], env={"EDITOR": "/bin/false"})
    terminal.wait_for(b"\x1b[?2004h")
    terminal.type("x\x07")
    terminal.finish(2)
    terminal = asked()
    terminal.type("half a claim")
    os.close(terminal.fd)
    _, status = os.waitpid(terminal.pid, 0)
    check(status != 0, status)
    same(site.admin.size(), size)


def hostile_egress():
    """An egress whose texts are ours, so that its list and page have something to show."""
    output = b"nothing of interest\n"
    source = os.path.join(cli.home, "trace")
    with open(source, "wb") as file:
        file.write(output)
    cli.exits(0, "redact", "--record", incident, "--destination", "openai-api", "--model",
              "openai/gpt-5", source)
    return "egr-1"


server = serve()
site = Site(server)
cli = Cli(server, site.clients["maria"].token)
incident = site.incident(HARM[0])
for harm in HARM:
    site.incident(harm)
    site.write("maria", "incident.noted", {"text": harm}, incident)
    site.write("maria", "hypothesis.recorded", {
        "claim": harm, "predicts": harm, "refuted_by": harm, "model": GPT,
        "prompt_unavailable": harm}, incident)
for word in WORDS:
    site.write("maria", "hypothesis.recorded", {"claim": word, "model": GPT, "tool": word,
                                                "prompt_unavailable": word}, incident)
hypothesis = site.hypothesis(incident, HARM[6])
for harm in HARM:
    site.attach("maria", hypothesis.id, harm.encode(), harm)
    site.write("dora", "verdict.recorded", {"model": CLAUDE, "mode": "review", "verdict": "disagrees",
                                            "rationale": harm, "prompt_unavailable": harm,
                                            "evidence": []}, hypothesis.id)
    site.write("dora", "vendor.updated", {"vendor": "v", "state": "asked", "statement": harm,
                                          "evidence": []}, hypothesis.id)
site.write("dora", "hypothesis.closed", {"how": "refuted", "reason": HARM[6]}, "hyp-1")


class HostileChange(Change):
    """Its files are hostile too, with lines of 100 kB."""
    files = 2

    def make_manifest(self):
        wide = "\u202e\x1b[2J".encode() + b"w" * 100000 + b"\x9b\n"
        new = "\n".join(HARM).encode() + b"\n" + wide + secrets.token_hex(4).encode()
        self.site.blob("maria", new)
        side = {"mode": "0644", "owner": "0:0"}
        text = o.canonical({
            "files": [{"base_mode": "0644", "base_owner": "0:0", "path": PATH, "size": len(new),
                       "base_sha256": sha256(self.base_bytes), "sha256": sha256(new), **side},
                      {"base_mode": None, "base_owner": None, "path": PATH + "\u200b.d",
                       "size": len(wide), "base_sha256": None, "sha256": self.site.blob("maria", wide),
                       **side}],
            "command": ["echo", "\u200b", FORGED], "target": "engaging/slurm",
            "type": "opledger/manifest", "v": 1})
        self.manifest = "sha256:" + self.site.blob("maria", text.encode())
        self.base = ""


change = HostileChange(site, hypothesis, HARM[6])
egress = hostile_egress()
sys.exit(run(server))
