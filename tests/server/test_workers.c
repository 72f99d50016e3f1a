/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <stdatomic.h>
#include <unistd.h>

#include "server/workers.h"

static atomic_int worked, finished;
static atomic_bool held;

static bool work(struct request *request, struct db *db, struct opl_err *err)
{
    (void)request, (void)err;
    assert_non_null(db);
    while (atomic_load(&held))
        usleep(1000);
    atomic_fetch_add(&worked, 1);
    return true;
}

static bool fails(struct request *request, struct db *db, struct opl_err *err)
{
    (void)request, (void)db;
    return opl_fail(err, OPL_E_NOT_FOUND, "nothing here");
}

static void done(struct request *request)
{
    (void)request;
    atomic_fetch_add(&finished, 1);
}

static struct workers *start(size_t threads, size_t queue)
{
    const struct workers_options options = {
        .db = {.conninfo = "host=/nowhere"}, .threads = threads, .queue = queue, .done = done};
    struct workers *workers = NULL;

    atomic_store(&worked, 0);
    atomic_store(&finished, 0);
    atomic_store(&held, false);
    assert_ok(workers_start(&workers, &options, err));
    return workers;
}

static struct request *job(request_fn run)
{
    struct request *request = request_new(NULL, "/");

    assert_non_null(request);
    request->work = run;
    return request;
}

static void await(int count)
{
    for (int i = 0; i < 500 && atomic_load(&finished) < count; i++)
        usleep(10000);
    assert_int_equal(atomic_load(&finished), count);
}

static void jobs_run_and_are_told(void **state)
{
    struct workers *workers = start(3, 100);
    struct request *requests[20];

    (void)state;
    for (size_t i = 0; i < 20; i++) {
        requests[i] = job(work);
        assert_ok(workers_submit(workers, requests[i], err));
    }
    await(20);
    assert_int_equal(atomic_load(&worked), 20);
    workers_free(workers);
    for (size_t i = 0; i < 20; i++)
        request_drop(requests[i]);
}

static void an_error_stays_in_the_request(void **state)
{
    struct workers *workers = start(1, 10);
    struct request *request = job(fails);

    (void)state;
    assert_ok(workers_submit(workers, request, err));
    await(1);
    workers_free(workers);
    assert_int_equal(request->err.code, OPL_E_NOT_FOUND);
    assert_null(request->work);
    request_drop(request);
}

static void a_full_queue_refuses(void **state)
{
    struct workers *workers = start(1, 2);
    struct request *requests[4];

    (void)state;
    atomic_store(&held, true);
    requests[0] = job(work);
    assert_ok(workers_submit(workers, requests[0], err));
    while (workers_waiting(workers) > 0)
        usleep(1000);
    for (size_t i = 1; i < 4; i++)
        requests[i] = job(work);
    assert_ok(workers_submit(workers, requests[1], err));
    assert_ok(workers_submit(workers, requests[2], err));
    assert_fails(workers_submit(workers, requests[3], err), OPL_E_UNAVAILABLE);
    atomic_store(&held, false);
    await(3);
    workers_free(workers);
    for (size_t i = 0; i < 4; i++)
        request_drop(requests[i]);
}

static void a_stop_fails_what_waits(void **state)
{
    struct workers *workers = start(1, 10);
    struct request *first = job(work), *second = job(work);
    struct opl_err none = {0};

    (void)state;
    atomic_store(&held, true);
    assert_true(workers_submit(workers, first, &none));
    while (workers_waiting(workers) > 0)
        usleep(1000);
    assert_true(workers_submit(workers, second, &none));
    request_hold(second);
    atomic_store(&held, false);
    workers_free(workers);
    assert_int_equal(atomic_load(&finished), 2);
    assert_true(second->err.code == OPL_OK || second->err.code == OPL_E_UNAVAILABLE);
    request_drop(second);
    request_drop(second);
    request_drop(first);
}

static void after_a_stop_nothing_is_taken(void **state)
{
    struct workers *workers = start(1, 10);
    struct request *request = job(work);

    (void)state;
    workers_stop(workers);
    assert_fails(workers_submit(workers, request, err), OPL_E_UNAVAILABLE);
    workers_free(workers);
    workers_free(NULL);
    request_drop(request);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(jobs_run_and_are_told),
    cmocka_unit_test(an_error_stays_in_the_request),
    cmocka_unit_test(a_full_queue_refuses),
    cmocka_unit_test(a_stop_fails_what_waits),
    cmocka_unit_test(after_a_stop_nothing_is_taken),
};

UNIT_MAIN(tests)
