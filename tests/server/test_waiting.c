/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <stdatomic.h>
#include <unistd.h>

#include "server/waiting.h"

static atomic_int resumed;

static void resume(void *connection)
{
    assert_non_null(connection);
    atomic_fetch_add(&resumed, 1);
}

static struct request *suspended(struct waiting *waiting, int64_t timeout_ms)
{
    struct request *request = request_new(NULL, "/");

    assert_non_null(request);
    request->connection = request;
    waiting_add(waiting, request, timeout_ms);
    return request;
}

static void start(struct waiting *waiting)
{
    atomic_store(&resumed, 0);
    assert_ok(waiting_start(waiting, resume, err));
}

static void a_job_resumes_once(void **state)
{
    struct waiting waiting;
    struct request *request;

    (void)state;
    start(&waiting);
    request = suspended(&waiting, 60000);
    assert_int_equal(waiting_count(&waiting), 1);
    waiting_done(&waiting, request);
    waiting_done(&waiting, request);
    assert_int_equal(atomic_load(&resumed), 1);
    assert_int_equal(waiting_take(&waiting, request), REQUEST_DONE);
    assert_int_equal(waiting_take(&waiting, request), REQUEST_RUNNING);
    request_drop(request);
    waiting_stop(&waiting);
}

static void a_deadline_resumes_and_the_job_then_does_nothing(void **state)
{
    struct waiting waiting;
    struct request *request;

    (void)state;
    start(&waiting);
    request = suspended(&waiting, 50);
    for (int i = 0; i < 100 && waiting_count(&waiting) > 0; i++)
        usleep(20000);
    assert_int_equal(atomic_load(&resumed), 1);
    waiting_done(&waiting, request);
    assert_int_equal(atomic_load(&resumed), 1);
    assert_int_equal(waiting_take(&waiting, request), REQUEST_OVERDUE);
    request_drop(request);
    waiting_stop(&waiting);
}

static void all_can_be_expired_at_once(void **state)
{
    struct waiting waiting;
    struct request *requests[5];

    (void)state;
    start(&waiting);
    for (size_t i = 0; i < 5; i++)
        requests[i] = suspended(&waiting, 60000);
    waiting_done(&waiting, requests[2]); /* out of the middle */
    waiting_expire_all(&waiting);
    assert_int_equal(waiting_count(&waiting), 0);
    assert_int_equal(atomic_load(&resumed), 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(waiting_take(&waiting, requests[i]),
                         i == 2 ? REQUEST_DONE : REQUEST_OVERDUE);
        request_drop(requests[i]);
    }
    waiting_stop(&waiting);
    waiting_stop(&waiting);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_job_resumes_once),
    cmocka_unit_test(a_deadline_resumes_and_the_job_then_does_nothing),
    cmocka_unit_test(all_can_be_expired_at_once),
};

UNIT_MAIN(tests)
