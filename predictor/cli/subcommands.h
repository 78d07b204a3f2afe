/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subcommands.h - the subcommands of spredict and of spredict-tools
 *
 * Each is one file, cmd_NAME.c, with one row, which stands in the table of the
 * program that has it.  The help text of a tool's is in tools.h's.
 */
#pragma once

#include "predictor/cli/cli.h"

extern const struct subcommand subcommand_accuracy;
extern const struct subcommand subcommand_applications;
extern const struct subcommand subcommand_backtest;
extern const struct subcommand subcommand_critical;
extern const struct subcommand subcommand_curve;
extern const struct subcommand subcommand_bundle;
extern const struct subcommand subcommand_doctor;
extern const struct subcommand subcommand_explain_script;
extern const struct subcommand subcommand_export;
extern const struct subcommand subcommand_import;
extern const struct subcommand subcommand_job;
extern const struct subcommand subcommand_links;
extern const struct subcommand subcommand_nodes;
extern const struct subcommand subcommand_predict;
extern const struct subcommand subcommand_probes;
extern const struct subcommand subcommand_procedures;
extern const struct subcommand subcommand_profile;
extern const struct subcommand subcommand_queue;
extern const struct subcommand subcommand_report;
extern const struct subcommand subcommand_whatif;

/* Both end with NULL. */
extern const struct subcommand *const subcommands[];
extern const struct subcommand *const tool_subcommands[];

/* Return NULL if there is none of this name. */
const struct subcommand *subcommand_find(const struct subcommand *const table[],
					 const char *name);

/* Print, to the standard output, the help of one subcommand, or of spredict as
 * a whole, tools included. */
void subcommand_print_help(const struct subcommand *subcommand);
void subcommands_print_help(void);
