/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe_roster.c - which nodes probe links among each other */
#include <stdlib.h>

#include "predictor/features/probe_roster.h"

void probe_roster_clear(struct probe_roster *roster)
{
	free(roster->nodes);
	free(roster->topology);
	*roster = (struct probe_roster){ .nodes = NULL };
}
