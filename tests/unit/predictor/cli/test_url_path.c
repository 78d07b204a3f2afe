/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_url_path.c - the path of a request, with a query string */
#include <math.h>
#include <string.h>

#include "predictor/cli/url_path.h"
#include "tests/unit/suite.h"

START_TEST(test_parameters)
{
	char path[URL_PATH_SIZE] = "/v1/accuracy";
	struct sp_error err;

	ck_assert_int_eq(url_path_add(path, "user", NULL, &err), 0);
	ck_assert_str_eq(path, "/v1/accuracy");
	ck_assert_int_eq(url_path_add(path, "by", "user", &err), 0);
	ck_assert_int_eq(
		url_path_add(path, "application", "a b&c=~\xc3\xbc", &err), 0);
	ck_assert_int_eq(url_path_add(path, "model", "", &err), 0);
	ck_assert_str_eq(path, "/v1/accuracy?by=user"
			       "&application=a%20b%26c%3D~%C3%BC&model=");
}
END_TEST

START_TEST(test_numbers)
{
	char path[URL_PATH_SIZE] = "/v1/runs";
	struct sp_error err;

	ck_assert_int_eq(url_path_add_number(path, "a", NAN, &err), 0);
	ck_assert_int_eq(url_path_add_number(path, "a", HUGE_VAL, &err), 0);
	ck_assert_str_eq(path, "/v1/runs");
	ck_assert_int_eq(url_path_add_number(path, "b", 1795900001.25, &err),
			 0);
	ck_assert_int_eq(url_path_add_number(path, "c", 4294967294, &err), 0);
	ck_assert_str_eq(path, "/v1/runs?b=1795900001.25&c=4294967294");
}
END_TEST

START_TEST(test_too_long)
{
	char path[URL_PATH_SIZE] = "/v1/nodes";
	char value[URL_PATH_SIZE];
	struct sp_error err;

	/* With "?node=" it fits but for one byte. */
	memset(value, 'n', sizeof(value));
	value[URL_PATH_SIZE - 1 - strlen("/v1/nodes?node=") + 1] = '\0';
	ck_assert_int_eq(url_path_add(path, "node", value, &err), -1);
	ck_assert_str_eq(err.text, "node: too long");
	ck_assert_str_eq(path, "/v1/nodes");
	value[URL_PATH_SIZE - 1 - strlen("/v1/nodes?node=")] = '\0';
	ck_assert_int_eq(url_path_add(path, "node", value, &err), 0);
	ck_assert_uint_eq(strlen(path), URL_PATH_SIZE - 1);
	ck_assert_int_eq(url_path_add(path, "a", "", &err), -1);

	/* Bytes that grow to three. */
	strcpy(path, "/v1/nodes");
	memset(value, '/', 300);
	value[300] = '\0';
	ck_assert_int_eq(url_path_add(path, "node", value, &err), -1);
	ck_assert_str_eq(path, "/v1/nodes");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_parameters, test_numbers,
				       test_too_long, NULL };

	return suite_run("url_path", tests);
}
