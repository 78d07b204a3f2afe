/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_preload.c - what the user preloads is never cut */
#include <stdlib.h>
#include <string.h>

#include "plugin/spank/preload.h"
#include "tests/unit/suite.h"

#define LIBRARY "/usr/lib/libpredict_mpi.so"

static void check(const char *loaded, const char *expected)
{
	char *text = preload_join(LIBRARY, loaded);

	if (expected)
		ck_assert_str_eq(text, expected);
	else
		ck_assert_ptr_null(text);
	free(text);
}

START_TEST(test_join)
{
	check("", LIBRARY);
	check("liba.so b.so", LIBRARY ":liba.so b.so");
	check("x:" LIBRARY, NULL);
}
END_TEST

START_TEST(test_long)
{
	static char loaded[PRELOAD_TEXT_MAX + 1];
	size_t room = PRELOAD_TEXT_MAX - strlen(LIBRARY ":");
	char *text;

	memset(loaded, 'a', room);
	text = preload_join(LIBRARY, loaded);
	ck_assert_uint_eq(strlen(text), PRELOAD_TEXT_MAX);
	ck_assert_str_eq(text + strlen(LIBRARY ":"), loaded);
	free(text);
	loaded[room] = 'a';
	check(loaded, NULL);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_join, test_long, NULL };

	return suite_run("preload", tests);
}
