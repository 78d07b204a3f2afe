/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_profiles.c - profiling of jobs in collectord */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/daemon/job_profiles.h"
#include "collectors/profilers/profiling.h"
#include "predictor/base/clock.h"
#include "predictor/base/log.h"

/* A job that began longer ago, because its event was read late, would be
 * profiled only in part. */
#define LATE_S 2.0

struct job_profiles {
	const struct collectord_config *config;
	struct spool *spool;
	struct user_folders *users;
	struct profiling *profiling;
};

struct job_profiles *job_profiles_create(const struct collectord_config *config,
					 struct spool *spool,
					 struct user_folders *users,
					 struct sp_error *err)
{
	struct job_profiles *profiles = calloc(1, sizeof(*profiles));

	if (!profiles)
		return sp_error_null(err, "out of memory");
	profiles->config = config;
	profiles->spool = spool;
	profiles->users = users;
	profiles->profiling = profiling_create(err);
	if (profiles->profiling)
		return profiles;
	free(profiles);
	return NULL;
}

void job_profiles_destroy(struct job_profiles *profiles)
{
	if (!profiles)
		return;
	profiling_destroy(profiles->profiling);
	free(profiles);
}

static void profile_start(struct job_profiles *profiles,
			  const struct job_event *event)
{
	const struct collectord_config *config = profiles->config;
	enum profiling_option option = profiling_option_parse(event->profile);
	struct profiler_job job = { .job_id = event->job_id,
				    .started_at_s = event->time_s,
				    .packets = true };
	struct sp_error err;

	if (!config->profile ||
	    !profiling_selects(option, event->job_id,
			       (uint32_t)config->profile_every) ||
	    clock_now_s() - event->time_s > LATE_S)
		return;
	strcpy(job.cluster, *event->cluster ? event->cluster : config->cluster);
	strcpy(job.node, *event->node ? event->node : config->node);
	strcpy(job.nodes, event->nodes);
	if (option == PROFILING_MPI || option == PROFILING_TRACE)
		snprintf(job.mpi_folder, sizeof(job.mpi_folder),
			 "%s/users/mpi/%u.ended", config->spool, event->job_id);
	if (!*job.cluster)
		return;
	if (profiling_start(profiles->profiling, &job, &err))
		log_error("%s", err.text);
}

static void profile_end(struct job_profiles *profiles,
			const struct job_event *event)
{
	char name[32];

	snprintf(name, sizeof(name), "%u.ended", event->job_id);
	/* Without a profile nobody else removes what the job left. */
	if (!profiling_end(profiles->profiling, event->job_id, event->time_s))
		user_folders_drop(profiles->users,
				  spool_folders(profiles->spool)->mpi, name);
}

void job_profiles_event(struct job_profiles *profiles,
			const struct job_event *event)
{
	if (event->kind == JOB_STARTED)
		profile_start(profiles, event);
	else
		profile_end(profiles, event);
}

int job_profiles_fd(const struct job_profiles *profiles)
{
	return profiling_fd(profiles->profiling);
}

static void profile_write(void *context, const char *text, size_t size)
{
	struct job_profiles *profiles = context;
	struct sp_error err;

	if (spool_put(profiles->spool, RECORD_PROFILE, text, size, &err))
		log_debug("a profile is dropped: %s", err.text);
}

void job_profiles_take(struct job_profiles *profiles)
{
	profiling_collect(profiles->profiling, profile_write, profiles);
	user_folders_wake(profiles->users); /* their reports were read */
}
