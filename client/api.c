/* SPDX-License-Identifier: Apache-2.0 */
#include "api.h"

#include <curl/curl.h>
#include <strings.h>
#include <unistd.h>

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>

#include "api_problem.h"
#include "files.h"

#define CONNECT_TIMEOUT_MS 5000L
#define REPLY_MAX ((size_t)256 << 20)
#define STALL_BYTES 1L /* a transfer slower than this a second is no transfer */

struct api {
    CURL *curl;
    char *url;
    char *token; /* secret */
    char *ca_file;
    int64_t timeout_s;
    json_t *problem;
    int64_t date; /* of the last answer, -1: none */
};

/* One request and where its answer goes. */
struct call {
    const char *method;
    const char *path;
    const char *content_type; /* of the body; NULL: no body */
    const char *accept;
    const char *idempotency_key;
    const struct opl_buf *body;
    int upload_fd; /* -1: none; its size follows */
    int64_t upload_size;
    struct opl_buf *reply;
    int download_fd; /* -1: into reply */
    struct opl_sha256_ctx *digest;
    CURL *curl;
    struct opl_err *err; /* of our own callbacks */
};

#define CALL_INIT .upload_fd = -1, .download_fd = -1

const char *api_url(const struct api *api)
{
    return api->url;
}

static char *copy(const char *text)
{
    return strdup(text != NULL ? text : "");
}

static void wipe_free(char *secret)
{
    if (secret != NULL)
        opl_wipe(secret, strlen(secret));
    free(secret);
}

static bool is_http(const char *url)
{
    return strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0;
}

struct api *api_new(const struct api_settings *settings, struct opl_err *err)
{
    struct api *api;

    if (!is_http(settings->url)) { /* curl would guess what was meant */
        opl_fail(err, OPL_E_CONFIG, "%s is no http or https URL", settings->url);
        return NULL;
    }
    api = calloc(1, sizeof(*api));

    if (api == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(api);
        opl_fail(err, OPL_E_NOMEM, "no memory for requests");
        return NULL;
    }
    api->curl = curl_easy_init();
    api->url = copy(settings->url);
    api->token = copy(settings->token);
    api->ca_file = copy(settings->ca_file);
    api->timeout_s = settings->timeout_s;
    if (api->curl != NULL && api->url != NULL && api->token != NULL && api->ca_file != NULL)
        return api;
    api_free(api);
    opl_fail(err, OPL_E_NOMEM, "no memory for requests");
    return NULL;
}

void api_free(struct api *api)
{
    if (api == NULL)
        return;
    curl_easy_cleanup(api->curl);
    json_decref(api->problem);
    free(api->url);
    free(api->ca_file);
    wipe_free(api->token);
    free(api);
}

bool api_set_token(struct api *api, const char *token, struct opl_err *err)
{
    wipe_free(api->token);
    api->token = copy(token);
    return api->token != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for a token");
}

static size_t on_reply(char *bytes, size_t one, size_t len, void *ctx)
{
    struct call *call = ctx;
    long status = 0;

    (void)one;
    curl_easy_getinfo(call->curl, CURLINFO_RESPONSE_CODE, &status);
    if (call->download_fd < 0 || status >= 300) { /* a problem never goes where bytes are meant */
        opl_buf_add(call->reply, bytes, len);
        return call->reply->failed ? 0 : len;
    }
    opl_sha256_update(call->digest, bytes, len);
    return file_write_fd(call->download_fd, bytes, len, call->err) ? len : 0;
}

static size_t on_upload(char *bytes, size_t one, size_t room, void *ctx)
{
    struct call *call = ctx;
    ssize_t got = read(call->upload_fd, bytes, one * room);

    return got < 0 ? CURL_READFUNC_ABORT : (size_t)got;
}

static int on_rewind(void *ctx, curl_off_t offset, int origin)
{
    struct call *call = ctx;

    return lseek(call->upload_fd, (off_t)offset, origin) < 0 ? CURL_SEEKFUNC_FAIL
                                                             : CURL_SEEKFUNC_OK;
}

static bool is_loopback(const char *url)
{
    const char *host = strstr(url, "://");

    return host != NULL &&
           (strncmp(host + 3, "127.", 4) == 0 || strncmp(host + 3, "localhost", 9) == 0 ||
            strncmp(host + 3, "[::1]", 5) == 0);
}

/* Secrets stay out of proxies' hands on loopback, redirects are refused, signals are not used. */
static void set_common(struct api *api)
{
    CURL *curl = api->curl;

    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_TIMEOUT_MS);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "opledger/" OPLEDGER_VERSION);
    if (is_loopback(api->url))
        curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    if (api->ca_file[0] != '\0')
        curl_easy_setopt(curl, CURLOPT_CAINFO, api->ca_file);
}

static void set_body(struct api *api, struct call *call)
{
    CURL *curl = api->curl;

    if (call->upload_fd >= 0) {
        curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_upload);
        curl_easy_setopt(curl, CURLOPT_READDATA, call);
        curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, on_rewind);
        curl_easy_setopt(curl, CURLOPT_SEEKDATA, call);
        curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)call->upload_size);
    } else if (call->body != NULL) {
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, opl_buf_text(call->body));
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)call->body->len);
    }
    if (call->upload_fd >= 0 || call->download_fd >= 0) {
        curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, STALL_BYTES);
        curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)api->timeout_s);
    } else {
        curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)api->timeout_s);
    }
}

static void add_header(struct curl_slist **list, const char *name, const char *value)
{
    OPL_CLEANUP(opl_buf_wipe) struct opl_buf line = OPL_BUF_INIT(8192);
    struct curl_slist *longer;

    opl_buf_fmt(&line, "%s: %s", name, value);
    longer = curl_slist_append(*list, opl_buf_text(&line));
    if (longer != NULL)
        *list = longer;
}

static struct curl_slist *headers_of(const struct api *api, const struct call *call)
{
    struct curl_slist *list = NULL;
    OPL_CLEANUP(opl_buf_wipe) struct opl_buf bearer = OPL_BUF_INIT(8192);

    add_header(&list, "Accept", call->accept);
    add_header(&list, "Expect", ""); /* no waiting for 100-continue */
    if (call->content_type != NULL)
        add_header(&list, "Content-Type", call->content_type);
    if (call->idempotency_key != NULL)
        add_header(&list, "Idempotency-Key", call->idempotency_key);
    if (api->token[0] != '\0') {
        opl_buf_fmt(&bearer, "Bearer %s", api->token);
        add_header(&list, "Authorization", opl_buf_text(&bearer));
    }
    return list;
}

static bool fail_transport(const struct api *api, const struct call *call, CURLcode code,
                           struct opl_err *err)
{
    if (call->err->code != OPL_OK)
        return false;
    if (code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST) {
        opl_fail(err, OPL_E_UNAVAILABLE, "no ledger answers at %s", api->url);
        return opl_hint(err, "opledger doctor says more; --url or OPLEDGER_URL name another");
    }
    if (code == CURLE_OPERATION_TIMEDOUT) {
        opl_fail(err, OPL_E_TIMED_OUT, "%s did not answer %s %s in time", api->url, call->method,
                 call->path);
        return opl_hint(err, "whether it was done is unknown; look before you repeat it");
    }
    if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CONNECT_ERROR)
        return opl_fail(err, OPL_E_VERIFY, "the certificate of %s does not verify: %s", api->url,
                        curl_easy_strerror(code));
    if (code == CURLE_URL_MALFORMAT)
        return opl_fail(err, OPL_E_CONFIG, "%s is no http or https URL", api->url);
    opl_fail(err, OPL_E_UNAVAILABLE, "%s broke off %s %s before it answered: %s", api->url,
             call->method, call->path, curl_easy_strerror(code));
    return opl_hint(err, "whether it was done is unknown; look before you repeat it");
}

int64_t api_date(const struct api *api)
{
    return api->date;
}

static void keep_date(struct api *api)
{
    struct curl_header *header;
    time_t date = -1;

    if (curl_easy_header(api->curl, "Date", 0, CURLH_HEADER, -1, &header) == CURLHE_OK)
        date = curl_getdate(header->value, NULL);
    api->date = date < 0 ? -1 : (int64_t)date * OPL_SECOND;
}

static bool finish(struct api *api, const struct call *call, CURLcode code, struct opl_err *err)
{
    long status = 0;

    if (call->reply->failed)
        return opl_buf_ok(call->reply, err);
    if (code != CURLE_OK)
        return fail_transport(api, call, code, err);
    curl_easy_getinfo(api->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200 && status < 300)
        return true;
    api->problem = problem_read(opl_buf_text(call->reply), call->reply->len, (int)status, err);
    return false;
}

static bool perform(struct api *api, struct call *call, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf url = OPL_BUF_INIT(16384);
    struct curl_slist *headers = headers_of(api, call);
    CURLcode code;

    json_decref(api->problem);
    api->problem = NULL;
    call->curl = api->curl;
    call->err = err;
    opl_buf_fmt(&url, "%s%s", api->url, call->path);
    set_common(api);
    set_body(api, call);
    curl_easy_setopt(api->curl, CURLOPT_URL, opl_buf_text(&url));
    curl_easy_setopt(api->curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(api->curl, CURLOPT_CUSTOMREQUEST, call->method);
    curl_easy_setopt(api->curl, CURLOPT_WRITEFUNCTION, on_reply);
    curl_easy_setopt(api->curl, CURLOPT_WRITEDATA, call);
    code = curl_easy_perform(api->curl);
    curl_slist_free_all(headers);
    keep_date(api);
    return finish(api, call, code, err);
}

static bool perform_json(struct api *api, struct call *call, json_t **out, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf reply = OPL_BUF_INIT(REPLY_MAX);
    OPL_CLEANUP(opl_json_freep) json_t *value = NULL;
    struct opl_err why = {0};

    call->reply = &reply;
    call->accept = "application/json, application/problem+json";
    if (!perform(api, call, err))
        return false;
    value = opl_json_parse(opl_buf_text(&reply), reply.len, &why);
    if (!json_is_object(value))
        return opl_fail(err, OPL_E_VERIFY, "%s answered %s with something else than an object: %s",
                        api->url, call->path, why.text);
    *out = json_incref(value);
    return true;
}

bool api_get(struct api *api, const char *path, json_t **out, struct opl_err *err)
{
    struct call call = {CALL_INIT, .method = "GET", .path = path};

    return perform_json(api, &call, out, err);
}

bool api_get_items(struct api *api, const char *path, json_t **out, const json_t **items,
                   struct opl_err *err)
{
    if (!api_get(api, path, out, err))
        return false;
    *items = json_object_get(*out, "items");
    return json_is_array(*items) ||
           opl_fail(err, OPL_E_VERIFY, "%s answered %s without a list of items", api->url, path);
}

bool api_post(struct api *api, const char *path, const json_t *body, const char *idempotency_key,
              json_t **out, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_wipe) struct opl_buf text = {0};
    struct call call = {CALL_INIT,
                        .method = "POST",
                        .path = path,
                        .content_type = "application/json",
                        .idempotency_key = idempotency_key,
                        .body = &text};

    return opl_json_canonical(body, &text, err) && perform_json(api, &call, out, err);
}

bool api_get_bytes(struct api *api, const char *path, struct opl_buf *out, struct opl_err *err)
{
    struct call call = {CALL_INIT, .method = "GET", .path = path, .accept = "*/*", .reply = out};

    return perform(api, &call, err);
}

json_t *api_take_problem(struct api *api)
{
    json_t *problem = api->problem;

    api->problem = NULL;
    return problem;
}

static void blob_path(const struct opl_hash *sha256, char *out, size_t size)
{
    char hex[OPL_HEX_SIZE];

    opl_hash_hex(sha256, hex);
    snprintf(out, size, "/v1/blobs/%s", hex);
}

bool api_put_blob(struct api *api, const struct opl_hash *sha256, int fd, int64_t size,
                  struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf reply = OPL_BUF_INIT(REPLY_MAX);
    char path[96];
    struct call call = {.download_fd = -1,
                        .method = "PUT",
                        .path = path,
                        .accept = "application/json, application/problem+json",
                        .content_type = "application/octet-stream",
                        .upload_fd = fd,
                        .upload_size = size,
                        .reply = &reply};

    blob_path(sha256, path, sizeof(path));
    return perform(api, &call, err);
}

bool api_get_blob(struct api *api, const struct opl_hash *sha256, int fd, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf reply = OPL_BUF_INIT(REPLY_MAX);
    OPL_CLEANUP(opl_sha256_freep) struct opl_sha256_ctx *digest = opl_sha256_new();
    struct opl_hash got;
    char path[96];
    struct call call = {.upload_fd = -1,
                        .method = "GET",
                        .path = path,
                        .accept = "*/*",
                        .download_fd = fd,
                        .digest = digest,
                        .reply = &reply};

    if (digest == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a digest");
    blob_path(sha256, path, sizeof(path));
    if (!perform(api, &call, err))
        return false;
    opl_sha256_final(digest, &got);
    if (!opl_hash_equal(&got, sha256))
        return opl_fail(err, OPL_E_DIGEST, "the bytes that came for %s are others", path);
    return true;
}

void api_escape(struct opl_buf *path, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                     (byte >= 'a' && byte <= 'z') || strchr("-._~", byte) != NULL;

        if (plain)
            opl_buf_chr(path, (char)byte);
        else
            opl_buf_fmt(path, "%%%02X", (unsigned)byte);
    }
}
