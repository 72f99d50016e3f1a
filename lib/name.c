/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/name.h>

#include <arpa/inet.h>
#include <inttypes.h>

#include <opledger/utf8.h>

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGIT "0123456789"
#define ALNUM UPPER LOWER DIGIT
#define ID_NUMBER_MAX 9007199254740991ULL /* ids are written into JSON documents too */

/* [first][rest]{0,max-1} */
struct word {
    const char *first;
    const char *rest;
    size_t max;
};

static const struct word principal = {LOWER DIGIT, LOWER DIGIT "._-", 64};
static const struct word model_name = {ALNUM, ALNUM "._:+/-", 128};
static const struct word model_version = {ALNUM "._:+-", ALNUM "._:+-", 64};
static const struct word version = {ALNUM "._+~-", ALNUM "._+~-", 64};
static const struct word label = {ALNUM "_", ALNUM "_-", 63};

static const char *const prefixes[OPL_PREFIXES] = {"", "inc", "call", "hyp", "chg", "egr", "ovr"};
static const char *const roles[] = {"recorder", "reader", "gate",
                                    "reviewer", "admin",  "evidence-raw"};

static bool is_word(const struct word *word, const char *text, size_t len)
{
    if (len == 0 || len > word->max || text[0] == '\0' || strchr(word->first, text[0]) == NULL)
        return false;
    return strspn(text + 1, word->rest) >= len - 1;
}

static bool is_whole_word(const struct word *word, const char *text)
{
    return is_word(word, text, strlen(text));
}

const char *opl_prefix_name(enum opl_prefix prefix)
{
    return (size_t)prefix < OPL_PREFIXES ? prefixes[prefix] : "";
}

static enum opl_prefix prefix_of(const char *text, size_t len)
{
    for (size_t i = 1; i < OPL_PREFIXES; i++) {
        if (strlen(prefixes[i]) == len && memcmp(prefixes[i], text, len) == 0)
            return (enum opl_prefix)i;
    }
    return OPL_ID_NONE;
}

bool opl_id_parse(const char *text, enum opl_prefix *prefix, uint64_t *number)
{
    size_t len = strcspn(text, "-");
    enum opl_prefix found = prefix_of(text, len);
    const char *digits = text + len + (text[len] == '-' ? 1 : 0);
    size_t count = strspn(digits, DIGIT);
    uint64_t value = 0;

    if (found == OPL_ID_NONE || digits == text + len || count == 0 || count > 16 ||
        digits[0] == '0' || digits[count] != '\0')
        return false;
    for (size_t i = 0; i < count; i++)
        value = value * 10 + (uint64_t)(digits[i] - '0');
    if (value > ID_NUMBER_MAX)
        return false;
    *prefix = found;
    *number = value;
    return true;
}

void opl_id_format(enum opl_prefix prefix, uint64_t number, char out[static OPL_ID_SIZE])
{
    (void)snprintf(out, OPL_ID_SIZE, "%s-%" PRIu64, opl_prefix_name(prefix), number);
}

bool opl_is_principal(const char *text)
{
    return is_whole_word(&principal, text);
}

bool opl_is_role(const char *text)
{
    static const char approver[] = "approver.";

    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (strcmp(text, roles[i]) == 0)
            return true;
    }
    return strncmp(text, approver, sizeof approver - 1) == 0 && opl_is_principal(text) &&
           opl_is_principal(text + sizeof approver - 1);
}

bool opl_is_target(const char *text)
{
    for (size_t parts = 0; parts < 8; parts++) {
        size_t len = strspn(text, ALNUM "._-");

        if (len == 0)
            return false;
        if (text[len] == '\0')
            return true;
        if (text[len] != '/')
            return false;
        text += len + 1;
    }
    return false;
}

static bool is_dns_name(const char *text, size_t len)
{
    size_t from = 0;

    if (len == 0 || len > 253)
        return false;
    for (size_t i = 0; i <= len; i++) {
        if (i < len && text[i] != '.')
            continue;
        if (!is_word(&label, text + from, i - from) || text[i - 1] == '-')
            return false;
        from = i + 1;
    }
    return true;
}

static bool is_ipv6(const char *text, size_t len)
{
    char copy[INET6_ADDRSTRLEN];
    struct in6_addr address;

    if (len >= sizeof copy)
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    return inet_pton(AF_INET6, copy, &address) == 1;
}

/* "" or ":1" to ":65535" */
static bool is_port(const char *text)
{
    size_t digits;
    unsigned long port;

    if (*text == '\0')
        return true;
    digits = strspn(text + 1, DIGIT);
    if (*text != ':' || digits == 0 || digits > 5 || text[1] == '0' || text[1 + digits] != '\0')
        return false;
    port = strtoul(text + 1, NULL, 10);
    return port >= 1 && port <= 65535;
}

bool opl_is_host(const char *text)
{
    size_t len = strlen(text), name = strcspn(text, ":");
    const char *bracket = strchr(text, ']');

    if (text[0] == '[')
        return bracket != NULL && is_ipv6(text + 1, (size_t)(bracket - text) - 1) &&
               is_port(bracket + 1);
    return (is_dns_name(text, name) && is_port(text + name)) || is_ipv6(text, len);
}

bool opl_is_version(const char *text)
{
    return is_whole_word(&version, text);
}

bool opl_is_provider(const char *text)
{
    return is_whole_word(&principal, text);
}

bool opl_is_model_name(const char *text)
{
    return is_whole_word(&model_name, text);
}

bool opl_is_model_version(const char *text)
{
    return is_whole_word(&model_version, text);
}

/* Leading bytes that are ASCII without NUL, eight at a time: most text is nothing else. */
static size_t ascii_run(const char *text, size_t len)
{
    const uint64_t ones = 0x0101010101010101ULL, high = 0x8080808080808080ULL;
    uint64_t word;
    size_t run = 0;

    for (; len - run >= sizeof word; run += sizeof word) {
        memcpy(&word, text + run, sizeof word);
        if (((word | (word - ones)) & high) != 0)
            break;
    }
    return run;
}

bool opl_is_utf8(const char *text, size_t len)
{
    uint32_t point;
    size_t step;

    for (; len > 0; text += step, len -= step) {
        step = ascii_run(text, len);
        if (step > 0)
            continue;
        step = opl_utf8_next(text, len, &point);
        if (step == 0 || point == 0)
            return false;
    }
    return true;
}

/* Controls, and what reorders or breaks a line of text on a screen. */
static bool is_plain_point(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } refused[] = {
        {0x0000, 0x001f},
        {0x007f, 0x009f},
        {0x061c, 0x061c},
        {0x200e, 0x200f},
        {0x2028, 0x202e},
        {0x2066, 0x2069},
    };

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (point >= refused[i].first && point <= refused[i].last)
            return false;
    }
    return true;
}

bool opl_is_plain(const char *text, size_t len)
{
    uint32_t point;
    size_t step;

    for (; len > 0; text += step, len -= step) {
        step = opl_utf8_next(text, len, &point);
        if (step == 0 || !is_plain_point(point))
            return false;
    }
    return true;
}

static bool put_part(char *out, size_t size, const char *from, size_t len)
{
    if (len >= size)
        return false;
    memcpy(out, from, len);
    out[len] = '\0';
    return true;
}

static bool split_model(const char *text, struct opl_model *out)
{
    const char *slash = strchr(text, '/'), *at;

    if (slash == NULL)
        return false;
    at = strrchr(slash, '@');
    if (at == NULL)
        at = slash + strlen(slash);
    return put_part(out->provider, sizeof out->provider, text, (size_t)(slash - text)) &&
           put_part(out->name, sizeof out->name, slash + 1, (size_t)(at - slash) - 1) &&
           put_part(out->version, sizeof out->version, at + (*at == '@' ? 1 : 0),
                    strlen(at) - (*at == '@' ? 1 : 0)) &&
           (*at == '\0' || out->version[0] != '\0');
}

bool opl_model_parse(const char *text, struct opl_model *out, struct opl_err *err)
{
    struct opl_model model = {0};

    if (!split_model(text, &model) || !opl_is_provider(model.provider) ||
        !opl_is_model_name(model.name) ||
        (model.version[0] != '\0' && !opl_is_model_version(model.version)))
        return opl_fail(err, OPL_E_MALFORMED,
                        "\"%.80s\" is no model; wanted is "
                        "PROVIDER/NAME[@VERSION]",
                        text);
    *out = model;
    return true;
}
