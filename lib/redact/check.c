/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks that rules name: what an expression cannot say. A check may only drop what has no
 * distinctive prefix of its own: a failing checksum must never unmask a token that says what it
 * is, since cut and mistyped tokens fail it too.
 */
#include <arpa/inet.h>

#include "rule.h"
#include "token.h"

static bool check_luhn(const char *value, size_t len)
{
    unsigned sum = 0, digits = 0;

    for (size_t i = len; i-- > 0;) {
        unsigned digit;

        if (value[i] < '0' || value[i] > '9')
            continue;
        digit = (unsigned)(value[i] - '0');
        if (digits++ % 2)
            digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
        sum += digit;
    }
    return digits >= 13 && digits <= 19 && sum % 10 == 0;
}

/* Distinct characters: a cheap stand-in for entropy that does not depend on the length. */
static bool check_entropy(const char *value, size_t len)
{
    bool seen[256] = {false};
    size_t distinct = 0;

    for (size_t i = 0; i < len; i++) {
        distinct += !seen[(unsigned char)value[i]];
        seen[(unsigned char)value[i]] = true;
    }
    return distinct >= 8 && distinct * 4 >= (len < 64 ? len : 64);
}

/* No filler, and not what a program prints in place of a value. */
static bool check_value(const char *value, size_t len)
{
    static const char *const empty[] = {"(null)", "(null", "null", "NULL", "none", "None", "(none)",
                                        "true",   "false", "yes",  "no",   "N/A",  "nil"};

    for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
        if (strlen(empty[i]) == len && memcmp(empty[i], value, len) == 0)
            return false;
    for (size_t i = 0; i < len; i++)
        if (value[i] != '*' && value[i] != '.' && value[i] != 'x')
            return true;
    return false;
}

static bool check_uid(const char *value, size_t len)
{
    char text[12];
    unsigned long uid;

    if (len == 0 || len >= sizeof(text))
        return false;
    memcpy(text, value, len);
    text[len] = 0;
    uid = strtoul(text, NULL, 10);
    return uid >= 1000 && uid != 65534 && uid < 4294967294UL;
}

static bool check_ipv4(const char *value, size_t len)
{
    char text[INET_ADDRSTRLEN];
    uint8_t octet[4];

    if (len >= sizeof(text))
        return false;
    memcpy(text, value, len);
    text[len] = 0;
    if (inet_pton(AF_INET, text, octet) != 1)
        return false;
    /* this network, loopback, multicast and above, netmasks: they say nothing about the site */
    return octet[0] != 0 && octet[0] != 127 && octet[0] < 224;
}

static bool check_ipv6(const char *value, size_t len)
{
    static const uint8_t none[16];
    char text[INET6_ADDRSTRLEN];
    uint8_t bytes[16];

    if (len >= sizeof(text))
        return false;
    memcpy(text, value, len);
    text[len] = 0;
    if (inet_pton(AF_INET6, text, bytes) != 1)
        return false;
    return bytes[0] != 0xff && !(memcmp(bytes, none, 15) == 0 && bytes[15] <= 1);
}

static int base64url(char c)
{
    static const char set[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const char *at = memchr(set, c, 64);

    return at ? (int)(at - set) : -1;
}

/* The header of a JWT decodes to an object that names an algorithm. */
static bool check_jwt(const char *value, size_t len)
{
    char head[257];
    size_t out = 0;
    unsigned bits = 0, have = 0;

    for (size_t i = 0; i < len && out < sizeof(head) - 1; i++) {
        int digit = base64url(value[i]);

        if (digit < 0)
            break;
        bits = bits << 6 | (unsigned)digit;
        have += 6;
        if (have >= 8) {
            have -= 8;
            head[out++] = (char)(bits >> have);
        }
    }
    head[out] = 0;
    /* a header too short to say is a cut one: it counts */
    return out < 12 || strstr(head, "\"alg\"") || strstr(head, "\"enc\"");
}

static const struct {
    const char *name;
    rule_check_fn check;
} checks[] = {
    {"entropy", check_entropy},
    {"ipv4",    check_ipv4   },
    {"ipv6",    check_ipv6   },
    {"jwt",     check_jwt    },
    {"luhn",    check_luhn   },
    {"uid",     check_uid    },
    {"value",   check_value  },
};

rule_check_fn rule_check_find(const char *name)
{
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
        if (strcmp(checks[i].name, name) == 0)
            return checks[i].check;
    return NULL;
}
