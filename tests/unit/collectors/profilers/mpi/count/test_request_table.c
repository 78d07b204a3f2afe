/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_request_table.c - requests that come, go and come again */
#include <stdlib.h>

#include "collectors/profilers/mpi/count/request_table.h"
#include "tests/unit/suite.h"

static struct request_table table;

static int add(uintptr_t request, int32_t tag)
{
	return request_table_add(
		&table, &(struct pending){ .request = request, .tag = tag });
}

START_TEST(test_handle_is_used_again)
{
	ck_assert_ptr_null(request_table_find(&table, 80));
	ck_assert_int_eq(add(80, 3), 0);
	ck_assert_int_eq(request_table_find(&table, 80)->tag, 3);
	request_table_remove(&table, 80);
	ck_assert_ptr_null(request_table_find(&table, 80));
	ck_assert_int_eq(add(80, 4), 0);
	ck_assert_int_eq(request_table_find(&table, 80)->tag, 4);
	ck_assert_ptr_null(request_table_find(&table, 0));
	request_table_clear(&table);
	ck_assert_ptr_null(request_table_find(&table, 80));
}
END_TEST

/* Against a plain array of 300 handles, of which any may be there. */
START_TEST(test_as_an_array)
{
	int32_t there[300] = { 0 };

	srandom(7);
	for (int32_t step = 1; step < 200000; step++) {
		int i = (int)(random() % 300);
		uintptr_t request = 16 * (uintptr_t)(i + 1);

		if (there[i]) {
			ck_assert_int_eq(
				request_table_find(&table, request)->tag,
				there[i]);
			request_table_remove(&table, request);
			there[i] = 0;
		} else {
			ck_assert_ptr_null(request_table_find(&table, request));
			ck_assert_int_eq(add(request, step), 0);
			there[i] = step;
		}
	}
	for (int i = 0; i < 300; i++) {
		struct pending *found =
			request_table_find(&table, 16 * (uintptr_t)(i + 1));

		ck_assert_int_eq(found ? found->tag : 0, there[i]);
	}
	request_table_clear(&table);
}
END_TEST

START_TEST(test_bounded)
{
	for (uintptr_t i = 1; i <= PENDING_MAX; i++)
		ck_assert_int_eq(add(i, 1), 0);
	ck_assert_int_eq(add(PENDING_MAX + 1, 1), -1);
	request_table_remove(&table, 5);
	ck_assert_int_eq(add(PENDING_MAX + 1, 1), 0);
	request_table_clear(&table);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_handle_is_used_again,
				       test_as_an_array, test_bounded, NULL };

	return suite_run("request_table", tests);
}
