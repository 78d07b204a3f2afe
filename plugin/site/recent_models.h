/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recent_models.h - models of the last submitted jobs, for the select plugin
 *
 * A job may be scheduled right after its submission, before a snapshot contains
 * it.  So the plugin job_submit/predict keeps the models of the last jobs from
 * predictd's replies, and the select plugin, another library in the same
 * process, finds RECENT_MODELS_FUNCTION there by dlsym().
 */
#pragma once

#define RECENT_MODELS_PLUGIN   "job_submit_predict.so"
#define RECENT_MODELS_FUNCTION "predict_recent_model"

#define RECENT_MODEL_SIZE \
	320 /* bytes of a text, as snapshot_model_print() writes it */
#define RECENT_MODELS_MAX 2048 /* jobs */

typedef int recent_models_fn(const char *id, char ret[RECENT_MODEL_SIZE]);

/* Keep `text` for the job with that prediction, instead of the oldest.  Does
 * nothing if it is empty. */
void recent_models_put(const char *id, const char *text);

/* By 16 hexadecimal digits, which need not be terminated.  Never waits.  -1: it
 * is not there, or the table is locked. */
recent_models_fn predict_recent_model;
