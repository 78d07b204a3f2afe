/* recent_models.h - what predictd said of the jobs that came last, for the select plugin
 *
 * A job may be scheduled in the instant after its submission, before any
 * snapshot tells of it.  So the plugin job_submit/predict keeps what it was
 * told of the last jobs, and the one that places them, another library in the
 * same process, finds TOLD_FUNCTION there by dlsym().
 */
#ifndef PLUGIN_SITE_RECENT_MODELS_H
#define PLUGIN_SITE_RECENT_MODELS_H

#define TOLD_PLUGIN   "job_submit_predict.so"
#define TOLD_FUNCTION "predict_told"

#define TOLD_SIZE 160 /* bytes of a text, as snapshot_model_print() writes it */
#define TOLD_MAX  2048 /* jobs */

typedef int told_fn(const char *id, char ret[TOLD_SIZE]);

/* Keep `text` for the job with that prediction; the oldest goes.  Does nothing
 * if it is empty. */
void told_put(const char *id, const char *text);

/* By 16 hexadecimal digits, which need not be terminated.  Never waits.  -1: it
 * is not there, or somebody is at it. */
told_fn predict_told;

#endif
