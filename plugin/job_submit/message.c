/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.c - what people read of a prediction: at submission, in
 * AdminComment */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "plugin/job_submit/message.h"
#include "predictor/base/duration.h"
#include "predictor/features/array_size.h"

/* The least number of runs for a warning about the user's limit. */
#define WARNING_RUNS_MIN 3
#define WARNING_SIZE     112

#define START_SOON_S 3.0
#define START_MOST_S (366 * 86400.0)

#define OUTSIDE_SIZE (PREDICTION_OUTSIDE_SIZE + 4)

/* ": steps 3000, 200 to 600 seen": it may hold no more than text. */
static void format_outside(const struct prediction_answer *p,
			   char ret_text[OUTSIDE_SIZE])
{
	if (*p->outside)
		snprintf(ret_text, OUTSIDE_SIZE, ": %s", p->outside);
	else
		snprintf(ret_text, OUTSIDE_SIZE,
			 " of other sizes or parameters");
	for (char *c = ret_text; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
}

/* "(41 similar runs, last error 8%)"; those of other sizes and parameters are
 * not called similar. */
static void format_evidence(const struct prediction_answer *p, char *ret_text,
			    size_t size)
{
	char outside[OUTSIDE_SIZE];
	char words[EVIDENCE_WORDS_SIZE];
	char error[48] = "";

	format_outside(p, outside);
	/* No digits beyond that. */
	if (p->last_error >= 0 && p->last_error < 10)
		snprintf(error, sizeof(error), ", last error %.0f%%",
			 100 * p->last_error);
	else if (p->last_error >= 10)
		snprintf(error, sizeof(error), ", last error above 1000%%");
	if (p->extrapolated || *p->outside)
		snprintf(ret_text, size, "(extrapolated from %u run%s%s%s%s)",
			 p->evidence_runs, p->evidence_runs == 1 ? "" : "s",
			 p->own_runs ? "" : " of other users", outside, error);
	else
		snprintf(ret_text, size, "(%s%s)",
			 evidence_words(p->evidence_level, p->evidence_runs,
					p->own_runs, "your", words),
			 error);
}

/* " on n[1-2]": only what can be in a list of nodes. */
static void format_nodes(const struct prediction_answer *p, char *ret_text,
			 size_t size)
{
	const char *nodes = p->nodes_shown;

	*ret_text = '\0';
	for (const char *c = nodes; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_.,[]", *c))
			return;
	if (*nodes)
		snprintf(ret_text, size, " on %s", nodes);
}

/* A limit below what the job needs: more similar runs took longer than the
 * quantile allows for. */
static void format_warning(const struct prediction_answer *p, char *ret_text,
			   size_t size)
{
	double allowed = round((1 - p->quantile) * p->similar_runs);

	*ret_text = '\0';
	if (p->similar_runs >= WARNING_RUNS_MIN && p->over_limit > allowed)
		snprintf(ret_text, size,
			 "; %u of %u runs of this size and parameters would "
			 "not have ended within your limit",
			 p->over_limit, p->similar_runs);
}

static const char *format_history(const struct prediction_answer *p,
				  uint32_t limit_min,
				  char ret_text[MESSAGE_SIZE])
{
	char ground[184], limit[DURATION_TEXT_SIZE + 24] = "";
	char warning[WARNING_SIZE];
	char nodes[PREDICTION_NODES_SHOWN_SIZE + 8];
	char under[DURATION_TEXT_SIZE + 32];

	if (p->unbounded)
		snprintf(under, sizeof(under), "%.4g%% not known",
			 100 * p->quantile);
	else
		snprintf(under, sizeof(under), "under %s with %.4g%%",
			 DURATION_BRIEF(p->quantile_s), 100 * p->quantile);
	format_nodes(p, nodes, sizeof(nodes));
	format_evidence(p, ground, sizeof(ground));
	format_warning(p, warning, sizeof(warning));
	if (limit_min)
		snprintf(limit, sizeof(limit), "; limit set to %s",
			 DURATION_BRIEF(60.0 * limit_min));
	snprintf(ret_text, MESSAGE_SIZE, "predict: %s expected, %s %s%s%s%s",
		 DURATION_BRIEF(p->median_s), under, ground, nodes, limit,
		 warning);
	return ret_text;
}

/* A time from runs of something else is no prediction: it has no quantile. */
static const char *format_guess(const struct prediction_answer *p,
				char ret_text[MESSAGE_SIZE])
{
	char words[EVIDENCE_WORDS_SIZE], warning[WARNING_SIZE];
	char limit[DURATION_TEXT_SIZE + 24] = "";

	format_warning(p, warning, sizeof(warning));
	if (p->limit_s > 0 && isfinite(p->limit_s))
		snprintf(limit, sizeof(limit), "; your limit is %s",
			 DURATION_BRIEF(p->limit_s));
	snprintf(ret_text, MESSAGE_SIZE,
		 "predict: a guess: about %s, from %s%s%s",
		 DURATION_BRIEF(p->median_s),
		 evidence_words(p->evidence_level, p->evidence_runs,
				p->own_runs, "your", words),
		 limit, warning);
	return ret_text;
}

const char *message_format(enum policy_message when,
			   const struct prediction_answer *p,
			   uint32_t limit_min, char ret_text[MESSAGE_SIZE])
{
	if (when == MESSAGE_OFF || p->unfit)
		return NULL;
	if (p->basis == BASIS_HISTORY && p->median_s >= 0 &&
	    p->quantile_s >= 0 &&
	    !prediction_is_guess(p->basis, p->evidence_level))
		return format_history(p, limit_min, ret_text);
	if (when != MESSAGE_ON)
		return NULL;
	if (p->basis == BASIS_HISTORY && p->median_s >= 0)
		return format_guess(p, ret_text);
	if (p->basis == BASIS_LIMIT && p->limit_s > 0 && isfinite(p->limit_s))
		snprintf(ret_text, MESSAGE_SIZE,
			 "predict: no similar run is known yet; your limit is "
			 "%s",
			 DURATION_BRIEF(p->limit_s));
	else
		snprintf(ret_text, MESSAGE_SIZE,
			 "predict: nothing is known yet about this job");
	return ret_text;
}

/* "14:10", "Tue 14:10", "28 Nov" */
static void format_time(double at_s, double now_s, char *ret, size_t size)
{
	time_t at = (time_t)at_s;
	struct tm tm = { 0 };

	localtime_r(&at, &tm);
	if (at_s - now_s < 12 * 3600)
		strftime(ret, size, "%H:%M", &tm);
	else if (at_s - now_s < 6 * 86400)
		strftime(ret, size, "%a %H:%M", &tm);
	else
		strftime(ret, size, "%d %b", &tm);
}

void message_add_start(const struct prediction_answer *prediction,
		       double priority, double now_s, char text[MESSAGE_SIZE])
{
	const double *start = prediction->starts + 1;
	const double *last = prediction->starts + PREDICTION_STARTS - 4;
	char about[16], low[16], high[16];
	size_t used = strlen(text);

	if (!prediction->starts_known)
		return;
	while (start < last && !(priority > start[0]))
		start += 4;
	if (!(start[1] >= 0 && start[1] <= start[2] && start[2] <= start[3] &&
	      start[3] < START_MOST_S))
		return;
	format_time(now_s + start[1], now_s, low, sizeof(low));
	format_time(now_s + start[2], now_s, about, sizeof(about));
	format_time(now_s + start[3], now_s, high, sizeof(high));
	if (start[3] < START_SOON_S)
		snprintf(text + used, MESSAGE_SIZE - used, "%sstarts at once",
			 used ? "; " : "predict: ");
	else
		snprintf(text + used, MESSAGE_SIZE - used,
			 "%sstarts about %s (%s-%s)",
			 used ? "; " : "predict: ", about, low, high);
}

const char *message_nodes(const struct placement_curve *curve,
			  const struct moldable_goal *goal, double limit_s,
			  uint32_t n_min, uint32_t n_max,
			  char ret_text[MESSAGE_SIZE])
{
	static const struct moldable_goal time_goal = { .aim = MOLDABLE_TIME };
	uint32_t best = moldable_best(curve, goal, limit_s, n_min, n_max);
	uint32_t fastest =
		moldable_best(curve, &time_goal, HUGE_VAL, n_min, n_max);
	char more[DURATION_TEXT_SIZE + 40] = ", and the fastest";

	if (!best || !fastest)
		return NULL;
	if (fastest != best)
		snprintf(more, sizeof(more), "; %u is fastest (%s)", fastest,
			 DURATION_BRIEF(placement_curve_s(curve, fastest)));
	snprintf(ret_text, MESSAGE_SIZE,
		 "predict: %u of %u-%u nodes is best (%s, %.0f%% efficient)%s",
		 best, n_min, n_max,
		 DURATION_BRIEF(placement_curve_s(curve, best)),
		 100 * moldable_efficiency(curve, best), more);
	return ret_text;
}

const char *message_bundle(enum policy_message when,
			   const struct prediction_answer *p, uint32_t tasks,
			   char ret_text[MESSAGE_SIZE])
{
	if (when == MESSAGE_OFF || p->unfit || p->basis != BASIS_HISTORY ||
	    p->evidence_level < EVIDENCE_APPLICATION ||
	    tasks < BUNDLE_PLAIN_TASKS ||
	    !(p->start_cost_s > 0 &&
	      p->median_s < BUNDLE_PLAIN_COSTS * p->start_cost_s))
		return NULL;
	snprintf(ret_text, MESSAGE_SIZE,
		 "predict: starting a job takes %.1fs, and each of the %u "
		 "tasks %s: `spredict bundle` tells how many a job should run",
		 p->start_cost_s, tasks, DURATION_BRIEF(p->median_s));
	return ret_text;
}

static void remove_blanks(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (*text != ' ')
			*to++ = *text;
	*to = '\0';
}

const char *message_note(const struct prediction_answer *p, bool shown,
			 char ret_note[MESSAGE_NOTE_SIZE])
{
	if (!p->id[0])
		return NULL;
	if (shown && !p->unfit && p->basis == BASIS_HISTORY && !p->unbounded &&
	    !prediction_is_guess(p->basis, p->evidence_level))
		snprintf(ret_note, MESSAGE_NOTE_SIZE,
			 "predict=%s:p50=%s,p%.4g=%s", p->id,
			 DURATION_BRIEF(p->median_s), 100 * p->quantile,
			 DURATION_BRIEF(p->quantile_s));
	else
		snprintf(ret_note, MESSAGE_NOTE_SIZE, "predict=%s", p->id);
	remove_blanks(ret_note); /* "1d 4h": the note is a word */
	return ret_note;
}
