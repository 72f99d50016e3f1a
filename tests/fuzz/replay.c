/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feeds a fuzz target every file of its corpus, and as many mutations of them as the second
 * argument says. The mutations follow from a fixed seed: a failure comes back on every run, and the
 * input that did it is left in the file that the third argument names.
 */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#define FILES_MAX 256
#define SIZE_MAX_BYTES 65536
#define EDITS_MAX 4

struct input {
    uint8_t *bytes;
    size_t size;
};

struct corpus {
    struct input inputs[FILES_MAX];
    size_t count;
};

struct replay {
    struct corpus corpus;
    uint64_t random;
    int crash_file; /* descriptor, or -1 */
};

/* xorshift64 */
static size_t draw(struct replay *replay, size_t below)
{
    replay->random ^= replay->random << 13;
    replay->random ^= replay->random >> 7;
    replay->random ^= replay->random << 17;
    return below > 0 ? (size_t)(replay->random % below) : 0;
}

static bool read_input(const char *path, struct input *out)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL)
        return false;
    out->bytes = malloc(SIZE_MAX_BYTES);
    out->size = out->bytes != NULL ? fread(out->bytes, 1, SIZE_MAX_BYTES, file) : 0;
    (void)fclose(file);
    return out->bytes != NULL;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool load(const char *folder, struct corpus *corpus)
{
    struct dirent **names = NULL;
    int count = scandir(folder, &names, NULL, by_name);
    char path[4096];
    bool ok = count >= 0;

    for (int i = 0; i < count; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        if (ok && is_visible(names[i]) && corpus->count < FILES_MAX)
            ok = read_input(path, &corpus->inputs[corpus->count++]);
        free(names[i]);
    }
    free(names);
    return ok && corpus->count > 0;
}

static bool keep(int file, const uint8_t *bytes, size_t size)
{
    return ftruncate(file, (off_t)size) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size;
}

/* A block of exactly this size on the heap: one byte read too many is then seen. */
static void feed(const struct replay *replay, const uint8_t *bytes, size_t size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1);

    if (exact == NULL || (replay->crash_file >= 0 && !keep(replay->crash_file, bytes, size)))
        abort();
    memcpy(exact, bytes, size);
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void flip_bit(struct replay *replay, uint8_t *bytes, size_t *size)
{
    if (*size > 0)
        bytes[draw(replay, *size)] ^= (uint8_t)(1u << draw(replay, 8));
}

static void set_byte(struct replay *replay, uint8_t *bytes, size_t *size)
{
    static const uint8_t telling[] = {0x00, 0xff, 0x7f, 0x80, '\n', ' ', '"', '\\',
                                      '{',  '[',  '0',  '=',  '+',  '/', 'x', 0xed};

    if (*size > 0)
        bytes[draw(replay, *size)] = telling[draw(replay, sizeof telling)];
}

static void cut(struct replay *replay, uint8_t *bytes, size_t *size)
{
    size_t from = draw(replay, *size), len = draw(replay, *size - from + 1);

    memmove(bytes + from, bytes + from + len, *size - from - len);
    *size -= len;
}

static void repeat(struct replay *replay, uint8_t *bytes, size_t *size)
{
    size_t from = draw(replay, *size), len = draw(replay, *size - from + 1);

    if (*size + len > SIZE_MAX_BYTES)
        return;
    memmove(bytes + from + len, bytes + from, *size - from);
    *size += len;
}

static void graft(struct replay *replay, uint8_t *bytes, size_t *size)
{
    const struct input *other = &replay->corpus.inputs[draw(replay, replay->corpus.count)];
    size_t at = draw(replay, *size + 1), from = draw(replay, other->size);
    size_t len = other->size - from;

    if (at + len > SIZE_MAX_BYTES)
        return;
    memcpy(bytes + at, other->bytes + from, len);
    *size = at + len;
}

typedef void edit_fn(struct replay *replay, uint8_t *bytes, size_t *size);

static void mutate(struct replay *replay)
{
    static edit_fn *const edits[] = {flip_bit, set_byte, cut, repeat, graft};
    const struct input *input = &replay->corpus.inputs[draw(replay, replay->corpus.count)];
    static uint8_t bytes[SIZE_MAX_BYTES];
    size_t size = input->size, count = 1 + draw(replay, EDITS_MAX);

    memcpy(bytes, input->bytes, size);
    for (size_t i = 0; i < count; i++)
        edits[draw(replay, sizeof edits / sizeof *edits)](replay, bytes, &size);
    feed(replay, bytes, size);
}

int main(int argc, char **argv)
{
    static struct replay replay = {.random = 0x9e3779b97f4a7c15};
    unsigned long mutations = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

    if (argc < 2 || !load(argv[1], &replay.corpus)) {
        (void)fprintf(stderr, "usage: %s CORPUS [MUTATIONS [CRASH-FILE]]; the corpus has files\n",
                      argv[0]);
        return 2;
    }
    replay.crash_file = argc > 3 ? open(argv[3], O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    feed(&replay, (const uint8_t *)"", 0);
    for (size_t i = 0; i < replay.corpus.count; i++)
        feed(&replay, replay.corpus.inputs[i].bytes, replay.corpus.inputs[i].size);
    for (unsigned long i = 0; i < mutations; i++)
        mutate(&replay);
    for (size_t i = 0; i < replay.corpus.count; i++)
        free(replay.corpus.inputs[i].bytes);
    return 0;
}
