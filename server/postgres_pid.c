/* SPDX-License-Identifier: Apache-2.0 */
#include "postgres_pid.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Lines of postmaster.pid (PostgreSQL's miscadmin.h). */
enum { LINE_PID = 1, LINE_SOCKET = 5 };

static bool path_in(const char *data, const char *name, char out[static PATH_MAX])
{
    return snprintf(out, PATH_MAX, "%s/%s", data, name) < PATH_MAX;
}

bool postgres_pid_is_server(pid_t pid, const char *data)
{
    char link[64], cwd[PATH_MAX];
    ssize_t len;

    if (pid <= 0)
        return false;
    snprintf(link, sizeof(link), "/proc/%ld/cwd", (long)pid);
    len = readlink(link, cwd, sizeof(cwd) - 1);
    if (len < 0)
        return false;
    cwd[len] = '\0';
    return !strcmp(cwd, data);
}

static void read_lines(struct postgres_pid *out, FILE *file)
{
    char line[PATH_MAX];

    for (int n = 1; fgets(line, sizeof(line), file); n++) {
        line[strcspn(line, "\n")] = '\0';
        if (n == LINE_PID)
            out->pid = (pid_t)strtol(line, NULL, 10);
        if (n == LINE_SOCKET)
            snprintf(out->socket, sizeof(out->socket), "%s", line);
    }
}

static void read_file(struct postgres_pid *out, const char *data)
{
    char path[PATH_MAX];
    FILE *file;

    *out = (struct postgres_pid){0};
    if (!path_in(data, "postmaster.pid", path))
        return;
    file = fopen(path, "re");
    if (!file)
        return;
    read_lines(out, file);
    fclose(file);
}

void postgres_pid_read(struct postgres_pid *out, const char *data)
{
    read_file(out, data);
    if (!postgres_pid_is_server(out->pid, data))
        out->pid = 0;
}

bool postgres_pid_has_orphans(const char *data)
{
    DIR *proc = opendir("/proc");
    const struct dirent *entry;
    bool found = false;

    if (!proc)
        return true; /* who cannot see must not assume that nobody is there */
    while (!found && (entry = readdir(proc)))
        found = postgres_pid_is_server((pid_t)strtol(entry->d_name, NULL, 10), data);
    closedir(proc);
    return found;
}

void postgres_pid_clean(const char *data)
{
    struct postgres_pid now;
    char path[PATH_MAX];

    read_file(&now, data);
    if (now.pid > 0 && !kill(now.pid, 0) && !postgres_pid_is_server(now.pid, data) &&
        !postgres_pid_has_orphans(data) && path_in(data, "postmaster.pid", path))
        unlink(path);
}
