/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_record.h - nodes as `scontrol --oneliner show node` prints them
 *
 * The releases from 22.05 on print the fields that are read here the same way.
 * CPUEfctv, since 22.05, is what jobs may have of CPUTot, and MemSpecLimit is
 * not theirs.
 */
#pragma once

#include "predictor/features/node_facts.h"

/* Read a line of `length` bytes. */
int node_record_parse(const char *line, size_t length,
		      struct node_properties *ret, struct sp_error *err);

/* Read all lines of `text`, terminated, of a cluster: slurmctld's order of
 * nodes is that of the lines.  A line that makes no sense fails it.  The
 * caller puts the reference; NULL with *err. */
struct node_facts *node_records_read(const char *cluster, const char *text,
				     struct sp_error *err);
