/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descriptor - what a trace has said about its descriptors and unfinished calls, in bounded memory.
 *
 * With -yy each descriptor carries its address or path. A MUNGE socket does so only in connect(),
 * later calls show its inode; without -yy only the number is known. Numbers are taken for one
 * process, since threads share them: masking too much is the safe side.
 */
#ifndef OPLEDGER_LIB_REDACT_DESCRIPTOR_H
#define OPLEDGER_LIB_REDACT_DESCRIPTOR_H

#include "span.h"

#define DESCRIPTOR_FDS 4096
#define DESCRIPTOR_INODES 4096
#define DESCRIPTOR_PENDING 4096

/* A call that another line will resume. */
struct descriptor_pending {
    uint32_t pid; /* 0: free */
    uint32_t fd;
    int rule; /* a builtin, or -1: what it moves is searched, not masked */
    bool write;
};

struct descriptors {
    int8_t fds[DESCRIPTOR_FDS]; /* builtin + 1, for descriptors shown by number only */
    uint32_t fd_owner[DESCRIPTOR_FDS];
    uint32_t inodes[DESCRIPTOR_INODES]; /* MUNGE sockets, oldest overwritten */
    size_t inode_next;
    struct descriptor_pending pending[DESCRIPTOR_PENDING];
};

/* A descriptor as one call shows it. */
struct descriptor {
    uint32_t pid, fd;
    const char *note; /* between < and >, or NULL */
    size_t note_len;
};

/* The builtin that masks what moves through it, or -1. */
int descriptor_rule(const struct descriptors *all, const struct descriptor *one);

/* Whether somebody may have typed what is read there: a terminal, or a stdin of unknown kind. */
bool descriptor_is_terminal(const struct descriptor *one);

/* connect() or the like: args name the peer. */
void descriptor_connected(struct descriptors *all, const struct descriptor *one, const char *args,
                          size_t len);
void descriptor_closed(struct descriptors *all, const struct descriptor *one);

void descriptor_suspend(struct descriptors *all, const struct descriptor_pending *call);

/* Takes the suspended call of a pid; false when none is known. */
bool descriptor_resume(struct descriptors *all, uint32_t pid, struct descriptor_pending *call);

#endif
