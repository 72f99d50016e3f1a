/* SPDX-License-Identifier: Apache-2.0 */
#include "client.h"

#include <fcntl.h>
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

/* A result that did not reach its reader, a full disk perhaps, is no success. */
static int settle(int status)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return status;
    fprintf(stderr, "opledger: the result could not be written to stdout\n");
    return status == 0 ? EXIT_LOST : status;
}

int main(int argc, char *argv[])
{
    return hold_standard() ? settle(client_main(argc, argv)) : EXIT_LOST;
}
