/* SPDX-License-Identifier: Apache-2.0 */
/* Only the note of the corpus is signed by its key, whatever surrounds its text. */
#include "fuzz.h"

#include <opledger/note.h>

#define TEXT "This is an example message.\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opl_vkey vkey;
    struct opl_note note;

    FUZZ_CHECK(opl_vkey_parse(
        "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", &vkey, NULL));
    if (!opl_note_parse((const char *)data, size, &note, NULL))
        return 0;
    FUZZ_CHECK(note.text_len > 0 && note.text[note.text_len - 1] == '\n');
    if (opl_note_verify(&note, &vkey, NULL, NULL))
        FUZZ_CHECK(note.text_len == sizeof TEXT - 1 && memcmp(note.text, TEXT, note.text_len) == 0);
    vkey.type = OPL_NOTE_COSIGNATURE;
    FUZZ_CHECK(!opl_note_verify(&note, &vkey, NULL, NULL));
    return 0;
}
