/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prediction.c - words of a prediction's basis, evidence, mode and stage */
#include <math.h>
#include <stdio.h>

#include "predictor/features/prediction.h"

const struct enum_words prediction_basis_words = {
	.count = BASIS_COUNT,
	.unknown = "unknown",
	.word = { [BASIS_HISTORY] = "history",
		  [BASIS_LIMIT] = "limit",
		  [BASIS_NOTHING] = "nothing" },
};

const struct enum_words evidence_level_words = {
	.count = EVIDENCE_COUNT,
	.unknown = "unknown",
	.word = { [EVIDENCE_NONE] = "none",
		  [EVIDENCE_SITE] = "site",
		  [EVIDENCE_USER] = "user",
		  [EVIDENCE_APPLICATION] = "application" },
};

const struct enum_words prediction_unlike_words = {
	.count = UNLIKE_COUNT,
	.unknown = "unknown",
	.word = { [UNLIKE_NOT] = "",
		  [UNLIKE_LAST] = "last_runs",
		  [UNLIKE_CONDITIONS] = "conditions",
		  [UNLIKE_SIZE] = "size",
		  [UNLIKE_TRAITS] = "traits",
		  [UNLIKE_FEW] = "few",
		  [UNLIKE_MODEL] = "model" },
};

const struct enum_words prediction_mode_words = {
	.count = MODE_COUNT,
	.unknown = "unknown",
	.word = { [MODE_OFF] = "off",
		  [MODE_OBSERVE] = "observe",
		  [MODE_ADVISE] = "advise",
		  [MODE_ACT] = "act" },
};

const struct enum_words prediction_stage_words = {
	.count = STAGE_COUNT,
	.unknown = "unknown",
	.word = { [STAGE_SUBMISSION] = "submission",
		  [STAGE_WAITING] = "waiting",
		  [STAGE_START] = "start" },
};

/* Dense where quantiles are requested: around the median and in the upper
 * tail. */
const double prediction_knots[PREDICTION_KNOTS] = {
	0.01, 0.02, 0.05, 0.1,  0.15, 0.2,  0.25, 0.3,  0.4,  0.45, 0.5,
	0.55, 0.6,  0.7,  0.75, 0.8,  0.85, 0.9,  0.95, 0.98, 0.99,
};

const char *prediction_basis_name(enum prediction_basis basis)
{
	return enum_words_name(&prediction_basis_words, (int)basis);
}

const char *prediction_mode_name(enum prediction_mode mode)
{
	return enum_words_name(&prediction_mode_words, (int)mode);
}

const char *evidence_words(enum evidence_level level, uint32_t evidence_runs,
			   uint32_t own_runs, const char *whose,
			   char ret_text[EVIDENCE_WORDS_SIZE])
{
	const char *s = evidence_runs == 1 ? "" : "s";

	if (level == EVIDENCE_APPLICATION)
		snprintf(ret_text, EVIDENCE_WORDS_SIZE, "%u similar run%s%s",
			 evidence_runs, s, own_runs ? "" : " of other users");
	else if (level == EVIDENCE_USER)
		snprintf(ret_text, EVIDENCE_WORDS_SIZE,
			 "%u run%s of %.20s other programs", evidence_runs, s,
			 whose);
	else
		snprintf(ret_text, EVIDENCE_WORDS_SIZE, "other users' jobs");
	return ret_text;
}

bool prediction_is_guess(enum prediction_basis basis, enum evidence_level level)
{
	return basis == BASIS_HISTORY && level != EVIDENCE_APPLICATION;
}

double prediction_sure_quantile_s(const struct prediction *p)
{
	return p->basis == BASIS_HISTORY && !p->unbounded &&
			       !prediction_is_guess(p->basis, p->evidence_level)
		       ? p->quantile_s
		       : NAN;
}

/* Two standard deviations. */
bool prediction_quantile_holds(uint32_t judged, uint32_t held, double quantile)
{
	double expected = judged * quantile;

	return judged >= PREDICTION_JUDGED_MIN &&
	       held >= expected - 2 * sqrt(expected * (1 - quantile));
}

void prediction_size(struct prediction *p, const struct job_size *size,
		     uint32_t cpus_per_node)
{
	p->nodes = job_size_nodes(size, cpus_per_node);
	p->tasks = job_size_tasks(size, p->nodes);
	p->cpus = job_size_cpus(size, p->nodes);
	p->memory_mb = job_size_memory_mb(size, p->nodes);
}
