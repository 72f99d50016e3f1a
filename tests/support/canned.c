/* SPDX-License-Identifier: Apache-2.0 */
#include "canned.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

struct canned {
    int listener;
    char url[64];
    canned_fn *handler;
    void *ctx;
    pthread_t thread;
};

static size_t content_length(const char *head)
{
    const char *at = strcasestr(head, "\r\nContent-Length:");

    return at != NULL ? strtoul(at + strlen("\r\nContent-Length:"), NULL, 10) : 0;
}

/* Reads until the head, and as much body as it announces, is there. */
static bool read_request(int fd, struct opl_buf *raw, size_t *head_len)
{
    char piece[65536];

    for (;;) {
        const char *end = memmem(opl_buf_text(raw), raw->len, "\r\n\r\n", 4);
        ssize_t got;

        if (end != NULL) {
            *head_len = (size_t)(end - raw->data) + 4;
            if (raw->len >= *head_len + content_length(raw->data))
                return true;
        }
        got = read(fd, piece, sizeof(piece));
        if (got <= 0)
            return false;
        opl_buf_add(raw, piece, (size_t)got);
    }
}

static void send_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t done = send(fd, bytes, len, MSG_NOSIGNAL);

        if (done <= 0)
            return;
        bytes += done;
        len -= (size_t)done;
    }
}

static void answer(int fd, const struct canned_request *request, const struct canned_reply *reply)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf head = {0};
    size_t len = reply->cut > 0 ? reply->cut : reply->body.len;

    if (reply->silent)
        return;
    opl_buf_fmt(&head, "HTTP/1.1 %d X\r\nContent-Type: %s\r\nContent-Length: %zu\r\n",
                reply->status, reply->media != NULL ? reply->media : "application/json",
                reply->body.len);
    if (reply->date != NULL)
        opl_buf_fmt(&head, "Date: %s\r\n", reply->date);
    opl_buf_str(&head, "Connection: close\r\n\r\n");
    send_all(fd, head.data, head.len);
    if (strcmp(request->method, "HEAD") != 0)
        send_all(fd, opl_buf_text(&reply->body), len < reply->body.len ? len : reply->body.len);
}

static void serve(struct canned *canned, int fd)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf raw = {0};
    struct canned_request request = {0};
    struct canned_reply reply = {.status = 200};
    size_t head_len = 0;

    if (!read_request(fd, &raw, &head_len))
        return;
    (void)sscanf(raw.data, "%7s %2047s", request.method, request.path);
    (void)snprintf(request.head, sizeof(request.head), "%.*s", (int)head_len, raw.data);
    request.body = raw.data + head_len;
    request.body_len = raw.len - head_len;
    canned->handler(canned->ctx, &request, &reply);
    answer(fd, &request, &reply);
    opl_buf_close(&reply.body);
}

static void *run(void *arg)
{
    struct canned *canned = arg;

    for (;;) {
        int fd = accept(canned->listener, NULL, NULL);

        if (fd < 0)
            return NULL;
        serve(canned, fd);
        close(fd);
    }
}

struct canned *canned_start(canned_fn *handler, void *ctx)
{
    struct canned *canned = calloc(1, sizeof(*canned));
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(where);

    if (canned == NULL)
        abort();
    canned->handler = handler;
    canned->ctx = ctx;
    canned->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(canned->listener, (struct sockaddr *)&where, sizeof(where)) != 0 ||
        listen(canned->listener, 16) != 0 ||
        getsockname(canned->listener, (struct sockaddr *)&where, &len) != 0 ||
        pthread_create(&canned->thread, NULL, run, canned) != 0)
        abort();
    (void)snprintf(canned->url, sizeof(canned->url), "http://127.0.0.1:%d", ntohs(where.sin_port));
    return canned;
}

const char *canned_url(const struct canned *canned)
{
    return canned->url;
}

void canned_stop(struct canned *canned)
{
    shutdown(canned->listener, SHUT_RDWR);
    pthread_join(canned->thread, NULL);
    close(canned->listener);
    free(canned);
}
