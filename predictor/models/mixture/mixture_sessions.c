/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_sessions.c - recent submissions and runs of each user */
#include <math.h>
#include <stdlib.h>

#include "predictor/models/mixture/mixture_sessions.h"

/* Users are in sets by hash; in a full set the one idle for longest is
 * replaced. */
#define SETS (1u << 13)
#define WAYS 4

#define GAP_TOP       20
#define IN_FLIGHT_TOP 15
#define LAST_TOP      60

struct session {
	uint32_t user;    /* 0: free */
	uint32_t touched; /* by `clock`, which counts calls */
	uint32_t submitted_s, in_flight;
	bool submitted;
	uint8_t last; /* as in struct mixture_before */
};

struct mixture_sessions {
	uint32_t clock;
	struct session of[SETS][WAYS];
};

struct mixture_sessions *mixture_sessions_create(void)
{
	return calloc(1, sizeof(struct mixture_sessions));
}

void mixture_sessions_destroy(struct mixture_sessions *s)
{
	free(s);
}

static uint32_t set_of(uint32_t user)
{
	return user * 0x9e3779b1u >> 19;
}

_Static_assert(SETS == 1u << (32 - 19), "set_of() gives numbers of sets");

static const struct session *session_find(const struct mixture_sessions *s,
					  uint32_t user)
{
	const struct session *set = s->of[set_of(user)];

	for (int i = 0; user && i < WAYS; i++)
		if (set[i].user == user)
			return &set[i];
	return NULL;
}

/* Return NULL if the user is unknown. */
static struct session *session_touch(struct mixture_sessions *s, uint32_t user)
{
	struct session *set = s->of[set_of(user)];
	struct session *best = set;

	if (!user)
		return NULL;
	s->clock++;
	for (int i = 0; i < WAYS; i++) {
		if (set[i].user == user) {
			set[i].touched = s->clock;
			return &set[i];
		}
		if (s->clock - set[i].touched > s->clock - best->touched)
			best = &set[i];
	}
	*best = (struct session){ .user = user, .touched = s->clock };
	return best;
}

void mixture_sessions_before(const struct mixture_sessions *s, uint32_t user,
			     uint32_t now_s, struct mixture_before *ret)
{
	const struct session *found = session_find(s, user);

	*ret = (struct mixture_before){ .gap = GAP_TOP };
	if (!found)
		return;
	if (found->submitted && now_s >= found->submitted_s)
		ret->gap = (uint8_t)mixture_log2(
			(float)(now_s - found->submitted_s) + 1, 1, GAP_TOP);
	ret->in_flight = (uint8_t)mixture_log2((float)found->in_flight + 1, 2,
					       IN_FLIGHT_TOP);
	ret->last = found->last;
}

void mixture_sessions_submitted(struct mixture_sessions *s, uint32_t user,
				uint32_t now_s)
{
	struct session *session = session_touch(s, user);

	if (!session)
		return;
	session->submitted = true;
	session->submitted_s = now_s;
	session->in_flight++;
}

void mixture_sessions_left(struct mixture_sessions *s, uint32_t user)
{
	struct session *session = session_touch(s, user);

	if (session && session->in_flight)
		session->in_flight--;
}

void mixture_sessions_ended(struct mixture_sessions *s, uint32_t user,
			    float ln_runtime)
{
	struct session *session = session_touch(s, user);

	if (session)
		session->last = (uint8_t)(1 + fminf(4 * ln_runtime, LAST_TOP));
}
