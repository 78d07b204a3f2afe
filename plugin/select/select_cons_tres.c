/* select_cons_tres.c - Slurm's select/cons_tres, offered the better nodes first
 *
 * This has the name, type and id of Slurm's own plugin, stands before it in
 * PluginDir, and leaves all work to it.  Only where Slurm asks whether a job
 * can run now, it first offers the nodes on which the job is predicted to run
 * shortest; if it cannot run there, it offers all, as if nothing had been.
 * Thus no job waits that would not have waited without us.
 *
 * Backfill asks with SELECT_MODE_WILL_RUN and then starts the job on the nodes
 * that it got, so "now" is offered there, too, in the way that does not look
 * into the future (TEST_NOW_ONLY).
 *
 * Within a call there is no I/O and no waiting: what is known comes from a
 * snapshot that a thread of its own renews (watch.h).  Whatever is odd about a
 * job, a node or the snapshot, Slurm's own plugin decides alone.
 *
 * If this plugin cannot be used at all, init() fails, and Slurm goes on to its
 * own, which is in the next directory of PluginDir.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "plugin/select/forward.h"
#include "plugin/select/place.h"
#include "plugin/select/stock.h"
#include "plugin/select/watch.h"
#include "plugin/site/export.h"
#include "plugin/site/predictd_peer.h"
#include "plugin/site/releases.h"
#include "plugin/site/site.h"
#include "predictor/base/clock.h"

#define FILE_NAME "select_cons_tres.so"

/* Conditions older than this are no conditions of the moment. */
#define AGE_MAX_S 30.0

typedef int job_test(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,
		     uint32_t max_nodes, uint32_t want_nodes, uint16_t mode,
		     release_list *preemptable, release_list **ret_preempt,
		     RELEASE_TEST_MORE);

EXPORT extern const char plugin_name[];
EXPORT extern const char plugin_type[];
EXPORT extern const uint32_t plugin_id;
EXPORT extern const uint32_t plugin_version;
EXPORT extern const char select_predict_shadow;
EXPORT int init(void);
EXPORT int fini(void);
EXPORT job_test select_p_job_test;

const char plugin_name[] = "cons_tres on the nodes where jobs run shortest";
const char plugin_type[] = "select/cons_tres";
const uint32_t plugin_id = 109; /* as the one it stands for */
const uint32_t plugin_version = SLURM_VERSION_NUMBER;
const char select_predict_shadow = 1; /* STOCK_SHADOW_MARK */

static void *stock; /* Slurm's own plugin */
static job_test *stock_test;
static struct site *site;
static struct watch *watch; /* NULL: not in slurmctld, or out of memory */
static pid_t owner;         /* the process that `watch` is of */
static pthread_mutex_t placing = PTHREAD_MUTEX_INITIALIZER; /* guards `place` */
static struct place place;
static atomic_bool jobs_changed;

static void complain(const char *text)
{
	/* job_submit/predict reads the same tokens, and complains aloud. */
	debug("predict: %s", text);
}

static void tell(enum watch_news news, const char *text)
{
	switch (news) {
	case WATCH_WORKS:
		info("predict: %s tells where jobs run best", text);
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

static int call(const char *function)
{
	int (*called)(void) = (int (*)(void))dlsym(stock, function);

	return called ? called() : SLURM_SUCCESS;
}

int init(void)
{
	struct sp_error err;

	if (plugin_version >= RELEASE_UNTRIED) {
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
	if (!stock_test || call("init")) {
		error("predict: jobs are not placed: Slurm's own %s fails",
		      plugin_type);
		dlclose(stock);
		return SLURM_ERROR;
	}
	forward_to(stock);
	if (running_in_slurmctld()) {
		site = site_create(complain);
		watch = site ? watch_create(tell) : NULL;
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
	return call("fini");
}

/* slurmctld ends without fini(), and what libraries have is taken down then: no
 * thread may be left.  A child of slurmctld's that ends has no thread. */
__attribute__((destructor)) static void end(void)
{
	if (getpid() == owner)
		watch_destroy(watch);
	watch = NULL;
}

/* What a test leaves changed in a job though it failed. */
struct kept {
	uint64_t pn_min_memory;
	uint32_t min_cpus;
	uint16_t cpus_per_task;
	uint64_t bit_flags;
	bool best_switch;
	time_t wait4switch_start;
	time_t start_time;
};

static void keep(const job_record_t *job, struct kept *ret)
{
	*ret = (struct kept){
		.pn_min_memory = job->details->pn_min_memory,
		.min_cpus = job->details->min_cpus,
		.cpus_per_task = job->details->cpus_per_task,
		.bit_flags = job->bit_flags,
		.best_switch = job->best_switch,
		.wait4switch_start = job->wait4switch_start,
		.start_time = job->start_time,
	};
}

static void restore(job_record_t *job, const struct kept *kept)
{
	job->details->pn_min_memory = kept->pn_min_memory;
	job->details->min_cpus = kept->min_cpus;
	job->details->cpus_per_task = kept->cpus_per_task;
	job->bit_flags = kept->bit_flags;
	job->best_switch = kept->best_switch;
	job->wait4switch_start = kept->wait4switch_start;
	job->start_time = kept->start_time;
}

static void watch_for(const struct policy *policy)
{
	struct predictd_peer peer;

	predictd_peer_set(&peer, policy->url, slurm_conf.authinfo);
	watch_source(watch, &peer, slurm_conf.cluster_name);
}

/* What the site wants for the job's partition. */
static enum policy_place wanted(const job_record_t *job)
{
	struct policy policy;

	site_policy(site, slurm_conf.slurmctld_params, &policy);

	enum policy_place what =
		policy_place(&policy, job->part_ptr ? job->part_ptr->name : "");

	if (what != PLACE_OFF)
		watch_for(&policy);
	return what;
}

/* Also when slurmctld has read its nodes: so the first job finds a snapshot. */
void forward_jobs_changed(void)
{
	struct policy policy;

	atomic_store(&jobs_changed, true);
	if (!watch || watch_has_source(watch))
		return;
	site_policy(site, slurm_conf.slurmctld_params, &policy);

	bool any = policy_place(&policy, "") != PLACE_OFF;

	for (int i = 0; i < policy.partitions_count; i++)
		any |= policy_place(&policy, policy.partitions[i].name) !=
		       PLACE_OFF;
	if (any)
		watch_for(&policy);
}

/* Ask place.h; what is in the way is said in ret->why. */
static void choose(const struct place_question *question,
		   struct place_answer *ret)
{
	double age_s;
	struct snapshot *snapshot = watch_snapshot(watch, &age_s);

	*ret = (struct place_answer){ .nodes = NULL };
	if (!snapshot) {
		snprintf(ret->why, sizeof(ret->why), "there is no snapshot");
		return;
	}
	if (age_s > AGE_MAX_S) {
		snprintf(ret->why, sizeof(ret->why), "the snapshot is too old");
	} else if (pthread_mutex_trylock(&placing) != 0) {
		snprintf(ret->why, sizeof(ret->why), "another job is placed");
	} else {
		if (atomic_exchange(&jobs_changed, false))
			cluster_jobs_changed(&place.cluster);
		place_choose(&place, snapshot, question, ret);
		pthread_mutex_unlock(&placing);
	}
	snapshot_put(snapshot);
}

static void log_answer(log_level_t level, const struct place_answer *answer,
		       const job_record_t *job, const char *outcome,
		       bitstr_t *nodes)
{
	if (get_log_level() < (int)level)
		return;

	char *names = nodes ? bitmap2node_name(nodes) : NULL;
	char times[64] = "";

	if (answer->known && answer->stock_s > 0)
		snprintf(times, sizeof(times), ", %.0f s instead of %.0f s",
			 answer->runtime_s, answer->stock_s);
	log_var(level, "predict: JobId=%u: %s%s%s (%s%s)", job->job_id, outcome,
		names ? " " : "", names ? names : "", answer->why, times);
	xfree(names);
}

/* Slurm chooses; say what we would have. */
static void observe(const struct place_question *question, bitstr_t *nodes)
{
	struct place_answer answer;

	choose(question, &answer);
	if (!answer.nodes)
		log_answer(LOG_LEVEL_DEBUG, &answer, question->job,
			   "Slurm's choice stands:", nodes);
	else if (bit_super_set(nodes, answer.nodes))
		log_answer(LOG_LEVEL_DEBUG, &answer, question->job,
			   "Slurm chose well:", nodes);
	else
		log_answer(LOG_LEVEL_INFO, &answer, question->job,
			   "would have been offered", answer.nodes);
	if (answer.nodes)
		bit_free(answer.nodes);
}

/* Whether the question is if the job could run at once. */
static bool is_about_now(uint16_t mode, RELEASE_TEST_MORE)
{
	(void)excluded;
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	if (will_run && will_run->start > time(NULL))
		return false;
#endif
	return mode == SELECT_MODE_RUN_NOW || mode == SELECT_MODE_WILL_RUN;
}

/* Offer the better nodes alone.  False: it cannot run there now, and nothing
 * has changed. */
static bool offer(const struct place_question *question, job_record_t *job,
		  bitstr_t *nodes, uint16_t mode, RELEASE_TEST_MORE)
{
	struct place_answer answer;
	struct kept kept;

	choose(question, &answer);
	if (!answer.nodes) {
		log_answer(LOG_LEVEL_DEBUG, &answer, job, "left to Slurm",
			   NULL);
		return false;
	}
	keep(job, &kept);
	if (mode == SELECT_MODE_WILL_RUN)
		job->bit_flags |= TEST_NOW_ONLY;

	int rc = stock_test(job, answer.nodes, question->min_nodes,
			    question->max_nodes, question->want_nodes, mode,
			    NULL, NULL, RELEASE_TEST_PASSED);

	if (rc == SLURM_SUCCESS) {
		job->bit_flags = kept.bit_flags;
		bit_and(nodes, answer.nodes);
	} else {
		restore(job, &kept);
	}
	log_answer(LOG_LEVEL_DEBUG, &answer, job,
		   rc ? "cannot run now on" : "can run now on", answer.nodes);
	bit_free(answer.nodes);
	return rc == SLURM_SUCCESS;
}

int select_p_job_test(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,
		      uint32_t max_nodes, uint32_t want_nodes, uint16_t mode,
		      release_list *preemptable, release_list **ret_preempt,
		      RELEASE_TEST_MORE)
{
	enum policy_place what = PLACE_OFF;

	if (watch && job->details && is_about_now(mode, RELEASE_TEST_PASSED))
		what = wanted(job);

	struct place_question question = {
		.job = job,
		.nodes = nodes,
		.min_nodes = min_nodes,
		.max_nodes = max_nodes,
		.want_nodes = want_nodes,
	};

	if (what == PLACE_ON &&
	    offer(&question, job, nodes, mode, RELEASE_TEST_PASSED))
		return SLURM_SUCCESS;

	bool watched = what == PLACE_OBSERVE && mode == SELECT_MODE_RUN_NOW;
	bitstr_t *all = watched ? bit_copy(nodes) : NULL;
	int rc = stock_test(job, nodes, min_nodes, max_nodes, want_nodes, mode,
			    preemptable, ret_preempt, RELEASE_TEST_PASSED);

	if (all && rc == SLURM_SUCCESS) {
		question.nodes = all;
		observe(&question, nodes);
	}
	if (all)
		bit_free(all);
	return rc;
}
