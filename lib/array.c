/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"

#include <stdint.h>

#define FIRST_SIZE 8

void *opl_array_room(void *items, size_t count, size_t *size, size_t item_size, struct opl_err *err)
{
    size_t wanted = *size == 0 ? FIRST_SIZE : *size * 2;
    void *moved;

    if (count < *size)
        return items;
    if (wanted > SIZE_MAX / 2 / item_size) {
        opl_fail(err, OPL_E_NOMEM, "an array of %zu items is too large", wanted);
        return NULL;
    }
    moved = realloc(items, wanted * item_size);
    if (moved == NULL) {
        opl_fail(err, OPL_E_NOMEM, "no memory for %zu items", wanted);
        return NULL;
    }
    *size = wanted;
    return moved;
}
