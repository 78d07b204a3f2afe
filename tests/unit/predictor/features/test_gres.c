/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_gres.c - generic resources, in all forms that Slurm gives them */
#include <string.h>

#include "predictor/features/gres.h"
#include "tests/unit/suite.h"

static const char *printed(const char *text, uint64_t times)
{
	static char ret[128];
	struct gres_list list = { .count = 0 };

	gres_list_add(&list, text, times);
	gres_list_print(&list, ret, sizeof(ret));
	return ret;
}

START_TEST(test_forms)
{
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{ "gpu", "gpu:1" },
		{ "gpu:3", "gpu:3" },
		{ "gpu:a100", "gpu:a100:1" },
		{ "gpu:a100:3", "gpu:a100:3" },
		{ "gres:gpu:a100:3", "gpu:a100:3" },
		{ "gres/gpu:3", "gpu:3" },
		{ "gres/gpu:a100=3", "gpu:a100:3" },
		{ "gres:gpu:2(IDX:0-1)", "gpu:2" },
		{ "shard:7,gpu:2", "gpu:2,shard:7" },
		{ "gpu:a100:1,gpu:v100:2,gpu:a100:4", "gpu:a100:5,gpu:v100:2" },
		{ "bandwidth:lustre:4K", "bandwidth:lustre:4096" },
		/* As sacct has it: the sum beside its parts. */
		{ "billing=8,cpu=8,gres/gpu:a100=3,gres/gpu=3,mem=16G,node=2",
		  "gpu:a100:3" },
		{ "cpu=8,gres/gpu=5,gres/gpu:a100=3", "gpu:5,gpu:a100:3" },
		{ "cpu=4,mem=100M,license/matlab=1", "" },
		{ "gpu:0", "" },
		{ "", "" },
		{ NULL, "" },
		{ ",,:,gpu::,=", "" },
		{ "gpu:a100:x", "" },
		{ "gpu:2x", "gpu:2x:1" },
		{ "a-name-that-is-longer-than-any-of-slurms:2", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ck_assert_msg(
			!strcmp(printed(rows[i].text, 1), rows[i].expected),
			"%s: %s", rows[i].text, printed(rows[i].text, 1));
	ck_assert_str_eq(printed("gpu:a100:3", 7), "gpu:a100:21");
}
END_TEST

/* The text of a list is read as the same list. */
START_TEST(test_stable)
{
	char text[128];

	strcpy(text, printed("shard:7,gpu:v100:2,gpu:1,gres:gpu:a100:4", 3));
	ck_assert_str_eq(text, "gpu:3,gpu:a100:12,gpu:v100:6,shard:21");
	ck_assert_str_eq(printed(text, 1), text);
}
END_TEST

START_TEST(test_bounds)
{
	struct gres_list list = { .count = 0 };
	char text[16];

	gres_list_add(&list, "a,b,c,d,e,f,g,h,i,j", 1);
	ck_assert_int_eq(list.count, GRES_MAX);
	gres_list_print(&list, text, sizeof(text));
	ck_assert_str_eq(text, "a:1,b:1,c:1,d:1");
	gres_list_print(&list, text, 15);
	ck_assert_str_eq(text, "a:1,b:1,c:1");
	gres_list_print(&list, text, 1);
	ck_assert_str_eq(text, "");
	list.count = 0;
	gres_list_add(&list, "gpu:99999999999999999999999999", UINT32_MAX);
	ck_assert_int_eq(list.count, 1);
	ck_assert_uint_gt(list.of[0].count, UINT32_MAX);
}
END_TEST

START_TEST(test_request)
{
	struct gres_request request = { .per_task = "gres:gpu:2" };
	struct gres_list list;
	char total[64], other[64];

	gres_request_total(&request, 2, 6, total, sizeof(total));
	ck_assert_str_eq(total, "gpu:12");
	gres_request_on_node(&request, 1, &list);
	ck_assert_int_eq(list.count, 1);
	ck_assert_uint_eq(list.of[0].count, 2);

	request = (struct gres_request){ .per_node = "gpu:6" };
	gres_request_total(&request, 2, 6, other, sizeof(other));
	ck_assert_str_eq(other, total);
	gres_request_on_node(&request, 1, &list);
	ck_assert_uint_eq(list.of[0].count, 6);

	request = (struct gres_request){ .per_job = "gres/gpu:12",
					 .per_socket = "shard:3" };
	gres_request_total(&request, 2, 6, other, sizeof(other));
	ck_assert_str_eq(other, "gpu:12,shard:6");
	gres_request_on_node(&request, 1, &list);
	ck_assert_int_eq(list.count, 2);
	ck_assert_uint_eq(list.of[0].count, 1); /* of 12, on any node */
	ck_assert_uint_eq(list.of[1].count, 3);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_forms, test_stable, test_bounds, test_request, NULL,
	};

	return suite_run("gres", tests);
}
