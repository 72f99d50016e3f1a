/* SPDX-License-Identifier: Apache-2.0 */
/*
 * getopt_long runs in "return in order" mode (leading '-'): nothing is permuted, so the word that
 * is being read is known, and an abbreviation, which getopt_long would accept, can be refused.
 */
#include "options.h"

#include <getopt.h>
#include <limits.h>

#include <opledger/buf.h>

#define OPTIONS_MAX 64
#define NEAREST_WORDS 256

struct option_set {
    const struct option_spec *specs[OPTIONS_MAX];
    struct option longs[OPTIONS_MAX + 1];
    char shorts[OPTIONS_MAX * 2 + 4];
    size_t count;
};

static void set_add(struct option_set *set, const struct option_spec *specs)
{
    for (; specs != NULL && specs->name != NULL && set->count < OPTIONS_MAX; specs++) {
        struct option *option = &set->longs[set->count];
        size_t len = strlen(set->shorts);

        option->name = specs->name;
        option->has_arg = specs->value != NULL ? required_argument : no_argument;
        option->flag = NULL;
        option->val = 0;
        if (specs->letter != 0)
            snprintf(set->shorts + len, sizeof(set->shorts) - len, "%c%s", specs->letter,
                     specs->value != NULL ? ":" : "");
        set->specs[set->count++] = specs;
    }
}

static void set_build(struct option_set *set, const struct command *command, const char *mode)
{
    memset(set, 0, sizeof(*set));
    snprintf(set->shorts, sizeof(set->shorts), "%s:", mode);
    if (command != NULL)
        set_add(set, command->options);
    set_add(set, commands_globals);
}

static const struct option_spec *set_letter(const struct option_set *set, int letter)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->specs[i]->letter == letter)
            return set->specs[i];
    return NULL;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein distance with one row; words longer than the row are far from everything. */
static size_t distance(const char *a, const char *b)
{
    size_t row[64], alen = strlen(a), blen = strlen(b);

    if (alen >= 64 || blen >= 64)
        return SIZE_MAX;
    for (size_t j = 0; j <= blen; j++)
        row[j] = j;
    for (size_t i = 1; i <= alen; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= blen; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);

            diagonal = row[j];
            row[j] = least(change, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[blen];
}

const char *options_nearest(const char *word, const char *const candidates[])
{
    size_t len = strlen(word);
    size_t best = len / 3 + 2; /* further away is not a slip of the finger */
    const char *found = NULL;

    for (; *candidates != NULL; candidates++) {
        bool begins = len >= 2 && strncmp(word, *candidates, len) == 0;
        size_t far = begins ? 1 : distance(word, *candidates);

        if (far < best && far < strlen(*candidates)) {
            best = far;
            found = *candidates;
        }
    }
    return found;
}

static bool fail_unknown(const struct option_set *set, const char *word, struct opl_err *err)
{
    const char *names[OPTIONS_MAX + 1];
    const char *start = word + strspn(word, "-");
    char bare[64];
    const char *near;
    size_t i;

    for (i = 0; i < set->count; i++)
        names[i] = set->specs[i]->name;
    names[i] = NULL;
    snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(start, "="), start);
    near = options_nearest(bare, names);
    opl_fail(err, OPL_E_USAGE, "there is no option %.*s%s", (int)(start - word), word, bare);
    if (near != NULL)
        return opl_hint(err, "did you mean --%s?", near);
    return opl_hint(err, "--help lists the options");
}

static bool add_value(struct args *args, const struct option_spec *option, const char *value,
                      struct opl_err *err)
{
    bool repeats = (option->flags & OPTION_LIST) != 0 || option->value == NULL;

    if (!repeats && args_has(args, option->name))
        return opl_fail(err, OPL_E_USAGE, "--%s is given twice", option->name);
    if (args->value_count == ARGS_VALUES)
        return opl_fail(err, OPL_E_USAGE, "more than %d options", ARGS_VALUES);
    args->values[args->value_count].option = option;
    args->values[args->value_count++].value = option->value != NULL ? value : NULL;
    return true;
}

static bool add_positional(struct args *args, const char *word, struct opl_err *err)
{
    if (args->positional_count == ARGS_POSITIONAL)
        return opl_fail(err, OPL_E_USAGE, "more than %d arguments", ARGS_POSITIONAL);
    args->positional[args->positional_count++] = word;
    return true;
}

static bool is_whole_name(const char *word, const char *name)
{
    size_t len = strlen(name);

    return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, len) == 0 &&
           (word[2 + len] == '\0' || word[2 + len] == '=');
}

/* One answer of getopt_long; `word` is the argument that it was reading. */
static bool take(struct args *args, const struct option_set *set, int got, int index,
                 const char *word, struct opl_err *err)
{
    const struct option_spec *option;

    if (got == 1)
        return add_positional(args, optarg, err);
    if (got == ':')
        return opl_fail(err, OPL_E_USAGE, "%s needs a value", word);
    if (got == '?')
        return fail_unknown(set, word, err);
    option = got == 0 ? set->specs[index] : set_letter(set, got);
    if (option == NULL || (got == 0 && !is_whole_name(word, option->name)))
        return fail_unknown(set, word, err);
    return add_value(args, option, optarg, err);
}

/* getopt keeps its place in globals; it wants a program name before the words. */
static bool parse_words(const struct option_set *set, int argc, char *argv[], struct args *out,
                        struct opl_err *err)
{
    optind = 0;
    opterr = 0;
    for (;;) {
        int index = 0;
        int at = optind == 0 ? 1 : optind;
        int got = getopt_long(argc, argv, set->shorts, set->longs, &index);

        if (got == -1)
            break;
        if (!take(out, set, got, index, at < argc ? argv[at] : "", err))
            return false;
    }
    return true;
}

static bool with_program(const struct option_set *set, int argc, char *const argv[],
                         struct args *out, struct opl_err *err)
{
    char **words = calloc((size_t)argc + 2, sizeof(*words));
    static char program[] = "opledger";
    bool ok;
    int i;

    if (words == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the arguments");
    words[0] = program;
    for (i = 0; i < argc; i++)
        words[i + 1] = argv[i];
    ok = parse_words(set, argc + 1, words, out, err);
    for (i = optind; ok && i < argc + 1; i++)
        ok = add_positional(out, words[i], err);
    free(words);
    return ok;
}

/* Where a lone `--` begins the command that is not ours to read; argc when nowhere. */
static int rest_at(const struct command *command, int argc, char *const argv[])
{
    int i = 0;

    if (!commands_arity(command).rest)
        return argc;
    while (i < argc && strcmp(argv[i], "--") != 0)
        i++;
    return i;
}

bool options_parse(const struct command *command, int argc, char *const argv[], struct args *out,
                   struct opl_err *err)
{
    struct option_set set;
    int end = rest_at(command, argc, argv);

    memset(out, 0, sizeof(*out));
    out->command = command;
    if (end < argc) {
        out->rest = argv + end + 1;
        out->rest_count = (size_t)(argc - end - 1);
    }
    set_build(&set, command, "-");
    return with_program(&set, end, argv, out, err);
}

bool options_parse_globals(int argc, char *const argv[], struct args *out, int *used,
                           struct opl_err *err)
{
    struct option_set set;
    int end = 0;

    memset(out, 0, sizeof(*out));
    while (end < argc && argv[end][0] == '-' && argv[end][1] != '\0')
        end += strcmp(argv[end], "--url") == 0 && end + 1 < argc ? 2 : 1;
    *used = end;
    set_build(&set, NULL, "-");
    return with_program(&set, end, argv, out, err);
}

bool options_check(const struct args *args, struct opl_err *err)
{
    const struct option_spec *option = args->command->options;
    struct arity arity = commands_arity(args->command);
    int given = (int)args->positional_count;

    if (given < arity.least)
        return opl_fail(err, OPL_E_USAGE, "an argument is missing: %s", args->command->arguments);
    if (given > arity.most)
        return opl_fail(err, OPL_E_USAGE, "there is an argument too many: %s",
                        args->positional[arity.most]);
    for (; option != NULL && option->name != NULL; option++)
        if ((option->flags & OPTION_REQUIRED) != 0 && !args_has(args, option->name))
            return opl_fail(err, OPL_E_USAGE, "--%s %s is missing", option->name, option->value);
    return true;
}

size_t args_count(const struct args *args, const char *name)
{
    size_t count = 0;

    for (size_t i = 0; i < args->value_count; i++)
        if (strcmp(args->values[i].option->name, name) == 0)
            count++;
    return count;
}

bool args_has(const struct args *args, const char *name)
{
    return args_count(args, name) > 0;
}

const char *args_at(const struct args *args, const char *name, size_t i)
{
    for (size_t v = 0; v < args->value_count; v++) {
        if (strcmp(args->values[v].option->name, name) != 0)
            continue;
        if (i-- == 0)
            return args->values[v].value;
    }
    return NULL;
}

const char *args_value(const struct args *args, const char *name)
{
    return args_at(args, name, 0);
}

const char *args_positional(const struct args *args, size_t i)
{
    return i < args->positional_count ? args->positional[i] : NULL;
}
