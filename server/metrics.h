/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics - counters for /metrics, in Prometheus' text form.
 */
#ifndef OPLEDGER_SERVER_METRICS_H
#define OPLEDGER_SERVER_METRICS_H

#include <stdatomic.h>

#include <opledger/buf.h>

#define METRICS_BUCKETS 9

struct metrics {
    atomic_ullong requests[6]; /* by status class: 1xx to 5xx */
    atomic_ullong latency[METRICS_BUCKETS + 1];
    atomic_ullong latency_sum_us;
    atomic_ullong entries;
    atomic_ullong groups;
    atomic_ullong group_failures;
    atomic_ullong refused;        /* writes that did not hold */
    atomic_ullong evidence_reads; /* raw evidence given out */
    atomic_ullong log_size;
};

void metrics_request(struct metrics *metrics, int status, long long duration_us);
void metrics_write(struct metrics *metrics, struct opl_buf *out);

#endif
