/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calendar is computed here: the C library's functions depend on the time zone and on state.
 * Days are counted in years that begin in March, so that the leap day comes last.
 */
#include <opledger/time.h>

#define DAY_S 86400LL
#define YEARS_MAX 100

struct moment {
    int year, month, day, hour, minute, second;
    int micros;
    int offset_s; /* east of UTC */
};

static int64_t days_from_civil(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = y / 400, of_era = y % 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void civil_from_days(int64_t days, struct moment *out)
{
    int64_t z = days + 719468, era = z / 146097, of_era = z % 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;

    out->day = (int)(of_year - (153 * month + 2) / 5 + 1);
    out->month = (int)(month < 10 ? month + 3 : month - 9);
    out->year = (int)(year + era * 400 + (out->month <= 2 ? 1 : 0));
}

int64_t opl_time_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now); /* cannot fail for this clock */
    return (int64_t)now.tv_sec * OPL_SECOND + now.tv_nsec / 1000;
}

static void put_number(char *out, int digits, int64_t value)
{
    for (int i = digits - 1; i >= 0; i--) {
        out[i] = (char)('0' + value % 10);
        value /= 10;
    }
}

void opl_time_format(int64_t at, char out[static OPL_TIME_SIZE])
{
    int64_t seconds, of_day;
    struct moment m;

    if (at < 0)
        at = 0;
    seconds = at / OPL_SECOND;
    of_day = seconds % DAY_S;
    civil_from_days(seconds / DAY_S, &m);
    memcpy(out, "YYYY-MM-DDTHH:MM:SS.ffffffZ", OPL_TIME_SIZE);
    put_number(out, 4, m.year);
    put_number(out + 5, 2, m.month);
    put_number(out + 8, 2, m.day);
    put_number(out + 11, 2, of_day / 3600);
    put_number(out + 14, 2, of_day / 60 % 60);
    put_number(out + 17, 2, of_day % 60);
    put_number(out + 20, 6, at % OPL_SECOND);
}

/* Reads exactly `digits` digits within [least, most]; moves *text. */
static bool read_number(const char **text, int digits, int least, int most, int *out)
{
    int value = 0;

    for (int i = 0; i < digits; i++) {
        char digit = (*text)[i];

        if (digit < '0' || digit > '9')
            return false;
        value = value * 10 + (digit - '0');
    }
    *text += digits;
    *out = value;
    return value >= least && value <= most;
}

static bool read_char(const char **text, const char *any_of)
{
    if (**text == '\0' || strchr(any_of, **text) == NULL)
        return false;
    (*text)++;
    return true;
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

static bool read_date(const char **text, struct moment *m)
{
    return read_number(text, 4, 1969, 9999, &m->year) && read_char(text, "-") &&
           read_number(text, 2, 1, 12, &m->month) && read_char(text, "-") &&
           read_number(text, 2, 1, days_in(m->year, m->month), &m->day);
}

/* Digits beyond the sixth are dropped, never rounded: a time must not move forward. */
static bool read_fraction(const char **text, struct moment *m)
{
    int digits = 0;

    if (**text != '.')
        return true;
    (*text)++;
    for (; **text >= '0' && **text <= '9'; (*text)++, digits++) {
        if (digits < 6)
            m->micros = m->micros * 10 + (**text - '0');
    }
    for (int i = digits; i < 6; i++)
        m->micros *= 10;
    return digits > 0;
}

static bool read_offset(const char **text, struct moment *m)
{
    int hours, minutes, sign = **text == '-' ? -1 : 1;

    if (read_char(text, "Zz"))
        return true;
    if (!read_char(text, "+-") || !read_number(text, 2, 0, 23, &hours) || !read_char(text, ":") ||
        !read_number(text, 2, 0, 59, &minutes))
        return false;
    m->offset_s = sign * (hours * 3600 + minutes * 60);
    return true;
}

static bool read_moment(const char *text, struct moment *m)
{
    return read_date(&text, m) && read_char(&text, "Tt") &&
           read_number(&text, 2, 0, 23, &m->hour) && read_char(&text, ":") &&
           read_number(&text, 2, 0, 59, &m->minute) && read_char(&text, ":") &&
           read_number(&text, 2, 0, 60, &m->second) && read_fraction(&text, m) &&
           read_offset(&text, m) && *text == '\0';
}

bool opl_time_parse(const char *text, int64_t *at, struct opl_err *err)
{
    struct moment m = {0};
    int64_t seconds;

    if (!read_moment(text, &m))
        return opl_fail(err, OPL_E_MALFORMED,
                        "not a time; wanted is RFC 3339 such as 2026-10-01T14:03:22Z");
    seconds = days_from_civil(m.year, m.month, m.day) * DAY_S + m.hour * 3600LL + m.minute * 60LL +
              m.second - m.offset_s;
    if (m.second == 60 && seconds % DAY_S != 0)
        return opl_fail(err, OPL_E_MALFORMED, "a leap second ends a day in UTC");
    if (seconds < 0 || seconds >= days_from_civil(9999, 12, 31) * DAY_S + DAY_S)
        return opl_fail(err, OPL_E_MALFORMED, "a time lies in the years 1970 to 9999");
    *at = seconds * OPL_SECOND + m.micros;
    return true;
}

bool opl_time_is_stored_form(const char *text)
{
    char form[OPL_TIME_SIZE];
    int64_t at = 0;

    if (!opl_time_parse(text, &at, NULL))
        return false;
    opl_time_format(at, form);
    return strcmp(form, text) == 0;
}

static int64_t unit_seconds(const char *unit)
{
    static const struct {
        char name[2];
        int64_t seconds;
    } units[] = {
        {"s", 1    },
        {"m", 60   },
        {"h", 3600 },
        {"d", DAY_S},
    };

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i].name) == 0)
            return units[i].seconds;
    }
    return 0;
}

bool opl_duration_parse(const char *text, int64_t *seconds, struct opl_err *err)
{
    size_t digits = strspn(text, "0123456789");
    int64_t unit = unit_seconds(text + digits), number = 0;

    if (digits == 0 || digits > 10 || unit == 0)
        return opl_fail(err, OPL_E_MALFORMED,
                        "not a duration; wanted is one such as 90s, 15m, 4h, "
                        "14d");
    for (size_t i = 0; i < digits; i++)
        number = number * 10 + (text[i] - '0');
    if (number * unit > YEARS_MAX * 365LL * DAY_S)
        return opl_fail(err, OPL_E_MALFORMED, "a duration is at most %d years", YEARS_MAX);
    *seconds = number * unit;
    return true;
}

bool opl_window_parse(const char *text, int64_t *from, int64_t *to, struct opl_err *err)
{
    const char *slash = strchr(text, '/');
    char first[64];
    int64_t begin = 0, end = 0;

    if (slash == NULL || (size_t)(slash - text) >= sizeof first)
        return opl_fail(err, OPL_E_MALFORMED, "not a window; wanted is FROM/TO");
    memcpy(first, text, (size_t)(slash - text));
    first[slash - text] = '\0';
    if (!opl_time_parse(first, &begin, err) || !opl_time_parse(slash + 1, &end, err))
        return false;
    if (begin >= end)
        return opl_fail(err, OPL_E_MALFORMED, "the window ends before it begins");
    *from = begin;
    *to = end;
    return true;
}
