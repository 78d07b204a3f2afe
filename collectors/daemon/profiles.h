/* profiles.h - profiling as a part of collectord
 *
 * Hears of jobs by the plugin's events, and puts the profiles of those that are
 * watched into the spool.
 */
#ifndef COLLECTORS_DAEMON_PROFILES_H
#define COLLECTORS_DAEMON_PROFILES_H

#include "collectors/daemon/config.h"
#include "collectors/runs/events.h"
#include "collectors/runs/spool.h"
#include "predictor/base/error.h"

struct profiles;

/* The configuration and the spool are lent. */
struct profiles *profiles_create(const struct collector_config *config,
				 struct spool *spool, struct sp_error *err);

/* What is not finished is lost. */
void profiles_destroy(struct profiles *profiles);

void profiles_event(struct profiles *profiles, const struct job_event *event);

/* Readable when profiles_take() has something to do. */
int profiles_fd(const struct profiles *profiles);
void profiles_take(struct profiles *profiles);

#endif
