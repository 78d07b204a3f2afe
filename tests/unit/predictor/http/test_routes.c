/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_routes.c - the lookup of routes */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/http/request.h"
#include "predictor/http/routes.h"

static const struct route *row;
static char captured[ROUTE_CAPTURE_SIZE];
static char allow[ROUTE_ALLOW_SIZE];

static enum route_match find(const char *method, const char *target)
{
	row = NULL;
	return route_find(routes, method, target, &row, captured, allow);
}

START_TEST(test_found)
{
	ck_assert_int_eq(find("POST", "/v1/predictions"), ROUTE_FOUND);
	ck_assert_str_eq(row->pattern, "/v1/predictions");
	ck_assert_str_eq(captured, "");
	ck_assert_int_eq(find("GET", "/v1/predictions/00ff"), ROUTE_FOUND);
	ck_assert_str_eq(captured, "00ff");
	ck_assert_int_eq(find("GET", "/v1/jobs/4711?cluster=a/b"), ROUTE_FOUND);
	ck_assert_str_eq(row->pattern, "/v1/jobs/{jobid}");
	ck_assert_str_eq(captured, "4711");
	ck_assert_int_eq(find("HEAD", "/livez"), ROUTE_FOUND);
	ck_assert_str_eq(row->method, "GET");
}
END_TEST

START_TEST(test_no_path)
{
	static const char *const targets[] = {
		"",
		"//",
		"/v1",
		"/v1/nodes/",
		"/v1/node",
		"/v1/nodess",
		"//v1/nodes",
		"/v1/jobs/",
		"/v1/jobs/1/2",
		"/v1/jobs/1%32",
		"/v1/jobs/..%2f",
		"/v1/jobs//",
		"/V1/nodes",
		"?",
		"/v1/jobs/?cluster=c",
	};

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		ck_assert_msg(find("GET", targets[i]) == ROUTE_NO_PATH, "%s",
			      targets[i]);
		ck_assert_str_eq(captured, "");
	}
}
END_TEST

START_TEST(test_longest_capture)
{
	char target[200];

	snprintf(target, sizeof(target), "/v1/jobs/%0*d",
		 ROUTE_CAPTURE_SIZE - 1, 7);
	ck_assert_int_eq(find("GET", target), ROUTE_FOUND);
	ck_assert_uint_eq(strlen(captured), ROUTE_CAPTURE_SIZE - 1);
	snprintf(target, sizeof(target), "/v1/jobs/%0*d", ROUTE_CAPTURE_SIZE,
		 7);
	ck_assert_int_eq(find("GET", target), ROUTE_NO_PATH);
	ck_assert_str_eq(captured, "");
}
END_TEST

START_TEST(test_no_method)
{
	ck_assert_int_eq(find("DELETE", "/v1/predictions"), ROUTE_NO_METHOD);
	ck_assert_str_eq(allow, "POST");
	ck_assert_int_eq(find("POST", "/metrics"), ROUTE_NO_METHOD);
	ck_assert_str_eq(allow, "GET, HEAD");
	ck_assert_int_eq(find("HEAD", "/v1/imports"), ROUTE_NO_METHOD);
	ck_assert_int_eq(find("get", "/v1/nodes"), ROUTE_NO_METHOD);
}
END_TEST

START_TEST(test_table_is_sound)
{
	size_t count = 0;

	for (const struct route *r = routes; r->method; r++, count++) {
		ck_assert_ptr_nonnull(r->function);
		ck_assert_ptr_nonnull(r->help);
		ck_assert_int_eq(r->pattern[0], '/');
	}
	/* The last of the counts is for requests without a row. */
	ck_assert_uint_lt(count, ROUTES_MAX);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("routes");
	TCase *tests = tcase_create("routes");
	SRunner *runner = srunner_create(suite);

	tcase_add_test(tests, test_found);
	tcase_add_test(tests, test_no_path);
	tcase_add_test(tests, test_longest_capture);
	tcase_add_test(tests, test_no_method);
	tcase_add_test(tests, test_table_is_sound);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
