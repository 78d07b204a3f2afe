/* sacct.c - what sacct prints (being written)
 */
#include <stdlib.h>

#include "predictor/logs/joblog.h"

static void *sacct_create(const struct joblog_config *config)
{
	(void)config;
	return calloc(1, sizeof(struct joblog_machine));
}

static enum joblog_rc sacct_take(void *format, char *text, bool *ret_taken,
				 struct run *ret_run, struct sp_error *err)
{
	(void)format;
	(void)text;
	(void)ret_taken;
	(void)ret_run;
	(void)err;
	return JOBLOG_NOTHING;
}

static const struct joblog_machine *sacct_machine(const void *format)
{
	return format;
}

const struct joblog_format joblog_sacct = {
	.name = "sacct",
	.help = "what sacct --parsable2 prints",
	.create = sacct_create,
	.destroy = free,
	.take = sacct_take,
	.machine = sacct_machine,
};
