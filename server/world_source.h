/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world_source - where a world of the server's gets subjects and documents: the database.
 */
#ifndef OPLEDGER_SERVER_WORLD_SOURCE_H
#define OPLEDGER_SERVER_WORLD_SOURCE_H

#include <opledger/world.h>

#include "db.h"

/* Reads over `db` what the log holds below *size. Lives as long as the world. */
struct world_reader {
    struct db *db;
    const uint64_t *size;
};

struct opl_source world_source(struct world_reader *reader);

#endif
