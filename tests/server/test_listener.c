/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <unistd.h>

#include "server/listener.h"

static void port_0_takes_a_free_one(void **state)
{
    uint16_t port = 0;
    int fd = -1;

    (void)state;
    assert_ok(listener_open("127.0.0.1:0", &fd, &port, err));
    assert_true(port > 0);
    close(fd);
}

static void a_port_in_use_says_what_to_do(void **state)
{
    struct opl_err why = {0};
    char address[32];
    uint16_t port;
    int fd, other;

    (void)state;
    assert_ok(listener_open("127.0.0.1:0", &fd, &port, err));
    snprintf(address, sizeof address, "127.0.0.1:%u", port);
    assert_false(listener_open(address, &other, &port, &why));
    assert_int_equal(why.code, OPL_E_CONFIG);
    assert_non_null(strstr(why.text, address));
    assert_non_null(strstr(why.hint, "--listen"));
    close(fd);
}

static void an_address_of_another_machine_is_refused(void **state)
{
    uint16_t port;
    int fd;

    (void)state;
    assert_fails(listener_open("192.0.2.1:8585", &fd, &port, err), OPL_E_CONFIG);
    assert_fails(listener_open("no.such.host.invalid:8585", &fd, &port, err), OPL_E_CONFIG);
}

static void a_probe_says_the_same_and_keeps_nothing(void **state)
{
    char address[32];
    uint16_t port;
    int fd;

    (void)state;
    assert_ok(listener_open("127.0.0.1:0", &fd, &port, err));
    snprintf(address, sizeof address, "127.0.0.1:%u", port);
    assert_fails(listener_probe(address, err), OPL_E_CONFIG);
    close(fd);
    assert_ok(listener_probe(address, err));
    assert_ok(listener_open(address, &fd, &port, err));
    close(fd);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(port_0_takes_a_free_one),
    cmocka_unit_test(a_port_in_use_says_what_to_do),
    cmocka_unit_test(a_probe_says_the_same_and_keeps_nothing),
    cmocka_unit_test(an_address_of_another_machine_is_refused),
};

UNIT_MAIN(tests)
