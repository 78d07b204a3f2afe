/* job_submit_predict.c - slurmctld's plugin job_submit/predict
 *
 * slurmctld calls job_submit() for each submission, under its locks.  What
 * the policy in slurm.conf asks for is done here: ask predictd, tell the user,
 * note the prediction's id in the job, and set a limit where the user gave
 * none.  Whatever goes wrong, the job is taken as it came: this always returns
 * SLURM_SUCCESS, never exits, and is done by its deadline.
 */
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/job_submit/breaker.h"
#include "plugin/job_submit/message.h"
#include "plugin/job_submit/rpc.h"
#include "plugin/job_submit/translate.h"
#include "plugin/site/export.h"
#include "plugin/site/predictd_peer.h"
#include "plugin/site/recent_models.h"
#include "plugin/site/site.h"
#include "plugin/site/slurmctld.h"
#include "predictor/base/clock.h"

#define ADMIN_COMMENT_MAX 32768 /* others append to it, too */
#define USER_MESSAGE_MAX  4096

/* How much of the deadline is spent on waiting: the rest is for the kernel to
 * wake us up on a busy machine, and for what then has to be done. */
#define WAIT_SHARE 0.9

EXPORT extern const char plugin_name[];
EXPORT extern const char plugin_type[];
EXPORT extern const uint32_t plugin_version;

const char plugin_name[] = "Run-time prediction";
const char plugin_type[] = "job_submit/predict";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

EXPORT int init(void);
EXPORT int fini(void);
EXPORT int job_submit(job_desc_msg_t *desc, uint32_t submit_uid,
		      char **err_msg);

static struct site *site;
static struct ask *ask;

static void complain(const char *text)
{
	slurm_error("predict: %s", text);
}

/* A plugin that fails here would keep slurmctld from starting; one without
 * memory does nothing instead. */
int init(void)
{
	site = site_create(complain);
	ask = ask_create();
	if (!site || !ask)
		slurm_error("predict: out of memory, no job is predicted");
	return SLURM_SUCCESS;
}

int fini(void)
{
	ask_destroy(ask);
	site_destroy(site);
	ask = NULL;
	site = NULL;
	return SLURM_SUCCESS;
}

static const char *default_partition(void)
{
	return &default_part_name ? default_part_name : NULL;
}

static void tell_news(enum ask_news news, const char *url, const char *why)
{
	if (news == ASK_STOPPED)
		slurm_error("predict: predictd at %s does not answer (%s): not "
			    "asked for %.0f s",
			    url, why, BREAKER_PAUSE_S);
	if (news == ASK_RESUMED)
		slurm_info("predict: predictd at %s answers again", url);
}

/* Add `separator`, if something stands before it, and `more` to *text. */
static void append(char **text, const char *separator, const char *more,
		   size_t max)
{
	size_t length = *text ? strlen(*text) : 0;
	const char *between = length ? separator : "";

	/* What others wrote there is worth more than what we have to say. */
	if (length + strlen(between) + strlen(more) < max)
		slurm_xstrfmtcat(text, "%s%s", between, more);
}

static void note_id(job_desc_msg_t *desc, const char *id)
{
	char note[sizeof("predict=") + PREDICTION_ID_SIZE];

	snprintf(note, sizeof(note), "predict=%s", id);
	append(&desc->admin_comment, ",", note, ADMIN_COMMENT_MAX);
}

/* Give a job without a limit one that suits it.  0: it got none. */
static uint32_t set_limit(job_desc_msg_t *desc, const struct policy *policy,
			  const struct prediction_answer *prediction)
{
	/* With a deadline a limit may decide whether the job can run at all:
	 * that is left to Slurm and the user. */
	if (desc->time_limit != NO_VAL || desc->deadline)
		return 0;

	uint32_t minutes = policy_limit_min(policy, desc->partition,
					    default_partition(), prediction);

	if (minutes && desc->time_min != NO_VAL && desc->time_min > minutes)
		return 0; /* the user knows of a reason why it may take longer */
	if (minutes)
		desc->time_limit = minutes;
	return minutes;
}

static void apply(job_desc_msg_t *desc, char **err_msg,
		  const struct policy *policy, enum prediction_mode mode,
		  const struct prediction_answer *prediction)
{
	char text[MESSAGE_SIZE];
	uint32_t minutes = 0;

	note_id(desc, prediction->id);
	if (mode == MODE_ACT)
		minutes = set_limit(desc, policy, prediction);
	if (mode >= MODE_ADVISE &&
	    message_format(policy->message, prediction, minutes, text))
		append(err_msg, "\n", text, USER_MESSAGE_MAX);
}

/* Too large for the stack: slurmctld starts a thread for each submission, and
 * each page of its stack that is touched must then be made. */
struct question {
	struct policy policy;
	struct predictd_peer peer;
	struct translation translation;
};

static void predict(job_desc_msg_t *desc, uint32_t submit_uid, char **err_msg,
		    double began_s, struct question *question)
{
	struct policy *policy = &question->policy;
	struct wire_request *request = &question->translation.request;

	site_policy(site, slurm_conf.slurmctld_params, policy);

	enum prediction_mode mode =
		policy_mode(policy, desc->partition, default_partition());

	if (mode == MODE_OFF)
		return;
	translate(desc, slurm_conf.cluster_name, &question->translation);
	mode = policy_lower_mode(mode, &request->job);
	if (mode == MODE_OFF)
		return;
	if (desc->user_id == NO_VAL)
		request->job.user_id = submit_uid;
	if (!request->job.partition)
		request->job.partition = default_partition();
	predictd_peer_set(&question->peer, policy->url, slurm_conf.authinfo);
	request->mode = mode;
	request->quantile = policy->quantile;
	request->brief = true;

	struct ask_answer answer;
	const struct prediction_answer *prediction = &answer.prediction;
	struct sp_error err = { "" };
	enum ask_news news;
	double timeout_s = (double)policy->timeout_ms * 1e-3;
	int rc = ask_prediction(ask, &question->peer, request,
				began_s + WAIT_SHARE * timeout_s, &answer,
				&news, &err);

	tell_news(news, policy->url, err.text);
	if (!rc) {
		told_put(prediction->id, answer.placement);
		apply(desc, err_msg, policy, mode, prediction);
	}
	slurm_debug("predict: %s after %.3f ms", rc ? err.text : prediction->id,
		    (clock_monotonic_s() - began_s) * 1e3);
}

int job_submit(job_desc_msg_t *desc, uint32_t submit_uid, char **err_msg)
{
	double began_s = clock_monotonic_s();
	struct question *question =
		site && ask ? malloc(sizeof(*question)) : NULL;

	if (question)
		predict(desc, submit_uid, err_msg, began_s, question);
	free(question);
	return SLURM_SUCCESS;
}

/* A changed job keeps the prediction of its submission. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
EXPORT int job_modify(job_desc_msg_t *desc, void *job, uint32_t submit_uid,
		      char **err_msg);

int job_modify(job_desc_msg_t *desc, void *job, uint32_t submit_uid,
	       char **err_msg)
{
	(void)desc;
	(void)job;
	(void)submit_uid;
	(void)err_msg;
	return SLURM_SUCCESS;
}
#else
EXPORT int job_modify(job_desc_msg_t *desc, void *job, uint32_t submit_uid);

int job_modify(job_desc_msg_t *desc, void *job, uint32_t submit_uid)
{
	(void)desc;
	(void)job;
	(void)submit_uid;
	return SLURM_SUCCESS;
}
#endif
