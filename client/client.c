/* SPDX-License-Identifier: Apache-2.0 */
#include "client.h"

#include <signal.h>

#include <opledger/crypto.h>

#include "api.h"
#include "login.h"
#include "usage.h"

#define NOUNS_MAX 64
#define EXIT_USAGE 2

static int print_usage(FILE *to, void (*write)(struct opl_buf *), int status)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    write(&text);
    fputs(opl_buf_text(&text), to);
    return status;
}

static int print_noun(FILE *to, const char *noun, int status)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    usage_noun(noun, &text);
    fputs(opl_buf_text(&text), to);
    return status;
}

static int print_command(const struct command *command)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    usage_command(command, &text);
    fputs(opl_buf_text(&text), stdout);
    return 0;
}

static int finish_with(const struct opl_err *err, bool json)
{
    struct output out;

    output_open(&out, json);
    output_error(&out, err);
    output_close(&out);
    return opl_code_exit(err->code);
}

static bool has_json(int argc, char *const argv[])
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0)
            return true;
    return false;
}

static void list_words(const char *noun, const char **words)
{
    size_t count = 0;

    for (const struct command *at = commands; at->noun != NULL && count + 1 < NOUNS_MAX; at++) {
        if (noun == NULL)
            words[count++] = at->noun;
        else if (strcmp(at->noun, noun) == 0 && at->verb != NULL)
            words[count++] = at->verb;
    }
    words[count] = NULL;
}

/* A noun that does not exist, or a verb that its noun does not have. */
static void fail_word(int argc, char *const argv[], struct opl_err *err)
{
    const char *words[NOUNS_MAX];
    bool noun_known = commands_has_noun(argv[0]);
    const char *word = noun_known && argc > 1 ? argv[1] : argv[0];
    const char *near;

    list_words(noun_known ? argv[0] : NULL, words);
    near = options_nearest(word, words);
    if (noun_known)
        opl_fail(err, OPL_E_USAGE, "%s has no verb %s", argv[0], word);
    else
        opl_fail(err, OPL_E_USAGE, "there is no command %s", word);
    if (near != NULL)
        opl_hint(err, "did you mean opledger %s%s%s?", noun_known ? argv[0] : "",
                 noun_known ? " " : "", near);
    else
        opl_hint(err, "opledger --help lists the commands");
}

static int no_command(int argc, char *const argv[], bool json)
{
    struct opl_err err = {0};
    bool lone_noun = commands_has_noun(argv[0]) && (argc < 2 || argv[1][0] == '-');

    if (lone_noun && argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return print_noun(stdout, argv[0], 0);
    if (lone_noun)
        return print_noun(stderr, argv[0], EXIT_USAGE);
    fail_word(argc, argv, &err);
    return finish_with(&err, json);
}

/* A global option before the noun holds for the command too. */
static bool merge_globals(struct args *args, const struct args *globals, struct opl_err *err)
{
    for (size_t i = 0; i < globals->value_count; i++) {
        if (args->value_count == ARGS_VALUES)
            return opl_fail(err, OPL_E_USAGE, "too many options");
        args->values[args->value_count++] = globals->values[i];
    }
    return true;
}

bool client_connect(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_wipe) struct opl_buf token = {0};
    struct api_settings settings = {
        .url = config_get(&client->config, CONFIG_URL),
        .ca_file = config_get(&client->config, CONFIG_CA_FILE),
        .timeout_s = client->config.timeout_s,
    };

    if (client->api != NULL)
        return true;
    if (!state_open(&client->state, err) || !login_token(client, &token, err))
        return false;
    settings.token = opl_buf_text(&token);
    client->api = api_new(&settings, err);
    return client->api != NULL;
}

static bool run(struct client *client, struct opl_err *err)
{
    bool server = (client->command->flags & COMMAND_SERVER) != 0;

    return opl_crypto_init(err) && config_load(&client->config, &client->args, err) &&
           (!server || client_connect(client, err)) && client->command->run(client, err);
}

static int run_command(struct client *client)
{
    struct opl_err err = {0};
    int status;

    output_open(&client->out, args_has(&client->args, "json"));
    if (options_check(&client->args, &err) && run(client, &err)) {
        status = client->exit_status;
    } else {
        if (client->api != NULL)
            client->out.problem = api_take_problem(client->api);
        output_error(&client->out, &err);
        status = opl_code_exit(err.code);
    }
    output_close(&client->out);
    api_free(client->api);
    state_close(&client->state);
    config_close(&client->config);
    return status;
}

static int dispatch(const struct args *globals, int argc, char *const argv[], bool json)
{
    struct client client = {0};
    struct opl_err err = {0};
    int words;

    client.command = commands_find(argv, argc, &words);
    if (client.command == NULL)
        return no_command(argc, argv, json);
    if (!options_parse(client.command, argc - words, argv + words, &client.args, &err) ||
        !merge_globals(&client.args, globals, &err)) {
        output_open(&client.out, json);
        return finish_with(&err, json);
    }
    if (args_has(&client.args, "help"))
        return print_command(client.command);
    return run_command(&client);
}

int client_main(int argc, char *const argv[])
{
    struct args globals;
    struct opl_err err = {0};
    bool json = has_json(argc, argv);
    int used = 0;

    signal(SIGPIPE, SIG_IGN);
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        return printf("opledger %s\n", OPLEDGER_VERSION) < 0;
    if (!options_parse_globals(argc - 1, argv + 1, &globals, &used, &err))
        return finish_with(&err, json);
    if (args_has(&globals, "help"))
        return print_usage(stdout, usage_overview, 0);
    if (argc - 1 - used == 0)
        return print_usage(stderr, usage_overview, EXIT_USAGE);
    return dispatch(&globals, argc - 1 - used, argv + 1 + used, json);
}

const char *client_arg(const struct client *client, size_t i)
{
    const char *word = args_positional(&client->args, i);

    return word != NULL ? word : "";
}

const char *client_option(const struct client *client, const char *name)
{
    return args_value(&client->args, name);
}
