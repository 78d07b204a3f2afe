/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_recognise.c - two farms, and six programs that are none
 *
 * The numbers are what libpredict_mpi.so wrote for the programs of contrib/mpi,
 * on three and on four processes of one machine.
 */
#include <math.h>

#include "predictor/farm/recognise.h"
#include "tests/unit/suite.h"

#define PROCESSES 4

struct program {
	const char *name;
	int count;
	enum farm_kind kind;
	/* rank, peer, messages, bytes, to the peer, bytes, asked any, own
	 * seconds, tasks, their seconds, sum of squares */
	double rows[PROCESSES][11];
};

/* clang-format off */
static const struct program programs[] = {
	{ "sweep", 3, FARM_DYNAMIC, {
		{ 0, 2, 602, 52848, 313, 27480, 602, .001748, 313, .000517, 7.02161224e-09 },
		{ 1, 0, 289, 25368, 289, 25368, 0, .925171, 288, .924642, .00365392678 },
		{ 2, 0, 313, 27480, 313, 27480, 0, 1.012396, 312, 1.011858, .00406709319 } } },
	{ "sweep", 4, FARM_DYNAMIC, {
		{ 0, 1, 603, 52872, 228, 20000, 603, .002101, 228, .000412, 1.92660613e-09 },
		{ 1, 0, 228, 20000, 228, 20000, 0, .730934, 227, .730502, .00287353904 },
		{ 2, 0, 180, 15776, 180, 15776, 0, .611853, 179, .611517, .00254853306 },
		{ 3, 0, 195, 17096, 195, 17096, 0, .591300, 194, .590930, .00223691111 } } },
	{ "tiles", 4, FARM_DYNAMIC, {
		{ 0, 2, 33, 7865112, 12, 2883872, 33, .000598, 12, .000028, 7.1064923e-11 },
		{ 1, 0, 11, 2621704, 11, 2621704, 0, 1.693934, 10, 1.693808, .301394595 },
		{ 2, 0, 12, 2883872, 12, 2883872, 0, 1.822233, 11, 1.822104, .316825437 },
		{ 3, 0, 10, 2359536, 10, 2359536, 0, 1.527087, 9, 1.526933, .2690768 } } },
	{ "nbody", 4, FARM_STATIC, {
		{ 0, 1, 63, 3528000, 21, 1176000, 0, .031704, 0, 0, 0 },
		{ 1, 0, 21, 280008, 21, 280008, 0, .030780, 20, .029785, 4.44096657e-05 },
		{ 2, 0, 21, 280008, 21, 280008, 0, .030583, 20, .029943, 4.48682834e-05 },
		{ 3, 0, 21, 280008, 20, 280000, 0, .030708, 20, .030411, 4.62866914e-05 } } },
	/* In a line of three all messages meet in the middle. */
	{ "heat", 3, FARM_STATIC, {
		{ 0, 1, 100, 241600, 100, 241600, 0, .003809, 100, .000114, 7.67806859e-10 },
		{ 1, 0, 201, 483208, 101, 241608, 0, .003454, 99, .003249, 1.53197696e-07 },
		{ 2, 1, 101, 241608, 100, 241600, 0, .003806, 99, .003571, 2.02165528e-07 } } },
	{ "heat", 4, FARM_NONE, {
		{ 0, 1, 100, 241600, 100, 241600, 0, .004879, 100, .00013, 1.75531829e-10 },
		{ 1, 0, 201, 483208, 101, 241608, 0, .004855, 99, .004501, 3.11145836e-07 },
		{ 2, 1, 201, 483208, 100, 241600, 0, .004849, 99, .004567, 3.06820953e-07 },
		{ 3, 2, 101, 241608, 100, 241600, 0, .004619, 99, .004321, 2.50358175e-07 } } },
	{ "cg", 3, FARM_NONE, {
		{ 0, 1, 821, 21441208, 620, 10722280, 0, .106886, 0, 0, 0 },
		{ 1, 0, 1240, 21447776, 620, 10723888, 0, .100333, 0, 0, 0 },
		{ 2, 1, 821, 21444424, 620, 10723888, 0, .099991, 0, 0, 0 } } },
	{ "cg", 4, FARM_NONE, {
		{ 0, 2, 1240, 24126704, 620, 16083352, 0, .100102, 0, 0, 0 },
		{ 1, 0, 1240, 24126704, 620, 8043352, 0, .097925, 0, 0, 0 },
		{ 2, 0, 1240, 24126704, 620, 16083352, 0, .096818, 0, 0, 0 },
		{ 3, 1, 1240, 24126704, 620, 16083352, 0, .093030, 0, 0, 0 } } },
	{ "isort", 4, FARM_NONE, {
		{ 0, 1, 62, 7500752, 21, 2501328, 0, .061989, 0, 0, 0 },
		{ 1, 0, 63, 7497228, 22, 2498688, 0, .055789, 0, 0, 0 },
		{ 2, 0, 63, 7497124, 22, 2500412, 0, .058242, 0, 0, 0 },
		{ 3, 1, 63, 7502504, 22, 2502088, 0, .054770, 0, 0, 0 } } },
	{ "pipeline", 3, FARM_NONE, {
		{ 0, 1, 501, 200004, 501, 200004, 0, .024698, 0, 0, 0 },
		{ 1, 2, 500, 200000, 500, 200000, 0, .025099, 0, 0, 0 },
		{ 2, 0, 1, 4, 1, 4, 0, .025326, 0, 0, 0 } } },
	{ "ep", 4, FARM_NONE, {
		{ 0, -1, 0, 0, 0, 0, 0, .062007, 0, 0, 0 },
		{ 1, 0, 1, 80, 1, 80, 0, .061289, 0, 0, 0 },
		{ 2, 0, 1, 80, 1, 80, 0, .058090, 0, 0, 0 },
		{ 3, 1, 1, 80, 1, 80, 0, .059123, 0, 0, 0 } } },
};
/* clang-format on */

static void processes_of(const struct program *p, struct farm_process ret[])
{
	for (int i = 0; i < p->count; i++) {
		const double *r = p->rows[i];

		ret[i] = (struct farm_process){
			.rank = (int)r[0],
			.processes = 1,
			.peer = (int)r[1],
			.messages = r[2],
			.bytes = r[3],
			.peer_messages = r[4],
			.peer_bytes = r[5],
			.asked_any = r[6],
			.own_s = r[7],
			.tasks = r[8],
			.tasks_s = r[9],
			.tasks_s2 = r[10],
			.speed = 1,
			.available = 1,
		};
	}
}

START_TEST(test_programs)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		const struct program *p = &programs[i];
		struct farm_process of[PROCESSES];
		struct farm_seen seen;

		processes_of(p, of);
		farm_recognise(of, p->count, &seen);
		ck_assert_msg(seen.kind == p->kind, "%s on %d: %d", p->name,
			      p->count, (int)seen.kind);
		ck_assert_int_eq(seen.hub < 0, seen.kind == FARM_NONE);
	}
}
END_TEST

START_TEST(test_fit)
{
	struct farm_process of[PROCESSES];
	struct farm_seen seen;

	processes_of(&programs[1], of);
	for (int i = 0; i < 4; i++)
		of[i].speed = 1.5;
	farm_recognise(of, 4, &seen);
	ck_assert_int_eq(seen.hub, 0);
	ck_assert_int_eq(seen.workers, 3);
	ck_assert_int_eq(seen.farm.M, 600);
	/* Tasks of 3.22 ms, uniform within 80 %: sigma is .8 / sqrt(3) mu. */
	ck_assert_double_eq_tol(seen.farm.mu, 1.5 * 1.932949 / 600, 1e-9);
	ck_assert_double_eq_tol(seen.farm.sigma / seen.farm.mu, .8 / sqrt(3),
				.05);
	ck_assert_double_eq(seen.farm.V, 4 * 26436);
	ck_assert_double_eq(seen.farm.alpha, .5);
	ck_assert_double_eq_tol(seen.farm.lm, 1.5 * .002101, 1e-9);
}
END_TEST

/* Workers of different rates decide without a look at who was asked. */
START_TEST(test_rates)
{
	const double rates[] = { 0, 1, .5, .8 };

	for (int is_dynamic = 0; is_dynamic < 2; is_dynamic++) {
		struct farm_process of[PROCESSES];
		struct farm_seen seen;
		double all = 0;

		processes_of(&programs[1], of);
		for (int i = 1; i < 4; i++) {
			double n = is_dynamic ? 200 * rates[i] : 153;

			of[i].messages = of[i].peer_messages = n;
			of[i].tasks = n - 1;
			of[i].tasks_s = 3e-3 * of[i].tasks;
			of[i].available = rates[i];
			all += n;
		}
		of[0].messages = all;
		of[0].asked_any = is_dynamic ? 0 : all;
		farm_recognise(of, 4, &seen);
		ck_assert_int_eq(seen.kind,
				 is_dynamic ? FARM_DYNAMIC : FARM_STATIC);
	}
}
END_TEST

START_TEST(test_alike_added_up)
{
	struct farm_process of[PROCESSES];
	struct farm_seen one, seen;

	processes_of(&programs[1], of);
	farm_recognise(of, 4, &one);
	of[2].processes = 2;
	of[2].messages += of[3].messages;
	of[2].bytes += of[3].bytes;
	of[2].peer_messages += of[3].peer_messages;
	of[2].peer_bytes += of[3].peer_bytes;
	of[2].tasks += of[3].tasks;
	of[2].tasks_s += of[3].tasks_s;
	of[2].tasks_s2 += of[3].tasks_s2;
	farm_recognise(of, 3, &seen);
	ck_assert_int_eq(seen.kind, FARM_DYNAMIC);
	ck_assert_int_eq(seen.workers, 3);
	ck_assert_int_eq(seen.farm.M, one.farm.M);
	ck_assert_double_eq_tol(seen.farm.mu, one.farm.mu, 1e-12);
	ck_assert_double_eq_tol(seen.farm.sigma, one.farm.sigma, 1e-12);
}
END_TEST

START_TEST(test_none)
{
	struct farm_seen seen;

	farm_recognise(NULL, 0, &seen);
	ck_assert_int_eq(seen.kind, FARM_NONE);
	ck_assert_int_eq(seen.hub, -1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_programs, test_fit,
				       test_rates,    test_alike_added_up,
				       test_none,     NULL };

	return suite_run("recognise", tests);
}
