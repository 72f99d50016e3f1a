#!/usr/bin/env python3
"""The architecture as checks over the source tree: arch.py RULE. Prints each breach, exit 1 if any."""
import os
import re
import statistics
import subprocess
import sys

ROOT = os.environ.get("SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
LAYERS = ("include", "lib", "server", "client")

# header -> who alone may include it
DOORS = {
    r"sodium\.h|sodium/.*|openssl/.*": r"lib/crypto\.c",
    r"hs\.h|hs/.*|pcre2\.h": r"lib/redact/.*",
    r"yaml\.h": r"lib/policy/yaml\.c",
    r"zstd\.h": r"lib/zstd\.c",
    r"microhttpd\.h": r"server/http\.c",
    r"libpq-fe\.h": r"server/db\.c",
    r"curl/.*": r"client/api\.c",
}

# what a layer must not include, and what pure code must not call
FORBIDDEN = {
    "include": r"(server|client|lib)/",
    "lib": r"(server|client)/",
    "server": r"client/",
    "client": r"server/",
}
IMPURE = r"\b(fopen|open|socket|connect|fprintf|printf|perror|syslog|getenv|system|popen|fork|exit)\s*\("


def sources(layers=LAYERS, endings=(".c", ".h")):
    for layer in layers:
        for folder, _, names in os.walk(os.path.join(ROOT, layer)):
            for name in sorted(names):
                if name.endswith(endings):
                    path = os.path.join(folder, name)
                    yield os.path.relpath(path, ROOT), open(path, encoding="utf-8").read()


def includes(text):
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, re.M)


def rule_includes():
    for path, text in sources():
        layer = path.split("/")[0]
        for name in includes(text):
            for header, door in DOORS.items():
                if re.fullmatch(header, name) and not re.fullmatch(door, path):
                    yield f"{path}: includes <{name}>, which only {door} may"
            if re.match(r"(\.\./)*" + FORBIDDEN[layer], name):
                yield f"{path}: includes {name}: arrows point from programs to lib only"


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', text)


def rule_purity():
    for path, text in sources(("lib",)):
        for number, line in enumerate(without_comments(text).splitlines(), 1):
            if re.search(IMPURE, line):
                yield f"{path}:{number}: lib does no input, output or logging: {line.strip()}"


def functions(text):
    """Name and body lines of each function: in our format its braces stand alone in column one."""
    lines = text.splitlines()
    start = name = None
    for number, line in enumerate(lines):
        if line == "{" and number and not lines[number - 1].rstrip().endswith(("=", ",")):
            head = " ".join(lines[max(0, number - 6):number])
            match = re.findall(r"(\w+)\s*\([^;{}]*\)\s*$", head)
            start, name = number, match[-1] if match else "?"
        elif line == "}" and start is not None:
            yield name, number - start - 1
            start = None


def rule_sizes():
    lengths = []
    for path, text in sources():
        lines = text.count("\n")
        limit = 150 if path.endswith(".h") else 500
        if lines > limit:
            yield f"{path}: {lines} lines, over {limit}: which two nouns live in it?"
        for name, length in functions(text):
            lengths.append(length)
            if length > 60:
                yield f"{path}: {name} has {length} lines, over 60"
    lengths.sort()
    if not lengths:
        yield "no functions found"
        return
    median, p90 = statistics.median(lengths), lengths[int(len(lengths) * 0.9)]
    print(f"{len(lengths)} functions, median {median} lines, p90 {p90}, longest {lengths[-1]}")
    if median > 15 or p90 > 50:
        yield f"median {median} (at most 15), p90 {p90} (at most 50)"


def rule_mirror():
    """Each source has a test at the mirrored path, or is part of a noun that has one."""
    for path, _ in sources(("lib", "server", "client"), (".c",)):
        stem = path[:-2]
        # commands and routes are tried through the real programs, in tests/e2e
        if re.match(r"(client/cmd_|server/api_)", stem) or stem.endswith("/main"):
            continue
        folder, name = os.path.split(stem)
        parts = name.split("_")
        wanted = ["_".join(parts[:n]) for n in range(len(parts), 0, -1)]
        places = [f"tests/{folder}/test_{w}.{kind}" for w in wanted for kind in ("c", "py")]
        if not any(os.path.exists(os.path.join(ROOT, p)) for p in places):
            yield f"{path}: no test at {places[0]}"


def tracked():
    out = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=False)
    names = [n for n in out.stdout.decode().split("\0") if n]
    return [n for n in names if os.path.isfile(os.path.join(ROOT, n))]


def rule_words():
    unfinished = re.compile(r"\b(TODO|FIXME|XXX|HACK|not implemented|placeholder|stub)\b")
    for path in tracked():
        if path.startswith(("tests/e2e/samples/", "tests/fuzz/corpus/", "tests/arch/", "LICENSE")):
            continue
        text = open(os.path.join(ROOT, path), encoding="utf-8", errors="replace").read()
        if path.startswith(LAYERS + ("schema", "policies", "run", "check")):
            for match in unfinished.finditer(text):
                yield f"{path}: unfinished: {match.group()}"
        if path.endswith((".c", ".h")) and "SPDX-License-Identifier: Apache-2.0" not in text[:200]:
            yield f"{path}: no SPDX line"


def rule_docs():
    """Links of the documents lead somewhere, and the map of the house is complete."""
    for path in tracked():
        if not path.endswith(".md"):
            continue
        text = open(os.path.join(ROOT, path), encoding="utf-8").read()
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" in link or link.startswith("mailto:"):
                continue
            if not os.path.exists(os.path.join(ROOT, os.path.dirname(path), link)):
                yield f"{path}: the link {link} leads nowhere"
    architecture = open(os.path.join(ROOT, "docs/ARCHITECTURE.md"), encoding="utf-8").read()
    for path, _ in sources(("lib", "server", "client"), (".c",)):
        name = os.path.basename(path)[:-2]
        if path.startswith(("lib/policy/require_", "client/cmd_", "server/api_")):
            continue
        if not re.search(r"\b" + re.escape(name) + r"\b", architecture):
            yield f"docs/ARCHITECTURE.md does not mention {path}"


def main():
    rules = {k[5:]: v for k, v in globals().items() if k.startswith("rule_")}
    if len(sys.argv) != 2 or sys.argv[1] not in rules:
        sys.exit(f"usage: arch.py {'|'.join(rules)}")
    breaches = list(rules[sys.argv[1]]())
    for breach in breaches:
        print(breach)
    sys.exit(1 if breaches else 0)


if __name__ == "__main__":
    main()
