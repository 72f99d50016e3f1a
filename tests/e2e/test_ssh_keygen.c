/* SPDX-License-Identifier: Apache-2.0 */
/* What the real ssh-keygen signs, we verify; what we take apart and wrap again, it verifies. */
#include "unit.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <opledger/sshsig.h>

#define MESSAGE "change chg-7 is right\n"
#define SPACE "approve@opledger"

struct place {
    char folder[64];
};

/* Runs a program in the folder, reading `input` as its stdin; its exit status. */
static int run(const struct place *place, const char *input, const char *const *argv)
{
    pid_t pid = fork();
    int status = -1;

    assert_true(pid >= 0);
    if (pid == 0) {
        int in, out;

        if (chdir(place->folder) != 0)
            _exit(126);
        in = open(input, O_RDONLY);
        out = open("output", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
            _exit(126);
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void path_of(const struct place *place, const char *name, char out[128])
{
    (void)snprintf(out, 128, "%s/%s", place->folder, name);
}

static void write_file(const struct place *place, const char *name, const char *text)
{
    char path[128];
    FILE *file;

    path_of(place, name, path);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static size_t read_file(const struct place *place, const char *name, char *out, size_t size)
{
    char path[128];
    size_t len;
    FILE *file;

    path_of(place, name, path);
    file = fopen(path, "r");
    assert_non_null(file);
    len = fread(out, 1, size - 1, file);
    out[len] = '\0';
    (void)fclose(file);
    return len;
}

static int setup(void **state)
{
    static struct place place;

    if (unit_start(state) != 0)
        return -1;
    (void)snprintf(place.folder, sizeof place.folder, "/tmp/opledger-ssh-XXXXXX");
    if (mkdtemp(place.folder) == NULL)
        return -1;
    write_file(&place, "message", MESSAGE);
    *state = &place;
    return run(&place, "/dev/null",
               (const char *const[]){"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "a b",
                                     "-f", "key", NULL});
}

static int teardown(void **state)
{
    static const char *const names[] = {"message", "message.sig", "key",   "key.pub",
                                        "signers", "again",       "output"};
    struct place *place = *state;
    char path[128];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        path_of(place, names[i], path);
        (void)unlink(path);
    }
    return rmdir(place->folder);
}

static void sign(const struct place *place, const char *hash, struct opl_sshsig *out,
                 struct opl_buf *blob)
{
    char option[32], armor[4096], path[128];
    size_t len;

    path_of(place, "message.sig", path);
    (void)unlink(path);
    (void)snprintf(option, sizeof option, "hashalg=%s", hash);
    assert_int_equal(run(place, "/dev/null",
                         (const char *const[]){"ssh-keygen", "-q", "-Y", "sign", "-O", option, "-n",
                                               SPACE, "-f", "key", "message", NULL}),
                     0);
    len = read_file(place, "message.sig", armor, sizeof armor);
    assert_ok(opl_sshsig_dearmor(armor, len, blob, err));
    assert_ok(opl_sshsig_parse(blob->data, blob->len, out, err));
}

static void what_ssh_keygen_signs_we_verify(void **state)
{
    static const char *const hashes[] = {"sha512", "sha256"};
    const struct place *place = *state;
    struct opl_sshkey key;
    char line[1024];

    (void)read_file(place, "key.pub", line, sizeof line);
    assert_ok(opl_sshkey_parse(line, &key, err));
    for (size_t i = 0; i < 2; i++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0};
        struct opl_sshsig sig;

        sign(place, hashes[i], &sig, &blob);
        assert_string_equal(sig.hash_name, hashes[i]);
        assert_true(opl_sshkey_equal(&sig.key, &key));
        assert_ok(opl_sshsig_verify(&sig, MESSAGE, strlen(MESSAGE), SPACE, err));
        assert_fails(opl_sshsig_verify(&sig, MESSAGE, strlen(MESSAGE) - 1, SPACE, err),
                     OPL_E_SIGNATURE);
        assert_fails(opl_sshsig_verify(&sig, MESSAGE, strlen(MESSAGE), "file", err),
                     OPL_E_SIGNATURE);
    }
}

static void what_we_armour_ssh_keygen_verifies(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf armor = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf signers = {0};
    const struct place *place = *state;
    struct opl_sshsig sig;

    sign(place, "sha512", &sig, &blob);
    opl_sshsig_armor(blob.data, blob.len, &armor);
    opl_buf_str(&signers, "alice namespaces=\"" SPACE "\" ");
    opl_sshkey_line(&sig.key, &signers);
    opl_buf_chr(&signers, '\n');
    write_file(place, "again", opl_buf_text(&armor));
    write_file(place, "signers", opl_buf_text(&signers));
    assert_int_equal(run(place, "message",
                         (const char *const[]){"ssh-keygen", "-Y", "verify", "-f", "signers", "-I",
                                               "alice", "-n", SPACE, "-s", "again", NULL}),
                     0);
}

static void fingerprints_are_those_of_ssh_keygen(void **state)
{
    const struct place *place = *state;
    char line[1024], output[1024], fingerprint[OPL_FINGERPRINT_SIZE];
    struct opl_sshkey key;

    assert_int_equal(
        run(place, "/dev/null", (const char *const[]){"ssh-keygen", "-l", "-f", "key.pub", NULL}),
        0);
    (void)read_file(place, "output", output, sizeof output);
    (void)read_file(place, "key.pub", line, sizeof line);
    assert_ok(opl_sshkey_parse(line, &key, err));
    opl_sshkey_fingerprint(&key, fingerprint);
    assert_non_null(strstr(output, fingerprint));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_ssh_keygen_signs_we_verify),
    cmocka_unit_test(what_we_armour_ssh_keygen_verifies),
    cmocka_unit_test(fingerprints_are_those_of_ssh_keygen),
};

int main(void)
{
    return cmocka_run_group_tests(tests, setup, teardown);
}
