/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_recent_models.c - models of the last submitted jobs */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "plugin/site/recent_models.h"
#include "tests/unit/suite.h"

static void put(unsigned number)
{
	char id[17], text[RECENT_MODEL_SIZE];

	snprintf(id, sizeof(id), "%016x", number);
	snprintf(text, sizeof(text), "of %u", number);
	recent_models_put(id, text);
}

static void expect(unsigned number, const char *want)
{
	char id[32], text[RECENT_MODEL_SIZE] = "as it was";

	/* As in a comment, with something behind. */
	snprintf(id, sizeof(id), "%016x,predict=", number);
	ck_assert_int_eq(predict_recent_model(id, text), want ? 0 : -1);
	ck_assert_str_eq(text, want ? want : "as it was");
}

START_TEST(test_keeps_the_newest)
{
	expect(0, NULL);
	for (unsigned i = 1; i <= RECENT_MODELS_MAX + 10; i++)
		put(i);
	expect(10, NULL);
	expect(11, "of 11");
	expect(RECENT_MODELS_MAX + 10, "of 2058");
	/* Told anew. */
	recent_models_put("0000000000000800", "again");
	expect(0x800, "again");
}
END_TEST

START_TEST(test_keeps_no_nonsense)
{
	char text[RECENT_MODEL_SIZE + 1];

	memset(text, '1', RECENT_MODEL_SIZE);
	text[RECENT_MODEL_SIZE] = '\0';
	recent_models_put("0000000000000007", text);
	expect(7, NULL);
	recent_models_put("0000000000000007", "");
	expect(7, NULL);
	recent_models_put("7", "of a short id");
	expect(7, NULL);
	text[RECENT_MODEL_SIZE - 1] = '\0';
	recent_models_put("0000000000000007", text);
	expect(7, text);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_keeps_the_newest,
		test_keeps_no_nonsense,
		NULL,
	};

	return suite_run("told", tests);
}
