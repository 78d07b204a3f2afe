/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_profile.c - what a node saw of a run, there and back */
#include <math.h>
#include <string.h>

#include "predictor/wire/wire.h"
#include "tests/unit/suite.h"

/* As collectors/profilers/profiling.c and the spool take. */
#define SIZE_MAX_SHARE 32768

static struct profile_share share, again;

/* Full, with numbers of many digits. */
static void fill(void)
{
	profile_share_init(&share);
	strcpy(share.cluster, "tiny");
	strcpy(share.node, "node-with-a-long-name-0001");
	share.job_id = 4123456789;
	share.started_at_s = 1.7e9;
	share.ended_at_s = 1.7e9 + 12345.678;
	share.peer_count = PROFILE_PEERS_MAX;
	for (int i = 0; i < PROFILE_PEERS_MAX; i++) {
		struct profile_peer *p = &share.peer[i];

		strcpy(p->node, "node-with-a-long-name-0002");
		p->messages = 1234567;
		p->bytes = 98765432101;
		p->replies = 123456;
		p->long_messages = 12345;
	}
	share.rank_count = PROFILE_RANKS_MAX;
	for (int i = 0; i < PROFILE_RANKS_MAX; i++)
		share.rank[i] = (struct profile_rank){
			.rank = 1234,
			.ranks = 4,
			.peer = i ? 0 : 1234,
			.messages = 1234567,
			.bytes = 98765432101,
			.peer_messages = 1234567,
			.peer_bytes = 98765432101,
			.asked_any = i,
			.own_s = 1234.567891,
			.tasks = 123456,
			.tasks_s = 12345.678912,
			.tasks_s2 = 123.456789123,
		};
}

START_TEST(test_there_and_back)
{
	struct json_object *object;
	struct sp_error err;
	size_t size;

	fill();
	object = wire_profile_share_encode(&share);
	ck_assert_ptr_nonnull(object);
	(void)json_object_to_json_string_length(object, JSON_C_TO_STRING_PLAIN,
						&size);
	ck_assert_uint_lt(size, SIZE_MAX_SHARE);
	ck_assert_msg(wire_profile_share_decode(object, &again, &err) == 0,
		      "%s", err.text);
	ck_assert_int_eq(again.peer_count, PROFILE_PEERS_MAX);
	ck_assert_int_eq(again.rank_count, PROFILE_RANKS_MAX);
	ck_assert_int_eq(again.rank[0].peer, 1234);
	for (int i = 0; i < PROFILE_RANKS_MAX; i++) {
		ck_assert_uint_eq(again.rank[i].ranks, 4);
		ck_assert_double_eq(again.rank[i].asked_any, i);
		ck_assert_double_eq(again.rank[i].tasks_s,
				    share.rank[i].tasks_s);
		ck_assert_double_eq(again.rank[i].tasks_s2,
				    share.rank[i].tasks_s2);
	}
	json_object_put(object);
}
END_TEST

START_TEST(test_refused)
{
	struct json_object *object, *ranks, *first;
	struct sp_error err;

	fill();
	object = wire_profile_share_encode(&share);
	ck_assert(json_object_object_get_ex(object, "ranks", &ranks));
	first = json_object_array_get_idx(ranks, 0);
	json_object_object_del(first, "tasks_s");
	ck_assert_int_eq(wire_profile_share_decode(object, &again, &err), -1);
	ck_assert(strstr(err.text, "ranks[0]"));
	json_object_object_add(first, "tasks_s", json_object_new_double(1));
	ck_assert_int_eq(wire_profile_share_decode(object, &again, &err), 0);
	json_object_array_add(ranks, json_object_get(first));
	ck_assert_int_eq(wire_profile_share_decode(object, &again, &err), -1);
	json_object_put(object);
}
END_TEST

START_TEST(test_farm_of_a_profile)
{
	static struct profile p;
	struct json_object *object, *farm, *kind;

	p = (struct profile){ .pair_count = -1 };
	object = wire_profile_encode(&p);
	ck_assert_ptr_nonnull(object);
	ck_assert(!json_object_object_get_ex(object, "farm", &farm));
	json_object_put(object);
	p.farm = (struct profile_farm){ .kind = PROFILE_FARM_DYNAMIC,
					.workers = 3,
					.sigma_s = NAN,
					.hub = 2 };
	object = wire_profile_encode(&p);
	ck_assert(json_object_object_get_ex(object, "farm", &farm));
	ck_assert(json_object_object_get_ex(farm, "kind", &kind));
	ck_assert_str_eq(json_object_get_string(kind), "dynamic");
	json_object_put(object);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_there_and_back, test_refused,
				       test_farm_of_a_profile, NULL };

	return suite_run("json_profile", tests);
}
