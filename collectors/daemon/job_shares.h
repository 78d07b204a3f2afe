/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_shares.h - what a job gets of the CPUs of its nodes, for its tasks
 *
 * At a job's start predictd is asked once, and what it forecasts is written to
 * SPOOL/shares/JOBID, which the SPANK plugin has made and reads:
 *	slowdown=2.04
 *	shares=n1=0.49,n2=1.00
 *	end=1
 * The first line is left out if one of the nodes is not known, such a node in
 * the second.  When predictd does not reply soon, the file is removed: its
 * tasks start without.
 */
#pragma once

#include "collectors/daemon/sender.h"
#include "collectors/runs/events.h"

/* `cluster` is for an event that names none. */
void job_shares_write(struct sender *sender, const char *cluster, int folder,
		      const struct job_event *started);
