/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_show.c - a prediction in words */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/show.h"
#include "tests/unit/suite.h"

static struct prediction example(void)
{
	struct prediction p = {
		.nodes = 2,
		.tasks = 1,
		.limit_s = 3600,
		.basis = BASIS_HISTORY,
		.model = "regression",
		.median_s = 192.4,
		.quantile = 0.9,
		.quantile_s = 90061,
		.runs = 41,
		.evidence_level = EVIDENCE_APPLICATION,
		.evidence_runs = 12,
		.own_runs = 12,
		.last_error = 0.083,
		.assumed_nodes = "n[1-2]",
		.candidates_count = 4,
		.candidates = { { "regression", 192.4 },
				{ "avg2", NAN },
				{ "mean", 207 },
				{ "limit", HUGE_VAL } },
	};

	for (int i = 0; i < PREDICTION_KNOTS; i++)
		p.knots_s[i] = NAN;
	strcpy(p.application.name, "mpirun nbody");
	parameters_set(&p.application.parameters, "n", 8000, NULL);
	conditions_init(&p.conditions);
	return p;
}

/* All that is said of it; the caller frees. */
static char *say(const struct prediction *p)
{
	struct table *facts = show_facts();
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	struct sp_error err;

	ck_assert_ptr_nonnull(file);
	show_answer(facts, p, NULL);
	show_reasons(facts, p, true);
	ck_assert_int_eq(table_print(facts, file, &err), 0);
	fclose(file);
	table_destroy(facts);
	return text;
}

static void expect(const struct prediction *p, const char *const lines[])
{
	char *text = say(p);

	for (int i = 0; lines[i]; i++)
		ck_assert_msg(strstr(text, lines[i]), "no \"%s\" in\n%s",
			      lines[i], text);
	free(text);
}

START_TEST(test_history)
{
	struct prediction p = example();
	const char *const lines[] = {
		"Expected       3m12, under 1d 1h with 90 %\n"
		"Based on       12 similar runs; last error 8 %\n"
		"Assumed nodes  n[1-2]\n",
		"Application    mpirun nbody (n=8000)\n",
		"Model          regression\n",
		"Size           2 nodes, 1 task\n",
		"Conditions     not known\n",
		"Other models   mean 3m27, limit unlimited\n",
		NULL,
	};

	expect(&p, lines);
}
END_TEST

/* Only runs of the application are similar, and only they give a quantile. */
START_TEST(test_whose_runs)
{
	static const struct {
		enum evidence_level level;
		uint32_t own_runs;
		const char *lines[3];
	} rows[] = {
		{ EVIDENCE_APPLICATION,
		  12,
		  { "Based on       12 similar runs;", "with 90 %\n" } },
		{ EVIDENCE_APPLICATION,
		  0,
		  { "12 similar runs of other users;", "with 90 %\n" } },
		{ EVIDENCE_USER,
		  0,
		  { "a guess: about 3m12; the limit is 1h00\n",
		    "Based on       12 runs of the user's other programs;" } },
		{ EVIDENCE_SITE,
		  0,
		  { "a guess: about 3m12; the limit is 1h00\n",
		    "Based on       other users' jobs;" } },
		{ EVIDENCE_NONE, 0, { "a guess" } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct prediction p = example();

		p.evidence_level = rows[i].level;
		p.own_runs = rows[i].own_runs;
		p.knots_s[3] = 100;
		p.knots_s[17] = 300;
		expect(&p, rows[i].lines);

		char *text = say(&p);

		ck_assert_int_eq(strstr(text, "80 %") || strstr(text, "90 %"),
				 rows[i].level == EVIDENCE_APPLICATION);
		free(text);
	}
}
END_TEST

START_TEST(test_beyond_the_runs)
{
	struct prediction p = example();
	const char *const lines[] = {
		"Based on       12 similar runs, none of this size and with "
		"such parameters; last error 8 %\n",
		"Limit too low  7 of 9 runs of this size and parameters would "
		"not have ended within 1h00\n",
		NULL,
	};

	const char *const far[] = {
		"Expected       3m12, 90 % not known\n",
		"Based on       12 similar runs; n 9000, 20 to 600 seen; last "
		"error 8 %\n",
		NULL,
	};

	p.extrapolated = true;
	p.similar_runs = 9;
	p.over_limit = 7;
	expect(&p, lines);
	p.unbounded = true;
	strcpy(p.outside, "n 9000, 20 to 600 seen");
	expect(&p, far);
}
END_TEST

START_TEST(test_chance_to_reach_the_limit)
{
	static const struct {
		double chance;
		const char *line;
	} rows[] = {
		{ 0.05, "At the limit   about 1 of 20 such runs reach it, "
			"1h00\n" },
		{ 0.31, "At the limit   about 1 of 3 such runs reach it, "
			"1h00\n" },
		{ 0.55, "At the limit   about 1 of 2 such runs reach it, "
			"1h00\n" },
		{ 0.68, "At the limit   about 7 of 10 such runs reach it, "
			"1h00\n" },
		{ 0.99, "At the limit   about 10 of 10 such runs reach it, "
			"1h00\n" },
	};
	struct prediction p = example();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *const lines[] = { rows[i].line, NULL };

		p.limit_chance = rows[i].chance;
		expect(&p, lines);
	}
	for (int i = 0; i < 2; i++) {
		p.limit_chance = i ? NAN : 0.049;

		char *text = say(&p);

		ck_assert_ptr_null(strstr(text, "At the limit"));
		free(text);
	}
}
END_TEST

START_TEST(test_unlike_its_runs)
{
	struct prediction p = example();
	const char *const several[] = {
		"Unlike         12 runs with these parameters, 3.4s to 4.2s: "
		"under other load\n",
		NULL,
	};
	const char *const one[] = {
		"Unlike         1 run with these parameters, 3.4s: too few to "
		"go by\n",
		NULL,
	};

	p.unlike = UNLIKE_CONDITIONS;
	p.unlike_runs = 12;
	p.unlike_shortest_s = 3.4;
	p.unlike_longest_s = 4.2;
	expect(&p, several);
	p.unlike = UNLIKE_FEW;
	p.unlike_runs = 1;
	expect(&p, one);
}
END_TEST

START_TEST(test_distribution_and_evidence)
{
	struct prediction p = example();
	const char *const lines[] = {
		"80 % between   1m40 and 15m00\n",
		"Main runs      17 3m20 (62 %), 4294967295 "
		"2.4s (4 %)\n",
		NULL,
	};

	for (int i = 0; i < PREDICTION_KNOTS; i++)
		p.knots_s[i] = 1000 * prediction_knots[i];
	p.knots_s[3] = 100;
	p.evidence_count = 2;
	p.evidence[0] = (struct prediction_evidence){ 17, 200, 0.617 };
	p.evidence[1] = (struct prediction_evidence){ UINT32_MAX, 2.4, 0.04 };
	expect(&p, lines);
}
END_TEST

START_TEST(test_conditions)
{
	struct prediction p = example();
	const char *const lines[] = {
		"CPU load 0.51 (at most 1.02), "
		"CPU available 93 % (at least 88 %), 94.0 Mbit/s, 200 us\n",
		NULL,
	};

	p.conditions = (struct conditions){ .nodes_known = 2,
					    .cpu_load = 0.51,
					    .cpu_load_max = 1.02,
					    .cpu_available = 0.93,
					    .cpu_available_min = 0.88,
					    .bandwidth_bps = 94e6,
					    .latency_s = 2e-4 };
	expect(&p, lines);
}
END_TEST

START_TEST(test_little_is_known)
{
	struct prediction p = example();
	const char *const limit[] = {
		"no similar run is known yet; at most its limit, 1h00\n",
		"Assumed nodes  none known\n",
		NULL,
	};
	const char *const none[] = { "nothing is known yet", NULL };

	p.basis = BASIS_LIMIT;
	p.assumed_nodes[0] = '\0';
	expect(&p, limit);
	p.basis = BASIS_NOTHING;
	p.median_s = p.quantile_s = NAN;
	expect(&p, none);
}
END_TEST

/* As many and as long as they can be: all is printed, in lines of
 * 80 columns. */
START_TEST(test_much)
{
	struct prediction p = example();
	char last[PREDICTION_MODEL_NAME_SIZE] = "";

	unsetenv("COLUMNS");
	memset(p.application.name, 'a', sizeof(p.application.name) - 1);
	for (int i = 0; i < PARAMETERS_MAX; i++) {
		char name[PARAMETER_NAME_SIZE];

		snprintf(name, sizeof(name), "a_rather_long_name_%d", i);
		parameters_set(&p.application.parameters, name, 1.23456e200,
			       NULL);
	}
	p.candidates_count = PREDICTION_MODELS_MAX;
	for (int i = 0; i < PREDICTION_MODELS_MAX; i++) {
		memset(p.candidates[i].model, 'a' + i,
		       PREDICTION_MODEL_NAME_SIZE - 1);
		p.candidates[i].median_s = 1e8;
	}
	memcpy(last, p.candidates[PREDICTION_MODELS_MAX - 1].model,
	       sizeof(last) - 1);

	char *text = say(&p);

	ck_assert_ptr_nonnull(
		strstr(text, "a_rather_long_name_9=1.23456e+200"));
	ck_assert_ptr_nonnull(strstr(text, last));
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		if (!strstr(line, p.application.name))
			ck_assert_uint_le(strcspn(line, "\n"), 80);
	free(text);
}
END_TEST

START_TEST(test_verbose)
{
	struct prediction p = example();
	struct table *facts = show_facts();
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	struct sp_error err;

	ck_assert_ptr_nonnull(file);
	show_reasons(facts, &p, false);
	ck_assert_int_eq(table_print(facts, file, &err), 0);
	fclose(file);
	ck_assert_ptr_null(strstr(text, "Other models"));
	ck_assert_ptr_nonnull(strstr(text, "Model "));
	free(text);
	table_destroy(facts);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_history,
				       test_beyond_the_runs,
				       test_whose_runs,
				       test_distribution_and_evidence,
				       test_conditions,
				       test_little_is_known,
				       test_chance_to_reach_the_limit,
				       test_unlike_its_runs,
				       test_much,
				       test_verbose,
				       NULL };

	setenv("COLUMNS", "200", 1);
	return suite_run("show", tests);
}
