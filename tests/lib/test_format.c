/* SPDX-License-Identifier: Apache-2.0 */
/* docs/FORMAT.md shows the vectors as they are; that they hold is checked where each is used. */
#include "vectors.h"

#include <opledger/json.h>
#include <opledger/statement.h>

static int read_document(void **state)
{
    FILE *file = fopen(SOURCE_DIR "/docs/FORMAT.md", "rb");
    char *text = calloc(1, 1 << 20);

    if (file == NULL || text == NULL)
        return -1;
    *state = text;
    return fread(text, 1, (1 << 20) - 1, file) > 0 && fclose(file) == 0 ? 0 : -1;
}

static int free_document(void **state)
{
    free(*state);
    return 0;
}

/* The document contains the string that the pointer names in a file of vectors. */
static void assert_shown(const char *document, const json_t *vectors, const char *pointer)
{
    const char *text = json_string_value(opl_json_at(vectors, pointer));

    if (text == NULL)
        fail_msg("no vector at %s", pointer);
    if (strstr(document, text) == NULL)
        fail_msg("docs/FORMAT.md does not show %s: %s", pointer, text);
}

static void shows_entries_and_their_leaves(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("entries.json");

    assert_shown(*state, vectors, "/0/bytes");
    assert_shown(*state, vectors, "/1/bytes");
    assert_shown(*state, vectors, "/0/leaf");
    assert_shown(*state, vectors, "/1/leaf");
    assert_shown(*state, vectors, "/2/leaf");
}

static void shows_seals(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("seals.json");

    for (int i = 0; i < 2; i++) {
        char pointer[32];

        (void)snprintf(pointer, sizeof pointer, "/%d/salt", i);
        assert_shown(*state, vectors, pointer);
        (void)snprintf(pointer, sizeof pointer, "/%d/sealed", i);
        assert_shown(*state, vectors, pointer);
    }
}

static void shows_the_log_and_its_tiles(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("receipts.json");

    assert_shown(*state, vectors, "/log_key");
    assert_shown(*state, vectors, "/bundle_sha256");
    assert_shown(*state, vectors, "/tile_sha256");
    assert_shown(*state, vectors, "/receipts/1/note");
}

static void shows_a_receipt(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("receipts.json");
    OPL_CLEANUP(opl_json_freep) json_t *shown = NULL;
    const char *start = strstr(*state, "```json\n");

    assert_non_null(start);
    shown = json_loads(start + strlen("```json\n"), JSON_DISABLE_EOF_CHECK, NULL);
    assert_true(json_equal(shown, opl_json_at(vectors, "/receipts/1")));
}

static void shows_a_statement_and_every_type(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("statements.json");

    assert_shown(*state, vectors, "/0/statement");
    assert_shown(*state, vectors, "/0/sshsig");
    assert_shown(*state, vectors, "/0/fingerprint");
    for (const struct opl_statement_type *type = opl_statement_types; type->type != NULL; type++) {
        assert_non_null(strstr(*state, type->type));
        assert_non_null(strstr(*state, type->ssh_namespace));
    }
}

static void shows_a_manifest(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("manifests.json");

    assert_shown(*state, vectors, "/0/text");
    assert_shown(*state, vectors, "/0/manifest");
    assert_shown(*state, vectors, "/0/base");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shows_entries_and_their_leaves),   cmocka_unit_test(shows_seals),
    cmocka_unit_test(shows_the_log_and_its_tiles),      cmocka_unit_test(shows_a_receipt),
    cmocka_unit_test(shows_a_statement_and_every_type), cmocka_unit_test(shows_a_manifest),
};

int main(void)
{
    return cmocka_run_group_tests(tests, read_document, free_document);
}
