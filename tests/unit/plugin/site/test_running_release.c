/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_running_release.c - what a plugin built for one release does
 * in another */
#include <string.h>

#include "plugin/site/running_release.h"
#include "tests/unit/suite.h"

#define NUM SLURM_VERSION_NUM

START_TEST(test_public)
{
	ck_assert(release_fits(NUM(22, 5, 11), NUM(22, 5, 8)));
	ck_assert(release_fits(NUM(24, 11, 0), NUM(24, 11, 99)));
	ck_assert(!release_fits(NUM(22, 5, 8), NUM(23, 2, 8)));
	ck_assert(!release_fits(NUM(24, 5, 8), NUM(25, 5, 8)));
}
END_TEST

START_TEST(test_inside)
{
	ck_assert(release_fits_inside(NUM(22, 5, 11), NUM(22, 5, 8)));
	ck_assert(release_fits_inside(NUM(22, 5, 0), NUM(22, 5, 11)));
	ck_assert(release_fits_inside(NUM(22, 5, 77), NUM(22, 5, 77)));
	/* Newer than what has been compared. */
	ck_assert(!release_fits_inside(NUM(22, 5, 8), NUM(22, 5, 12)));
	ck_assert(!release_fits_inside(NUM(27, 5, 1), NUM(27, 5, 2)));
	/* A field has moved. */
	ck_assert(release_fits_inside(NUM(23, 2, 0), NUM(23, 2, 2)));
	ck_assert(!release_fits_inside(NUM(23, 2, 2), NUM(23, 2, 3)));
	ck_assert(!release_fits_inside(NUM(24, 11, 4), NUM(24, 11, 3)));
	ck_assert(!release_fits_inside(NUM(24, 11, 0), NUM(24, 11, 2)));
	ck_assert(release_fits_inside(NUM(24, 11, 7), NUM(24, 11, 4)));
	ck_assert(!release_fits_inside(NUM(22, 5, 8), NUM(23, 2, 0)));
	ck_assert(!release_fits_inside(NUM(26, 5, 4), NUM(26, 5, 5)));
}
END_TEST

/* No plugin of Slurm's is in this process. */
START_TEST(test_no_plugins)
{
	ck_assert_uint_eq(running_release(), 0);
}
END_TEST

START_TEST(test_format)
{
	char text[RELEASE_TEXT_SIZE];

	release_format(NUM(22, 5, 11), text);
	ck_assert_str_eq(text, "22.05.11");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_public, test_inside,
				       test_no_plugins, test_format, NULL };

	return suite_run("running_release", tests);
}
