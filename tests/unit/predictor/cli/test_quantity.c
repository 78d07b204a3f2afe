/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_quantity.c - numbers with three digits and a prefix of their unit */
#include <check.h>
#include <math.h>

#include "predictor/cli/quantity.h"
#include "tests/unit/suite.h"

START_TEST(test_quantities)
{
	static const struct {
		double value;
		const char *unit, *text;
	} cases[] = {
		{ 3.62e9, "bit/s", "3.62 Gbit/s" },
		{ 94e6, "bit/s", "94.0 Mbit/s" },
		{ 999.6, "B", "1.00 kB" },
		{ 999.4, "B", "999 B" },
		{ 9.996, "s", "10.0 s" },
		{ 1.08e-5, "s", "10.8 us" },
		{ 2e-4, "", "200u" },
		{ 3e17, "", "300000T" },
		{ 1e-12, "s", "0.00 ns" },
		{ 0, "s", "0.00 ns" },
		{ -3, "s", "-" },
		{ NAN, "", "-" },
	};
	char text[QUANTITY_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_str_eq(
			quantity_format(cases[i].value, cases[i].unit, text),
			cases[i].text);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_quantities, NULL };

	return suite_run("quantity", tests);
}
