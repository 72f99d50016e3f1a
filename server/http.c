/* SPDX-License-Identifier: Apache-2.0 */
#include "http.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netdb.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "blob.h"
#include "exchange.h"
#include "listener.h"
#include "log.h"
#include "routes.h"
#include "server.h"

#define CONNECTION_MEMORY ((size_t)32 << 10) /* cleared for every request */
#define IDLE_SECONDS 60
#define DOWNLOAD_BLOCK ((size_t)64 << 10)
#define DISCARD_MAX ((uint64_t)64 << 20) /* of a refused body, read so that the reply arrives */

struct http {
    struct MHD_Daemon *daemon;
    struct server *server;
    uint16_t port;
    int quiesced; /* the listening socket, ours again; -1: none */
};

/* What the connection side keeps of a request beside the request itself. */
struct carrier {
    struct request *request;
    bool begun;
    bool ended;         /* the whole body has come */
    bool closing;       /* the sink's last piece was handed on */
    uint64_t discarded; /* bytes of a refused body */
    struct http *http;
};

/*
 * Of one connection: the request that has begun on it. libmicrohttpd (0.9.75) does not report the
 * end of one whose query it could not keep, so the connection's own end, or its next request, does.
 */
struct link {
    struct carrier *carrier;
};

void http_resume(void *connection)
{
    MHD_resume_connection(connection);
}

static struct link *link_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info != NULL ? info->socket_context : NULL;
}

static void link_drop(struct link *link)
{
    if (link->carrier == NULL)
        return;
    request_drop(link->carrier->request);
    free(link->carrier);
    link->carrier = NULL;
}

static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    (void)cls, (void)connection;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *context = calloc(1, sizeof(struct link));
        return;
    }
    if (*context != NULL)
        link_drop(*context);
    free(*context);
    *context = NULL;
}

static void *on_uri(void *cls, const char *uri, struct MHD_Connection *connection)
{
    struct http *http = cls;
    struct link *link = link_of(connection);
    struct carrier *carrier;

    if (link == NULL)
        return NULL;
    link_drop(link);
    carrier = calloc(1, sizeof *carrier);
    if (carrier == NULL)
        return NULL;
    carrier->http = http;
    carrier->request = request_new(http->server, uri);
    if (carrier->request == NULL) {
        free(carrier);
        return NULL;
    }
    carrier->request->connection = connection;
    link->carrier = carrier;
    return carrier;
}

static void on_completed(void *cls, struct MHD_Connection *connection, void **con_cls,
                         enum MHD_RequestTerminationCode code)
{
    struct link *link = link_of(connection);

    (void)cls, (void)code;
    *con_cls = NULL;
    if (link != NULL)
        link_drop(link);
}

static void copy_header(struct MHD_Connection *connection, const char *name, char *out, size_t size)
{
    const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);

    snprintf(out, size, "%s", value != NULL ? value : "");
}

static bool is_loopback(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info != NULL ? info->client_addr : NULL;

    if (address != NULL && address->sa_family == AF_INET)
        return (ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24) == 127;
    if (address != NULL && address->sa_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
    return false;
}

static enum MHD_Result count_length(void *cls, enum MHD_ValueKind kind, const char *key,
                                    const char *value)
{
    size_t *count = cls;

    (void)kind, (void)value;
    *count += strcasecmp(key, "Content-Length") == 0;
    return MHD_YES;
}

static void begin(struct carrier *carrier, struct MHD_Connection *connection, const char *method)
{
    struct request *request = carrier->request;
    char length[24];

    carrier->begun = true;
    snprintf(request->method, sizeof request->method, "%s", method);
    copy_header(connection, "Idempotency-Key", request->idempotency_key,
                sizeof request->idempotency_key);
    copy_header(connection, "Content-Type", request->media_type, sizeof request->media_type);
    copy_header(connection, "Host", request->host, sizeof request->host);
    copy_header(connection, "Range", request->range, sizeof request->range);
    copy_header(connection, "If-None-Match", request->if_none_match, sizeof request->if_none_match);
    copy_header(connection, "Content-Length", length, sizeof length);
    request->has_length = request_number(length, &request->length);
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_length, &request->length_count);
    request->from_loopback = is_loopback(connection);
    exchange_begin(request,
                   MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization"));
}

/* ---- replies ---- */

static void note_reply(const struct carrier *carrier, const struct reply *reply)
{
    const struct request *request = carrier->request;
    struct server *server = carrier->http->server;

    metrics_request(&server->metrics, reply->status, waiting_now() - request->began_us);
    if (reply->status < 400)
        return;
    log_write(reply->status >= 500 ? LOG_LEVEL_ERROR : LOG_LEVEL_INFO, "request failed",
              LOG_FIELDS(LOG_S("id", request->id), LOG_S("method", request->method),
                         LOG_S("route", request->route != NULL ? request->route->pattern : ""),
                         LOG_I("status", reply->status),
                         LOG_S("principal", &request->identity.principal[0]),
                         LOG_S("error", &request->err.text[0]),
                         LOG_S("field", &request->err.field[0])));
}

/* The next piece of a download, on a worker. */
static bool fetch_piece(struct request *request, struct db *db, struct opl_err *err)
{
    struct reply_source *source = &request->reply.source;

    return source->next(source->ctx, db, &source->piece, &source->piece_len, err);
}

static void suspend(struct carrier *carrier, struct MHD_Connection *connection)
{
    struct request *request = carrier->request;

    MHD_suspend_connection(connection);
    waiting_add(&request->server->waiting, request, request->server->config->request_ms);
    exchange_submit(request);
}

static ssize_t read_source(void *cls, uint64_t pos, char *buf, size_t max)
{
    struct carrier *carrier = cls;
    struct request *request = carrier->request;
    struct reply_source *source = &request->reply.source;
    size_t left;

    (void)pos;
    if (waiting_take(&request->server->waiting, request) == REQUEST_OVERDUE ||
        request->err.code != OPL_OK) {
        log_warn("download cut short", LOG_S("id", request->id), LOG_S("error", request->err.text));
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    left = source->piece_len - source->piece_at;
    if (left == 0) {
        source->piece_at = source->piece_len = 0;
        request->work = fetch_piece;
        suspend(carrier, request->connection);
        return 0;
    }
    if (left > max)
        left = max;
    memcpy(buf, (const char *)source->piece + source->piece_at, left);
    source->piece_at += left;
    return (ssize_t)left;
}

/* The response of a reply, whose body it takes over. */
static struct MHD_Response *make_response(struct carrier *carrier, struct reply *reply)
{
    struct MHD_Response *response;
    size_t len = reply->body.len;
    char *body;

    if (reply->source.ctx != NULL)
        return MHD_create_response_from_callback(reply->source.size, DOWNLOAD_BLOCK, read_source,
                                                 carrier, NULL);
    if (len == 0)
        return MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
    body = opl_buf_take(&reply->body);
    if (body == NULL)
        return NULL;
    response = MHD_create_response_from_buffer(len, body, MHD_RESPMEM_MUST_FREE);
    if (response == NULL)
        free(body);
    return response;
}

static enum MHD_Result answer(struct carrier *carrier, struct MHD_Connection *connection,
                              struct reply *reply)
{
    struct MHD_Response *response = make_response(carrier, reply);
    enum MHD_Result queued;

    if (response == NULL)
        return MHD_NO;
    if (reply->media != NULL)
        MHD_add_response_header(response, "Content-Type", reply->media);
    MHD_add_response_header(response, "X-Request-Id", carrier->request->id);
    for (size_t i = 0; i < reply->header_count; i++)
        MHD_add_response_header(response, reply->headers[i].name, reply->headers[i].value);
    note_reply(carrier, reply);
    queued = MHD_queue_response(connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result answer_overdue(struct carrier *carrier, struct MHD_Connection *connection)
{
    OPL_CLEANUP(reply_close) struct reply reply = {0};

    exchange_overdue(carrier->request, &reply);
    return answer(carrier, connection, &reply);
}

static enum MHD_Result advance(struct carrier *carrier, struct MHD_Connection *connection)
{
    struct request *request = carrier->request;

    if (exchange_advance(request) == EXCHANGE_ANSWER)
        return answer(carrier, connection, &request->reply);
    suspend(carrier, connection);
    return MHD_YES;
}

/* ---- bodies ---- */

static bool sink_piece(struct request *request, struct db *db, struct opl_err *err)
{
    bool ok = request->sink.take(request->sink.ctx, db, opl_buf_text(&request->body),
                                 request->body.len, err);

    opl_buf_reset(&request->body);
    return ok;
}

static bool sink_end(struct request *request, struct db *db, struct opl_err *err)
{
    if (request->body.len > 0 && !sink_piece(request, db, err))
        return false;
    return request->sink.finish(request->sink.ctx, db, &request->reply, err);
}

static enum MHD_Result discard(struct carrier *carrier, size_t *len)
{
    carrier->discarded += *len;
    *len = 0;
    return carrier->discarded <= DISCARD_MAX ? MHD_YES : MHD_NO;
}

static enum MHD_Result receive(struct carrier *carrier, struct MHD_Connection *connection,
                               const char *bytes, size_t *len)
{
    struct request *request = carrier->request;
    size_t taken = *len;

    if (waiting_take(&request->server->waiting, request) == REQUEST_OVERDUE)
        return MHD_NO; /* no reply can be given in the middle of a body */
    if (request->err.code != OPL_OK)
        return discard(carrier, len);
    if (request->sink.ctx == NULL) {
        exchange_body(request, bytes, taken);
        *len = 0;
        return MHD_YES;
    }
    if (taken > BLOB_CHUNK - request->body.len)
        taken = BLOB_CHUNK - request->body.len;
    request->body.max = BLOB_CHUNK;
    opl_buf_add(&request->body, bytes, taken);
    *len -= taken;
    if (request->body.len == BLOB_CHUNK) {
        request->work = sink_piece;
        suspend(carrier, connection);
    }
    return MHD_YES;
}

static enum MHD_Result finish(struct carrier *carrier, struct MHD_Connection *connection)
{
    struct request *request = carrier->request;

    if (waiting_take(&request->server->waiting, request) == REQUEST_OVERDUE)
        return answer_overdue(carrier, connection);
    if (request->sink.ctx != NULL && request->err.code == OPL_OK && !carrier->closing) {
        carrier->closing = true;
        request->work = sink_end;
    }
    return advance(carrier, connection);
}

/* A refusal whose body is not worth reading is answered at once; the connection then ends. */
static bool is_hopeless(const struct request *request)
{
    return request->err.code != OPL_OK && request->has_length && request->length > DISCARD_MAX;
}

static enum MHD_Result on_access(void *cls, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *upload_data,
                                 size_t *upload_data_size, void **con_cls)
{
    struct carrier *carrier = *con_cls;

    (void)cls, (void)url, (void)version;
    if (carrier == NULL)
        return MHD_NO; /* no memory when its first line came */
    if (!carrier->begun) {
        begin(carrier, connection, method);
        return is_hopeless(carrier->request) ? advance(carrier, connection) : MHD_YES;
    }
    if (*upload_data_size > 0)
        return receive(carrier, connection, upload_data, upload_data_size);
    return finish(carrier, connection);
}

/* ---- the daemon ---- */

static void on_panic(void *cls, const char *file, unsigned line, const char *reason)
{
    (void)cls;
    log_error("http library panic", LOG_S("file", file), LOG_I("line", line),
              LOG_S("reason", reason));
    abort();
}

static void on_log(void *cls, const char *fmt, va_list args)
{
    char text[256];
    const char *line = text;

    (void)cls;
    vsnprintf(text, sizeof text, fmt, args);
    text[strcspn(text, "\n")] = '\0';
    log_debug("http library", LOG_S("text", line));
}

static struct MHD_Daemon *start_daemon(struct http *http, int fd)
{
    const struct config *config = http->server->config;
    unsigned flags =
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC | MHD_USE_ERROR_LOG;

    return MHD_start_daemon(flags, 0, NULL, NULL, on_access, http, MHD_OPTION_EXTERNAL_LOGGER,
                            on_log, NULL, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_THREAD_POOL_SIZE,
                            (unsigned)config->threads, MHD_OPTION_CONNECTION_LIMIT,
                            (unsigned)config->connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                            CONNECTION_MEMORY, MHD_OPTION_CONNECTION_TIMEOUT,
                            (unsigned)IDLE_SECONDS, MHD_OPTION_URI_LOG_CALLBACK, on_uri, http,
                            MHD_OPTION_NOTIFY_COMPLETED, on_completed, http,
                            MHD_OPTION_NOTIFY_CONNECTION, on_connection, NULL, MHD_OPTION_END);
}

bool http_start(struct http **http, struct server *server, struct opl_err *err)
{
    struct http *made = calloc(1, sizeof *made);
    int fd;

    if (made == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the HTTP server");
    made->server = server;
    made->quiesced = -1;
    *http = made;
    if (!listener_open(server->config->listen, &fd, &made->port, err))
        return false;
    MHD_set_panic_func(on_panic, NULL);
    made->daemon = start_daemon(made, fd);
    if (made->daemon == NULL) {
        close(fd);
        return opl_fail(err, OPL_E_INTERNAL, "the HTTP library does not start");
    }
    return true;
}

uint16_t http_port(const struct http *http)
{
    return http->port;
}

void http_quiesce(struct http *http)
{
    if (http != NULL && http->daemon != NULL && http->quiesced < 0)
        http->quiesced = MHD_quiesce_daemon(http->daemon);
}

void http_stop(struct http *http)
{
    if (http == NULL)
        return;
    if (http->daemon != NULL)
        MHD_stop_daemon(http->daemon);
    if (http->quiesced >= 0)
        close(http->quiesced);
    free(http);
}
