#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes canonical.json: documents, their RFC 8785 form and its SHA-256, by another implementation
than the one that is tested. Run in this folder; the result is committed."""
import hashlib
import json

DOCUMENTS = [
    ' { "b" : [ null , true , false , 0 , -7 ] , "a" : { } , "" : [ ] } ',
    '[-0,9007199254740991,-9007199254740991]',
    # RFC 8785 section 3.2.3
    '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh",'
    '"1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control",'
    '"\\u00f6":"Latin Small Letter O With Diaeresis"}',
    '{"\\ue000":3,"\\ud7ff":1,"\\udbff\\udfff":2,"\\uffff":4}',
    # RFC 8785 section 3.2.2.2
    '["\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"]',
    '["\\b\\t\\n\\f\\r\\u0001\\u001F\\u007f\\u2028"]',
    '{"v":1,"kind":"incident.noted","on":"inc-3","at":"2026-10-01T14:03:22.123456Z","actor":"alice",'
    '"prev":40,"body":{"text":{"sealed":"sha256:' + "0" * 64 + '"}}}',
]


def string(text):
    short = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
    return '"' + "".join(short.get(c, f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def form(value):
    if isinstance(value, dict):
        keys = sorted(value, key=lambda k: k.encode("utf-16-be"))
        return "{" + ",".join(string(k) + ":" + form(value[k]) for k in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(form, value)) + "]"
    if isinstance(value, str):
        return string(value)
    return {None: "null", True: "true", False: "false"}[value] if value is None or value is True or value is False else str(value)


rows = []
for text in DOCUMENTS:
    canonical = form(json.loads(text))
    rows.append({"text": text, "canonical": canonical, "sha256": hashlib.sha256(canonical.encode()).hexdigest()})
json.dump(rows, open("canonical.json", "w"), indent=1)
