/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_partition_sums.c - figures of a partition, for monitoring */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/scheduler/partition_sums.h"
#include "tests/unit/suite.h"

START_TEST(test_few_users)
{
	struct few_users users = { 0 };

	for (int round = 0; round < 3; round++)
		for (uint32_t user = 1000; user < 1000 + FEW_USERS - 1; user++)
			few_users_add(&users, user);
	ck_assert_uint_eq(users.count, FEW_USERS - 1);
	for (uint32_t user = 0; user < 7; user++)
		few_users_add(&users, user);
	ck_assert_uint_eq(users.count, FEW_USERS);
}
END_TEST

START_TEST(test_rows)
{
	struct partition_list *list = calloc(1, sizeof(*list));
	struct partition_row *row = partition_list_get(list, "tiny", "main");
	char name[16];

	ck_assert_str_eq(row->cluster, "tiny");
	ck_assert_str_eq(row->partition, "main");
	ck_assert_ptr_eq(partition_list_get(list, "tiny", "main"), row);
	ck_assert_ptr_ne(partition_list_get(list, "big", "main"), row);
	/* They would end the label of a metric. */
	ck_assert_ptr_null(partition_list_get(list, "tiny", "a\"b"));
	ck_assert_ptr_null(partition_list_get(list, "tiny", "a\\"));
	ck_assert_ptr_null(partition_list_get(list, "a\nb", "main"));
	ck_assert_uint_eq(list->count, 2);
	for (int i = 0; i < PARTITIONS_MAX; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		partition_list_get(list, "tiny", name);
	}
	ck_assert_uint_eq(list->count, PARTITIONS_MAX);
	ck_assert_ptr_null(partition_list_get(list, "tiny", "one more"));
	free(list);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_few_users, test_rows, NULL };

	return suite_run("partition_sums", tests);
}
