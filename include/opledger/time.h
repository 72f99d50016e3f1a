/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time - moments as microseconds since 1970-01-01T00:00:00Z, and durations as seconds.
 *
 * Stored form: YYYY-MM-DDTHH:MM:SS.ffffffZ, always six digits and Z. Read: RFC 3339 with any
 * offset. Years 1970 to 9999.
 */
#ifndef OPLEDGER_TIME_H
#define OPLEDGER_TIME_H

#include <stdint.h>

#include <opledger/err.h>

#define OPL_TIME_SIZE 28 /* the stored form with its NUL */
#define OPL_SECOND 1000000LL

int64_t opl_time_now(void); /* the system's clock */
void opl_time_format(int64_t at, char out[static OPL_TIME_SIZE]);
OPL_MUST_CHECK bool opl_time_parse(const char *text, int64_t *at, struct opl_err *err);
bool opl_time_is_stored_form(const char *text);

/* "90s", "15m", "4h", "14d": one number and one unit. At most 100 years. */
OPL_MUST_CHECK bool opl_duration_parse(const char *text, int64_t *seconds, struct opl_err *err);

/* "FROM/TO", both RFC 3339, FROM before TO. */
OPL_MUST_CHECK bool opl_window_parse(const char *text, int64_t *from, int64_t *to,
                                     struct opl_err *err);

#endif
