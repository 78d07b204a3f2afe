/* job_profiles.h - profiling as a part of collectord
 *
 * Hears of jobs by the plugin's events, and puts the profiles of those that are
 * watched into the spool.
 */
#ifndef COLLECTORS_DAEMON_JOB_PROFILES_H
#define COLLECTORS_DAEMON_JOB_PROFILES_H

#include "collectors/daemon/collectord_config.h"
#include "collectors/runs/events.h"
#include "collectors/runs/spool.h"
#include "predictor/base/error.h"

struct job_profiles;

/* The configuration and the spool are lent. */
struct job_profiles *job_profiles_create(const struct collector_config *config,
					 struct spool *spool,
					 struct sp_error *err);

/* What is not finished is lost. */
void job_profiles_destroy(struct job_profiles *profiles);

void job_profiles_event(struct job_profiles *profiles,
			const struct job_event *event);

/* Readable when job_profiles_take() has something to do. */
int job_profiles_fd(const struct job_profiles *profiles);
void job_profiles_take(struct job_profiles *profiles);

#endif
