/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_begun.c - which event of a rank waits for which collective that
 * it began */
#include <stdlib.h>

#include "predictor/trace/trace_begun.h"

int trace_begun_pair(const struct trace_event events[], const int first[],
		     int ranks, int partner[])
{
	int most = 0;

	for (int g = 0; g < first[ranks]; g++)
		if (events[g].call == CALL_IALL || events[g].call == CALL_WAIT)
			most = events[g].peer > most ? events[g].peer : most;

	int *begun = malloc(((size_t)most + 1) * sizeof(*begun));

	if (!begun)
		return -1;
	for (int i = 0; i <= most; i++)
		begun[i] = -1;
	for (int r = 0; r < ranks; r++)
		for (int g = first[r]; g < first[r + 1]; g++) {
			int request = events[g].peer;

			if (events[g].call == CALL_IALL) {
				begun[request] = g;
			} else if (events[g].call == CALL_WAIT) {
				/* Not one of the ranks before. */
				partner[g] = begun[request] >= first[r]
						     ? begun[request]
						     : -1;
				begun[request] = -1;
			}
		}
	free(begun);
	return 0;
}
