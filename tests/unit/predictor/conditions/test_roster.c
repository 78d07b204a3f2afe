/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_roster.c - nodes are added by polling, and expire */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "predictor/conditions/roster.h"
#include "predictor/wire/json_roster.h"
#include "tests/unit/suite.h"

static struct sp_error err;
static struct probe_roster got;

static void poll_roster(struct roster *r, const char *cluster, const char *node,
			const char *known, double now_s)
{
	probe_roster_clear(&got);
	ck_assert_msg(!roster_poll(r, cluster, node, known, now_s, &got, &err),
		      "%s", err.text);
}

START_TEST(test_polling)
{
	struct roster *r = roster_create(NULL);
	char id[PROBE_ROSTER_ID_SIZE];

	poll_roster(r, "c", "n2", "", 1000);
	ck_assert_str_eq(got.nodes, "n2");
	ck_assert_str_eq(got.topology, "");
	ck_assert_double_lt(got.ask_again_s, 10); /* others may follow */
	poll_roster(r, "c", "n1", "", 1001);
	poll_roster(r, "d", "n7", "", 1001);
	ck_assert_str_eq(got.nodes, "n7");
	poll_roster(r, "c", "n2", "", 1002);
	ck_assert_str_eq(got.nodes, "n[1-2]");
	strcpy(id, got.id);
	poll_roster(r, "c", "n1", id, 1040);
	ck_assert_str_eq(got.id, id);
	ck_assert_ptr_null(got.nodes);
	ck_assert_ptr_null(got.topology);
	ck_assert_double_eq(got.ask_again_s, 60);
	/* Without a node nothing is renewed. */
	poll_roster(r, "c", "", "", 1041);
	ck_assert_str_eq(got.nodes, "n[1-2]");
	poll_roster(r, "e", "", "", 1041);
	ck_assert_str_eq(got.nodes, "");
	probe_roster_clear(&got);
	roster_destroy(r);
}
END_TEST

START_TEST(test_expiry)
{
	struct roster *r = roster_create("");

	poll_roster(r, "c", "n1", "", 0);
	poll_roster(r, "c", "n2", "", 0);
	for (int i = 1; i < 20; i++)
		poll_roster(r, "c", "n2", "", 60 * i);
	poll_roster(r, "c", "n3", "", 60 * 20);
	ck_assert_str_eq(got.nodes, "n[2-3]");
	probe_roster_clear(&got);
	roster_destroy(r);
}
END_TEST

START_TEST(test_topology)
{
	char path[] = "/tmp/topology-XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	struct roster *r = roster_create(path);
	char id[PROBE_ROSTER_ID_SIZE];

	fputs("SwitchName=s1 Nodes=n[1-9]\n", f);
	fclose(f);
	poll_roster(r, "c", "n1", "", 0);
	ck_assert_str_eq(got.topology, "SwitchName=s1 Nodes=n[1-9]\n");
	strcpy(id, got.id);
	/* A file with an error is ignored; it is checked now and then. */
	f = fopen(path, "w");
	fputs("SwitchName=s1 Switches=s1\n", f);
	fclose(f);
	poll_roster(r, "c", "n1", id, 10);
	ck_assert_ptr_null(got.nodes);
	poll_roster(r, "c", "n1", id, 100);
	ck_assert_str_eq(got.topology, "");
	ck_assert_str_ne(got.id, id);
	probe_roster_clear(&got);
	roster_destroy(r);
	unlink(path);
}
END_TEST

/* Encoded as a message and decoded again. */
START_TEST(test_message)
{
	struct probe_roster sent = { .id = "0123456789abcdef",
				     .ask_again_s = 60,
				     .nodes = strdup("n[1-3]"),
				     .topology = strdup("") };
	struct json_object *message = wire_roster_encode(&sent);

	probe_roster_clear(&sent);
	probe_roster_clear(&got);
	ck_assert_msg(!wire_roster_decode(message, &got, &err), "%s", err.text);
	ck_assert_str_eq(got.nodes, "n[1-3]");
	ck_assert_str_eq(got.id, "0123456789abcdef");
	json_object_put(message);
	probe_roster_clear(&got);
	message = json_object_new_object();
	ck_assert_int_eq(wire_roster_decode(message, &got, &err), -1);
	ck_assert_str_eq(err.text, "id: is missing");
	json_object_put(message);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_polling, test_expiry, test_topology, test_message, NULL,
	};

	return suite_run("roster", tests);
}
