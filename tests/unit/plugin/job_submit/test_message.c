/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_message.c - the one line that a user reads */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/job_submit/message.h"
#include "tests/unit/suite.h"

static struct prediction_answer known(void)
{
	return (struct prediction_answer){
		.basis = BASIS_HISTORY,
		.median_s = 192,
		.quantile = 0.9,
		.quantile_s = 245,
		.evidence_level = EVIDENCE_APPLICATION,
		.evidence_runs = 41,
		.own_runs = 41,
		.last_error = 0.0834,
		.limit_s = NAN,
	};
}

static const char *say(const struct prediction_answer *p, uint32_t limit_min)
{
	static char text[MESSAGE_SIZE];

	return message_format(MESSAGE_ON, p, limit_min, text);
}

START_TEST(test_history)
{
	struct prediction_answer p = known();

	ck_assert_str_eq(say(&p, 0),
			 "predict: 3m12 expected, under 4m05 with 90% "
			 "(41 similar runs, last error 8%)");
	ck_assert_str_eq(say(&p, 5),
			 "predict: 3m12 expected, under 4m05 with 90% (41 "
			 "similar runs, last error 8%); limit set to 5m00");
	p.evidence_runs = 1;
	p.last_error = NAN;
	p.quantile = 0.999;
	ck_assert_str_eq(say(&p, 0),
			 "predict: 3m12 expected, under 4m05 with 99.9% "
			 "(1 similar run)");
	p.last_error = 4000;
	ck_assert_ptr_nonnull(strstr(say(&p, 0), "last error above 1000%"));
	p.own_runs = 0;
	p.last_error = NAN;
	ck_assert_str_eq(say(&p, 0),
			 "predict: 3m12 expected, under 4m05 with 99.9% "
			 "(1 similar run of other users)");
}
END_TEST

START_TEST(test_bundle)
{
	struct prediction_answer p = known();
	char text[MESSAGE_SIZE];

	p.median_s = 12;
	ck_assert_ptr_null(message_bundle(MESSAGE_ON, &p, 1000, text));
	p.start_cost_s = 3.26;
	ck_assert_str_eq(message_bundle(MESSAGE_ON, &p, 1000, text),
			 "predict: starting a job takes 3.3s, and each of the "
			 "1000 tasks 12s: `spredict bundle` tells how many a "
			 "job should run");
	ck_assert_ptr_null(message_bundle(MESSAGE_ON, &p, 99, text));
	ck_assert_ptr_null(message_bundle(MESSAGE_OFF, &p, 1000, text));
	p.median_s = 14;
	ck_assert_ptr_null(message_bundle(MESSAGE_ON, &p, 1000, text));
	p.median_s = 12;
	p.evidence_level = EVIDENCE_USER;
	ck_assert_ptr_null(message_bundle(MESSAGE_ON, &p, 1000, text));
}
END_TEST

START_TEST(test_assumed_nodes)
{
	struct prediction_answer p = known();

	strcpy(p.nodes_shown, "gpu-[1-2,7].b_c");
	ck_assert_str_eq(say(&p, 5),
			 "predict: 3m12 expected, under 4m05 with 90% (41 "
			 "similar runs, last error 8%) on gpu-[1-2,7].b_c; "
			 "limit set to 5m00");
	strcpy(p.nodes_shown, "n1\nsbatch: error");
	ck_assert_ptr_null(strstr(say(&p, 0), " on "));
}
END_TEST

START_TEST(test_nothing_known)
{
	struct prediction_answer p = known();

	p.basis = BASIS_LIMIT;
	p.limit_s = 600;
	ck_assert_str_eq(say(&p, 0), "predict: no similar run is known yet; "
				     "your limit is 10m00");
	p.limit_s = HUGE_VAL;
	ck_assert_str_eq(say(&p, 0),
			 "predict: nothing is known yet about this job");
	p.basis = BASIS_NOTHING;
	p.limit_s = NAN;
	ck_assert_str_eq(say(&p, 0),
			 "predict: nothing is known yet about this job");
}
END_TEST

START_TEST(test_beyond_the_runs)
{
	struct prediction_answer p = known();

	p.extrapolated = true;
	ck_assert_str_eq(say(&p, 0),
			 "predict: 3m12 expected, under 4m05 with 90% "
			 "(extrapolated from 41 runs of other sizes or "
			 "parameters, last error 8%)");
	strcpy(p.outside, "steps 3000, 200 to 600 seen");
	ck_assert_str_eq(say(&p, 0),
			 "predict: 3m12 expected, under 4m05 with 90% "
			 "(extrapolated from 41 runs: steps 3000, 200 to 600 "
			 "seen, last error 8%)");
	p.unbounded = true;
	strcpy(p.outside, "none with CLASS=W\n");
	ck_assert_str_eq(say(&p, 0),
			 "predict: 3m12 expected, 90% not known (extrapolated "
			 "from 41 runs: none with CLASS=W?, last error 8%)");
	p.own_runs = 0;
	ck_assert_ptr_nonnull(
		strstr(say(&p, 0), "from 41 runs of other users: none"));
	p.own_runs = 41;
	p.unbounded = p.extrapolated = false;
	*p.outside = '\0';
	p.limit_s = 180;
	p.similar_runs = 20;
	p.over_limit = 2;
	ck_assert_ptr_null(strstr(say(&p, 0), "your limit"));
	p.over_limit = 3;
	ck_assert_str_eq(say(&p, 0),
			 "predict: 3m12 expected, under 4m05 with 90% (41 "
			 "similar runs, last error 8%); 3 of 20 runs of this "
			 "size and parameters would not have ended within your "
			 "limit");
	p.similar_runs = p.over_limit = 2;
	ck_assert_ptr_null(strstr(say(&p, 0), "your limit"));
}
END_TEST

/* What rests on no run of the application has no quantile, and is not called
 * similar. */
START_TEST(test_guess)
{
	struct prediction_answer p = known();

	p.evidence_level = EVIDENCE_USER;
	p.evidence_runs = 3;
	p.own_runs = 0;
	p.limit_s = 36000;
	ck_assert_str_eq(say(&p, 0),
			 "predict: a guess: about 3m12, from 3 runs of your "
			 "other programs; your limit is 10h00");
	p.evidence_runs = 1;
	p.limit_s = HUGE_VAL;
	ck_assert_str_eq(say(&p, 0), "predict: a guess: about 3m12, from 1 "
				     "run of your other programs");
	p.evidence_level = EVIDENCE_SITE;
	p.limit_s = 180;
	p.similar_runs = p.over_limit = 3;
	ck_assert_str_eq(say(&p, 0),
			 "predict: a guess: about 3m12, from other users' "
			 "jobs; your limit is 3m00; 3 of 3 runs of this size "
			 "and parameters would not have ended within your "
			 "limit");
}
END_TEST

START_TEST(test_when)
{
	char text[MESSAGE_SIZE];
	struct prediction_answer p = known();

	ck_assert_ptr_null(message_format(MESSAGE_OFF, &p, 0, text));
	ck_assert_ptr_nonnull(message_format(MESSAGE_KNOWN, &p, 0, text));
	p.unfit = true;
	ck_assert_ptr_null(message_format(MESSAGE_ON, &p, 0, text));
	p.unfit = false;
	p.evidence_level = EVIDENCE_SITE;
	ck_assert_ptr_null(message_format(MESSAGE_KNOWN, &p, 0, text));
	p.evidence_level = EVIDENCE_USER;
	ck_assert_ptr_null(message_format(MESSAGE_KNOWN, &p, 0, text));
	p.basis = BASIS_LIMIT;
	p.limit_s = 600;
	ck_assert_ptr_null(message_format(MESSAGE_OFF, &p, 0, text));
	ck_assert_ptr_null(message_format(MESSAGE_KNOWN, &p, 0, text));
	p.basis = BASIS_NOTHING;
	ck_assert_ptr_null(message_format(MESSAGE_KNOWN, &p, 0, text));
}
END_TEST

static const char *with_start(struct prediction_answer *p, double priority,
			      const char *before)
{
	static char text[MESSAGE_SIZE];

	strcpy(text, before);
	message_add_start(p, priority, 1.7e9, text); /* Tue 22:13:20 */
	return text;
}

START_TEST(test_start)
{
	static const double starts[PREDICTION_STARTS] = { 17,   500, 0, 1, 2,
							  400,  0,   1, 2, 300,
							  0,    1,   2, 0, 1800,
							  3600, 5400 };
	struct prediction_answer p = known();

	setenv("TZ", "UTC", 1);
	ck_assert_str_eq(with_start(&p, 100, "predict: x"), "predict: x");
	p.starts_known = true;
	memcpy(p.starts, starts, sizeof(starts));
	ck_assert_str_eq(with_start(&p, 300, "predict: x"),
			 "predict: x; starts about 23:13 (22:43-23:43)");
	ck_assert_str_eq(with_start(&p, 0, ""),
			 "predict: starts about 23:13 (22:43-23:43)");
	ck_assert_str_eq(with_start(&p, 301, ""), "predict: starts at once");
	ck_assert_str_eq(with_start(&p, 501, ""), "predict: starts at once");
	p.starts[15] = p.starts[16] = 86400;
	ck_assert_str_eq(with_start(&p, 0, ""),
			 "predict: starts about Wed 22:13 (22:43-Wed 22:13)");
	p.starts[16] = 1e300;
	ck_assert_str_eq(with_start(&p, 0, "x"), "x");
	p.starts[15] = NAN;
	ck_assert_str_eq(with_start(&p, 0, "x"), "x");
}
END_TEST

/* Whatever the numbers are, it is one printable line that fits. */
START_TEST(test_odd_numbers)
{
	static const double odd[] = { NAN,  -1,       0,        1e-9,
				      0.04, 59.96,    1e6,      1e15,
				      1e99, HUGE_VAL, -HUGE_VAL };
	size_t count = sizeof(odd) / sizeof(*odd);

	for (size_t i = 0; i < count * count * count; i++) {
		struct prediction_answer p = known();

		p.median_s = odd[i % count];
		p.quantile_s = odd[i / count % count];
		p.last_error = odd[i / count / count];
		p.evidence_runs = UINT32_MAX;
		p.similar_runs = p.over_limit = UINT32_MAX;
		p.extrapolated = i % 2;
		p.evidence_level = (enum evidence_level)(i % EVIDENCE_COUNT);
		p.limit_s = odd[i / count % count];

		const char *text = say(&p, UINT32_MAX);

		ck_assert_uint_lt(strlen(text), MESSAGE_SIZE - 1);
		for (; *text; text++)
			ck_assert(*text >= ' ' && *text <= '~');
	}
}
END_TEST

START_TEST(test_note)
{
	struct prediction_answer p = known();
	char note[MESSAGE_NOTE_SIZE];

	ck_assert_ptr_null(message_note(&p, true, note));
	strcpy(p.id, "0123456789abcdef");
	p.median_s = 3720;
	p.quantile_s = 5400;
	ck_assert_str_eq(message_note(&p, true, note),
			 "predict=0123456789abcdef:p50=1h02,p90=1h30");
	p.quantile_s = 100000; /* one word */
	ck_assert_str_eq(message_note(&p, true, note),
			 "predict=0123456789abcdef:p50=1h02,p90=1d4h");
	ck_assert_str_eq(message_note(&p, false, note),
			 "predict=0123456789abcdef");
	p.evidence_level = EVIDENCE_USER;
	ck_assert_str_eq(message_note(&p, true, note),
			 "predict=0123456789abcdef");
	p.evidence_level = EVIDENCE_APPLICATION;
	p.quantile = 0.975;
	p.median_s = 1e300;
	p.quantile_s = HUGE_VAL;
	/* No blank, which would end the field in scontrol's output. */
	ck_assert_ptr_nonnull(message_note(&p, true, note));
	ck_assert_ptr_null(strpbrk(note, " \n\t"));
	ck_assert_ptr_nonnull(strstr(note, ",p97.5="));
	p.basis = BASIS_LIMIT;
	ck_assert_str_eq(message_note(&p, true, note),
			 "predict=0123456789abcdef");
}
END_TEST

START_TEST(test_number_of_nodes)
{
	static const struct moldable_goal by_index = { .aim = MOLDABLE_INDEX };
	struct placement_curve curve = { .from = 1,
					 .reach = 64,
					 .c_s = { 60, 2400, 0, 4 } };
	char text[MESSAGE_SIZE];

	ck_assert_str_eq(message_nodes(&curve, &by_index, NAN, 8, 32, text),
			 "predict: 12 of 8-32 nodes is best (5m08, 67% "
			 "efficient); 24 is fastest (4m16)");
	ck_assert_str_eq(message_nodes(&curve, &by_index, NAN, 30, 32, text),
			 "predict: 30 of 30-32 nodes is best (4m20, 32% "
			 "efficient), and the fastest");
	ck_assert_ptr_null(message_nodes(&curve, &by_index, NAN, 70, 80, text));
	/* Within its limit only on many. */
	ck_assert_str_eq(message_nodes(&curve, &by_index, 312, 8, 32, text),
			 "predict: 20 of 8-32 nodes is best (4m20, 47% "
			 "efficient); 24 is fastest (4m16)");
	curve.reach = 0;
	ck_assert_ptr_null(message_nodes(&curve, &by_index, NAN, 1, 8, text));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_guess,         test_bundle,          test_history,
		test_assumed_nodes, test_nothing_known,   test_beyond_the_runs,
		test_when,          test_start,           test_odd_numbers,
		test_note,          test_number_of_nodes, NULL,
	};

	return suite_run("message", tests);
}
