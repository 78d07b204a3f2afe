/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe_roster.h - which nodes probe links among each other */
#pragma once

#define PROBE_ROSTER_ID_SIZE 33

struct probe_roster {
	char id[PROBE_ROSTER_ID_SIZE]; /* another one when something changed */
	double ask_again_s;
	/* NULL where the asker knows that id; the receiver's to clear. */
	char *nodes;    /* a hostlist */
	char *topology; /* as in topology.conf; empty: flat */
};

void probe_roster_clear(struct probe_roster *roster);
