/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schema.h - the step of sql/ that this code was written for
 *
 * A step is added as a numbered file in sql/steps/; when the code needs it,
 * this number follows.  The store works only with a database at exactly this
 * step: an older one lacks what it needs, a newer one may have changed it.
 */
#pragma once

#define SCHEMA_STEP 42

/* sql/schema.sql stands for the steps up to this one. */
#define SCHEMA_FILE_STEP 28

/* First key of the advisory locks that slurm-predict takes in its database;
 * the second says what for.  sql/ takes those of 2 (creating and dropping
 * partitions), 4 (making means of measurements), 5 (storing blocks of traces)
 * and 6 (deleting predictions of waiting jobs). */
#define SCHEMA_LOCK         7361
#define SCHEMA_LOCK_CHANGES 1 /* numbering changes of runs */
#define SCHEMA_LOCK_MIGRATE 3 /* applying steps */
