/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_partition_record.c - partitions, and which jobs they take */
#include <check.h>
#include <math.h>
#include <string.h>

#include "predictor/slurm/partition_record.h"
#include "tests/unit/suite.h"

/* As Slurm 22.05 prints them, shortened. */
static const char text[] =
	"PartitionName=main AllowGroups=ALL AllocNodes=ALL Default=YES QoS=N/A "
	"DefaultTime=NONE MaxNodes=UNLIMITED MaxTime=UNLIMITED MinNodes=0 "
	"Nodes=n[1-7] State=UP TotalCPUs=14 TotalNodes=7 "
	"SelectTypeParameters=NONE\n"
	"PartitionName=small Default=NO MaxNodes=2 MaxTime=1-00:10:00 State=UP "
	"TotalNodes=3\n"
	"PartitionName=off Default=NO MaxNodes=UNLIMITED MaxTime=UNLIMITED "
	"State=INACTIVE TotalNodes=3\n"
	"PartitionName=down Default=NO MaxNodes=UNLIMITED MaxTime=UNLIMITED "
	"State=DOWN TotalNodes=3\n";

START_TEST(test_fields)
{
	const char *line = strchr(text, '\n') + 1;
	struct partition_record p;

	ck_assert_int_eq(
		partition_record_parse(line, strcspn(line, "\n"), &p, NULL), 0);
	ck_assert_str_eq(p.name, "small");
	ck_assert_uint_eq(p.nodes, 3);
	ck_assert_uint_eq(p.nodes_max, 2);
	ck_assert_double_eq(p.limit_s, 87000);
	ck_assert(!p.is_default);
	ck_assert_int_eq(partition_record_parse("Nodes=x", 7, &p, NULL), -1);
	ck_assert_double_eq(partition_records_limit_s(text, "main,small"),
			    87000);
	ck_assert(isinf(partition_records_limit_s(text, "main")));
	ck_assert_double_eq(partition_records_limit_s(text, "main,x"), 0);
}
END_TEST

START_TEST(test_verdicts)
{
	static const struct {
		const char *partition;
		uint32_t nodes;
		double limit_s;
		enum submission_verdict verdict;
		const char *why;
	} rows[] = {
		{ NULL, 7, NAN, SUBMISSION_TAKEN, "" },
		{ NULL, 8, NAN, SUBMISSION_NEVER, "main has 7" },
		{ "main", 1, HUGE_VAL, SUBMISSION_TAKEN, "" },
		{ "mai", 1, NAN, SUBMISSION_REFUSED, "no partition mai" },
		{ "main,mainx", 1, NAN, SUBMISSION_REFUSED, "partition mainx" },
		{ "small", 2, 87000, SUBMISSION_TAKEN, "" },
		{ "small", 3, NAN, SUBMISSION_WAITS, "2 at most" },
		{ "small", 4, NAN, SUBMISSION_NEVER, "small has 3" },
		{ "small", 1, 87060, SUBMISSION_WAITS, "MaxTime" },
		{ "small", 1, HUGE_VAL, SUBMISSION_WAITS, "MaxTime" },
		{ "small,main", 3, HUGE_VAL, SUBMISSION_TAKEN, "" },
		{ "off", 1, NAN, SUBMISSION_REFUSED, "INACTIVE" },
		{ "off,down", 1, NAN, SUBMISSION_WAITS, "DOWN" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct submission job;
		struct sp_error why = { "" };

		submission_init(&job);
		job.partition = rows[i].partition;
		job.size.nodes_min = rows[i].nodes;
		job.limit_s = rows[i].limit_s;

		enum submission_verdict got =
			partition_records_judge(text, false, &job, &why);

		ck_assert_msg(got == rows[i].verdict, "row %zu: %d", i, got);
		ck_assert_msg(got == SUBMISSION_TAKEN ||
				      strstr(why.text, rows[i].why),
			      "row %zu: %s", i, why.text);
		if (got != SUBMISSION_TAKEN && !strstr(why.text, "DOWN"))
			ck_assert_int_eq(
				partition_records_judge(text, true, &job, &why),
				SUBMISSION_REFUSED);
	}
}
END_TEST

START_TEST(test_default)
{
	char name[RUN_NAME_SIZE] = "";

	ck_assert_int_eq(
		partition_records_default(strchr(text, '\n') + 1, name), -1);
	ck_assert_str_eq(name, "");
	ck_assert_int_eq(partition_records_default(text, name), 0);
	ck_assert_str_eq(name, "main");
}
END_TEST

/* No default is known, or scontrol prints something else. */
START_TEST(test_unknown)
{
	struct submission job;

	submission_init(&job);
	job.size.nodes_min = 99;
	ck_assert_int_eq(partition_records_judge("", false, &job, NULL),
			 SUBMISSION_TAKEN);
	ck_assert_int_eq(partition_records_judge("x\n\n", false, &job, NULL),
			 SUBMISSION_TAKEN);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_fields, test_verdicts, test_default,
				       test_unknown, NULL };

	return suite_run("partition_record", tests);
}
