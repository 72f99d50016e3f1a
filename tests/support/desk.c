/* SPDX-License-Identifier: Apache-2.0 */
#include "desk.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/api.h"
#include "client/files.h"

#define WORDS 64

static void set_environment(const struct desk *desk)
{
    setenv("HOME", desk->home, 1);
    setenv("XDG_STATE_HOME", desk->home, 1);
    setenv("XDG_CONFIG_HOME", desk->home, 1);
    setenv("OPLEDGER_URL", canned_url(desk->ledger->server), 1);
    setenv("OPLEDGER_TOKEN", "a-token", 1);
    unsetenv("OPLEDGER_MODEL");
    unsetenv("OPLEDGER_SSH_KEY");
    unsetenv("OPLEDGER_TOKEN_FILE");
}

struct desk *desk_new(struct story *story)
{
    struct desk *desk = calloc(1, sizeof(*desk));

    if (desk == NULL)
        abort();
    (void)snprintf(desk->home, sizeof(desk->home), "/tmp/opledger-desk-XXXXXX");
    if (mkdtemp(desk->home) == NULL)
        abort();
    desk->ledger = fake_ledger_start(story);
    set_environment(desk);
    return desk;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void desk_free(struct desk *desk)
{
    fake_ledger_stop(desk->ledger);
    (void)nftw(desk->home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    opl_buf_close(&desk->out);
    opl_buf_close(&desk->err);
    free(desk);
}

int desk_set_up(void **state)
{
    *state = desk_new(story_begin());
    return 0;
}

int desk_tear_down(void **state)
{
    desk_free(*state);
    return 0;
}

static const char manifest_text[] =
    "{\"command\":[],\"files\":[{\"base_mode\":\"0644\",\"base_owner\":\"0:0\",\"base_sha256\":"
    "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\",\"mode\":\"0644\","
    "\"owner\":\"0:0\",\"path\":\"/etc/slurm/slurm.conf\",\"sha256\":"
    "\"cb8379ac2098aa165029e3938a51da0bcecfc008fd6795f401178647f96c5b34\",\"size\":3}],"
    "\"target\":\"engaging/slurm\",\"type\":\"opledger/manifest\",\"v\":1}";

void desk_add_change(struct desk *desk)
{
    struct story *story = desk->ledger->story;
    char digest[OPL_DIGEST_SIZE];

    (void)story_blob(story, "abc");
    (void)story_blob(story, "def");
    fake_ledger_add_blob(desk->ledger, "abc", digest);
    fake_ledger_add_blob(desk->ledger, "def", digest);
    fake_ledger_add_blob(desk->ledger, manifest_text, digest);
    (void)story_incident(story, "alice");
    (void)story_hypothesis(story, "alice", "inc-1");
    (void)story_write(story, "alice", "change.proposed", "inc-1",
                      story_body("{'title':'t','class':'config','target':'engaging/slurm',"
                                 "'manifest':'%s','files':1,'hypotheses':['hyp-1']}",
                                 digest));
}

int desk_set_up_change(void **state)
{
    (void)desk_set_up(state);
    desk_add_change(*state);
    return 0;
}

/* Puts a file in the place of a descriptor; returns what stood there. */
static int redirect(int fd, int with)
{
    int before = dup(fd);

    if (before < 0 || dup2(with, fd) < 0)
        abort();
    return before;
}

static void put_back(int fd, int before)
{
    if (dup2(before, fd) < 0)
        abort();
    close(before);
}

static void read_back(int fd, struct opl_buf *out)
{
    opl_buf_reset(out);
    if (lseek(fd, 0, SEEK_SET) != 0 || !file_read_fd(fd, "it", out, NULL))
        abort();
    close(fd);
}

static int input_file(const char *input)
{
    int fd = file_temporary(NULL);

    if (fd < 0 ||
        !file_write_fd(fd, input != NULL ? input : "", strlen(input != NULL ? input : ""), NULL))
        abort();
    (void)lseek(fd, 0, SEEK_SET);
    return fd;
}

int desk_run(struct desk *desk, const char *input, const char *const words[])
{
    const char *argv[WORDS] = {"opledger"};
    int files[3] = {input_file(input), file_temporary(NULL), file_temporary(NULL)};
    int before[3];
    int argc = 1, status;

    for (; words[argc - 1] != NULL && argc < WORDS - 1; argc++)
        argv[argc] = words[argc - 1];
    (void)fflush(stdout);
    (void)fflush(stderr);
    for (int fd = 0; fd < 3; fd++)
        before[fd] = redirect(fd, files[fd]);
    status = client_main(argc, (char *const *)argv);
    (void)fflush(stdout);
    (void)fflush(stderr);
    for (int fd = 0; fd < 3; fd++)
        put_back(fd, before[fd]);
    close(files[0]);
    read_back(files[1], &desk->out);
    read_back(files[2], &desk->err);
    return status;
}

bool desk_said(const struct desk *desk, const char *text)
{
    return strstr(opl_buf_text(&desk->out), text) != NULL;
}

bool desk_complained(const struct desk *desk, const char *text)
{
    return strstr(opl_buf_text(&desk->err), text) != NULL;
}

void desk_client(struct desk *desk, struct client *client)
{
    static struct args none;
    struct opl_err err = {0};

    (void)desk;
    memset(client, 0, sizeof(*client));
    output_open(&client->out, false);
    client->out.terminal = client->out.color = false;
    if (!config_load(&client->config, &none, &err) || !client_connect(client, &err)) {
        (void)fprintf(stderr, "desk: %s\n", err.text);
        abort();
    }
}

void desk_client_close(struct client *client)
{
    output_close(&client->out);
    api_free(client->api);
    state_close(&client->state);
    config_close(&client->config);
}

const char *desk_file(struct desk *desk, const char *name, const char *text)
{
    static char paths[4][256];
    static size_t next;
    char *path = paths[next++ % 4];
    char *slash;

    (void)snprintf(path, sizeof(paths[0]), "%s/%s", desk->home, name);
    slash = strrchr(path, '/');
    *slash = '\0';
    if (!file_make_folder(path, NULL))
        abort();
    *slash = '/';
    if (!file_replace(path, text, strlen(text), 0644, NULL))
        abort();
    return path;
}
