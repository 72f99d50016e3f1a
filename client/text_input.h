/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_input - how free text gets in without passing a shell.
 *
 * Models write back-ticks and $(...); on a command line a shell would run them. So where a text is
 * left out it is pasted at the terminal, written in $EDITOR, or read from stdin. One line break at
 * its end is the editor's or the pipe's, not the text's, and is dropped; nothing else changes.
 */
#ifndef OPLEDGER_CLIENT_TEXT_INPUT_H
#define OPLEDGER_CLIENT_TEXT_INPUT_H

#include <opledger/buf.h>

struct client;

/*
 * Appends the text that `given` means: itself; stdin for "-"; and for NULL a paste or $EDITOR on a
 * terminal, stdin otherwise. `what` names it in the question. Empty, too long, not UTF-8, or stdin
 * already read for another text: OPL_E_USAGE.
 */
OPL_MUST_CHECK bool text_input(struct client *client, const char *given, const char *what,
                               struct opl_buf *out, struct opl_err *err);

/* The whole of stdin, once in a run. */
OPL_MUST_CHECK bool text_input_stdin(struct client *client, struct opl_buf *out,
                                     struct opl_err *err);

/* Reads from a terminal until Ctrl-D; bytes between paste marks are taken as they are. */
OPL_MUST_CHECK bool text_input_paste(int fd, const char *what, struct opl_buf *out,
                                     struct opl_err *err);

/* Runs the editor (a program and its arguments, split at blanks, no shell) on a private file. */
OPL_MUST_CHECK bool text_input_edit(const char *editor, struct opl_buf *out, struct opl_err *err);

#endif
