/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_submit_predict.c - slurmctld's plugin job_submit/predict
 *
 * slurmctld calls job_submit() for each submission, under its locks.  The
 * policy in slurm.conf is applied: request a prediction, show it to the user,
 * add its id to the job's AdminComment, and set a limit where the user gave
 * none; its site factor may order the queue (queue_order.h).
 * On any error the job is submitted as it is, and its AdminComment says
 * so (PREDICTION_MISSED): this always returns
 * SLURM_SUCCESS, never exits, and returns by its deadline.
 *
 * slurmctld does not start when it refuses a job_submit plugin, so this one is
 * never refused: it takes the version of the slurmctld that loads it.  Where it
 * was built for another release (not just micro release) it does nothing at
 * all, as it cannot know the job description there.
 */
#include <inttypes.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/job_submit/breaker.h"
#include "plugin/job_submit/message.h"
#include "plugin/job_submit/misses.h"
#include "plugin/job_submit/open_nodes.h"
#include "plugin/job_submit/queue_order.h"
#include "plugin/job_submit/rpc.h"
#include "plugin/job_submit/translate.h"
#include "plugin/site/export.h"
#include "plugin/site/plan.h"
#include "plugin/site/predictd_peer.h"
#include "plugin/site/recent_models.h"
#include "plugin/site/running_release.h"
#include "plugin/site/site.h"
#include "plugin/site/slurmctld.h"
#include "plugin/site/spank_options.h"
#include "predictor/base/clock.h"
#include "predictor/features/array_size.h"
#include "predictor/features/queue_state.h"

#define ADMIN_COMMENT_MAX 32768 /* others append to it, too */
#define USER_MESSAGE_MAX  4096

/* The share of the deadline for waiting: the rest is for the wake-up on a busy
 * machine, and for the work after it. */
#define WAIT_SHARE 0.9

EXPORT extern const char plugin_name[];
EXPORT extern const char plugin_type[];
EXPORT extern uint32_t plugin_version;
EXPORT extern const uint32_t predict_built_for;

const char plugin_name[] = "Run-time prediction";
const char plugin_type[] = "job_submit/predict";
uint32_t plugin_version = SLURM_VERSION_NUMBER;
const uint32_t predict_built_for =
	SLURM_VERSION_NUMBER; /* for plugin_trial.h */

EXPORT int init(void);
EXPORT int fini(void);
EXPORT int job_submit(job_desc_msg_t *desc, uint32_t submit_uid,
		      char **err_msg);

static struct site *site;
static struct rpc *rpc;
static struct misses misses;

static void log_ignored_token(void *context, const char *token, const char *why)
{
	(void)context;
	slurm_error("predict: SlurmctldParameters: %s: %s (ignored)", token,
		    why);
}

/* Called when the plugin is loaded, before Slurm compares versions. */
__attribute__((constructor)) static void version_adopt(void)
{
	uint32_t running = running_release();

	if (running)
		plugin_version = running;
}

/* Return whether this release is one that the plugin was built for; logs it
 * if not. */
static bool release_check(void)
{
	char built_for[RELEASE_TEXT_SIZE], running[RELEASE_TEXT_SIZE];

	if (plugin_version == SLURM_VERSION_NUMBER)
		return true;
	release_format(SLURM_VERSION_NUMBER, built_for);
	release_format(plugin_version, running);
	if (release_fits(SLURM_VERSION_NUMBER, plugin_version)) {
		slurm_info("predict: built for Slurm %s, works with %s",
			   built_for, running);
		return true;
	}
	slurm_error("predict: built for Slurm %s, this is %s: NO JOB IS "
		    "PREDICTED until slurm-predict is built for this release",
		    built_for, running);
	return false;
}

/* A failure here would keep slurmctld from starting: without memory the plugin
 * does nothing instead. */
int init(void)
{
	if (!release_check())
		return SLURM_SUCCESS;
	site = site_create(log_ignored_token);
	rpc = rpc_create();
	if (!site || !rpc)
		slurm_error("predict: out of memory, no job is predicted");
	return SLURM_SUCCESS;
}

int fini(void)
{
	rpc_destroy(rpc);
	site_destroy(site);
	rpc = NULL;
	site = NULL;
	return SLURM_SUCCESS;
}

static const char *default_partition(void)
{
	return &default_part_name ? default_part_name : NULL;
}

static void log_change(enum rpc_change change, const char *url, const char *why)
{
	if (change == RPC_STOPPED)
		slurm_error("predict: predictd at %s does not answer (%s): no "
			    "requests for %.0f s",
			    url, why, BREAKER_PAUSE_S);
	if (change == RPC_POSTPONED)
		slurm_info("predict: predictd at %s is not ready yet (%s): no "
			   "requests for %.0f s",
			   url, why, BREAKER_PAUSE_S);
	if (change == RPC_RESUMED)
		slurm_info("predict: predictd at %s answers again", url);
}

/* Add `separator`, if something stands before it, and `more` to *text. */
static void text_append(char **text, const char *separator, const char *more,
			size_t max)
{
	size_t length = *text ? strlen(*text) : 0;
	const char *between = length ? separator : "";

	/* Never cut what others wrote there. */
	if (length + strlen(between) + strlen(more) < max)
		slurm_xstrfmtcat(text, "%s%s", between, more);
}

static void remove_variable(char **variables, uint32_t *count, const char *name)
{
	for (uint32_t i = 0; slurm_xfree && i < *count;) {
		if (!spank_option_find(variables + i, 1, name)) {
			i++;
			continue;
		}
		slurm_xfree((void **)&variables[i]);
		variables[i] = variables[--*count];
		variables[*count] = NULL;
	}
}

/* A variable that is set is left alone. */
static void add_variable(char ***variables, uint32_t *count, const char *name,
			 const char *value)
{
	char **grown;

	if (spank_option_find(*variables, *count, name) || !slurm_xcalloc ||
	    !slurm_xfree)
		return;
	grown = slurm_xcalloc((size_t)*count + 2, sizeof(*grown), true, true,
			      __FILE__, __LINE__, __func__);
	if (!grown)
		return;
	if (*count)
		memcpy(grown, *variables, *count * sizeof(*grown));
	slurm_xstrfmtcat(&grown[*count], "%s=%s", name, value);
	slurm_xfree((void **)variables);
	*variables = grown;
	++*count;
}

/* Slurm shows it to the select plugin and in scontrol, and to the prolog. */
static void note_prediction(job_desc_msg_t *desc,
			    const struct prediction_answer *prediction,
			    bool shown)
{
	char text[MESSAGE_NOTE_SIZE];
	const char *note = message_note(prediction, shown, text);

	if (!note)
		return;
	text_append(&desc->admin_comment, ",", note, ADMIN_COMMENT_MAX);
	add_variable(&desc->spank_job_env, &desc->spank_job_env_size,
		     OPTION_PREDICTION_VARIABLE, prediction->id);
}

static void note_arguments(job_desc_msg_t *desc)
{
	char *text = NULL;

	/* As far as there is room, without a gap: places count. */
	for (uint32_t i = 0; desc->argv && i < desc->argc; i++) {
		size_t before = text ? strlen(text) : 0;

		if (desc->argv[i])
			text_append(&text, " ", desc->argv[i],
				    OPTION_ARGUMENTS_TEXT_SIZE);
		if (!text || strlen(text) == before)
			break;
	}
	if (text)
		add_variable(&desc->spank_job_env, &desc->spank_job_env_size,
			     OPTION_ARGUMENTS_VARIABLE, text);
	if (slurm_xfree)
		slurm_xfree((void **)&text);
}

/* predictd did not reply.  collectord reads this when the job starts, and then
 * finds its application. */
static void note_missed(job_desc_msg_t *desc, const char *why)
{
	uint64_t count = misses_note(&misses, clock_monotonic_s());

	text_append(&desc->admin_comment, ",", PREDICTION_MISSED,
		    ADMIN_COMMENT_MAX);
	note_arguments(desc);
	if (count)
		slurm_info("predict: jobs submitted without a prediction: "
			   "%" PRIu64 " (%s)",
			   count, why);
}

/* For the select plugin, instead of the user's wish. */
static void nodes_note(job_desc_msg_t *desc,
		       const struct prediction_answer *prediction,
		       const struct nodes_open *nodes)
{
	enum prediction_mode mode = nodes_mode(nodes, prediction);

	remove_variable(desc->spank_job_env, &desc->spank_job_env_size,
			OPTION_NODES_VARIABLE);
	if (mode != MODE_OFF && prediction->id[0])
		add_variable(&desc->spank_job_env, &desc->spank_job_env_size,
			     OPTION_NODES_VARIABLE, prediction_mode_name(mode));
}

/* For the select plugin, which says for which jobs backfill keeps nodes free.
 * What is not known is left out. */
static void median_note(job_desc_msg_t *desc, const struct policy *policy,
			const struct prediction_answer *prediction)
{
	char text[32];

	if (!(policy->plan_reserve > 0) || !prediction ||
	    policy_no_order(policy, prediction))
		return;
	snprintf(text, sizeof(text), "%.0f", prediction->median_s);
	add_variable(&desc->spank_job_env, &desc->spank_job_env_size,
		     OPTION_MEDIAN_VARIABLE, text);
}

/* Set a limit for a job that has none: for the number of nodes on which it
 * would run longest.  Returns minutes; 0: none was set. */
static uint32_t set_limit(job_desc_msg_t *desc, const struct policy *policy,
			  const struct prediction_answer *prediction,
			  const struct nodes_open *nodes)
{
	struct prediction_answer longest = *prediction;

	/* With --deadline a limit may decide whether the job can run at all:
	 * leave that to the user. */
	if (desc->time_limit != NO_VAL || desc->deadline)
		return 0;

	const char *why = nodes_no_limit(nodes, policy, prediction);

	if (why) {
		slurm_info("predict: user %u: no limit is set: %s",
			   desc->user_id, why);
		return 0;
	}
	if (nodes->slowest > 1)
		longest.quantile_s *= nodes->slowest;

	uint32_t minutes = policy_limit_min(policy, desc->partition,
					    default_partition(), &longest);

	if (minutes && desc->time_min != NO_VAL && desc->time_min > minutes)
		return 0; /* --time-min: the user expects it to take longer */
	if (minutes) {
		char note[32];

		snprintf(note, sizeof(note), QUEUE_LIMIT_NOTE "%u", minutes);
		text_append(&desc->admin_comment, ",", note, ADMIN_COMMENT_MAX);
		desc->time_limit = minutes;
	}
	return minutes;
}

/* As if the user had given --predict-profile: all nodes must decide the same.
 * A prolog gets the job's variable; one that runs because a step reaches the
 * node gets that of the script, see spank_options.h. */
static void set_profile(job_desc_msg_t *desc, const char *profile)
{
	if (!profile ||
	    spank_option_find(desc->spank_job_env, desc->spank_job_env_size,
			      OPTION_PROFILE_VARIABLE))
		return;
	add_variable(&desc->spank_job_env, &desc->spank_job_env_size,
		     OPTION_PROFILE_VARIABLE, profile);
	if (desc->script)
		add_variable(&desc->environment, &desc->env_size,
			     "SLURM_SPANK_" OPTION_PROFILE_VARIABLE, profile);
}

/* Return the priority that the job will have: of its key where that orders the
 * queue, else of the newest job there. */
static double turn_of(const job_desc_msg_t *desc, const struct policy *policy,
		      const struct prediction_answer *prediction)
{
	const char *why;

	if (queue_order_plan(desc, policy, default_partition()) != PLAN_ON)
		return prediction->starts[0];
	return (double)plan_site_factor(
		policy, time(NULL),
		plan_length_s(policy, desc->time_limit, prediction, &why));
}

static void prediction_apply(job_desc_msg_t *desc, char **err_msg,
			     const struct policy *policy,
			     enum prediction_mode mode,
			     const struct prediction_answer *prediction,
			     const struct nodes_open *nodes)
{
	enum policy_message when = policy->message % MESSAGE_START;
	char text[MESSAGE_SIZE] = "";
	uint32_t minutes = 0;

	note_prediction(desc, prediction,
			mode >= MODE_ADVISE && when != MESSAGE_OFF);
	/* Without an id it is for `sbatch --test-only`: no job follows. */
	if (mode == MODE_ACT && prediction->id[0])
		minutes = set_limit(desc, policy, prediction, nodes);
	if (mode >= MODE_ADVISE) {
		message_format(when, prediction, minutes, text);
		message_add_start(prediction, turn_of(desc, policy, prediction),
				  (double)time(NULL), text);
	}
	if (*text)
		text_append(err_msg, "\n", text, USER_MESSAGE_MAX);
	if (mode >= MODE_ADVISE && nodes->mode >= MODE_ADVISE &&
	    when != MESSAGE_OFF && nodes->curve.reach &&
	    message_nodes(&nodes->curve, &nodes->goal, nodes->limit_s,
			  nodes->least, nodes->most, text))
		text_append(err_msg, "\n", text, USER_MESSAGE_MAX);
	if (mode >= MODE_ADVISE && desc->array_inx &&
	    message_bundle(when, prediction,
			   (uint32_t)array_size(desc->array_inx), text))
		text_append(err_msg, "\n", text, USER_MESSAGE_MAX);
}

/* Return whether it may start as soon as it is its turn. */
static bool is_eligible(const job_desc_msg_t *desc)
{
	return desc->begin_time <= time(NULL) && desc->priority != 0 &&
	       !(desc->dependency && *desc->dependency);
}

/* Too large for the stack: slurmctld starts a thread for each submission, and
 * each page of its stack that is touched must be allocated. */
struct scratch {
	struct policy policy;
	struct predictd_peer peer;
	struct translation translation;
	struct nodes_open nodes;
	struct rpc_reply answer;
};

/* Returns what was predicted, in `scratch`; NULL: nothing. */
static const struct prediction_answer *
predict_job(job_desc_msg_t *desc, uint32_t submit_uid, char **err_msg,
	    double began_s, struct scratch *scratch)
{
	struct policy *policy = &scratch->policy;
	struct wire_request *request = &scratch->translation.request;
	enum prediction_mode mode =
		policy_mode(policy, desc->partition, default_partition());

	if (mode == MODE_OFF)
		return NULL;
	translate(desc, slurm_conf.cluster_name, &scratch->translation);
	mode = policy_lower_mode(mode, &request->job);
	if (mode == MODE_OFF)
		return NULL;
	if (desc->user_id == NO_VAL)
		request->job.user_id = submit_uid;
	if (!request->job.partition)
		request->job.partition = default_partition();
	request->job.placed =
		policy_places(policy, desc->partition, default_partition());
	predictd_peer_set(&scratch->peer, policy->url, slurm_conf.authinfo);
	request->mode = mode;
	request->quantile = policy->quantile;
	request->brief = true;
	request->starts = mode >= MODE_ADVISE &&
			  policy->message >= MESSAGE_START && is_eligible(desc);
	nodes_begin(policy, desc->partition, default_partition(), &request->job,
		    &scratch->nodes);

	const struct prediction_answer *prediction =
		&scratch->answer.prediction;
	struct sp_error err = { "" };
	enum rpc_change change;
	double timeout_s = (double)policy->timeout_ms * 1e-3;
	int rc = rpc_predict(rpc, &scratch->peer, request,
			     began_s + WAIT_SHARE * timeout_s, &scratch->answer,
			     &change, &err);

	log_change(change, policy->url, err.text);
	if (!rc) {
		recent_models_put(prediction->id, scratch->answer.placement);
		nodes_curve(scratch->answer.placement, &scratch->nodes);
		nodes_note(desc, prediction, &scratch->nodes);
		prediction_apply(desc, err_msg, policy, mode, prediction,
				 &scratch->nodes);
		set_profile(desc, scratch->answer.profile);
	} else if (!request->job.test_only) {
		note_missed(desc, err.text);
	}
	slurm_debug("predict: %s after %.3f ms", rc ? err.text : prediction->id,
		    (clock_monotonic_s() - began_s) * 1e3);
	return rc ? NULL : prediction;
}

int job_submit(job_desc_msg_t *desc, uint32_t submit_uid, char **err_msg)
{
	static const char *const ours[] = { OPTION_PREDICTION_VARIABLE,
					    OPTION_ARGUMENTS_VARIABLE,
					    OPTION_MEDIAN_VARIABLE };
	double began_s = clock_monotonic_s();
	struct scratch *scratch = site && rpc ? malloc(sizeof(*scratch)) : NULL;

	/* Those of a user do not count. */
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		remove_variable(desc->spank_job_env, &desc->spank_job_env_size,
				ours[i]);
	if (scratch) {
		site_policy(site, slurm_conf.slurmctld_params,
			    &scratch->policy);

		const struct prediction_answer *prediction = predict_job(
			desc, submit_uid, err_msg, began_s, scratch);

		queue_order_submit(desc, &scratch->policy, default_partition(),
				   prediction);
		median_note(desc, &scratch->policy, prediction);
	}
	free(scratch);
	return SLURM_SUCCESS;
}

/* A changed job keeps the prediction of its submission; predictd finds its
 * place. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#define MODIFY_MORE , __attribute__((unused)) char **err_msg
#else
#define MODIFY_MORE
#endif

EXPORT int job_modify(job_desc_msg_t *desc, void *job,
		      uint32_t submit_uid MODIFY_MORE);

int job_modify(job_desc_msg_t *desc, void *job, uint32_t submit_uid MODIFY_MORE)
{
	(void)desc;
	(void)job;
	(void)submit_uid;
	return SLURM_SUCCESS;
}
