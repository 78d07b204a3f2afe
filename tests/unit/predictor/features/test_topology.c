/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_topology.c - switches as Slurm tells them */
#include <string.h>

#include "predictor/features/topology.h"
#include "tests/unit/suite.h"

static struct sp_error err;

START_TEST(test_both_forms)
{
	static const char text[] =
		"# of the machine room\n"
		"SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[5-8]  \n"
		"\n"
		"switchname=s0 nodes=n[1-4] # the old ones\r\n"
		"SwitchName=s2 Level=1 LinkSpeed=1 Nodes=n[1-8] "
		"Switches=s[0-1] \n";
	struct topology t;

	ck_assert_msg(!topology_parse(text, strlen(text), &t, &err), "%s",
		      err.text);
	ck_assert_uint_eq(t.count, 3);
	ck_assert_str_eq(t.switches[0].name, "s0");
	ck_assert_uint_eq(t.switches[0].nodes.count, 4);
	ck_assert_uint_eq(t.switches[0].parent, 2);
	ck_assert_str_eq(t.switches[1].nodes.names[3], "n8");
	ck_assert_uint_eq(t.switches[2].parent, TOPOLOGY_NO_PARENT);
	ck_assert_uint_eq(t.switches[2].nodes.count, 0);
	topology_clear(&t);
	topology_clear(&t);
	ck_assert_int_eq(topology_parse("", 0, &t, &err), 0);
	ck_assert_uint_eq(t.count, 0);
	topology_clear(&t);
}
END_TEST

/* What Slurm reads, too. */
START_TEST(test_habits_of_sites)
{
	static const char text[] = "SwitchName=top2 Switches=\"s1,s2\"\n"
				   "SwitchName=s2 Nodes=\"n[3-5],n9\" \\\n"
				   "    LinkSpeed=100 \\\r\n"
				   "\tComment=\"two words\"\n"
				   "SwitchName=s1 Nodes=n[1-3]\n"
				   "SwitchName=spare Nodes=ALL\n"
				   "SwitchName=top1 Switches=s[1-2] \\";
	struct topology t;

	ck_assert_msg(!topology_parse(text, strlen(text), &t, &err), "%s",
		      err.text);
	ck_assert_uint_eq(t.count, 5);
	ck_assert_str_eq(t.switches[0].name, "s1");
	/* n3 is on s2, which comes first */
	ck_assert_uint_eq(t.switches[0].nodes.count, 2);
	ck_assert_uint_eq(t.switches[1].nodes.count, 4);
	ck_assert_str_eq(t.switches[1].nodes.names[0], "n3");
	ck_assert_str_eq(t.switches[1].nodes.names[3], "n9");
	ck_assert_str_eq(t.switches[2].name, "spare");
	ck_assert_uint_eq(t.switches[2].nodes.count, 0);
	/* top2 before top1 */
	ck_assert_str_eq(t.switches[4].name, "top2");
	ck_assert_uint_eq(t.switches[0].parent, 4);
	ck_assert_uint_eq(t.switches[1].parent, 4);
	ck_assert_uint_eq(t.switches[3].parent, TOPOLOGY_NO_PARENT);
	topology_clear(&t);
}
END_TEST

START_TEST(test_refused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "SwitchName=a\nswitch", "topology, line 2: switch: not "
					  "KEY=VALUE" },
		{ "SwitchName=", "topology, line 1: a switch's name is empty" },
		{ "SwitchName=a\nSwitchName=a",
		  "topology: switch a is there twice" },
		{ "SwitchName=a Switches=b", "topology: no switch b" },
		{ "SwitchName=a Switches=b\nSwitchName=b Switches=a",
		  "topology: switch a is above itself" },
		{ "SwitchName=b \\\n  Nodes=n3\nSwitchName=a Nodes=n1 Nodes=n2",
		  "topology, line 3: Nodes: given twice" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct topology t = { .count = 77 };

		ck_assert_int_eq(topology_parse(cases[i].text,
						strlen(cases[i].text), &t,
						&err),
				 -1);
		ck_assert_str_eq(err.text, cases[i].message);
		ck_assert_uint_eq(t.count, 77);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_both_forms,
		test_habits_of_sites,
		test_refused,
		NULL,
	};

	return suite_run("topology", tests);
}
