/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trace_name.c - ranks agree, and programs differ */
#include <stdlib.h>
#include <string.h>

#include "collectors/profilers/mpi/trace/trace_name.h"
#include "collectors/runs/trace_path.h"
#include "tests/unit/suite.h"

START_TEST(test_names)
{
	char names[2 * TRACE_PROGRAMS][TRACE_NAME_SIZE];
	struct trace_path path;

	unsetenv("PREDICT_TRACE_DIR");
	ck_assert(!trace_name_is_set());
	setenv("PREDICT_TRACE_DIR", "/spool/17", 1);
	ck_assert(trace_name_is_set());
	for (int i = 0; i < 2 * TRACE_PROGRAMS; i++) {
		setenv("PMIX_NAMESPACE", i % 2 ? "prterun-a-7@1" : "slurm.7.1",
		       1);
		ck_assert_int_eq(trace_name_make(4095, 4096, i / 2, names[i]),
				 0);
		ck_assert(!strncmp(names[i], "/spool/17/", 10));
		/* collectord takes it for a trace. */
		ck_assert_int_eq(trace_path_file(names[i] + 10, &path), 0);
		ck_assert_int_eq(path.rank, 4095);
		for (int k = 0; k < i; k++)
			ck_assert_str_ne(names[i], names[k]);
	}

	char again[TRACE_NAME_SIZE];

	setenv("PMIX_NAMESPACE", "slurm.7.1", 1);
	ck_assert_int_eq(trace_name_make(0, 4096, 3, again), 0);
	ck_assert(!strncmp(again, names[6], strlen(names[6]) - 4));
	/* A program of another size. */
	ck_assert_int_eq(trace_name_make(0, 4095, 3, again), 0);
	ck_assert(strncmp(again, names[6], strlen(names[6]) - 4));
}
END_TEST

START_TEST(test_too_long)
{
	char folder[TRACE_NAME_SIZE], path[TRACE_NAME_SIZE];

	memset(folder, 'a', sizeof(folder) - 19);
	folder[sizeof(folder) - 20] = '\0';
	setenv("PREDICT_TRACE_DIR", folder, 1);
	ck_assert_int_eq(trace_name_make(1, 11, 0, path), 0);
	ck_assert_int_eq(trace_name_make(10, 11, 0, path), -1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_names, test_too_long, NULL };

	return suite_run("trace_name", tests);
}
