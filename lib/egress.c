/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/egress.h>

#include <opledger/json.h>

struct look {
    const struct opl_egress_claim *claim;
    const json_t *body;
    const json_t *manifest;
};

static bool is_text(const json_t *object, const char *key, const char *wanted)
{
    const char *text = opl_json_str(object, key);

    return text != NULL && wanted != NULL && strcmp(text, wanted) == 0;
}

static bool is_manifest(const struct look *look)
{
    return is_text(look->manifest, "type", "opledger/redaction") &&
           opl_json_int(look->manifest, "v", 0) == 1;
}

static bool has_passed(const struct look *look)
{
    return is_text(look->manifest, "verify", "passed");
}

static bool is_of_output(const struct look *look)
{
    const json_t *output = json_object_get(look->manifest, "output");

    return is_text(output, "sha256", opl_json_str(look->body, "sent_sha256"));
}

static bool has_size(const struct look *look)
{
    int64_t bytes = opl_json_int(look->body, "bytes", -1);
    const json_t *output = json_object_get(look->manifest, "output");

    return bytes >= 0 && (uint64_t)bytes == look->claim->stored &&
           bytes == opl_json_int(output, "size", -1);
}

static bool has_rules(const struct look *look)
{
    return is_text(look->manifest, "rules", opl_json_str(look->body, "rules"));
}

/* The sum over {rule: n}, or -1. */
static int64_t hits_of_class(const json_t *rules)
{
    int64_t total = 0;
    const char *rule;
    json_t *n;

    if (!json_is_object(rules))
        return -1;
    json_object_foreach((json_t *)rules, rule, n)
    {
        if (!json_is_integer(n) || json_integer_value(n) < 0)
            return -1;
        total += json_integer_value(n);
        if (total > OPL_JSON_INT_MAX)
            return -1;
    }
    return total;
}

static bool has_hits(const struct look *look)
{
    const json_t *said = json_object_get(look->body, "hits");
    const json_t *hits = json_object_get(look->manifest, "hits");
    const char *class;
    json_t *rules;

    if (!json_is_object(hits) || json_object_size(hits) != json_object_size(said))
        return false;
    json_object_foreach((json_t *)hits, class, rules)
    {
        int64_t count = hits_of_class(rules);

        if (count < 0 || count != opl_json_int(said, class, -1))
            return false;
    }
    return true;
}

static bool has_unscannable(const struct look *look)
{
    const json_t *places = json_object_get(look->manifest, "unscannable");

    return json_is_array(places) &&
           (int64_t)json_array_size(places) == opl_json_int(look->body, "unscannable", -1);
}

static bool has_source(const struct look *look)
{
    const char *source = opl_json_str(look->body, "source_sha256");

    return source == NULL || is_text(json_object_get(look->manifest, "source"), "sha256", source);
}

/* What was masked for one destination is not what another may receive. */
static bool has_destination(const struct look *look)
{
    const char *destination = opl_json_str(look->manifest, "destination");

    return destination == NULL || is_text(look->body, "destination", destination);
}

static const struct {
    bool (*holds)(const struct look *look);
    const char *field, *said;
} rows[] = {
    {is_manifest,     "/body/manifest_sha256", "is no redaction manifest of version 1"         },
    {has_passed,      "/body/manifest_sha256", "does not say that the output passed its check" },
    {is_of_output,    "/body/manifest_sha256", "is the manifest of another output"             },
    {has_size,        "/body/bytes",           "is not the size of the output and its manifest"},
    {has_rules,       "/body/rules",           "are not the rules of the manifest"             },
    {has_hits,        "/body/hits",            "are not the sums of the manifest's hits"       },
    {has_unscannable, "/body/unscannable",     "is not the number of places in the manifest"   },
    {has_source,      "/body/source_sha256",   "is not the source of the manifest"             },
    {has_destination, "/body/destination",     "is not the one that the manifest was made for" },
};

static bool hint(struct opl_err *err)
{
    return opl_hint(err,
                    "let opledger redact --record write it, or opledger egress record with the "
                    "manifest of this output");
}

static bool check_rows(const struct look *look, struct opl_err *err)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].holds(look))
            continue;
        opl_fail_at(err, OPL_E_INVALID, rows[i].field, "%s", rows[i].said);
        return hint(err);
    }
    return true;
}

static void copy(char *out, size_t size, const char *text)
{
    (void)snprintf(out, size, "%s", text != NULL ? text : "");
}

static bool check_destination(const struct look *look, struct opl_err *err)
{
    const struct opl_egress_claim *claim = look->claim;
    const json_t *body_model = json_object_get(look->body, "model");
    const char *format = opl_json_str(look->manifest, "format");
    struct opl_model model = {0};
    struct opl_err why = {0};

    copy(model.provider, sizeof model.provider, opl_json_str(body_model, "provider"));
    copy(model.name, sizeof model.name, opl_json_str(body_model, "name"));
    if (format == NULL)
        opl_fail(&why, OPL_E_INVALID, "the manifest names no format");
    else if (opl_destination_check(claim->destination, &model, format, claim->now, &why))
        return true;
    opl_fail_at(err, OPL_E_INVALID, "/body/destination", "%s", why.text);
    return opl_hint(err, "the adopted models.yaml says who may receive what: opledger policy list");
}

bool opl_egress_check(const struct opl_egress_claim *claim, struct opl_err *err)
{
    struct opl_err why = {0};
    OPL_CLEANUP(opl_json_freep)
    json_t *manifest = opl_json_parse_canonical(claim->manifest, claim->len, &why);
    const struct look look = {claim, claim->body, manifest};

    if (manifest == NULL) {
        opl_fail_at(err, OPL_E_INVALID, "/body/manifest_sha256", "is no canonical JSON: %s",
                    why.text);
        return hint(err);
    }
    return check_rows(&look, err) && check_destination(&look, err);
}
