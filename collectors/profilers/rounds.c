/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rounds.c - how long a process takes from one answer to the next */
#include "collectors/profilers/rounds.h"

#define KNOWN_MIN 8 /* rounds whose mean says what is far longer */

/* Times as long as the mean: one task in 10^5, if they are exponentially
 * distributed. */
#define FAR 10.0

static bool is_far_longer(const struct rounds *r, double round_s)
{
	return r->count >= KNOWN_MIN && round_s * r->count > FAR * r->sum_s;
}

void rounds_message(struct rounds *rounds, double at_s, uint32_t answered)
{
	bool follows = rounds->begun && answered != rounds->answered;
	double round_s = at_s - rounds->since_s;

	rounds->answered = answered;
	if (rounds->begun && !follows)
		return;
	rounds->begun = true;
	rounds->since_s = at_s;
	if (!follows || !(round_s >= 0) || is_far_longer(rounds, round_s))
		return;
	rounds->count++;
	rounds->sum_s += round_s;
	rounds->sum_s2 += round_s * round_s;
}

void rounds_lose(struct rounds *rounds)
{
	rounds->begun = false;
}

void rounds_add(struct rounds *into, const struct rounds *rounds)
{
	into->count += rounds->count;
	into->sum_s += rounds->sum_s;
	into->sum_s2 += rounds->sum_s2;
}
