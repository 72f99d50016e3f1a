/* SPDX-License-Identifier: Apache-2.0 */
/* The small grammars: what is read is written back to one form, and nothing is read past its end.
 */
#include "fuzz.h"

#include <opledger/name.h>
#include <opledger/note.h>
#include <opledger/time.h>

static void check_time(const char *text)
{
    char form[OPL_TIME_SIZE];
    int64_t at, again, to;

    if (opl_time_parse(text, &at, NULL)) {
        opl_time_format(at, form);
        FUZZ_CHECK(opl_time_is_stored_form(form));
        FUZZ_CHECK(opl_time_parse(form, &again, NULL) && again == at);
    }
    if (opl_duration_parse(text, &at, NULL))
        FUZZ_CHECK(at >= 0);
    if (opl_window_parse(text, &at, &to, NULL))
        FUZZ_CHECK(at < to);
}

static void check_names(const char *text)
{
    char id[OPL_ID_SIZE];
    enum opl_prefix prefix;
    struct opl_model model;
    uint64_t number;

    if (opl_id_parse(text, &prefix, &number)) {
        opl_id_format(prefix, number, id);
        FUZZ_CHECK(strcmp(id, text) == 0);
    }
    if (opl_model_parse(text, &model, NULL))
        FUZZ_CHECK(opl_is_provider(model.provider) && opl_is_model_name(model.name));
    if (opl_is_principal(text) || opl_is_target(text) || opl_is_host(text) || opl_is_role(text))
        FUZZ_CHECK(opl_is_plain(text, strlen(text)));
    if (opl_is_version(text))
        FUZZ_CHECK(opl_version_compare(text, text) == 0);
    if (opl_is_version_range(text))
        (void)opl_version_in_range("25.11.1", text);
    (void)opl_glob_match(text, "/etc/slurm/slurm.conf");
    if (strpbrk(text, "*?") == NULL)
        FUZZ_CHECK(opl_glob_match(text, text));
}

static void check_key(const char *text)
{
    char form[OPL_VKEY_SIZE];
    struct opl_vkey vkey;

    if (!opl_vkey_parse(text, &vkey, NULL))
        return;
    opl_vkey_format(&vkey, form);
    FUZZ_CHECK(strcmp(form, text) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    opl_buf_add(&text, data, size);
    check_time(opl_buf_text(&text));
    check_names(opl_buf_text(&text));
    check_key(opl_buf_text(&text));
    return 0;
}
