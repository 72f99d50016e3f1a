/* SPDX-License-Identifier: Apache-2.0 */
/*
 * listener - the listening socket, made by ourselves so that its failures are said plainly.
 */
#ifndef OPLEDGER_SERVER_LISTENER_H
#define OPLEDGER_SERVER_LISTENER_H

#include <stdint.h>

#include <opledger/err.h>

/* Binds and listens on ADDRESS:PORT; port 0 takes a free one. OPL_E_CONFIG. */
OPL_MUST_CHECK bool listener_open(const char *address, int *fd, uint16_t *port,
                                  struct opl_err *err);

/*
 * Whether ADDRESS:PORT could be listened on now, so that a port in use is said before anything is
 * opened or made. OPL_E_CONFIG.
 */
OPL_MUST_CHECK bool listener_probe(const char *address, struct opl_err *err);

#endif
