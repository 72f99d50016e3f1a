/* SPDX-License-Identifier: Apache-2.0 */
/*
 * byte_range - the header Range, one part of `bytes` (RFC 9110 section 14).
 */
#ifndef OPLEDGER_SERVER_BYTE_RANGE_H
#define OPLEDGER_SERVER_BYTE_RANGE_H

#include <stdbool.h>
#include <stdint.h>

struct byte_range {
    uint64_t from, len;
    bool is_part; /* false: the whole */
};

/*
 * Reads `bytes=A-B`, `bytes=A-` or `bytes=-N` of something of `size` bytes; anything else, several
 * parts too, asks for the whole, as the RFC allows. False when the part lies outside.
 */
bool byte_range_read(const char *text, uint64_t size, struct byte_range *out);

#endif
