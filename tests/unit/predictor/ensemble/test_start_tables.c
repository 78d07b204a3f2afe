/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_start_tables.c - a file of what models have learned elsewhere */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/ensemble/ensemble.h"
#include "predictor/ensemble/start_tables.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

START_TEST(test_file_and_back)
{
	struct ensemble *ensemble = ensemble_create();
	size_t size;
	char *learned = ensemble_print_learned(ensemble, &size), *text;
	struct sp_error err;

	folder_make();
	ck_assert_int_eq(
		start_tables_write(folder_path("a.tables"), learned, &err), 0);
	text = start_tables_read(folder_path("a.tables"), &err);
	ck_assert_msg(text != NULL, "%s", err.text);
	ck_assert_str_eq(text, learned);
	ck_assert_int_eq(ensemble_set_start(ensemble, text, strlen(text), &err),
			 0);
	free(text);
	/* A link, as an admin may have it. */
	ck_assert_int_eq(symlink("a.tables", folder_path("b.tables")), 0);
	text = start_tables_read(folder_path("b.tables"), &err);
	ck_assert_ptr_nonnull(text);
	free(text);
	free(learned);
	ensemble_destroy(ensemble);
	folder_remove();
}
END_TEST

/* The error names the file, and the line. */
START_TEST(test_damaged_files)
{
	struct sp_error err;

	folder_make();
	ck_assert_ptr_null(start_tables_read(folder_path("none"), &err));
	ck_assert(strstr(err.text, "none: No such file"));
	start_tables_write(folder_path("cut"),
			   "slurm-predict start tables 1\nmatch 3 0.", NULL);
	ck_assert_ptr_null(start_tables_read(folder_path("cut"), &err));
	ck_assert(strstr(err.text, "cut: line 2: no entry of a table"));
	ck_assert_ptr_null(start_tables_read(folder_path("."), &err));
	ck_assert_int_eq(start_tables_write(folder_path("no/where"), "", &err),
			 -1);
	ck_assert(strstr(err.text, "no/where: No such file"));
	folder_remove();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_file_and_back,
		test_damaged_files,
		NULL,
	};

	return suite_run("start_tables", tests);
}
