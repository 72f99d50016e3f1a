/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply_run - between start and finish: the files, the command, and a second look at both.
 *
 * A journal of the steps, from which a host that lost power here goes on, will stand here: until
 * then the change shows `unknown` past its deadline, and the bases lie beside their targets as
 * .NAME.XXXXXXXX.base.
 */
#include "apply.h"

#include "apply_command.h"
#include "client.h"

static const int held[APPLY_SIGNALS] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

void apply_hold(struct apply *apply)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};

    for (size_t i = 0; i < APPLY_SIGNALS; i++)
        sigaction(held[i], &ignore, &apply->signals[i]);
}

void apply_release(struct apply *apply)
{
    for (size_t i = 0; i < APPLY_SIGNALS; i++)
        sigaction(held[i], &apply->signals[i], NULL);
}

/* A line of the report, and on stderr; paths and words of the manifest are made harmless. */
static void say(struct apply *apply, const char *what, const char *text)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf safe = {0};

    output_recorded(&safe, text, strlen(text), OUTPUT_INLINE);
    opl_buf_fmt(&apply->report, "%s%s\n", what, opl_buf_text(&safe));
    output_note(&apply->client->out, "%s%s", what, opl_buf_text(&safe));
}

static void say_failure(struct apply *apply, const struct opl_err *why)
{
    say(apply, "failed: ", why->text);
    if (why->hint[0] != '\0')
        say(apply, "", why->hint);
}

static void say_command(struct apply *apply)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};

    output_command(&line, apply->manifest.command);
    say(apply, "running: ", opl_buf_text(&line));
    say(apply, "which is here: ", apply->program);
}

static void show_output(struct apply *apply, const struct opl_buf *output)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf shown = {0};

    output_recorded(&shown, opl_buf_text(output), output->len, OUTPUT_BLOCK);
    if (output->len > 0)
        fputs(opl_buf_text(&shown), apply->client->out.messages);
    opl_buf_str(&apply->report, "output:\n");
    opl_buf_add(&apply->report, output->data, output->len);
    opl_buf_chr(&apply->report, '\n');
}

static bool run_command(struct apply *apply, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};
    char status[16];
    bool ok;

    if (apply->program == NULL)
        return true;
    say_command(apply);
    ok = apply_command_run(apply->program, apply->manifest.command, &output, &apply->exit_status,
                           err);
    show_output(apply, &output);
    if (!ok)
        return false;
    snprintf(status, sizeof(status), "%d", apply->exit_status);
    say(apply, "exit status: ", status);
    return apply->exit_status == 0 ||
           opl_fail(err, OPL_E_IO, "the command ended with status %d", apply->exit_status);
}

static bool install(struct apply *apply, struct opl_err *err)
{
    if (!apply_files_prepare(&apply->files, err) || !apply_files_install(&apply->files, err))
        return false;
    for (size_t i = 0; i < apply->files.count; i++)
        say(apply, "installed: ", apply->files.items[i].file->path);
    return true;
}

void apply_carry_out(struct apply *apply)
{
    struct opl_err why = {0};

    apply->outcome = APPLY_APPLIED;
    if (!install(apply, &why) || !run_command(apply, &why) ||
        !apply_files_check_next(&apply->files, &why)) {
        apply->outcome = APPLY_FAILED;
        say_failure(apply, &why);
    }
}

void apply_revert(struct apply *apply)
{
    struct opl_err why = {0};

    if (apply_files_put_back(&apply->files, &why)) {
        apply->outcome = APPLY_REVERTED;
        say(apply, "the base is back: ", apply->manifest.target);
    } else {
        say_failure(apply, &why);
    }
}
