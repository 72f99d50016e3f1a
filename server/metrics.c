/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics.h"

static const long long bounds_us[METRICS_BUCKETS] = {500,   1000,   2500,    5000,   10000,
                                                     50000, 250000, 1000000, 5000000};

void metrics_request(struct metrics *metrics, int status, long long duration_us)
{
    size_t bucket = 0;

    while (bucket < METRICS_BUCKETS && duration_us > bounds_us[bucket])
        bucket++;
    atomic_fetch_add_explicit(&metrics->latency[bucket], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&metrics->latency_sum_us, (unsigned long long)duration_us,
                              memory_order_relaxed);
    if (status >= 100 && status < 600)
        atomic_fetch_add_explicit(&metrics->requests[status / 100], 1, memory_order_relaxed);
}

static void write_one(struct opl_buf *out, const char *name, const char *type, const char *help,
                      atomic_ullong *value)
{
    opl_buf_fmt(out, "# HELP opledger_%s %s\n# TYPE opledger_%s %s\nopledger_%s %llu\n", name, help,
                name, type, name, atomic_load(value));
}

static void write_requests(struct metrics *metrics, struct opl_buf *out)
{
    opl_buf_str(out, "# HELP opledger_requests_total Requests answered, by class of status.\n"
                     "# TYPE opledger_requests_total counter\n");
    for (int class = 2; class < 6; class ++)
        opl_buf_fmt(out, "opledger_requests_total{class=\"%dxx\"} %llu\n", class,
                    atomic_load(&metrics->requests[class]));
}

static void write_latency(struct metrics *metrics, struct opl_buf *out)
{
    unsigned long long sum = 0;

    opl_buf_str(out, "# HELP opledger_request_seconds From the head of a request to its reply.\n"
                     "# TYPE opledger_request_seconds histogram\n");
    for (size_t i = 0; i <= METRICS_BUCKETS; i++) {
        sum += atomic_load(&metrics->latency[i]);
        if (i < METRICS_BUCKETS)
            opl_buf_fmt(out, "opledger_request_seconds_bucket{le=\"%g\"} %llu\n",
                        (double)bounds_us[i] / 1e6, sum);
    }
    opl_buf_fmt(out, "opledger_request_seconds_bucket{le=\"+Inf\"} %llu\n", sum);
    opl_buf_fmt(out, "opledger_request_seconds_sum %g\nopledger_request_seconds_count %llu\n",
                (double)atomic_load(&metrics->latency_sum_us) / 1e6, sum);
}

void metrics_write(struct metrics *metrics, struct opl_buf *out)
{
    write_requests(metrics, out);
    write_latency(metrics, out);
    write_one(out, "log_size", "gauge", "Entries in the log.", &metrics->log_size);
    write_one(out, "entries_total", "counter", "Entries appended by this process.",
              &metrics->entries);
    write_one(out, "groups_total", "counter", "Groups committed.", &metrics->groups);
    write_one(out, "group_failures_total", "counter", "Groups rolled back.",
              &metrics->group_failures);
    write_one(out, "refused_total", "counter", "Writes refused by a rule.", &metrics->refused);
    write_one(out, "evidence_reads_total", "counter", "Raw evidence given out.",
              &metrics->evidence_reads);
}
