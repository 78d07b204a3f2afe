/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tool_subcommands.c - the subcommands that spredict-tools has */
#include "predictor/cli/subcommands.h"

const struct subcommand *const tool_subcommands[] = {
	&subcommand_whatif,
	&subcommand_critical,
	&subcommand_procedures,
	&subcommand_import,
	&subcommand_export,
	&subcommand_backtest,
	NULL,
};
