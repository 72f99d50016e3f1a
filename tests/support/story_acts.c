/* SPDX-License-Identifier: Apache-2.0 */
/* The usual acts of a story, and the people in it. */
#include "story.h"

#include <opledger/gate.h>
#include <opledger/manifest.h>

static const char gate_policy[] = "v: 1\n"
                                  "name: slurm-config\n"
                                  "applies: { class: [config], target: [\"*/slurm\"] }\n"
                                  "require:\n"
                                  "  - hypothesis: { status: [vendor-confirmed, reproduced] }\n"
                                  "  - approvals: { min: 1, roles: [slurm] }\n";

static const char *hex_of(const char *digest)
{
    return digest + strlen("sha256:");
}

static json_t *roles_of(const char *roles)
{
    json_t *list = json_array();

    while (*roles != '\0') {
        size_t len = strcspn(roles, "|");

        json_array_append_new(list, json_stringn(roles, len));
        roles += len + (roles[len] == '|');
    }
    return list;
}

static void add_principal(struct story *story, const char *actor, const char *rest,
                          const char *name, const char *roles)
{
    json_t *body = story_body("{'name':'%s',%s}", name, rest);

    json_object_set_new(body, "roles", roles_of(roles));
    (void)story_write(story, actor, "principal.enrolled", NULL, body);
}

void story_enroll(struct story *story, const char *name, const char *roles)
{
    char line[128];

    add_principal(story, "admin", "'class':'person'", name, roles);
    story_key_line(name, line);
    (void)story_write(
        story, "admin", "key.added", NULL,
        story_body("{'principal':'%s','public_key':'%s','hardware':'no'}", name, line));
}

static void adopt(struct story *story, const char *what, const char *name, const char *text)
{
    (void)story_write(story, OPL_SELF, "policy.adopted", NULL,
                      story_body("{'what':'%s','name':'%s','sha256':'%s'}", what, name,
                                 hex_of(story_blob(story, text))));
}

struct story *story_begin(void)
{
    struct story *story = story_new();

    add_principal(story, OPL_SELF, "'class':'person'", "admin", "admin|recorder|gate|evidence-raw");
    (void)story_write(story, OPL_SELF, "token.created", NULL,
                      story_body("{'principal':'admin','scope':['admin','recorder'],"
                                 "'expires':'2036-10-01T00:00:00Z','token_id':'first',"
                                 "'token_sha256':'%064d'}",
                                 1));
    adopt(story, "gate", "slurm-config", gate_policy);
    adopt(story, "redact", "secrets", "v: 1\nname: secrets\n");
    adopt(story, "models", "models",
          "v: 1\nfamilies:\n  - { name: openai, match: [\"openai/*\"] }\n");
    story_enroll(story, "alice", "admin|recorder|gate");
    story_enroll(story, "bob", "recorder|gate|approver.slurm");
    story_enroll(story, "carol", "recorder|gate|reviewer|approver.slurm|approver.net");
    add_principal(story, "admin", "'class':'service','owner':'alice'", "importer", "recorder|gate");
    add_principal(story, "admin",
                  "'class':'agent','owner':'alice','model':{'provider':'openai','name':'gpt-5'}",
                  "helper", "recorder");
    add_principal(story, "admin",
                  "'class':'agent','owner':'bob',"
                  "'model':{'provider':'anthropic','name':'claude-opus-4'}",
                  "second", "recorder");
    (void)story_write(story, "admin", "bootstrap.closed", NULL, json_object());
    return story;
}

uint64_t story_incident(struct story *story, const char *actor)
{
    return story_write(story, actor, "incident.opened", NULL,
                       story_body("{'title':'save warning repeats','severity':'high'}"));
}

uint64_t story_hypothesis(struct story *story, const char *actor, const char *inc)
{
    return story_write(story, actor, "hypothesis.recorded", inc,
                       story_body("{'claim':'lock contention','model':{'provider':'openai',"
                                  "'name':'gpt-5'},'prompt_sha256':'%064d'}",
                                  3));
}

const char *story_evidence(struct story *story, const char *actor, const char *on, const char *text)
{
    const char *digest = story_blob(story, text);

    (void)story_write(story, actor, "evidence.attached", on,
                      story_body("{'sha256':'%s','size':%zu,'media_type':'text/plain',"
                                 "'name':'trace','source':'strace'}",
                                 hex_of(digest), strlen(text)));
    return digest;
}

static json_t *evidence_list(const char *digest)
{
    json_t *list = json_array();

    if (digest != NULL)
        json_array_append_new(list, json_string(digest));
    return list;
}

uint64_t story_vendor(struct story *story, const char *actor, const char *hyp, const char *state,
                      const char *digest)
{
    json_t *body = story_body("{'vendor':'schedmd','state':'%s'}", state);

    json_object_set_new(body, "evidence", evidence_list(digest));
    return story_write(story, actor, "vendor.updated", hyp, body);
}

uint64_t story_reproduction(struct story *story, const char *actor, const char *hyp,
                            const char *outcome, const char *digest)
{
    json_t *body = story_body("{'where':'test cluster','outcome':'%s'}", outcome);

    json_object_set_new(body, "evidence", evidence_list(digest));
    return story_write(story, actor, "reproduction.recorded", hyp, body);
}

uint64_t story_close(struct story *story, const char *hyp, const char *how, const char *by)
{
    json_t *body = story_body("{'how':'%s','reason':'because'}", how);

    if (by != NULL)
        json_object_set_new(body, "by", json_string(by));
    return story_write(story, "alice", "hypothesis.closed", hyp, body);
}

uint64_t story_confirm(struct story *story, const char *actor, const char *on, uint64_t fact)
{
    json_t *body = story_sign(
        story,
        &(struct story_statement){.type = "opledger/confirmation",
                                  .signer = actor,
                                  .about = story_body("{'fact':%llu}", (unsigned long long)fact)});

    json_object_set_new(body, "fact", json_integer((json_int_t)fact));
    return story_write(story, actor, "confirmation.signed", on, body);
}

/* One file over one base, both stored. */
static const char *manifest_of(struct story *story)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_err err = {0};
    char next[OPL_DIGEST_SIZE], base[OPL_DIGEST_SIZE];
    json_t *manifest;

    (void)snprintf(next, sizeof next, "%s", story_blob(story, "SlurmctldDebug=info\n"));
    (void)snprintf(base, sizeof base, "%s", story_blob(story, "SlurmctldDebug=debug\n"));
    manifest = story_body("{'command':['scontrol','reconfigure'],'files':[{'base_mode':'0644',"
                          "'base_owner':'0:0','base_sha256':'%s','mode':'0644','owner':'0:0',"
                          "'path':'/etc/slurm/slurm.conf','sha256':'%s','size':20}],"
                          "'target':'" STORY_TARGET "','type':'opledger/manifest','v':1}",
                          hex_of(base), hex_of(next));
    if (!opl_json_canonical(manifest, &text, &err))
        abort();
    json_decref(manifest);
    return story_blob(story, opl_buf_text(&text));
}

json_t *story_proposal(struct story *story, const char *hyp)
{
    json_t *body = story_body("{'title':'less debug','class':'config','target':'" STORY_TARGET
                              "','manifest':'%s','files':1}",
                              manifest_of(story));
    json_t *hypotheses = json_array();

    if (hyp != NULL)
        json_array_append_new(hypotheses, json_string(hyp));
    json_object_set_new(body, "hypotheses", hypotheses);
    return body;
}

uint64_t story_change(struct story *story, const char *actor, const char *inc, const char *hyp)
{
    return story_write(story, actor, "change.proposed", inc, story_proposal(story, hyp));
}

static const struct opl_fold *change_of(struct story *story, const char *chg)
{
    const struct opl_fold *fold = NULL;

    if (!opl_world_find(story->world, chg, &fold, NULL) || fold == NULL)
        abort();
    return fold;
}

static void base_of(struct story *story, const char *manifest_digest, char out[OPL_DIGEST_SIZE])
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    struct opl_hash digest, base;
    const char *text;
    size_t len;

    if (!opl_hash_from_digest(manifest_digest, &digest, NULL) ||
        !opl_world_document(story->world, &digest, &text, &len, NULL) ||
        !opl_manifest_parse(text, len, &manifest, NULL) ||
        !opl_manifest_base(&manifest, &base, NULL))
        abort();
    opl_hash_digest(&base, out);
}

json_t *story_approval(struct story *story, const char *signer, const char *chg)
{
    const char *manifest = opl_change_manifest(change_of(story, chg));
    char base[OPL_DIGEST_SIZE], policy[OPL_DIGEST_SIZE];
    struct opl_hash digest;
    json_t *body;

    base_of(story, manifest, base);
    if (!opl_gate_digest(story->world, chg, &digest, NULL))
        abort();
    opl_hash_digest(&digest, policy);
    body = story_sign(
        story, &(struct story_statement){
                   .type = "opledger/approval",
                   .signer = signer,
                   .about = story_body("{'change':'%s','manifest':'%s','base':'%s','policy':'%s',"
                                       "'role':'slurm'}",
                                       chg, manifest, base, policy)});
    json_object_set_new(body, "role", json_string("slurm"));
    return body;
}

uint64_t story_approve(struct story *story, const char *signer, const char *chg)
{
    return story_write(story, signer, "approval.signed", chg, story_approval(story, signer, chg));
}

json_t *story_decision(struct story *story, const char *chg, const char *outcome)
{
    const char *manifest = opl_change_manifest(change_of(story, chg));
    char base[OPL_DIGEST_SIZE], expires[OPL_TIME_SIZE];

    base_of(story, manifest, base);
    opl_time_format(story->now + 60 * OPL_SECOND, expires);
    return story_body("{'use':'apply','outcome':'%s','nonce':'%032llu','manifest':'%s','base':'%s',"
                      "'policy':'%s','requirements':[],'expires':'%s'}",
                      outcome, (unsigned long long)story->seq, manifest, base, base, expires);
}

uint64_t story_decide(struct story *story, const char *chg, const char *outcome)
{
    return story_write(story, OPL_SELF, "gate.decided", chg, story_decision(story, chg, outcome));
}
