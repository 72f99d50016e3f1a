/* SPDX-License-Identifier: Apache-2.0 */
/* CONTRACT section 6: the redaction manifest, and the map that never leaves the site. */
#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>

#include "run.h"

static const char *rule_id(const struct opl_redact *redact, size_t rule)
{
    return rule < redact->rules->count ? redact->rules->rules[rule].id
                                       : builtin_rules[rule - redact->rules->count].id;
}

static enum opl_rule_class rule_class(const struct opl_redact *redact, size_t rule)
{
    return rule < redact->rules->count ? redact->rules->rules[rule].class
                                       : builtin_rules[rule - redact->rules->count].class;
}

static json_t *hits(const struct opl_redact *redact)
{
    json_t *all = json_object();

    for (size_t i = 0; i < redact->account.rules; i++) {
        const char *class = opl_rule_class_name(rule_class(redact, i));
        json_t *rules = json_object_get(all, class);

        if (redact->account.hits[i] == 0)
            continue;
        if (!rules) {
            rules = json_object();
            json_object_set_new(all, class, rules);
        }
        json_object_set_new(rules, rule_id(redact, i),
                            json_integer((json_int_t)redact->account.hits[i]));
    }
    return all;
}

/* Up to 100,000 of them: without a format to interpret for each. */
static json_t *span_json(const struct opl_redact *redact, const struct account_span *span)
{
    json_t *list = json_array();

    json_array_append_new(list, json_integer((json_int_t)span->from));
    json_array_append_new(list, json_integer((json_int_t)span->to));
    json_array_append_new(list, json_integer((json_int_t)span->out_from));
    json_array_append_new(list, json_integer((json_int_t)span->out_to));
    json_array_append_new(list, json_string_nocheck(rule_id(redact, span->rule)));
    return list;
}

static json_t *spans(const struct opl_redact *redact)
{
    json_t *list = json_array();

    for (size_t i = 0; i < redact->account.count; i++)
        json_array_append_new(list, span_json(redact, &redact->account.list[i]));
    return list;
}

static json_t *unscannable(const struct opl_redact *redact)
{
    json_t *list = json_array();

    for (size_t i = 0; i < redact->account.gap_count; i++) {
        const struct account_gap *gap = &redact->account.gaps[i];

        json_array_append_new(list, json_pack("{s:I, s:I, s:s}", "from", (json_int_t)gap->from,
                                              "to", (json_int_t)gap->to, "why", gap->why));
    }
    return list;
}

static json_t *engine(void)
{
    char pcre2[64];

    confirm_engine(pcre2, sizeof(pcre2));
    return json_pack("{s:s, s:s, s:s}", "vectorscan", anchors_engine(), "pcre2", pcre2, "opledger",
                     OPLEDGER_VERSION);
}

static json_t *bytes(const struct opl_hash *hash, uint64_t size)
{
    char hex[OPL_HEX_SIZE];

    opl_hash_hex(hash, hex);
    return json_pack("{s:I, s:s}", "size", (json_int_t)size, "sha256", hex);
}

static json_t *source(const struct opl_redact *redact)
{
    return bytes(&redact->result.source_sha256, redact->result.source_size);
}

json_t *opl_redact_manifest(const struct opl_redact *redact, int64_t started, int64_t finished,
                            struct opl_err *err)
{
    const struct opl_redact_result *result = &redact->result;
    char rules[OPL_DIGEST_SIZE], from[OPL_TIME_SIZE], to[OPL_TIME_SIZE];
    json_t *manifest;

    opl_hash_digest(&redact->options.rules, rules);
    opl_time_format(started, from);
    opl_time_format(finished, to);
    manifest = json_pack(
        "{s:s, s:i, s:s, s:o, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:s, s:s, "
        "s:s}",
        "type", "opledger/redaction", "v", 1, "rules", rules, "engine", engine(), "key_id",
        redact->key_id, "context", redact->context, "format", opl_format_name(result->format),
        "source", source(redact), "output", bytes(&result->sha256, result->size), "hits",
        hits(redact), "spans", spans(redact), "unscannable", unscannable(redact), "decoded",
        (json_int_t)result->decoded, "truncated", (json_int_t)result->truncated, "weak",
        (json_int_t)result->weak, "verify", "passed", "started", from, "finished", to);
    if (manifest && redact->destination)
        json_object_set_new(manifest, "destination", json_string(redact->destination));
    if (!manifest)
        opl_fail(err, OPL_E_NOMEM, "no memory for the manifest");
    return manifest;
}

json_t *opl_redact_map(const struct opl_redact *redact, struct opl_err *err)
{
    json_t *map =
        json_pack("{s:s, s:i, s:s, s:s, s:O}", "type", "opledger/map", "v", 1, "key_id",
                  redact->key_id, "context", redact->context, "tokens", redact->pseudonyms.map);

    if (!map)
        opl_fail(err, OPL_E_NOMEM, "no memory for the map");
    return map;
}
