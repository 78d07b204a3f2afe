/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_masked_name.c - names without what changes from run to run */
#include <string.h>

#include "predictor/features/script/command/masked_name.h"
#include "tests/unit/suite.h"

static const char *masked(const char *text)
{
	static char name[96];

	name[0] = '\0';
	masked_name_append(name, sizeof(name), text);
	return name;
}

START_TEST(test_masks)
{
	static const struct {
		const char *text, *masked;
	} cases[] = {
		{ "", "" },
		{ "solver", "solver" },
		{ "run_1234.b5", "run_#.b#" },
		{ "17", "#" },
		{ "v1.2.7", "v#" },
		{ "v1.2", "v#" },
		{ "a-2024-12-01", "a-#" },
		{ "a-20241201", "a-#" },
		{ "a_12Jan2024", "a_#" },
		{ "a_3-feb-24.x", "a_#.x" },
		{ "12Janx2024", "#Janx#" },
		{ "1_2", "#" },
		{ "a3f9c2e1b7", "#" },
		{ "x_a3f9c2e1b7.sh", "x_#.sh" },
		{ "deadbeef", "deadbeef" },
		{ "ab12", "ab#" },
		{ "550e8400-e29b-41d4-a716-446655440000", "#" },
		{ "tmp.Xa81bcQz9P", "tmp.#" },
		{ "tmpab12cd34", "tmp#" },
		{ "tmp", "tmp" },
		{ "tmp.c", "tmp.c" },
		{ "in.$SLURM_JOB_ID", "in.#" },
		{ "x${A}y$(b c)", "x#y#" },
		{ "`date`.x", "#.x" },
		{ "$", "$" },
		{ "heat3d", "heat3d" },
		{ "heat2D.x", "heat2D.x" },
		{ "heat4d", "heat#d" },
		{ "heat13d", "heat#d" },
		{ "cp2k", "cp2k" },
		{ "pdb2gmx", "pdb2gmx" },
		{ "namd2", "namd#" },
		{ "a b\tc\xff", "a_b_c_" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_str_eq(masked(cases[i].text), cases[i].masked);
}
END_TEST

START_TEST(test_is_cut)
{
	char name[8] = "abc";

	masked_name_append(name, sizeof(name), "defghij");
	ck_assert_str_eq(name, "abcdefg");
	masked_name_append(name, sizeof(name), "7");
	ck_assert_str_eq(name, "abcdefg");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_masks, test_is_cut, NULL };

	return suite_run("masked_name", tests);
}
