/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct_record.c - a record of `sacct --parsable2`, field by field
 *
 * The header chooses a column of the table for each field; of columns with the
 * same target the first row of the table is used.  sacct does not escape '|'
 * in texts of users, so a record may have too many separators: they are then
 * given to one text, or divided among two, so that all other fields make
 * sense.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "predictor/features/gres.h"
#include "predictor/slurm/sacct_record.h"
#include "predictor/slurm/sacct_use.h"

/* Separators of a line: those of the header, and what a text may hold. */
#define SEPARATORS_MAX 1024

/* Letters of the names of fields, and their widths ("JobName%30"). */
#define NAME_LETTERS                 \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"abcdefghijklmnopqrstuvwxyz" \
	"0123456789%-"

/* At most this many of them in the first of two texts. */
#define DIVIDED_MAX 16

const char sacct_fields[] =
	"JobIDRaw,JobID,Cluster,UID,User,Account,Partition,QOS,Submit,Start,"
	"End,ElapsedRaw,Suspended,TimelimitRaw,AllocNodes,AllocCPUS,ReqMem,"
	"ReqTRES,Constraints,ExitCode,NodeList,NTasks,TotalCPU,MaxRSS,"
	"TRESUsageInTot,ConsumedEnergyRaw,JobName,State,SubmitLine";

/* --- Single fields -------------------------------------------------------- */

SLURM_READER(static, job_id, slurm_job_id_parse)
SLURM_READER(static, walltime, slurm_limit_parse)
SLURM_READER(static, minutes, slurm_limit_minutes_parse)
SLURM_READER(static, memory, slurm_memory_parse)

static int set_uid(struct sacct_record *r, const char *text)
{
	if (slurm_count_parse(text, &r->run.user_id))
		return -1;
	r->user_known = *text != '\0';
	return 0;
}

static int set_elapsed_seconds(struct sacct_record *r, const char *text)
{
	uint32_t seconds;

	if (!*text || slurm_count_parse(text, &seconds))
		return -1;
	r->elapsed_s = seconds;
	return 0;
}

static int set_state(struct sacct_record *r, const char *text)
{
	r->resized = !strcasecmp(text, "RESIZING");
	return slurm_state_parse(text, &r->phase, &r->run.state);
}

static int set_exit(struct sacct_record *r, const char *text)
{
	return *text ? slurm_exit_parse(text, &r->run.exit_code,
					&r->run.exit_signal)
		     : 0;
}

static int set_node_list(struct sacct_record *r, const char *text)
{
	if (strncasecmp(text, "None", 4) != 0)
		snprintf(r->run.node_list, sizeof(r->run.node_list), "%s",
			 text);
	return 0;
}

SLURM_READ_AS(lent, const char *, *value ? value : NULL)

/* "cpu=8,gres/gpu=2,mem=4G", over all nodes. */
static int set_requested(struct sacct_record *r, const char *text)
{
	struct gres_list list = { .count = 0 };

	if (!*text)
		return 0;
	r->requested = true;
	gres_list_add(&list, text, 1);
	gres_list_print(&list, r->run.gres, sizeof(r->run.gres));
	slurm_tres_licenses(text, r->run.licenses, sizeof(r->run.licenses));
	return 0;
}

/* The same of what it got, where its request is not known. */
static int set_allocated(struct sacct_record *r, const char *text)
{
	if (r->requested)
		return 0;
	set_requested(r, text);
	r->requested = false;
	return 0;
}

static int set_licenses(struct sacct_record *r, const char *text)
{
	if (*text)
		slurm_text_copy(text, r->run.licenses, sizeof(r->run.licenses));
	return 0;
}

enum target {
	TARGET_RAW_ID,
	TARGET_ID,
	TARGET_START,
	TARGET_END,
	TARGET_STATE,
	/* From here on one that makes no sense is left out. */
	TARGET_SUBMIT,
	TARGET_UID,
	TARGET_USER,
	TARGET_ACCOUNT,
	TARGET_CLUSTER,
	TARGET_PARTITION,
	TARGET_QOS,
	TARGET_FEATURES,
	TARGET_REQUESTED,
	TARGET_ALLOCATED,
	TARGET_LICENSES,
	TARGET_NAME,
	TARGET_LIMIT,
	TARGET_ELAPSED,
	TARGET_SUSPENDED,
	TARGET_NODES,
	TARGET_CPUS,
	TARGET_TASKS,
	TARGET_MEMORY,
	TARGET_CPU_TIME,
	TARGET_PEAK,
	TARGET_USE,
	TARGET_ENERGY,
	TARGET_EXIT,
	TARGET_NODE_LIST,
	TARGET_SUBMIT_LINE,
	TARGET_SCRIPT,
	TARGET_ADMIN_COMMENT,
	TARGET_NOTHING,
	TARGETS
};

#define READ(reader, member) SLURM_MEMBER(reader, struct sacct_record, member)

static const struct sacct_column columns[] = {
	{ "JobIDRaw", TARGET_RAW_ID, false, READ(job_id, raw_id) },
	{ "JobID", TARGET_ID, false, READ(job_id, id) },
	{ "Start", TARGET_START, false, READ(time, run.started_at_s) },
	{ "End", TARGET_END, false, READ(time, run.ended_at_s) },
	{ "State", TARGET_STATE, false, .set = set_state },
	{ "Submit", TARGET_SUBMIT, false, READ(time, run.submitted_at_s) },
	{ "UID", TARGET_UID, false, .set = set_uid },
	{ "User", TARGET_USER, false, READ(copy, run.user) },
	{ "Account", TARGET_ACCOUNT, false, READ(copy, run.account) },
	{ "Group", TARGET_ACCOUNT, false, READ(copy, run.account) },
	{ "Cluster", TARGET_CLUSTER, false, READ(copy, run.cluster) },
	{ "Partition", TARGET_PARTITION, false, READ(copy, run.partition) },
	{ "QOS", TARGET_QOS, false, READ(copy, run.qos) },
	{ "Constraints", TARGET_FEATURES, true, READ(copy, run.features) },
	{ "ReqTRES", TARGET_REQUESTED, false, .set = set_requested },
	{ "AllocTRES", TARGET_ALLOCATED, false, .set = set_allocated },
	{ "Licenses", TARGET_LICENSES, false, .set = set_licenses },
	{ "JobName", TARGET_NAME, true, READ(copy, run.job_name) },
	{ "ElapsedRaw", TARGET_ELAPSED, false, .set = set_elapsed_seconds },
	{ "Elapsed", TARGET_ELAPSED, false, READ(duration, elapsed_s) },
	{ "Suspended", TARGET_SUSPENDED, false, READ(duration, suspended_s) },
	{ "TimelimitRaw", TARGET_LIMIT, false, READ(minutes, run.limit_s) },
	{ "Timelimit", TARGET_LIMIT, false, READ(walltime, run.limit_s) },
	{ "AllocNodes", TARGET_NODES, false, READ(amount, run.nodes) },
	{ "NNodes", TARGET_NODES, false, READ(amount, run.nodes) },
	{ "AllocCPUS", TARGET_CPUS, false, READ(amount, run.cpus) },
	{ "NCPUS", TARGET_CPUS, false, READ(amount, run.cpus) },
	{ "ReqCPUS", TARGET_CPUS, false, READ(amount, run.cpus) },
	{ "NTasks", TARGET_TASKS, false, READ(amount, run.tasks) },
	{ "ReqMem", TARGET_MEMORY, false, READ(memory, memory) },
	{ "TotalCPU", TARGET_CPU_TIME, false, .set = sacct_use_cpu_time },
	{ "MaxRSS", TARGET_PEAK, false, .set = sacct_use_peak },
	{ "TRESUsageInMax", TARGET_PEAK, false, .set = sacct_use_peak },
	{ "TRESUsageInTot", TARGET_USE, false, .set = sacct_use_gpus },
	{ "ConsumedEnergyRaw", TARGET_ENERGY, false, .set = sacct_use_energy },
	{ "ExitCode", TARGET_EXIT, false, .set = set_exit },
	{ "NodeList", TARGET_NODE_LIST, false, .set = set_node_list },
	{ "SubmitLine", TARGET_SUBMIT_LINE, true, READ(lent, submit_line) },
	{ "Script", TARGET_SCRIPT, true, READ(lent, script) },
	{ "AdminComment", TARGET_ADMIN_COMMENT, true,
	  READ(prediction, run.prediction_id) },
	/* Not used, but '|' may stand in them. */
	{ "Comment", TARGET_NOTHING, true, .set = NULL },
	{ "SystemComment", TARGET_NOTHING, true, .set = NULL },
	{ "WorkDir", TARGET_NOTHING, true, .set = NULL },
	{ .name = NULL },
};

static int value_set(const struct sacct_column *c, const char *text,
		     struct sacct_record *r)
{
	return c->set ? c->set(r, text)
		      : slurm_member_read(&c->member, text, r);
}

/* --- The header ----------------------------------------------------------- */

static const struct sacct_column *find_column(const char *name)
{
	for (const struct sacct_column *c = columns; c->name; c++)
		if (!strcasecmp(c->name, name))
			return c;
	return NULL;
}

/* Drop columns for which there is a better one. */
static void columns_choose(struct sacct_header *header)
{
	for (int i = 0; i < header->count; i++) {
		const struct sacct_column *c = header->columns[i];

		for (int k = 0; c && k < header->count; k++) {
			const struct sacct_column *other = header->columns[k];

			if (k != i && other && other->target == c->target &&
			    (other < c || (other == c && k < i)))
				header->columns[i] = NULL;
		}
		if (c && !c->set && !c->member.read)
			header->columns[i] = NULL;
	}
}

static bool header_has(const struct sacct_header *header, int target)
{
	for (int i = 0; i < header->count; i++)
		if (header->columns[i] && header->columns[i]->target == target)
			return true;
	return false;
}

/* What stands behind the first name: blanks are no delimiter, but the columns
 * of sacct without --parsable2. */
static int delimiter_find(const char *line, char ret[SACCT_DELIMITER_SIZE],
			  struct sp_error *err)
{
	const char *begin = line + strspn(line, NAME_LETTERS);
	const char *end = begin + strcspn(begin, NAME_LETTERS);
	size_t length = (size_t)(end - begin);

	if (*line == '{')
		return sp_error_set(err, "this is JSON: run sacct with "
					 "--parsable2 instead");
	if ((*line == ' ' || *begin == ' ') && strcasestr(line, "JobID"))
		return sp_error_set(err, "the fields are aligned in columns: "
					 "run sacct with --parsable2");
	if (length == 0 || length >= SACCT_DELIMITER_SIZE || *begin == ' ')
		strcpy(ret, "|");
	else
		snprintf(ret, SACCT_DELIMITER_SIZE, "%.*s", (int)length, begin);
	return 0;
}

/* Lists have commas, which --delimiter=, does not tell from its own. */
static bool is_free(const struct sacct_column *c, const char *delimiter)
{
	return c && (c->free || (!strcmp(delimiter, ",") &&
				 (c->target == TARGET_REQUESTED ||
				  c->target == TARGET_ALLOCATED ||
				  c->target == TARGET_NODE_LIST)));
}

int sacct_header_read(char *line, const char *delimiter,
		      struct sacct_header *ret, struct sp_error *err)
{
	struct sacct_header header = { .count = 0 };

	if (delimiter)
		snprintf(header.delimiter, sizeof(header.delimiter), "%s",
			 delimiter);
	else if (delimiter_find(line, header.delimiter, err))
		return -1;
	for (char *name = line, *next; name; name = next) {
		next = strstr(name, header.delimiter);
		if (next) {
			*next = '\0';
			next += strlen(header.delimiter);
		}
		/* "JobName%30" has a width. */
		name[strcspn(name, "%")] = '\0';
		if (header.count == SACCT_FIELDS_MAX)
			return sp_error_set(err, "above %d fields",
					    SACCT_FIELDS_MAX);

		const struct sacct_column *c = find_column(name);

		header.free[header.count] = is_free(c, header.delimiter);
		header.columns[header.count++] = c;
	}
	columns_choose(&header);
	if (!header_has(&header, TARGET_RAW_ID) &&
	    !header_has(&header, TARGET_ID))
		return sp_error_set(err, "the first line must name the fields "
					 "of sacct --parsable2; there is no "
					 "JobIDRaw or JobID");
	for (int target = TARGET_START; target <= TARGET_SUBMIT; target++)
		if (!header_has(&header, target))
			return sp_error_set(err,
					    "the field %s is missing: ask for "
					    "it with --format",
					    columns[target].name);
	*ret = header;
	return 0;
}

bool sacct_line_begins_record(const struct sacct_header *header,
			      const char *line)
{
	struct sacct_record record;
	char field[64] = "";

	for (int i = 0; i < header->count; i++) {
		const struct sacct_column *c = header->columns[i];
		const char *end = strstr(line, header->delimiter);

		if (!end)
			return false;
		if (c && c->target <= TARGET_STATE) {
			if (end == line ||
			    (size_t)(end - line) >= sizeof(field))
				return false;
			memcpy(field, line, (size_t)(end - line));
			return value_set(c, field, &record) == 0;
		}
		line = end + strlen(header->delimiter);
	}
	return false;
}

/* --- A record ------------------------------------------------------------- */

struct split {
	int count; /* of separators */
	char *at[SEPARATORS_MAX];
};

/* Fields that have more separators than they should. */
struct wide {
	int field, extra, other_field, other_extra;
};

static int read_fields(const struct sacct_header *header, char *text,
		       const struct split *split, const struct wide *wide,
		       struct sacct_record *ret, struct sp_error *err)
{
	char *field = text;
	int next = 0; /* separator */

	*ret = (struct sacct_record){ .elapsed_s = NAN,
				      .run = { .limit_s = NAN } };
	for (int i = 0; i < header->count; i++) {
		const struct sacct_column *c = header->columns[i];
		int extra = (i == wide->field ? wide->extra : 0) +
			    (i == wide->other_field ? wide->other_extra : 0);

		while (extra-- > 0)
			*split->at[next++] = *header->delimiter;

		char *end = next < split->count ? split->at[next++] : NULL;

		if (end)
			*end = '\0';
		/* Where separators are divided, all fields must make sense. */
		if (c && value_set(c, field, ret) &&
		    (c->target <= TARGET_STATE || wide->field >= 0))
			return sp_error_set(err, "%s: '%.60s' makes no sense",
					    c->name, field);
		field = end ? end + strlen(header->delimiter) : NULL;
	}
	return 0;
}

/* Divide `extra` separators among two texts so that the other fields make
 * sense; the last text gets as many as it can, since a command line has most
 * of them. */
static int read_wide(const struct sacct_header *header, char *text,
		     const struct split *split, int extra,
		     struct sacct_record *ret)
{
	for (int i = header->count - 1; i >= 0; i--) {
		struct wide wide = { i, extra, -1, 0 };

		if (header->free[i] &&
		    !read_fields(header, text, split, &wide, ret, NULL))
			return 0;
	}
	for (int i = header->count - 1; i >= 0; i--)
		for (int k = i - 1; k >= 0 && header->free[i]; k--)
			for (int n = 1;
			     n < extra && n <= DIVIDED_MAX && header->free[k];
			     n++) {
				struct wide wide = { i, extra - n, k, n };

				if (!read_fields(header, text, split, &wide,
						 ret, NULL))
					return 0;
			}
	return -1;
}

int sacct_record_read(const struct sacct_header *header, char *text,
		      struct sacct_record *ret, struct sp_error *err)
{
	static const struct wide none = { -1, 0, -1, 0 };
	struct split split = { .count = 0 };
	int needed = header->count - 1;

	for (char *at = text; (at = strstr(at, header->delimiter));
	     at += strlen(header->delimiter)) {
		if (split.count == SEPARATORS_MAX)
			return sp_error_set(err, "above %d fields",
					    SEPARATORS_MAX);
		split.at[split.count++] = at;
	}
	if (split.count < needed)
		return sp_error_set(err, "has %d fields, not %d",
				    split.count + 1, needed + 1);
	if (split.count == needed)
		return read_fields(header, text, &split, &none, ret, err);
	if (!header->delimiter[1] &&
	    !read_wide(header, text, &split, split.count - needed, ret))
		return 0;
	return sp_error_set(
		err, "has %d fields, not %d, and no text that could hold them",
		split.count + 1, needed + 1);
}
