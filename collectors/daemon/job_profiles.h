/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_profiles.h - profiling of jobs in collectord
 *
 * Starts profiling at the plugin's start events, and writes finished profiles
 * to the spool.
 */
#pragma once

#include "collectors/daemon/collectord_config.h"
#include "collectors/runs/events.h"
#include "collectors/runs/spool.h"
#include "collectors/runs/user_folders.h"
#include "predictor/base/error.h"

struct job_profiles;

/* The configuration, the spool and the folders are lent. */
struct job_profiles *job_profiles_create(const struct collectord_config *config,
					 struct spool *spool,
					 struct user_folders *users,
					 struct sp_error *err);

/* Unfinished profiles are lost. */
void job_profiles_destroy(struct job_profiles *profiles);

void job_profiles_event(struct job_profiles *profiles,
			const struct job_event *event);

/* Readable when job_profiles_take() has something to do. */
int job_profiles_fd(const struct job_profiles *profiles);
void job_profiles_take(struct job_profiles *profiles);
