/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_procedure_path.c - figure 2, branch by branch */
#include "predictor/trace/procedure_path.h"
#include "tests/unit/suite.h"

START_TEST(test_receive_table)
{
	const struct {
		double Cs, rmtF, Cr, longest;
	} rows[] = {
		{ 17.3, 4.1, 5.7, 13.2 },  /* Cs - F is longer */
		{ 17.3, 9.4, 5.7, 15.1 },  /* Cr + F is longer */
		{ 17.3, 0, 5.7, 17.3 },    /* not in [1] */
		{ 5.7, 2.6, 17.3, 19.9 },  /* nobody waited */
		{ 5.7, 0, 17.3, 17.3 },    /* nor had anything to move */
		{ 6.25, 1.5, 6.25, 7.75 }, /* equal */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct procedure_path p = { .longest = rows[i].Cr,
					    .last_update = 3.3,
					    .F = .7 };
		struct procedure_message m = { 0, rows[i].Cs, rows[i].rmtF };

		procedure_receive(&p, 3.3, &m);
		ck_assert_double_eq_tol(p.longest, rows[i].longest, 1e-12);
		ck_assert_double_eq(p.F, 0);
	}
}
END_TEST

START_TEST(test_send_takes_the_procedure_along)
{
	struct procedure_path p = { 0 };

	procedure_enter(&p, 1.25);
	procedure_enter(&p, 1.5); /* ignored */
	procedure_exit(&p, 2);
	procedure_exit(&p, 2.5); /* ignored */
	procedure_enter(&p, 3.5);

	struct procedure_message m = procedure_send(&p, 4.75);

	ck_assert_double_eq_tol(m.Cs, 4.75, 1e-12);
	ck_assert_double_eq_tol(m.rmtF, 2, 1e-12);
	ck_assert_double_eq_tol(p.longest, 2.75, 1e-12);

	/* Active across the send: only what comes after it is left. */
	procedure_exit(&p, 5);
	m = procedure_send(&p, 6);
	ck_assert_double_eq_tol(m.rmtF, .25, 1e-12);
	ck_assert_double_eq_tol(m.Cs, 4, 1e-12);
}
END_TEST

/* In both branches time before a message is not counted after it. */
START_TEST(test_active_across_a_receive)
{
	for (int waited = 0; waited < 2; waited++) {
		struct procedure_path p = { 0 };
		struct procedure_message m = { 0, waited ? 9.5 : .5, 0 };

		procedure_enter(&p, 1);
		procedure_receive(&p, 3.75, &m);
		ck_assert_double_eq_tol(procedure_send(&p, 4.5).rmtF, .75,
					1e-12);
	}
}
END_TEST

/* A client waits for each reply of a server, all of it in the procedure: moved,
 * the path is as long as before, since nothing runs at the same time. */
START_TEST(test_one_client_gains_nothing)
{
	struct procedure_path client = { 0 };
	struct procedure_path server = { 0 };
	double client_clock = 0;
	double server_clock = 0;

	for (int i = 0; i < 7; i++) {
		struct procedure_message m =
			procedure_send(&client, client_clock += .31);

		procedure_receive(&server, server_clock, &m);
		procedure_enter(&server, server_clock);
		procedure_exit(&server, server_clock += .87);
		m = procedure_send(&server, server_clock);
		procedure_receive(&client, client_clock, &m);
	}
	procedure_update(&client, client_clock += .05);
	ck_assert_double_eq_tol(client.longest, 7 * (.31 + .87) + .05, 1e-12);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_receive_table,
		test_send_takes_the_procedure_along,
		test_active_across_a_receive,
		test_one_client_gains_nothing,
		NULL,
	};

	return suite_run("procedure_path", tests);
}
