/* SPDX-License-Identifier: Apache-2.0 */
#include "reply.h"

#include <inttypes.h>

#include <opledger/json.h>

struct problem {
    const char *slug;
    const char *title;
    const char *advice;
};

/* One row per slug of OPL_ERRORS that goes over HTTP. */
static const struct problem problems[] = {
    {"malformed",              "The request could not be read",
     "Send valid UTF-8 JSON without duplicate keys or fractions; `field` says where it stops."                               },
    {"unauthenticated",        "Who you are is not known",
     "Send `Authorization: Bearer TOKEN`. People get a token with `opledger login`."                                         },
    {"forbidden",              "You may not do this",
     "The detail names the role or class that is needed; `opledger whoami` shows yours."                                     },
    {"not-found",              "There is no such thing, or you may not see it",
     "Check the id or path; lists are under /v1/."                                                                           },
    {"method-not-allowed",     "This path does not take this method",              "See the header Allow."                   },
    {"request-timeout",        "The request took too long to arrive",              "Send it again."                          },
    {"wrong-state",            "Not in the state it is in now",
     "Read the subject again: what you refer to has moved on, or this act comes later."                                      },
    {"gate-denied",            "The gate denies this",
     "`opledger gate explain CHG` says which requirement is missing and what to type next."                                  },
    {"idempotency-conflict",   "This Idempotency-Key was used for something else",
     "Draw a new key for new content; repeat the same bytes to get the first receipt."                                       },
    {"stale-statement",        "The signed Statement is out of date",
     "Read and sign again: it has expired, or the log it names is not this one's history."                                   },
    {"too-large",              "Too large",                                        "The detail names the limit."             },
    {"unsupported-media-type", "The media type is not taken here",
     "One entry is application/json, a batch application/x-ndjson."                                                          },
    {"range-not-satisfiable",  "The range lies outside",                           "See the header Content-Range."           },
    {"invalid-entry",          "The entry does not hold",
     "`field` points at what is wrong, `hint` says what is allowed. Nothing was written."                                    },
    {"bad-signature",          "The signature does not count",
     "Sign the exact bytes with an enrolled key in the namespace of the Statement's type."                                   },
    {"digest-mismatch",        "The bytes are not those of the digest",
     "Send the bytes whose SHA-256 the path names; nothing was kept."                                                        },
    {"rate-limited",           "Too many requests",                                "Wait as long as Retry-After says."       },
    {"internal",               "The server failed",                                "Look in its log for the request_id."     },
    {"unavailable",            "The server cannot do this now",
     "Try again with the same Idempotency-Key: what was acknowledged is kept."                                               },
    {"log-inconsistent",       "The log is not what this server saw before",
     "The server refuses to sign. Compare `opledger log verify` from another machine."                                       },
    {"timed-out",              "Not done in time",
     "It may still be done: repeat with the same Idempotency-Key to learn which."                                            },
    {"storage-full",           "The disk is full",                                 "Free disk for the database, then repeat."},
};

#define PROBLEMS (sizeof problems / sizeof *problems)

static const struct problem *find_problem(const char *slug)
{
    for (size_t i = 0; i < PROBLEMS; i++) {
        if (strcmp(problems[i].slug, slug) == 0)
            return &problems[i];
    }
    return NULL;
}

void reply_close(struct reply *reply)
{
    if (reply->source.ctx != NULL)
        reply->source.release(reply->source.ctx);
    opl_buf_close(&reply->body);
    *reply = (struct reply){0};
}

void reply_header(struct reply *reply, const char *name, const char *fmt, ...)
{
    struct reply_header *header = &reply->headers[reply->header_count];
    va_list args;

    if (reply->header_count == REPLY_HEADERS)
        return;
    header->name = name;
    va_start(args, fmt);
    vsnprintf(header->value, sizeof header->value, fmt, args);
    va_end(args);
    reply->header_count++;
}

static int add_bytes(const char *bytes, size_t len, void *out)
{
    opl_buf_add(out, bytes, len);
    return 0;
}

bool reply_json(struct reply *reply, int status, json_t *value, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *owned = value;

    if (owned == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the reply");
    if (json_dump_callback(owned, add_bytes, &reply->body, JSON_COMPACT) != 0)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the reply");
    opl_buf_chr(&reply->body, '\n');
    reply->status = status;
    reply->media = "application/json";
    return opl_buf_ok(&reply->body, err);
}

void reply_add_string(struct opl_buf *out, const char *text)
{
    opl_buf_chr(out, '"');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            opl_buf_chr(out, '\\');
        if ((unsigned char)*c < 0x20)
            opl_buf_fmt(out, "\\u%04x", (unsigned)*c);
        else
            opl_buf_chr(out, *c);
    }
    opl_buf_chr(out, '"');
}

static void add_member(struct opl_buf *out, const char *name, const char *text)
{
    if (text[0] == '\0')
        return;
    opl_buf_fmt(out, ",\"%s\":", name);
    reply_add_string(out, text);
}

void reply_problem(struct reply *reply, const struct opl_err *err, const char *request_id,
                   json_t *errors)
{
    enum opl_code code = opl_code_http(err->code) == 500 ? OPL_E_INTERNAL : err->code;
    const char *slug = opl_code_slug(code);
    const struct problem *problem = find_problem(slug);
    /* what failed inside stays in the server's log */
    const char *detail =
        code == OPL_E_INTERNAL ? "an internal error; its log names this request" : err->text;

    if (reply->source.ctx != NULL)
        reply->source.release(reply->source.ctx);
    reply->source = (struct reply_source){0};
    opl_buf_close(&reply->body);
    reply->status = opl_code_http(code);
    reply->media = "application/problem+json";
    opl_buf_fmt(&reply->body, "{\"type\":\"/problems/%s\",\"title\":", slug);
    reply_add_string(&reply->body, problem != NULL ? problem->title : slug);
    opl_buf_fmt(&reply->body, ",\"status\":%d", reply->status);
    add_member(&reply->body, "detail", detail);
    add_member(&reply->body, "field", err->field);
    add_member(&reply->body, "hint", err->hint);
    if (errors != NULL) {
        opl_buf_str(&reply->body, ",\"errors\":");
        json_dump_callback(errors, add_bytes, &reply->body, JSON_COMPACT);
    }
    add_member(&reply->body, "request_id", request_id);
    opl_buf_str(&reply->body, "}\n");
    if (reply->status == 401)
        reply_header(reply, "WWW-Authenticate", "Bearer realm=\"opledger\"");
    if (reply->status == 503 || reply->status == 429)
        reply_header(reply, "Retry-After", "1");
}

bool reply_problem_page(const char *slug, struct opl_buf *out)
{
    const struct problem *problem = find_problem(slug);

    if (problem == NULL)
        return false;
    opl_buf_fmt(out, "%s\n\n%s (HTTP %d)\n\n%s\n", problem->slug, problem->title,
                opl_code_http(opl_code_from_slug(slug)), problem->advice);
    return true;
}
