/* SPDX-License-Identifier: Apache-2.0 */
#include "client/gate_conf.h"

#include <sys/stat.h>
#include <unistd.h>

#include "client/files.h"
#include "unit.h"

#define ORIGIN "ledger.example.org/2026"

struct place {
    char folder[64];
    char file[128];
    char vkey[OPL_VKEY_SIZE];
};

/* A folder of our own, below one that nobody else can write, as /etc/opledger is. */
static int setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    struct opl_sign_seed seed = {{7}};
    struct opl_sign_public public;
    struct opl_vkey vkey;

    assert_non_null(place);
    snprintf(place->folder, sizeof place->folder, "/tmp/gate-conf-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->file, sizeof place->file, "%s/gate.conf", place->folder);
    opl_sign_public_from_seed(&seed, &public);
    assert_ok(opl_vkey_make(ORIGIN, OPL_NOTE_ED25519, &public, &vkey, err));
    opl_vkey_format(&vkey, place->vkey);
    *state = place;
    return 0;
}

static int teardown(void **state)
{
    struct place *place = *state;

    unlink(place->file);
    rmdir(place->folder);
    free(place);
    return 0;
}

static void write_conf(const struct place *place, const char *more, mode_t mode)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    opl_buf_fmt(&text, "# this host enforces\nurl = https://ledger.example.org/\norigin = %s\n",
                ORIGIN);
    opl_buf_fmt(&text, "log_key = %s\n%s", place->vkey, more);
    assert_ok(file_replace(place->file, text.data, text.len, mode, err));
}

static void load(const struct place *place, struct gate_conf *conf)
{
    struct gate_conf_places places = {"/nonexistent/gate.conf", place->file};

    assert_ok(gate_conf_load(&places, conf, err));
}

static void refused(const struct place *place, const char *more)
{
    struct gate_conf_places places = {"/nonexistent/gate.conf", place->file};
    struct gate_conf conf = {0};

    write_conf(place, more, 0600);
    assert_fails(gate_conf_load(&places, &conf, err), OPL_E_CONFIG);
    assert_null(conf.file);
    assert_null(conf.url);
}

static void every_key_is_read(void **state)
{
    OPL_CLEANUP(gate_conf_close) struct gate_conf conf = {0};

    write_conf(*state,
               "ca_file=/etc/ssl/ca.pem\nhost = ctl1.example.org\npath = /etc/slurm/**\tcluster/"
               "slurm\nsigners = /etc/passwd\nsigners_min = 2\npolicy_min = 7\n"
               "override = allow\noffline_override = refuse\n",
               0600);
    load(*state, &conf);
    assert_string_equal(conf.url, "https://ledger.example.org");
    assert_string_equal(conf.origin, ORIGIN);
    assert_string_equal(conf.ca_file, "/etc/ssl/ca.pem");
    assert_string_equal(conf.host, "ctl1.example.org");
    assert_string_equal(conf.signers, "/etc/passwd");
    assert_int_equal(conf.signers_min, 2);
    assert_int_equal(conf.policy_min, 7);
    assert_true(conf.override);
    assert_false(conf.offline_override);
    assert_string_equal(gate_conf_target(&conf, "/etc/slurm/parts/a.conf"), "cluster/slurm");
    assert_null(gate_conf_target(&conf, "/etc/passwd"));
}

static void exits_that_are_not_named_are_closed(void **state)
{
    OPL_CLEANUP(gate_conf_close) struct gate_conf conf = {0};

    write_conf(*state, "", 0600);
    load(*state, &conf);
    assert_false(conf.override);
    assert_false(conf.offline_override);
    assert_int_equal(conf.signers_min, 0);
    assert_int_equal(conf.policy_min, -1);
}

static void signers_without_a_number_want_one(void **state)
{
    OPL_CLEANUP(gate_conf_close) struct gate_conf conf = {0};

    write_conf(*state, "signers = /etc/passwd\n", 0600);
    load(*state, &conf);
    assert_int_equal(conf.signers_min, 1);
}

static void signers_that_do_not_exist_are_refused_when_the_file_is_read(void **state)
{
    refused(*state, "signers = /nonexistent/signers\n");
}

static void a_symbolic_link_is_refused_and_called_one(void **state)
{
    struct place *place = *state;
    struct gate_conf_places places = {"/nonexistent/gate.conf", place->file};
    struct gate_conf conf = {0};
    struct opl_err why = {0};

    assert_int_equal(symlink("/etc/passwd", place->file), 0);
    assert_false(gate_conf_load(&places, &conf, &why));
    assert_int_equal(why.code, OPL_E_CONFIG);
    assert_non_null(strstr(why.text, "is a symbolic link"));
}

static void a_wrong_line_is_refused(void **state)
{
    static const char *const lines[] = {
        "signers_minimum = 2\n",
        "Override = allow\n",
        "override = yes\n",
        "override = allow\noverride = refuse\n",
        "signers_min = 2\n",
        "signers = /s\nsigners_min = 0\n",
        "signers = /s\nsigners_min = -1\n",
        "signers = /s\nsigners_min = 2x\n",
        "signers = signers\n",
        "policy_min =\n",
        "host = a b\n",
        "host\n",
        "path = etc/slurm a/b\n",
        "path = /etc/slurm\n",
        "path = /etc/slurm a b\n",
        "url = https://evil.example\n",
        "ca_file = ca.pem\n",
        "host = a\001b\n",
        "log_key = ledger.example.org/2026+00000000+AAAA\n",
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        refused(*state, lines[i]);
}

static void a_file_without_url_origin_or_key_is_refused(void **state)
{
    const struct place *place = *state;
    struct gate_conf conf;
    char text[OPL_VKEY_SIZE + 64];

    snprintf(text, sizeof text, "url = https://a\nlog_key = %s\n", place->vkey);
    assert_fails(gate_conf_parse("f", text, strlen(text), &conf, err), OPL_E_CONFIG);
    snprintf(text, sizeof text, "url = https://a\norigin = other/1\nlog_key = %s\n", place->vkey);
    assert_fails(gate_conf_parse("f", text, strlen(text), &conf, err), OPL_E_CONFIG);
    assert_fails(gate_conf_parse("f", "url = https://a\norigin = a\n", 27, &conf, err),
                 OPL_E_CONFIG);
    assert_fails(gate_conf_parse("f", "", 0, &conf, err), OPL_E_CONFIG);
    assert_fails(gate_conf_parse("f", "url\0x", 5, &conf, err), OPL_E_CONFIG);
}

static void a_file_that_others_can_write_is_refused(void **state)
{
    const struct place *place = *state;
    struct gate_conf_places places = {"/nonexistent/gate.conf", place->file};
    struct gate_conf conf;

    write_conf(place, "", 0620);
    assert_fails(gate_conf_load(&places, &conf, err), OPL_E_CONFIG);
    write_conf(place, "", 0602);
    assert_fails(gate_conf_load(&places, &conf, err), OPL_E_CONFIG);
}

static void a_file_in_a_folder_that_others_can_write_is_refused(void **state)
{
    const struct place *place = *state;
    struct gate_conf_places places = {"/nonexistent/gate.conf", place->file};
    struct gate_conf conf;

    write_conf(place, "", 0600);
    assert_int_equal(chmod(place->folder, 0777), 0);
    assert_fails(gate_conf_load(&places, &conf, err), OPL_E_CONFIG);
    assert_int_equal(chmod(place->folder, 0700), 0);
}

static void a_file_of_another_user_is_refused(void **state)
{
    const struct place *place = *state;
    struct gate_conf_places places = {"/nonexistent/gate.conf", place->file};
    struct gate_conf conf;

    if (geteuid() != 0)
        skip();
    write_conf(place, "", 0600);
    assert_int_equal(chown(place->file, 65534, 65534), 0);
    assert_fails(gate_conf_load(&places, &conf, err), OPL_E_CONFIG);
}

static void a_link_is_not_followed(void **state)
{
    const struct place *place = *state;
    struct gate_conf_places places = {"/nonexistent/gate.conf", NULL};
    struct gate_conf conf;
    char path[160];

    write_conf(place, "", 0600);
    snprintf(path, sizeof path, "%s/link", place->folder);
    assert_int_equal(symlink(place->file, path), 0);
    places.given = path;
    assert_fails(gate_conf_load(&places, &conf, err), OPL_E_CONFIG);
    unlink(path);
}

static void without_any_file_none_is_in_force(void **state)
{
    struct gate_conf_places places = {"/nonexistent/gate.conf", NULL};
    struct gate_conf conf;

    (void)state;
    assert_ok(gate_conf_load(&places, &conf, err));
    assert_null(conf.file);
    places.given = "/nonexistent/other.conf";
    assert_fails(gate_conf_load(&places, &conf, err), OPL_E_CONFIG);
}

static void the_standard_file_wins_over_a_given_one(void **state)
{
    const struct place *place = *state;
    struct gate_conf_places places = {place->file, "/nonexistent/other.conf"};
    OPL_CLEANUP(gate_conf_close) struct gate_conf conf = {0};

    if (geteuid() != 0)
        skip();
    write_conf(place, "", 0600);
    assert_ok(gate_conf_load(&places, &conf, err));
    assert_string_equal(conf.file, place->file);
}

static void a_standard_file_that_cannot_be_read_is_not_an_absent_one(void **state)
{
    const struct place *place = *state;
    struct gate_conf_places places = {place->folder, NULL};
    struct gate_conf conf;

    assert_fails(gate_conf_load(&places, &conf, err), OPL_E_CONFIG);
}

static void a_file_of_another_target_is_refused(void **state)
{
    OPL_CLEANUP(gate_conf_close) struct gate_conf conf = {0};
    char path[] = "/etc/slurm/slurm.conf";
    struct opl_manifest_file file = {.path = path};
    struct opl_manifest manifest = {.files = &file, .file_count = 1};

    write_conf(*state, "path = /etc/slurm/* cluster/slurm\n", 0600);
    load(*state, &conf);
    snprintf(manifest.target, sizeof manifest.target, "cluster/slurm");
    assert_ok(gate_conf_check_paths(&conf, &manifest, err));
    snprintf(manifest.target, sizeof manifest.target, "test/slurm");
    assert_fails(gate_conf_check_paths(&conf, &manifest, err), OPL_E_VERIFY);
    snprintf(manifest.target, sizeof manifest.target, "cluster/slurm");
    snprintf(path, sizeof path, "/etc/passwd");
    assert_fails(gate_conf_check_paths(&conf, &manifest, err), OPL_E_VERIFY);
}

#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PLACE(every_key_is_read),
        WITH_PLACE(exits_that_are_not_named_are_closed),
        WITH_PLACE(signers_without_a_number_want_one),
        WITH_PLACE(signers_that_do_not_exist_are_refused_when_the_file_is_read),
        WITH_PLACE(a_symbolic_link_is_refused_and_called_one),
        WITH_PLACE(a_wrong_line_is_refused),
        WITH_PLACE(a_file_without_url_origin_or_key_is_refused),
        WITH_PLACE(a_file_that_others_can_write_is_refused),
        WITH_PLACE(a_file_in_a_folder_that_others_can_write_is_refused),
        WITH_PLACE(a_file_of_another_user_is_refused),
        WITH_PLACE(a_link_is_not_followed),
        WITH_PLACE(without_any_file_none_is_in_force),
        WITH_PLACE(the_standard_file_wins_over_a_given_one),
        WITH_PLACE(a_standard_file_that_cannot_be_read_is_not_an_absent_one),
        WITH_PLACE(a_file_of_another_target_is_refused),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}
