/* SPDX-License-Identifier: GPL-2.0-or-later */
/* select_cons_tres.c - Slurm's select/cons_tres, offered the better nodes first
 *
 * This has the name, type and id of Slurm's own plugin, stands before it in
 * PluginDir, and leaves all work to it.  Only where Slurm asks whether a job
 * can run now, it first offers the nodes on which the job is predicted to run
 * shortest; if it cannot run there, it offers all, as if nothing had been.
 * Thus no job waits that would not wait without this plugin.
 *
 * The rule of an offer: it leaves a node out only where the job would run
 * longer there, or has no room there for sure.  A node of which only Slurm
 * knows whether there is room (generic resources in use) is offered as well,
 * unless it is slower than all that were chosen.  And an offer never preempts:
 * it succeeds only where stock code would have started the job without
 * preempting any; a job that can start by preemption alone gets all nodes, with
 * the candidates for preemption, as ever.
 *
 * Where a job leaves the number of nodes open, and predict_nodes says so, an
 * offer has the best number as its most: with fewer free nodes the job gets
 * these, down to its own least.  Slurm's own request is always the last.
 *
 * Backfill asks with SELECT_MODE_WILL_RUN and then starts the job on the nodes
 * that it got, so nodes are offered there, too, in a test that does not
 * consider later starts (TEST_NOW_ONLY).
 *
 * By predict_plan_reserve, backfill gets no start in the future for a job that
 * has not waited for long (reserve.h), as with bf_min_age_reserve.
 *
 * Within a call there is no I/O and no waiting: what is known comes from a
 * snapshot that a thread of its own renews (watch.h).  Whatever is odd about a
 * job, a node or the snapshot, Slurm's own plugin decides alone.
 *
 * If this plugin cannot be used at all, init() fails, and Slurm goes on to its
 * own, which is in the next directory of PluginDir.  The same happens in a
 * release, even a micro release, in which fields that we use may have moved
 * (running_release.h): plugin_version is then not Slurm's.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "plugin/select/forward.h"
#include "plugin/select/place.h"
#include "plugin/select/reserve.h"
#include "plugin/select/stock.h"
#include "plugin/select/watch.h"
#include "plugin/site/export.h"
#include "plugin/site/predictd_peer.h"
#include "plugin/site/releases.h"
#include "plugin/site/running_release.h"
#include "plugin/site/site.h"
#include "plugin/site/spank_options.h"

#define FILE_NAME "select_cons_tres.so"

/* Older snapshots are not used: Slurm chooses alone. */
#define AGE_MAX_S 30.0

typedef int job_test(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,
		     uint32_t max_nodes, uint32_t want_nodes, uint16_t mode,
		     release_list *preemptable, release_list **ret_preempt,
		     RELEASE_TEST_MORE);

EXPORT extern const char plugin_name[];
EXPORT extern const char plugin_type[];
EXPORT extern const uint32_t plugin_id;
EXPORT extern uint32_t plugin_version;
EXPORT extern const char select_predict_shadow;
EXPORT int init(void);
EXPORT int fini(void);
EXPORT job_test select_p_job_test;

const char plugin_name[] = "cons_tres on the nodes where jobs run shortest";
const char plugin_type[] = "select/cons_tres";
const uint32_t plugin_id = 109; /* as the one it stands for */
uint32_t plugin_version = SLURM_VERSION_NUMBER;
const char select_predict_shadow = 1; /* STOCK_SHADOW_MARK */

static void *stock; /* Slurm's own plugin */
static job_test *stock_test;
static struct site *site;
static struct watch *watch; /* NULL: not in slurmctld, or out of memory */
static pid_t owner;         /* the process that `watch` is of */
static pthread_mutex_t placing = PTHREAD_MUTEX_INITIALIZER; /* guards `place` */
static struct place place;
static atomic_bool jobs_changed;

/* Called when the plugin is loaded, before Slurm compares versions. */
__attribute__((constructor)) static void version_adopt(void)
{
	uint32_t running = running_release();

	if (release_fits_inside(SLURM_VERSION_NUMBER, running))
		plugin_version = running;
}

/* job_submit/predict reads the same tokens, and complains aloud. */
static void complain(void *context, const char *token, const char *why)
{
	(void)context;
	debug("predict: SlurmctldParameters: %s: %s (ignored)", token, why);
}

static void event_log(enum watch_event event, const char *text)
{
	switch (event) {
	case WATCH_WORKS:
		info("predict: snapshots of nodes come from %s", text);
		break;
	case WATCH_FAILS:
		error("predict: no snapshot of nodes (%s): once the last one "
		      "is too old Slurm chooses alone",
		      text);
		break;
	case WATCH_NEW:
		debug2("predict: new snapshot: %s", text);
	}
}

static int stock_call(const char *function)
{
	int (*called)(void) = (int (*)(void))dlsym(stock, function);

	return called ? called() : SLURM_SUCCESS;
}

int init(void)
{
	struct sp_error err;

	if (plugin_version >= RELEASE_UNTRIED && !RELEASE_CHECKED) {
		error("predict: jobs are not placed: this release of Slurm is "
		      "newer than slurm-predict");
		return SLURM_ERROR;
	}
	if (stock_load(slurm_conf.plugindir, FILE_NAME, plugin_type,
		       plugin_version, &stock, &err)) {
		error("predict: jobs are not placed: %s", err.text);
		return SLURM_ERROR;
	}
	stock_test = (job_test *)dlsym(stock, "select_p_job_test");
	if (!stock_test || stock_call("init")) {
		error("predict: jobs are not placed: Slurm's own %s fails",
		      plugin_type);
		dlclose(stock);
		return SLURM_ERROR;
	}
	forward_to(stock);
	if (running_in_slurmctld()) {
		site = site_create(complain);
		watch = site ? watch_create(event_log, WATCH_PERIOD_S) : NULL;
		owner = getpid();
	}
	return SLURM_SUCCESS;
}

int fini(void)
{
	watch_destroy(watch);
	watch = NULL;
	site_destroy(site);
	site = NULL;
	place_clear(&place);
	return stock_call("fini");
}

/* slurmctld ends without fini(), and what libraries have is taken down then: no
 * thread may be left.  A child of slurmctld's that ends has no thread. */
__attribute__((destructor)) static void end(void)
{
	if (getpid() == owner)
		watch_destroy(watch);
	watch = NULL;
}

/* What a job test changes in a job even when it fails. */
struct job_state {
	uint64_t pn_min_memory;
	uint32_t min_cpus;
	uint16_t cpus_per_task;
	uint64_t bit_flags;
	bool best_switch;
	time_t wait4switch_start, start_time;
};

static void job_state_save(const job_record_t *job, struct job_state *ret)
{
	*ret = (struct job_state){
		.pn_min_memory = job->details->pn_min_memory,
		.min_cpus = job->details->min_cpus,
		.cpus_per_task = job->details->cpus_per_task,
		.bit_flags = job->bit_flags,
		.best_switch = job->best_switch,
		.wait4switch_start = job->wait4switch_start,
		.start_time = job->start_time,
	};
}

static void job_state_restore(job_record_t *job, const struct job_state *before)
{
	job->details->pn_min_memory = before->pn_min_memory;
	job->details->min_cpus = before->min_cpus;
	job->details->cpus_per_task = before->cpus_per_task;
	job->bit_flags = before->bit_flags;
	job->best_switch = before->best_switch;
	job->wait4switch_start = before->wait4switch_start;
	job->start_time = before->start_time;
}

static void watch_set_source(const struct policy *policy)
{
	struct predictd_peer peer;

	predictd_peer_set(&peer, policy->url, slurm_conf.authinfo);
	watch_source(watch, &peer, slurm_conf.cluster_name);
}

/* What is done with a job: by the site's policy for its partition, and for the
 * number of nodes by what its submission allowed. */
struct job_policy {
	enum policy_place place;
	enum prediction_mode nodes;
	struct moldable_goal goal;
};

/* Left in the job's control environment by job_submit/predict. */
static enum prediction_mode nodes_allowed(const job_record_t *job)
{
	const char *word =
		spank_option_find(job->spank_job_env, job->spank_job_env_size,
				  OPTION_NODES_VARIABLE);
	enum prediction_mode mode;

	return word && !enum_words_parse(&prediction_mode_words, word, &mode)
		       ? mode
		       : MODE_OFF;
}

static void policy_of_job(const job_record_t *job, struct job_policy *ret)
{
	const char *partition = job->part_ptr ? job->part_ptr->name : "";
	enum prediction_mode allowed = nodes_allowed(job);
	struct policy policy;

	site_policy(site, slurm_conf.slurmctld_params, &policy);
	ret->place = policy_place(&policy, partition);
	ret->nodes = policy_nodes(&policy, partition, NULL);
	ret->goal = *policy_nodes_goal(&policy, partition, NULL);
	if (allowed < ret->nodes)
		ret->nodes = allowed;
	if (ret->place != PLACE_OFF || ret->nodes != MODE_OFF)
		watch_set_source(&policy);
}

/* Return whether the plugin has something to do with jobs of a partition. */
static bool is_used(const struct policy *policy, const char *partition)
{
	return policy_place(policy, partition) != PLACE_OFF ||
	       policy_nodes(policy, partition, NULL) == MODE_ACT;
}

/* Called when slurmctld has read its nodes, too: so there is a snapshot for the
 * first job. */
void forward_jobs_changed(void)
{
	struct policy policy;

	atomic_store(&jobs_changed, true);
	if (!watch || watch_has_source(watch))
		return;
	site_policy(site, slurm_conf.slurmctld_params, &policy);

	bool any = is_used(&policy, "");

	for (int i = 0; i < policy.partitions_count; i++)
		any |= is_used(&policy, policy.partitions[i].name);
	if (any)
		watch_set_source(&policy);
}

/* Choose the best nodes by place.h; none, and ret->why, where that is
 * not possible. */
static void nodes_choose(const struct place_request *request,
			 struct place_result *ret)
{
	double age_s;
	struct snapshot *snapshot = watch_snapshot(watch, &age_s);

	*ret = (struct place_result){ .nodes = NULL };
	if (!snapshot) {
		snprintf(ret->why, sizeof(ret->why), "there is no snapshot");
	} else if (age_s > AGE_MAX_S) {
		snprintf(ret->why, sizeof(ret->why), "the snapshot is too old");
	} else if (pthread_mutex_trylock(&placing) != 0) {
		snprintf(ret->why, sizeof(ret->why), "another job is placed");
	} else {
		if (atomic_exchange(&jobs_changed, false))
			cluster_jobs_changed(&place.cluster);
		place_choose(&place, snapshot, request, ret);
		pthread_mutex_unlock(&placing);
	}
	snapshot_put(snapshot);
}

static void result_log(log_level_t level, const struct place_result *result,
		       const job_record_t *job, const char *outcome,
		       bitstr_t *nodes)
{
	if (get_log_level() < (int)level)
		return;

	char *names = nodes ? bitmap2node_name(nodes) : NULL;
	char times[64] = "", number[32] = "";

	if (result->known && result->stock_s > 0)
		snprintf(times, sizeof(times), ", %.0f s instead of %.0f s",
			 result->runtime_s, result->stock_s);
	if (result->nodes_best)
		snprintf(number, sizeof(number),
			 "up to %u nodes: ", result->nodes_best);
	log_var(level, "predict: JobId=%u: %s%s%s (%s%s%s)", job->job_id,
		outcome, names ? " " : "", names ? names : "", number,
		result->why, times);
	xfree(names);
}

/* Log how Slurm's choice compares with ours. */
static void choice_compare(const struct place_request *request, bitstr_t *nodes)
{
	struct place_result result;

	nodes_choose(request, &result);
	if (!result.nodes)
		result_log(LOG_LEVEL_DEBUG, &result, request->job,
			   "Slurm's choice stands:", nodes);
	else if (bit_super_set(nodes, result.nodes))
		result_log(LOG_LEVEL_DEBUG, &result, request->job,
			   "Slurm chose well:", nodes);
	else
		result_log(LOG_LEVEL_INFO, &result, request->job,
			   "would have been offered", result.nodes);
	FREE_NULL_BITMAP(result.nodes);
}

/* Log the number of nodes that we would have offered. */
static void number_compare(const struct place_request *request, bitstr_t *nodes)
{
	uint32_t given = (uint32_t)bit_set_count(nodes);
	struct place_result result;

	nodes_choose(request, &result);
	if (result.nodes_best && result.nodes_best != given)
		info("predict: JobId=%u: %u nodes would be best, it gets %u",
		     request->job->job_id, result.nodes_best, given);
	FREE_NULL_BITMAP(result.nodes);
}

/* Return the flag by which backfill's test finds no start to come, or 0. */
static uint64_t flag_to_add(const job_record_t *job, uint16_t mode)
{
	struct policy policy;

	if (!watch || !job->details || mode != SELECT_MODE_WILL_RUN ||
	    (job->bit_flags & (BACKFILL_TEST | TEST_NOW_ONLY)) != BACKFILL_TEST)
		return 0;
	site_policy(site, slurm_conf.slurmctld_params, &policy);
	return reserve_is_early(&policy, job, time(NULL)) ? TEST_NOW_ONLY : 0;
}

/* Return whether the job is tested for a start now. */
static bool is_test_for_now(uint16_t mode, RELEASE_TEST_MORE)
{
	(void)excluded;
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	if (will_run && will_run->start > time(NULL))
		return false;
#endif
	return mode == SELECT_MODE_RUN_NOW || mode == SELECT_MODE_WILL_RUN;
}

/* Offer some nodes, or the best number of them if it is known.  False: the job
 * cannot run there now, and nothing has changed. */
static bool offer_try(const struct place_request *request,
		      const struct place_result *result, job_record_t *job,
		      bitstr_t *nodes, bitstr_t *offered, uint16_t mode,
		      RELEASE_TEST_MORE)
{
	uint32_t most = request->max_nodes, want = request->want_nodes;
	struct job_state before;

	if (result->nodes_best)
		most = want = result->nodes_best;
	job_state_save(job, &before);
	if (mode == SELECT_MODE_WILL_RUN)
		job->bit_flags |= TEST_NOW_ONLY;

	int rc = stock_test(job, offered, request->min_nodes, most, want, mode,
			    NULL, NULL, RELEASE_TEST_PASSED);

	if (rc == SLURM_SUCCESS) {
		job->bit_flags = before.bit_flags;
		bit_and(nodes, offered);
	} else {
		job_state_restore(job, &before);
	}
	result_log(LOG_LEVEL_DEBUG, result, job,
		   rc ? "cannot run now on" : "can run now on", offered);
	return rc == SLURM_SUCCESS;
}

/* Offer the better nodes alone, then the better number of any.  False: it
 * cannot run so now, and nothing has changed. */
static bool nodes_offer(const struct place_request *request,
			enum policy_place what, job_record_t *job,
			bitstr_t *nodes, uint16_t mode, RELEASE_TEST_MORE)
{
	struct place_result result;
	bool started = false;

	nodes_choose(request, &result);
	if (result.nodes && what == PLACE_ON)
		started = offer_try(request, &result, job, nodes, result.nodes,
				    mode, RELEASE_TEST_PASSED);
	if (!started && result.nodes_best) {
		bitstr_t *all = bit_copy(nodes);

		started = all && offer_try(request, &result, job, nodes, all,
					   mode, RELEASE_TEST_PASSED);
		FREE_NULL_BITMAP(all);
	}
	if (!started && !result.nodes && !result.nodes_best)
		result_log(LOG_LEVEL_DEBUG, &result, job, "left to Slurm",
			   NULL);
	FREE_NULL_BITMAP(result.nodes);
	return started;
}

/* Log, where placement is only observed, the nodes that would have been
 * offered; the job starts on `nodes`, of `all`. */
static void start_compare(const struct job_policy *policy,
			  struct place_request *request, bitstr_t *all,
			  bitstr_t *nodes)
{
	request->nodes = all;
	request->goal = NULL;
	if (policy->place == PLACE_OBSERVE)
		choice_compare(request, nodes);
	request->goal = &policy->goal;
	if (policy->nodes == MODE_OBSERVE || policy->nodes == MODE_ADVISE)
		number_compare(request, nodes);
}

int select_p_job_test(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,
		      uint32_t max_nodes, uint32_t want_nodes, uint16_t mode,
		      release_list *preemptable, release_list **ret_preempt,
		      RELEASE_TEST_MORE)
{
	struct job_policy policy = { .place = PLACE_OFF, .nodes = MODE_OFF };
	uint64_t added = flag_to_add(job, mode);

	if (added && !is_test_for_now(mode, RELEASE_TEST_PASSED))
		return ESLURM_NODES_BUSY;
	if (watch && job->details && is_test_for_now(mode, RELEASE_TEST_PASSED))
		policy_of_job(job, &policy);

	struct place_request request = {
		.job = job,
		.nodes = nodes,
		.min_nodes = min_nodes,
		.max_nodes = max_nodes,
		.want_nodes = want_nodes,
		.goal = policy.nodes == MODE_ACT ? &policy.goal : NULL,
	};
	bool watched =
		mode == SELECT_MODE_RUN_NOW &&
		(policy.place == PLACE_OBSERVE ||
		 policy.nodes == MODE_OBSERVE || policy.nodes == MODE_ADVISE);
	bitstr_t *all = watched ? bit_copy(nodes) : NULL;
	int rc = SLURM_SUCCESS;

	job->bit_flags |= added;
	if (!(policy.place == PLACE_ON || request.goal) ||
	    !nodes_offer(&request, policy.place, job, nodes, mode,
			 RELEASE_TEST_PASSED))
		rc = stock_test(job, nodes, min_nodes, max_nodes, want_nodes,
				mode, preemptable, ret_preempt,
				RELEASE_TEST_PASSED);
	job->bit_flags &= ~added;
	/* With candidates for preemption it may lie there all the same. */
	if (added && rc == SLURM_SUCCESS && job->start_time > time(NULL))
		rc = ESLURM_NODES_BUSY;
	if (added && rc != SLURM_SUCCESS)
		debug("predict: JobId=%u: no nodes are kept free for it yet",
		      job->job_id);
	if (all && rc == SLURM_SUCCESS)
		start_compare(&policy, &request, all, nodes);
	FREE_NULL_BITMAP(all);
	return rc;
}
