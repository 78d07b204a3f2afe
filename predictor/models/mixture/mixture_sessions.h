/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_sessions.h - recent submissions and runs of each user
 *
 * The time of the last submission, the number of jobs in flight (not ended),
 * and the run time of the last that ended.  For a bounded number of users:
 * those idle for longest are dropped.
 */
#pragma once

#include "predictor/models/mixture/mixture_point.h"

struct mixture_sessions;

struct mixture_sessions *mixture_sessions_create(void); /* NULL: no memory */
void mixture_sessions_destroy(struct mixture_sessions *sessions);

/* Find what precedes a job that the user submits now.  `user` is that of
 * mixture_point.h; nothing is kept for 0, unknown. */
void mixture_sessions_before(const struct mixture_sessions *sessions,
			     uint32_t user, uint32_t now_s,
			     struct mixture_before *ret);

/* The user submitted a job. */
void mixture_sessions_submitted(struct mixture_sessions *sessions,
				uint32_t user, uint32_t now_s);

/* One of these is in flight no more. */
void mixture_sessions_left(struct mixture_sessions *sessions, uint32_t user);

/* A job of the user ended, with this run time. */
void mixture_sessions_ended(struct mixture_sessions *sessions, uint32_t user,
			    float ln_runtime);
