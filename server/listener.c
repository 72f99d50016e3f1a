/* SPDX-License-Identifier: Apache-2.0 */
#include "listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config.h"

#define BACKLOG 1024

static bool resolve(const char *address, struct addrinfo **found, struct opl_err *err)
{
    const struct addrinfo want = {.ai_family = AF_UNSPEC,
                                  .ai_socktype = SOCK_STREAM,
                                  .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    char host[256], port_text[8];
    uint16_t port;
    int status;

    if (!config_address(address, host, &port, err))
        return false;
    snprintf(port_text, sizeof port_text, "%u", port);
    status = getaddrinfo(host, port_text, &want, found);
    if (status == 0)
        return true;
    return opl_fail(err, OPL_E_CONFIG, "cannot listen on %s: %s", address, gai_strerror(status));
}

static uint16_t bound_port(int fd)
{
    struct sockaddr_storage bound = {0};
    socklen_t len = sizeof bound;

    if (getsockname(fd, (struct sockaddr *)&bound, &len) != 0)
        return 0;
    if (bound.ss_family == AF_INET6)
        return ntohs(((struct sockaddr_in6 *)&bound)->sin6_port);
    return ntohs(((struct sockaddr_in *)&bound)->sin_port);
}

static bool fail_bind(const char *address, struct opl_err *err)
{
    int error = errno;

    opl_fail(err, OPL_E_CONFIG, "cannot listen on %s: %s", address, strerror(error));
    if (error == EADDRINUSE)
        return opl_hint(err, "another program has this port: choose another with --listen");
    if (error == EACCES)
        return opl_hint(err, "ports below 1024 need a privilege: choose another with --listen");
    return opl_hint(err, "give an address of this machine with --listen ADDRESS:PORT");
}

bool listener_open(const char *address, int *fd, uint16_t *port, struct opl_err *err)
{
    struct addrinfo *found = NULL;
    int on = 1, made;

    if (!resolve(address, &found, err))
        return false;
    made = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0 || setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(made, found->ai_addr, found->ai_addrlen) != 0 || listen(made, BACKLOG) != 0) {
        fail_bind(address, err);
        if (made >= 0)
            close(made);
        freeaddrinfo(found);
        return false;
    }
    freeaddrinfo(found);
    *fd = made;
    *port = bound_port(made);
    return true;
}

bool listener_probe(const char *address, struct opl_err *err)
{
    uint16_t port;
    int fd;

    if (!listener_open(address, &fd, &port, err))
        return false;
    close(fd);
    return true;
}
