/* mixture_sessions.h - what each user has been doing lately
 *
 * When they last submitted, how many of their jobs have not ended, and how
 * long the last took that did.  A bounded number of users; those who were idle
 * longest are forgotten.
 */
#ifndef PREDICTOR_MODELS_MIXTURE_MIXTURE_SESSIONS_H
#define PREDICTOR_MODELS_MIXTURE_MIXTURE_SESSIONS_H

#include "predictor/models/mixture/mixture_point.h"

struct mixture_sessions;

struct mixture_sessions *mixture_sessions_create(void); /* NULL: no memory */
void mixture_sessions_destroy(struct mixture_sessions *sessions);

/* What a job of the user that is submitted now is preceded by; users are the
 * traits of mixture_point.h, 0: unknown, about whom nothing is kept. */
void mixture_sessions_before(const struct mixture_sessions *sessions,
			     uint32_t user, uint32_t now_s,
			     struct mixture_before *ret);

/* The user has submitted a job. */
void mixture_sessions_submitted(struct mixture_sessions *sessions,
				uint32_t user, uint32_t now_s);

/* One of those is not in flight any more, */
void mixture_sessions_left(struct mixture_sessions *sessions, uint32_t user);

/* and a job took so long. */
void mixture_sessions_ended(struct mixture_sessions *sessions, uint32_t user,
			    float ln_runtime);

#endif
