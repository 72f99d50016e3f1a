/* SPDX-License-Identifier: Apache-2.0 */
#include "client.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#define EXIT_LOST 3 /* not told is not done: who reads the output knows nothing */

/* A file opened later must never become stdin, stdout or stderr, and be written into as such. */
static bool hold_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return false;
    return true;
}

/* Whoever read us has read enough, as head does: they know what they did not read. */
static bool reader_is_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};

    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/* A result that did not reach its reader, a full disk perhaps, is no success. */
static int settle(int status)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return status;
    if (!reader_is_gone())
        fprintf(stderr, "opledger: the result could not be written to stdout\n");
    return status == 0 ? EXIT_LOST : status;
}

int main(int argc, char *argv[])
{
    return hold_standard() ? settle(client_main(argc, argv)) : EXIT_LOST;
}
