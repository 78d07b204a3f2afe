/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rounds.h - how long a process takes from one answer to the next
 *
 * A worker of a farm asks its master, works on what comes back, and asks again:
 * from one message of a connection to the next one that follows an answer is a
 * round.  Seen in one direction alone, by acknowledgement numbers.  By the
 * clock: a round has the task, and what was waited for.
 *
 * A round far longer than the others is none: the program did something else.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct rounds {
	bool begun;
	uint32_t answered; /* acknowledgement number of the last message */
	double since_s;    /* when the round began */
	double count;
	double sum_s, sum_s2; /* seconds, and seconds squared */
};

/* A message begins at that time, after that much of the other side's. */
void rounds_message(struct rounds *rounds, double at_s, uint32_t answered);

/* Something was not captured: the round that goes on is not known. */
void rounds_lose(struct rounds *rounds);

/* Sums only. */
void rounds_add(struct rounds *into, const struct rounds *rounds);
