/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ssh_wire - reading the data types of RFC 4251 section 5: u32 and length-prefixed strings.
 *
 * Every read checks what is left first; nothing is copied.
 */
#ifndef OPLEDGER_LIB_SSH_WIRE_H
#define OPLEDGER_LIB_SSH_WIRE_H

#include <opledger/buf.h>

struct ssh_wire {
    const uint8_t *at;
    size_t left;
};

/* False, without an error, when the bytes do not reach. */
bool ssh_wire_u8(struct ssh_wire *wire, uint8_t *out);
bool ssh_wire_u32(struct ssh_wire *wire, uint32_t *out);
bool ssh_wire_string(struct ssh_wire *wire, struct ssh_wire *out);

/* The next string, of exactly `len` bytes. */
bool ssh_wire_fixed(struct ssh_wire *wire, void *out, size_t len);

/* The next string as text of at most size - 1 bytes, none of them NUL. */
bool ssh_wire_text(struct ssh_wire *wire, char *out, size_t size);

bool ssh_wire_is(const struct ssh_wire *string, const char *text);
void ssh_wire_put(struct opl_buf *out, const void *bytes, size_t len);

#endif
