/* SPDX-License-Identifier: Apache-2.0 */
/* array - room for one more item in a growing array. */
#ifndef OPLEDGER_LIB_ARRAY_H
#define OPLEDGER_LIB_ARRAY_H

#include <opledger/err.h>

/*
 * The array, moved if need be, with room for at least one item more than `count`; *size is what is
 * allocated, in items. NULL and OPL_E_NOMEM: the old array is untouched and still the caller's.
 */
OPL_MUST_CHECK void *opl_array_room(void *items, size_t count, size_t *size, size_t item_size,
                                    struct opl_err *err);

#endif
