/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_machine.h - nodes and links that a trace is replayed on */
#pragma once

struct replay_node {
	double cores;  /* > 0; 0.5 is half of one */
	double speed;  /* of a core, > 0; 1: as where the trace was recorded */
	double turn_s; /* that the scheduler gives to one of many, >= 0 */
};

struct replay_link {
	double latency_s;     /* >= 0 */
	double bandwidth_bps; /* bytes a second, > 0 */
};
