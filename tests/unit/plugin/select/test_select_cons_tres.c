/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_select_cons_tres.c - which nodes Slurm's own plugin is offered, and when
 *
 * The plugin as slurmctld loads it, with a predictd that sends one
 * snapshot, and a little plugin of C in the place of Slurm's own, which
 * calls the test back.
 */
#include <stdio.h>

#include "tests/unit/plugin/select/slurmctld_stub.h"

#if SLURM_SOURCE_MISSING
int main(void)
{
	puts("ok select_cons_tres # skipped: no source of Slurm is here");
	return 0;
}
#else
#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

#include "predictor/base/clock.h"
#include "predictor/client/client.h"
#include "predictor/snapshot/snapshot_delta.h"
#include "predictor/snapshot/snapshot_state.h"
#include "tests/unit/folder.h"
#include "tests/unit/predictor/client/canned.h"
#include "tests/unit/suite.h"

/* What the plugin exports. */
extern uint32_t plugin_version;
int init(void);
int fini(void);
int select_p_job_test(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,
		      uint32_t max_nodes, uint32_t want_nodes, uint16_t mode,
		      release_list *preemptable, release_list **ret_preempt,
		      RELEASE_TEST_MORE);
uintptr_t select_p_job_begin(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d,
			     uintptr_t e, uintptr_t f);
uintptr_t select_p_job_ready(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d,
			     uintptr_t e, uintptr_t f);

#define NODES 5
#define ID    0x0123456789abcdefu

static struct canned server;
static char reply[8192], parameters[512], directory[300];
static struct stub_job *waiting;
static bitstr_t *nodes;

/* --- Slurm's own plugin --------------------------------------------------- */

static const char stock_source[] =
	"const char plugin_type[] = \"select/cons_tres\";\n"
	"extern const unsigned plugin_version;\n"
	"const unsigned plugin_version = VERSION;\n"
	"int (*on_test)(void *, void *, unsigned, unsigned, unsigned,\n"
	"	unsigned short, void *);\n"
	"int inits, finis;\n"
	"int init(void) { inits++; return INIT; }\n"
	"int fini(void) { finis++; return 5; }\n"
	"int select_p_job_test(void *j, void *b, unsigned least,\n"
	"	unsigned most, unsigned want, unsigned short mode, void *p)\n"
	"{ return on_test(j, b, least, most, want, mode, p); }\n"
	"int select_p_job_begin(void *j) { return j == (void *)7 ? 3 : 4; }\n"
	"int select_p_job_ready(void *j) { return j == (void *)7 ? 5 : 6; }\n";

/* What each test of a job was called with, and what it gives. */
static struct {
	char nodes[NODES + 1];
	uint32_t least, most, want;
	uint16_t mode;
	uint64_t flags;
	bool preempts;
} calls[4];
static int results[4], calls_count;
static time_t start_found; /* 0: none */

static int on_test(job_record_t *job, bitstr_t *offered, uint32_t least,
		   uint32_t most, uint32_t want, uint16_t mode, void *preempt)
{
	int at = calls_count++;

	ck_assert_int_lt(at, 4);
	strcpy(calls[at].nodes, slurmctld_stub_text(offered));
	calls[at].least = least;
	calls[at].most = most;
	calls[at].want = want;
	calls[at].mode = mode;
	calls[at].preempts = preempt != NULL;
	if (!job->details)
		return results[at];
	calls[at].flags = job->bit_flags;
	/* Slurm changes these even where the job cannot start. */
	job->details->min_cpus++;
	job->details->pn_min_memory++;
	job->details->cpus_per_task++;
	job->start_time = start_found ? start_found : job->start_time + 1;
	job->wait4switch_start++;
	job->best_switch = !job->best_switch;
	return results[at];
}

static void stock_put(const char *more)
{
	char command[1400];

	folder_put("stock.c", stock_source);
	snprintf(command, sizeof(command),
		 "cc -shared -fPIC -w -DVERSION=%u %s -o "
		 "%s/select_cons_tres.so %s/stock.c",
		 plugin_version, more, folder, folder);
	ck_assert_int_eq(system(command), 0);
}

/* A variable of Slurm's own plugin. */
static void *stock_find(const char *name)
{
	char path[400];
	void *stock;

	snprintf(path, sizeof(path), "%s/select_cons_tres.so", folder);
	stock = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	ck_assert_ptr_nonnull(stock);
	return dlsym(stock, name);
}

/* --- predictd ------------------------------------------------------------- */

/* Nodes n0 to n4, of which n1 and n3 are idle, and the waiting job: 2 nodes for
 * an hour, by a curve that is best on 3. */
static void snapshot_put_reply(void)
{
	static const float available[NODES] = { 0.5f, 1, 0.4f, 0.9f, 0.6f };
	struct snapshot_deltas *deltas = snapshot_deltas_create();
	struct snapshot *s = snapshot_create(NODES, 0, 1);
	size_t size;

	strcpy(s->cluster, "little");
	s->node_count = NODES;
	s->job_count = 1;
	s->jobs[0].id = ID;
	placement_model_from_runtime(2, 2, 3600, &s->jobs[0].model);
	s->jobs[0].model.curve = (struct placement_curve){
		.from = 1, .reach = 3, .c_s = { 0, 7200, 0, 0 }
	};
	for (int i = 0; i < NODES; i++) {
		struct snapshot_node *n = &s->nodes[i];

		*n = (struct snapshot_node){
			.leaf = SNAPSHOT_NONE,
			.available = { available[i], available[i],
				       available[i] },
			.error = 0.01f,
			.speed = 1,
		};
		snprintf(n->name, sizeof(n->name), "n%d", i);
	}
	ck_assert_int_eq(snapshot_arrange(s), 0);
	ck_assert_int_eq(snapshot_deltas_add(deltas, s), 0);

	char *text = snapshot_deltas_text(deltas, SNAPSHOT_FORMAT, 0, 0, &size);

	ck_assert_ptr_nonnull(text);
	snprintf(reply, sizeof(reply),
		 OK_HEAD "Content-Length: %zu\r\n\r\n%.*s", size, (int)size,
		 text);
	free(text);
	snapshot_deltas_destroy(deltas);
}

/* --- A job's test --------------------------------------------------------- */

static void case_begin(void)
{
	folder_make();
	server = (struct canned){ .requests_each = 1 };
	canned_start(&server);
	snapshot_put_reply();
	server.reply = reply;
	slurmctld_stub_begin(NODES);
	snprintf(directory, sizeof(directory), "%s", folder);
	slurm_conf.plugindir = directory;
	slurm_conf.cluster_name = "little";
	waiting = slurmctld_stub_job(slurmctld_stub_bits(NODES, ""), 0, 0);
	waiting->job.job_state = JOB_PENDING;
	waiting->job.job_id = 12;
	waiting->job.admin_comment = "predict=0123456789abcdef";
	waiting->job.time_limit = NO_VAL;
	waiting->details.num_tasks = 2;
	waiting->details.cpus_per_task = 1;
	waiting->details.min_cpus = 2;
	nodes = slurmctld_stub_bits(NODES, "01234");
	start_found = 0;
}

static void case_end(void)
{
	slurm_bit_free(&nodes);
	slurmctld_stub_end();
	canned_stop(&server);
	folder_remove();
}

static void policy_set(const char *more)
{
	snprintf(parameters, sizeof(parameters), "predict_url=%s%s", server.url,
		 more);
	slurm_conf.slurmctld_params = parameters;
}

static void start(const char *policy)
{
	double end_s = clock_monotonic_s() + 20;

	stock_put("-DINIT=0");
	policy_set(policy);
	ck_assert_int_eq(init(), SLURM_SUCCESS);
	*(void **)stock_find("on_test") = (void *)on_test;
	/* slurmctld has read its nodes: a snapshot is requested. */
	ck_assert_uint_eq(select_p_job_begin(7, 0, 0, 0, 0, 0), 3);
	while (!strstr(stub_log, "new snapshot")) {
		ck_assert(clock_monotonic_s() < end_s);
		usleep(10000);
	}
}

static void stop(void)
{
	int *finis = stock_find("finis");

	ck_assert_int_eq(fini(), 5);
	ck_assert_int_eq(*finis, 1);
}

/* Slurm tests the job for one to three nodes. */
static int job_test(uint16_t mode)
{
	static char any;

	calls_count = 0;
	slurm_bit_free(&nodes);
	nodes = slurmctld_stub_bits(NODES, "01234");
	return select_p_job_test(&waiting->job, nodes, 2, 2, 2, mode,
				 (void *)&any, NULL,
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
				 NULL,
#endif
				 NULL);
}

static void expect_call(int at, const char *expected, uint32_t most,
			bool preempts)
{
	ck_assert_str_eq(calls[at].nodes, expected);
	ck_assert_uint_eq(calls[at].least, 2);
	ck_assert_uint_eq(calls[at].most, most);
	ck_assert_int_eq(calls[at].preempts, preempts);
}

START_TEST(test_offers_the_better_nodes)
{
	start(",predict_place=on");
	results[0] = SLURM_SUCCESS;
	ck_assert_int_eq(job_test(SELECT_MODE_RUN_NOW), SLURM_SUCCESS);
	ck_assert_int_eq(calls_count, 1);
	expect_call(0, "13", 2, false);
	ck_assert_str_eq(slurmctld_stub_text(nodes), "13");
	ck_assert_ptr_nonnull(strstr(stub_log, "can run now on 13"));
	stop();
}
END_TEST

/* Where it cannot run there, Slurm is asked as if nothing had been. */
START_TEST(test_then_all_nodes)
{
	start(",predict_place=on");
	waiting->details.pn_min_memory = 100;
	waiting->job.start_time = 1000;
	waiting->job.wait4switch_start = 2000;
	waiting->job.bit_flags = 0x40;
	results[0] = SLURM_ERROR;
	results[1] = 77;
	ck_assert_int_eq(job_test(SELECT_MODE_WILL_RUN), 77);
	ck_assert_int_eq(calls_count, 2);
	expect_call(0, "13", 2, false);
	expect_call(1, "01234", 2, true);
	ck_assert_uint_eq(calls[0].flags, 0x40 | TEST_NOW_ONLY);
	ck_assert_uint_eq(calls[1].flags, 0x40);
	ck_assert_uint_eq(calls[0].mode, SELECT_MODE_WILL_RUN);
	ck_assert_str_eq(slurmctld_stub_text(nodes), "01234");
	/* Only what the last test changed. */
	ck_assert_uint_eq(waiting->details.min_cpus, 3);
	ck_assert_uint_eq(waiting->details.cpus_per_task, 2);
	ck_assert_uint_eq(waiting->details.pn_min_memory, 101);
	ck_assert_int_eq(waiting->job.start_time, 1001);
	ck_assert_int_eq(waiting->job.wait4switch_start, 2001);
	ck_assert(waiting->job.best_switch);
	ck_assert_uint_eq(waiting->job.bit_flags, 0x40);
	ck_assert_ptr_nonnull(strstr(stub_log, "cannot run now on 13"));
	/* A start that is to come later is none of ours. */
	ck_assert_int_eq(job_test(SELECT_MODE_TEST_ONLY), SLURM_ERROR);
	ck_assert_int_eq(calls_count, 1);
	expect_call(0, "01234", 2, true);
	/* TEST_NOW_ONLY is for the offer alone. */
	results[0] = SLURM_SUCCESS;
	ck_assert_int_eq(job_test(SELECT_MODE_WILL_RUN), SLURM_SUCCESS);
	ck_assert_uint_eq(waiting->job.bit_flags, 0x40);
	stop();
}
END_TEST

START_TEST(test_observes)
{
	start(",predict_place=observe");
	ck_assert_int_eq(job_test(SELECT_MODE_RUN_NOW), SLURM_SUCCESS);
	ck_assert_int_eq(calls_count, 1);
	expect_call(0, "01234", 2, true);
	ck_assert_ptr_nonnull(strstr(stub_log, "would have been offered 13"));
	/* Not for a job that did not start. */
	stub_log[0] = '\0';
	results[0] = SLURM_ERROR;
	ck_assert_int_eq(job_test(SELECT_MODE_RUN_NOW), SLURM_ERROR);
	ck_assert_str_eq(stub_log, "");
	results[0] = SLURM_SUCCESS;
	ck_assert_int_eq(job_test(SELECT_MODE_WILL_RUN), SLURM_SUCCESS);
	ck_assert_str_eq(stub_log, "");
	/* By partition. */
	part_record_t part = { .name = "debug", .max_share = 1 };

	waiting->job.part_ptr = &part;
	policy_set(",predict_place=observe,predict_place.debug=off");
	ck_assert_int_eq(job_test(SELECT_MODE_RUN_NOW), SLURM_SUCCESS);
	ck_assert_str_eq(stub_log, "");
	expect_call(0, "01234", 2, true);
	stop();
}
END_TEST

/* The number of nodes, where site and submission let us choose. */
START_TEST(test_number_of_nodes)
{
	char *variables[] = { "A=1", "PREDICT_NODES_MODE=act" };

	start(",predict_place=off,predict_nodes=act,predict_nodes_goal=time");
	results[0] = SLURM_ERROR;
	waiting->details.num_tasks = 0;
	calls_count = 0;
	for (int allowed = 0; allowed < 2; allowed++) {
		waiting->job.spank_job_env = variables;
		waiting->job.spank_job_env_size = allowed ? 2 : 1;
		calls_count = 0;
		slurm_bit_free(&nodes);
		nodes = slurmctld_stub_bits(NODES, "01234");
		ck_assert_int_eq(select_p_job_test(&waiting->job, nodes, 2, 4,
						   4, SELECT_MODE_RUN_NOW, NULL,
						   NULL,
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
						   NULL,
#endif
						   NULL),
				 allowed ? SLURM_SUCCESS : SLURM_ERROR);
		/* 3 of any nodes first, then Slurm's own request. */
		ck_assert_int_eq(calls_count, allowed ? 2 : 1);
		expect_call(0, "01234", allowed ? 3 : 4, false);
		if (allowed) {
			ck_assert_uint_eq(calls[0].want, 3);
			expect_call(1, "01234", 4, false);
			ck_assert_uint_eq(calls[1].want, 4);
		}
	}
	stop();
}
END_TEST

#define FLAGS (0x40 | BACKFILL_TEST)

/* Only where backfill plans: not for a start now, nor for --test-only. */
START_TEST(test_reserve_only_in_backfill)
{
	static char *variables[] = { "A=1", "PREDICT_P50=600" };

	start(",predict_place=observe,predict_plan=on,predict_plan_reserve=20");
	waiting->job.spank_job_env = variables;
	waiting->job.spank_job_env_size = 2;
	waiting->details.begin_time = time(NULL) - 100;
	waiting->job.bit_flags = FLAGS;
	results[0] = SLURM_ERROR;
	ck_assert_int_eq(job_test(SELECT_MODE_WILL_RUN), SLURM_ERROR);
	ck_assert_uint_eq(calls[0].flags, FLAGS | TEST_NOW_ONLY);
	ck_assert_uint_eq(waiting->job.bit_flags, FLAGS);
	ck_assert_ptr_nonnull(strstr(stub_log, "JobId=12: no nodes are kept"));
	for (int i = 0; i < 2; i++) {
		waiting->job.bit_flags = i ? FLAGS : 0x40;
		job_test(i ? SELECT_MODE_RUN_NOW : SELECT_MODE_WILL_RUN);
		ck_assert_uint_eq(calls[0].flags, i ? FLAGS : 0x40);
		ck_assert_uint_eq(waiting->job.bit_flags, i ? FLAGS : 0x40);
	}
	/* A flag of backfill's own stays. */
	waiting->job.bit_flags = FLAGS | TEST_NOW_ONLY;
	job_test(SELECT_MODE_WILL_RUN);
	ck_assert_uint_eq(waiting->job.bit_flags, FLAGS | TEST_NOW_ONLY);
	/* A start now is one; by preemption it may be later all the same. */
	results[0] = SLURM_SUCCESS;
	waiting->job.bit_flags = FLAGS;
	start_found = time(NULL);
	ck_assert_int_eq(job_test(SELECT_MODE_WILL_RUN), SLURM_SUCCESS);
	start_found += 100;
	ck_assert_int_eq(job_test(SELECT_MODE_WILL_RUN), ESLURM_NODES_BUSY);
	waiting->details.begin_time -= 19 * 600;
	ck_assert_int_eq(job_test(SELECT_MODE_WILL_RUN), SLURM_SUCCESS);
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	will_run_data_t later = { .start = time(NULL) + 100 };

	calls_count = 0;
	waiting->details.begin_time += 19 * 600;
	ck_assert_int_eq(select_p_job_test(&waiting->job, nodes, 2, 2, 2,
					   SELECT_MODE_WILL_RUN, NULL, NULL,
					   NULL, &later),
			 ESLURM_NODES_BUSY);
	ck_assert_int_eq(calls_count, 0);
#endif
	stop();
}
END_TEST

/* A change of jobs is counted before the next choice. */
START_TEST(test_jobs_change)
{
	start(",predict_place=on");
	results[0] = SLURM_SUCCESS;
	job_test(SELECT_MODE_RUN_NOW);
	expect_call(0, "13", 2, false);
	slurmctld_stub_job(slurmctld_stub_bits(NODES, "1"), 8, 0);
	job_test(SELECT_MODE_RUN_NOW);
	expect_call(0, "13", 2, false);
	select_p_job_begin(7, 0, 0, 0, 0, 0);
	job_test(SELECT_MODE_RUN_NOW);
	expect_call(0, "34", 2, false);
	ck_assert_uint_eq(select_p_job_ready(7, 0, 0, 0, 0, 0), 5);
	stop();
}
END_TEST

/* Clients load the plugin, too; and a job may have no details. */
START_TEST(test_left_to_slurm)
{
	int inits;

	slurmctld_stub.is_client = true;
	stock_put("-DINIT=0");
	policy_set(",predict_place=on");
	ck_assert_int_eq(init(), SLURM_SUCCESS);
	inits = *(int *)stock_find("inits");
	ck_assert_int_eq(inits, 1);
	*(void **)stock_find("on_test") = (void *)on_test;
	ck_assert_int_eq(job_test(SELECT_MODE_RUN_NOW), SLURM_SUCCESS);
	expect_call(0, "01234", 2, true);
	select_p_job_begin(7, 0, 0, 0, 0, 0);
	stop();
	slurmctld_stub.is_client = false;
	start(",predict_place=on");
	waiting->job.details = NULL;
	ck_assert_int_eq(job_test(SELECT_MODE_RUN_NOW), SLURM_SUCCESS);
	expect_call(0, "01234", 2, true);
	ck_assert_int_eq(fini(), 5);
}
END_TEST

/* slurmctld then loads Slurm's own plugin in the place of ours. */
START_TEST(test_refuses)
{
	ck_assert_int_eq(init(), SLURM_ERROR);
	ck_assert_ptr_nonnull(strstr(stub_log, "jobs are not placed"));
	stock_put("-DINIT=1");
	ck_assert_int_eq(init(), SLURM_ERROR);
	ck_assert_ptr_nonnull(strstr(stub_log, "own select/cons_tres fails"));
	stock_put("-DINIT=0 -Dselect_p_job_test=another");
	ck_assert_int_eq(init(), SLURM_ERROR);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_offers_the_better_nodes,
		test_then_all_nodes,
		test_observes,
		test_number_of_nodes,
		test_reserve_only_in_backfill,
		test_jobs_change,
		test_left_to_slurm,
		test_refuses,
		NULL,
	};

	return suite_run_each("select_cons_tres", tests, case_begin, case_end);
}
#endif
