#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes merkle.json: roots and proofs of RFC 6962 by its recursive definitions, in another language
than the code that is tested. Run in this folder; the result is committed."""
import hashlib
import json

EIGHT = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]


def sha(b):
    return hashlib.sha256(b).digest()


def split(n):
    return 1 << (n - 1).bit_length() - 1


def mth(d):
    if not d:
        return sha(b"")
    if len(d) == 1:
        return sha(b"\0" + d[0])
    k = split(len(d))
    return sha(b"\1" + mth(d[:k]) + mth(d[k:]))


def path(m, d):
    if len(d) == 1:
        return []
    k = split(len(d))
    return path(m, d[:k]) + [mth(d[k:])] if m < k else path(m - k, d[k:]) + [mth(d[:k])]


def subproof(m, d, whole):
    if m == len(d):
        return [] if whole else [mth(d)]
    k = split(len(d))
    if m <= k:
        return subproof(m, d[:k], whole) + [mth(d[k:])]
    return subproof(m - k, d[k:], False) + [mth(d[:k])]


def hexes(hashes):
    return [h.hex() for h in hashes]


eight = [bytes.fromhex(x) for x in EIGHT]
numbers = [str(i).encode() for i in range(70000)]
json.dump({
    "eight": {
        "leaves": EIGHT,
        "roots": hexes(mth(eight[:n]) for n in range(9)),
        "inclusion": [{"index": i, "size": n, "proof": hexes(path(i, eight[:n]))}
                      for n in range(1, 9) for i in range(n)],
        "consistency": [{"from": m, "to": n, "proof": hexes(subproof(m, eight[:n], True))}
                        for n in range(1, 9) for m in range(1, n + 1)],
    },
    "numbers": [{"size": n, "root": mth(numbers[:n]).hex()} for n in (1, 255, 256, 257, 65536, 70000)],
}, open("merkle.json", "w"), indent=1)
