/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/manifest.h>

static bool parses(const char *text, struct opl_err *err)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};

    return opl_manifest_parse(text, strlen(text), &manifest, err);
}

static const char *vector_text(const json_t *vectors, size_t i)
{
    return opl_json_str(json_array_get(vectors, i), "text");
}

static void manifests_have_the_digests_of_the_vectors(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("manifests.json");

    (void)state;
    assert_int_equal(json_array_size(vectors), 2);
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        const json_t *vector = json_array_get(vectors, i);
        OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
        const char *text = vector_text(vectors, i);
        char digest[OPL_DIGEST_SIZE];
        struct opl_hash hash;

        assert_ok(opl_manifest_parse(text, strlen(text), &manifest, err));
        opl_sha256(text, strlen(text), &hash);
        opl_hash_digest(&hash, digest);
        assert_string_equal(digest, opl_json_str(vector, "manifest"));
        assert_ok(opl_manifest_base(&manifest, &hash, err));
        opl_hash_digest(&hash, digest);
        assert_string_equal(digest, opl_json_str(vector, "base"));
    }
}

static void a_manifest_says_files_base_and_command(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("manifests.json");
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};

    (void)state;
    assert_ok(opl_manifest_parse(vector_text(vectors, 0), strlen(vector_text(vectors, 0)),
                                 &manifest, err));
    assert_string_equal(manifest.target, "engaging/slurm");
    assert_int_equal(manifest.file_count, 3);
    assert_string_equal(manifest.files[0].path, "/etc/slurm/new.conf");
    assert_true(manifest.files[0].next.present);
    assert_string_equal(manifest.files[0].next.owner, "0:64030");
    assert_false(manifest.files[0].base.present);
    assert_false(manifest.files[1].next.present);
    assert_string_equal(manifest.files[1].base.mode, "0644");
    assert_int_equal(manifest.files[2].size, 39);
    assert_string_equal(manifest.command[0], "scontrol");
    assert_string_equal(manifest.command[1], "reconfigure");
    assert_null(manifest.command[2]);
}

static void writing_sorts_the_files_and_gives_the_same_bytes(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("manifests.json");
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_manifest_file first;

    (void)state;
    assert_ok(opl_manifest_parse(vector_text(vectors, 0), strlen(vector_text(vectors, 0)),
                                 &manifest, err));
    first = manifest.files[0];
    manifest.files[0] = manifest.files[2];
    manifest.files[2] = first;
    assert_ok(opl_manifest_write(&manifest, &text, err));
    assert_string_equal(opl_buf_text(&text), vector_text(vectors, 0));
}

/* The first vector with one part of it replaced must be refused at `field`. */
static void a_part_that_is_not_as_it_should_be_is_found(void **state)
{
    static const struct {
        const char *part, *other, *field;
    } cases[] = {
        {"\"v\":1",             "\"v\":2",                "/v"                 },
        {"\"v\":1",             "\"v\":1,\"x\":1",        "/x"                 },
        {"\"v\":1",             "\"v\" :1",               ""                   },
        {"opledger/manifest",   "opledger/other",         "/type"              },
        {"engaging/slurm",      "/engaging",              "/target"            },
        {"\"scontrol\"",        "\"scontrol\\n\"",        "/command/0"         },
        {"\"scontrol\"",        "null",                   "/command/0"         },
        {"\"0640\"",            "\"640\"",                "/files/0/mode"      },
        {"\"0640\"",            "\"0648\"",               "/files/0/mode"      },
        {"\"0640\"",            "null",                   "/files/0/mode"      },
        {"\"0:64030\"",         "\"root:root\"",          "/files/0/owner"     },
        {"\"0:64030\"",         "\"0:4294967296\"",       "/files/0/owner"     },
        {"\"0:64030\"",         "\"00:0\"",               "/files/0/owner"     },
        {"\"0:64030\"",         "\"0:0:0\"",              "/files/0/owner"     },
        {"\"base_owner\":null", "\"base_owner\":\"0:0\"", "/files/0/base_owner"},
        {"\"base_mode\":null,", "",                       "/files/0/base_mode" },
        {"/etc/slurm/new.conf", "etc/slurm/new.conf",     "/files/0/path"      },
        {"/etc/slurm/new.conf", "/etc/../new.conf",       "/files/0/path"      },
        {"/etc/slurm/new.conf", "/etc/./new.conf",        "/files/0/path"      },
        {"/etc/slurm/new.conf", "/etc//new.conf",         "/files/0/path"      },
        {"/etc/slurm/new.conf", "/etc/slurm/",            "/files/0/path"      },
        {"/etc/slurm/new.conf", "/etc/slurm/..",          "/files/0/path"      },
        {"/etc/slurm/new.conf", "/",                      "/files/0/path"      },
        {"/etc/slurm/new.conf", "/etc/\\u001b[2J",        "/files/0/path"      },
        {"/etc/slurm/new.conf", "/etc/slurm/slurm.conf",  "/files/1"           },
        {"/etc/slurm/new.conf", "/etc/slurm/old.conf",    "/files/1"           },
        {"\"size\":39",         "\"size\":-1",            "/files/0/size"      },
        {"\"size\":0",          "\"size\":1",             "/files/1/size"      },
    };

    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("manifests.json");
    const char *whole = vector_text(vectors, 0);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = strstr(whole, cases[i].part);
        struct opl_err err = {0};
        char text[4096];

        assert_non_null(at);
        (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, cases[i].other,
                       at + strlen(cases[i].part));
        if (parses(text, &err))
            fail_msg("%s: accepted", text);
        assert_int_equal(err.code, OPL_E_INVALID);
        if (strcmp(err.field, cases[i].field) != 0)
            fail_msg("%s -> %s: at %s, not %s", cases[i].part, cases[i].other, err.field,
                     cases[i].field);
    }
}

static void names_that_begin_with_dots_are_names(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("manifests.json");
    const char *whole = vector_text(vectors, 0), *at = strstr(whole, "/etc/slurm/new.conf");
    char text[4096];

    (void)state;
    (void)snprintf(text, sizeof text, "%.*s/etc/...%s", (int)(at - whole), whole,
                   at + strlen("/etc/slurm/new.conf"));
    assert_ok(parses(text, err));
    (void)snprintf(text, sizeof text, "%.*s/etc/.n%s", (int)(at - whole), whole,
                   at + strlen("/etc/slurm/new.conf"));
    assert_ok(parses(text, err));
}

static void a_file_absent_on_both_sides_is_refused(void **state)
{
    static const char text[] =
        "{\"command\":[],\"files\":[{\"base_mode\":null,\"base_owner\":null,\"base_sha256\":null,"
        "\"mode\":null,\"owner\":null,\"path\":\"/a\",\"sha256\":null,\"size\":0}],"
        "\"target\":\"lab\",\"type\":\"opledger/manifest\",\"v\":1}";

    (void)state;
    assert_fails(parses(text, err), OPL_E_INVALID);
}

static void what_could_not_be_read_is_not_written(void **state)
{
    static char path[] = "/etc/../passwd";
    struct opl_manifest_file file = {
        .path = path, .next = {.present = true, .mode = "0644", .owner = "0:0"}
    };
    struct opl_manifest manifest = {.target = "lab", .files = &file, .file_count = 1};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    assert_fails(opl_manifest_write(&manifest, &text, err), OPL_E_INVALID);
    assert_int_equal(text.len, 0);
}

static void a_path_may_be_in_it_once(void **state)
{
    static char path[] = "/etc/motd";
    struct opl_manifest_file files[2] = {
        {.path = path, .next = {.present = true, .mode = "0644", .owner = "0:0"}},
        {.path = path, .next = {.present = true, .mode = "0600", .owner = "0:0"}},
    };
    struct opl_manifest manifest = {.target = "lab", .files = files, .file_count = 2};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    assert_fails(opl_manifest_write(&manifest, &text, err), OPL_E_INVALID);
}

static void the_base_is_what_was_there_whatever_comes(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("manifests.json");
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    struct opl_hash before, after;

    (void)state;
    assert_ok(opl_manifest_parse(vector_text(vectors, 0), strlen(vector_text(vectors, 0)),
                                 &manifest, err));
    assert_ok(opl_manifest_base(&manifest, &before, err));
    manifest.files[2].next.sha256.b[0] ^= 1;
    assert_ok(opl_manifest_base(&manifest, &after, err));
    assert_true(opl_hash_equal(&before, &after));
    manifest.files[2].base.sha256.b[0] ^= 1;
    assert_ok(opl_manifest_base(&manifest, &after, err));
    assert_false(opl_hash_equal(&before, &after));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(manifests_have_the_digests_of_the_vectors),
    cmocka_unit_test(a_manifest_says_files_base_and_command),
    cmocka_unit_test(writing_sorts_the_files_and_gives_the_same_bytes),
    cmocka_unit_test(a_part_that_is_not_as_it_should_be_is_found),
    cmocka_unit_test(names_that_begin_with_dots_are_names),
    cmocka_unit_test(a_file_absent_on_both_sides_is_refused),
    cmocka_unit_test(what_could_not_be_read_is_not_written),
    cmocka_unit_test(a_path_may_be_in_it_once),
    cmocka_unit_test(the_base_is_what_was_there_whatever_comes),
};

UNIT_MAIN(tests)
