/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"

#include <ctype.h>

/* Ports whose payloads are binary, or hold credentials in a form of their own. */
static const struct {
    uint16_t first, last;
    enum builtin rule;
} ports[] = {
    {88,    88,    BUILTIN_PROTOCOL}, /* Kerberos */
    {389,   389,   BUILTIN_PROTOCOL}, /* LDAP */
    {464,   464,   BUILTIN_PROTOCOL}, /* kpasswd */
    {636,   636,   BUILTIN_PROTOCOL}, /* LDAP over TLS */
    {749,   749,   BUILTIN_PROTOCOL}, /* kadmin */
    {1433,  1433,  BUILTIN_PROTOCOL}, /* SQL Server */
    {1521,  1521,  BUILTIN_PROTOCOL}, /* Oracle */
    {3268,  3269,  BUILTIN_PROTOCOL}, /* global catalogue */
    {3306,  3306,  BUILTIN_PROTOCOL}, /* MySQL */
    {5432,  5432,  BUILTIN_PROTOCOL}, /* PostgreSQL */
    {6379,  6379,  BUILTIN_PROTOCOL}, /* Redis */
    {6817,  6820,  BUILTIN_SLURM   },
    {27017, 27017, BUILTIN_PROTOCOL}, /* MongoDB */
};

/* Files whose content is users' text or binary state with names in it; `*` stands for digits. */
static const struct {
    const char *tail;
    enum builtin rule;
} files[] = {
    {"/script",          BUILTIN_SCRIPT     },
    {"/environment",     BUILTIN_ENVIRONMENT},
    {"/environ",         BUILTIN_ENVIRONMENT},
    {"/cmdline",         BUILTIN_ARGV       },
    {"/job_state",       BUILTIN_STATE      },
    {"/resv_state",      BUILTIN_STATE      },
    {"/trigger_state",   BUILTIN_STATE      },
    {"/assoc_mgr_state", BUILTIN_STATE      },
    {"/assoc_usage",     BUILTIN_STATE      },
    {"/qos_usage",       BUILTIN_STATE      },
    {"/cred_state",      BUILTIN_STATE      },
    {"/dbd.messages",    BUILTIN_STATE      },
    {"/munge.key",       BUILTIN_MUNGE      },
    {"/slurm.key",       BUILTIN_SLURM      },
    {"/jwt_hs256.key",   BUILTIN_SLURM      },
    {"/krb5.keytab",     BUILTIN_PROTOCOL   },
    {"/shadow",          BUILTIN_STATE      },
};

static int port_rule(unsigned long port)
{
    for (size_t i = 0; i < sizeof(ports) / sizeof(ports[0]); i++)
        if (port >= ports[i].first && port <= ports[i].last)
            return ports[i].rule;
    return -1;
}

/* Any `:NNNN` before `-`, `]` or `>`: both ends of a connection count. */
static int address_rule(const char *note, size_t len)
{
    for (size_t i = 0; i + 1 < len; i++) {
        unsigned long port = 0;
        size_t end = i + 1;
        int rule;

        if (note[i] != ':')
            continue;
        while (end < len && isdigit((unsigned char)note[end]) && end - i < 7)
            port = port * 10 + (unsigned long)(note[end++] - '0');
        rule = end > i + 1 && (end == len || note[end] == '-' || note[end] == ']') ? port_rule(port)
                                                                                   : -1;
        if (rule >= 0)
            return rule;
    }
    return -1;
}

static bool ends_with(const char *text, size_t len, const char *tail)
{
    size_t tail_len = strlen(tail);

    return len >= tail_len && memcmp(text + len - tail_len, tail, tail_len) == 0;
}

static int file_rule(const char *path, size_t len)
{
    static const char *const suffixes[] = {" (deleted)", ".new", ".old", ".tmp", "~"};

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
        if (ends_with(path, len, suffixes[i]))
            len -= strlen(suffixes[i]);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (ends_with(path, len, files[i].tail))
            return files[i].rule;
    return memmem(path, len, "/slurm_script", 13) ? BUILTIN_SCRIPT : -1;
}

static bool has_munge(const char *text, size_t len)
{
    return memmem(text, len, "munge.socket", 12) || memmem(text, len, "/munge/", 7);
}

static uint32_t inode_of(const char *note, size_t len)
{
    const char *open = memchr(note, '[', len);

    return open ? (uint32_t)strtoul(open + 1, NULL, 10) : 0;
}

static bool is_munge_inode(const struct descriptors *all, uint32_t inode)
{
    for (size_t i = 0; inode && i < DESCRIPTOR_INODES && all->inodes[i]; i++)
        if (all->inodes[i] == inode)
            return true;
    return false;
}

static int note_rule(const struct descriptors *all, const char *note, size_t len)
{
    if (note[0] == '/')
        return file_rule(note, len);
    if (len > 5 && memcmp(note, "UNIX", 4) == 0)
        return has_munge(note, len) || is_munge_inode(all, inode_of(note, len)) ? BUILTIN_MUNGE
                                                                                : -1;
    return address_rule(note, len);
}

int descriptor_rule(const struct descriptors *all, const struct descriptor *one)
{
    if (one->note)
        return note_rule(all, one->note, one->note_len);
    return one->fd < DESCRIPTOR_FDS ? all->fds[one->fd] - 1 : -1;
}

bool descriptor_is_terminal(const struct descriptor *one)
{
    static const char *const devices[] = {"/dev/pts/", "/dev/tty", "/dev/console"};

    if (!one->note)
        return one->fd == 0;
    for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
        if (one->note_len >= strlen(devices[i]) &&
            memcmp(one->note, devices[i], strlen(devices[i])) == 0)
            return true;
    return false;
}

static int peer_rule(const char *args, size_t len)
{
    const char *port;

    if (has_munge(args, len))
        return BUILTIN_MUNGE;
    port = memmem(args, len, "_port=htons(", 12);
    return port ? port_rule(strtoul(port + 12, NULL, 10)) : -1;
}

void descriptor_connected(struct descriptors *all, const struct descriptor *one, const char *args,
                          size_t len)
{
    int rule = peer_rule(args, len);

    if (rule == BUILTIN_MUNGE && one->note) {
        all->inodes[all->inode_next] = inode_of(one->note, one->note_len);
        all->inode_next = (all->inode_next + 1) % DESCRIPTOR_INODES;
    }
    if (one->fd < DESCRIPTOR_FDS) {
        all->fds[one->fd] = (int8_t)(rule + 1);
        all->fd_owner[one->fd] = one->pid;
    }
}

void descriptor_closed(struct descriptors *all, const struct descriptor *one)
{
    if (one->fd < DESCRIPTOR_FDS && all->fd_owner[one->fd] == one->pid)
        all->fds[one->fd] = 0;
}

void descriptor_suspend(struct descriptors *all, const struct descriptor_pending *call)
{
    all->pending[call->pid % DESCRIPTOR_PENDING] = *call;
}

bool descriptor_resume(struct descriptors *all, uint32_t pid, struct descriptor_pending *call)
{
    struct descriptor_pending *slot = &all->pending[pid % DESCRIPTOR_PENDING];

    if (slot->pid != pid || pid == 0)
        return false;
    *call = *slot;
    slot->pid = 0;
    return true;
}
