/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_recognise.c - two farms, and six programs that are none
 *
 * The numbers are what libpredict_mpi.so wrote for nbody and the programs of
 * tests/workloads, on three to five processes of one machine.  Those on five are
 * without what collective operations send.
 */
#include <math.h>

#include "predictor/farm/recognise.h"
#include "tests/unit/suite.h"

#define PROCESSES 5

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
	/* In a line of three all messages meet in the middle, but of two ends only one
	 * works between them. */
	{ "heat", 3, FARM_NONE, {
		{ 0, 1, 100, 241600, 100, 241600, 0, .003809, 100, .000114, 7.67806859e-10 },
		{ 1, 0, 201, 483208, 101, 241608, 0, .003454, 99, .003249, 1.53197696e-07 },
		{ 2, 1, 101, 241608, 100, 241600, 0, .003806, 99, .003571, 2.02165528e-07 } } },
	/* Neighbours in a line that wait for any of their messages. */
	{ "line", 3, FARM_STATIC, {
		{ 0, 1, 100, 241600, 100, 241600, 0, .073809, 99, .073114, 5.4e-05 },
		{ 1, 0, 200, 483200, 100, 241600, 198, .073454, 99, .000114, 7.6e-10 },
		{ 2, 1, 100, 241600, 100, 241600, 0, .073806, 99, .073571, 5.5e-05 } } },
	/* Few large chunks, and as many collective operations. */
	{ "short-little", 5, FARM_DYNAMIC, {
		{ 0, 1, 131, 110952, 49, 39144, 123, .027493, 2, .005892, 1.92152019e-05 },
		{ 1, 0, 47, 39144, 47, 39144, 49, .560688, 47, .538887, .0249434483 },
		{ 2, 0, 14, 15960, 14, 15960, 16, .237448, 14, .216038, .0119252678 },
		{ 3, 0, 46, 39264, 46, 39264, 48, .558521, 46, .536982, .0243955302 },
		{ 4, 0, 16, 16584, 16, 16584, 18, .243972, 16, .222396, .013436398 } } },
	{ "short-much", 5, FARM_DYNAMIC, {
		{ 0, 3, 129, 9014904, 47, 2993064, 121, .031539, 2, .007194, 2.97009474e-05 },
		{ 1, 0, 43, 750508, 43, 750508, 45, .526665, 43, .504997, .0248091374 },
		{ 2, 0, 17, 393996, 17, 393996, 19, .275933, 17, .255246, .0126282036 },
		{ 3, 0, 45, 752064, 45, 752064, 47, .524393, 45, .503173, .0247043606 },
		{ 4, 0, 16, 368336, 16, 368336, 18, .278266, 16, .255856, .0147248656 } } },
	{ "long-much", 5, FARM_DYNAMIC, {
		{ 0, 3, 84, 9004224, 29, 2971440, 76, .036885, 2, .010024, 5.94398083e-05 },
		{ 1, 0, 25, 668812, 25, 668812, 27, .591195, 25, .570234, .0357152047 },
		{ 2, 0, 12, 405720, 12, 405720, 14, .376404, 12, .355679, .0244495837 },
		{ 3, 0, 27, 743940, 27, 743940, 29, .586789, 27, .565874, .0324928034 },
		{ 4, 0, 12, 435752, 12, 435752, 14, .376514, 12, .355663, .0233772515 } } },
	{ "nbody", 5, FARM_STATIC, {
		{ 0, 1, 84, 2352000, 21, 588000, 0, .005472, 0, 0, 0 },
		{ 1, 0, 20, 112000, 20, 112000, 0, .005095, 20, .004886, 1.19459746e-06 },
		{ 2, 0, 20, 112000, 20, 112000, 0, .005869, 20, .005657, 1.61739655e-06 },
		{ 3, 0, 20, 112000, 20, 112000, 0, .005780, 20, .005636, 1.59752191e-06 },
		{ 4, 0, 20, 112000, 20, 112000, 0, .005119, 20, .005034, 1.28888088e-06 } } },
	/* They work in collective operations' steps, and report to one. */
	{ "reports", 5, FARM_NONE, {
		{ 0, 1, 80, 640, 20, 160, 80, .560000, 0, 0, 0 },
		{ 1, 0, 20, 16000, 20, 16000, 0, .560688, 20, .051500, .0001326 },
		{ 2, 0, 20, 16000, 20, 16000, 0, .537448, 20, .050200, .0001260 },
		{ 3, 0, 20, 16000, 20, 16000, 0, .558521, 20, .050400, .0001270 },
		{ 4, 0, 20, 16000, 20, 16000, 0, .543972, 20, .050100, .0001255 } } },
	{ "heat", 5, FARM_NONE, {
		{ 0, 1, 100, 401600, 100, 401600, 0, .007667, 100, .000101, 1.03953763e-10 },
		{ 1, 0, 200, 803200, 100, 401600, 0, .007422, 99, .007099, 7.0776121e-07 },
		{ 2, 1, 200, 803200, 100, 401600, 0, .007524, 99, .007155, 6.83249172e-07 },
		{ 3, 2, 200, 803200, 100, 401600, 0, .010240, 99, .009685, 1.14967065e-06 },
		{ 4, 3, 100, 401600, 100, 401600, 0, .007542, 99, .007252, 7.00298781e-07 } } },
	{ "cg", 5, FARM_NONE, {
		{ 0, 0, 0, 0, 0, 0, 0, .005502, 0, 0, 0 },
		{ 1, 1, 0, 0, 0, 0, 0, .005052, 0, 0, 0 },
		{ 2, 2, 0, 0, 0, 0, 0, .004814, 0, 0, 0 },
		{ 3, 3, 0, 0, 0, 0, 0, .004323, 0, 0, 0 },
		{ 4, 4, 0, 0, 0, 0, 0, .003926, 0, 0, 0 } } },
	{ "isort", 5, FARM_NONE, {
		{ 0, 1, 40, 255748, 10, 64192, 0, .021245, 0, 0, 0 },
		{ 1, 0, 40, 255456, 10, 63344, 0, .028493, 0, 0, 0 },
		{ 2, 0, 40, 256532, 10, 64420, 0, .020632, 0, 0, 0 },
		{ 3, 0, 40, 255556, 10, 64464, 0, .021469, 0, 0, 0 },
		{ 4, 0, 40, 255432, 10, 63592, 0, .022396, 0, 0, 0 } } },
	{ "pipeline", 5, FARM_NONE, {
		{ 0, 1, 2000, 160000, 2000, 160000, 0, .007810, 0, 0, 0 },
		{ 1, 2, 2000, 160000, 2000, 160000, 0, .008987, 0, 0, 0 },
		{ 2, 3, 2000, 160000, 2000, 160000, 0, .009851, 0, 0, 0 },
		{ 3, 4, 2000, 160000, 2000, 160000, 0, .010408, 0, 0, 0 },
		{ 4, 4, 0, 0, 0, 0, 0, .008255, 0, 0, 0 } } },
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
