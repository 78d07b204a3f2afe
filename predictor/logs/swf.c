/* SPDX-License-Identifier: GPL-2.0-or-later */
/* swf.c - reads logs in the Standard Workload Format
 *
 * Comments of the header set the machine's size and the epoch of the times;
 * each other line is a job of its own.  [1] is in swf.h.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "predictor/logs/swf.h"

/* The fields of a line, as [1] numbers them, from 0 here. */
enum {
	JOB,
	SUBMIT,
	WAIT,
	RUN_TIME,
	PROCESSORS,
	CPU_TIME,
	MEMORY_USED, /* as MEMORY_REQUESTED */
	PROCESSORS_REQUESTED,
	TIME_REQUESTED,
	MEMORY_REQUESTED, /* KiB per processor */
	STATUS,
	USER,
	GROUP,
	EXECUTABLE,
	QUEUE,
	PARTITION,
	PRECEDING,
	THINK_TIME,
	FIELDS
};

#define NUMBER_MAX 1e15

/* The most processors of one job: more is a mistake, or another unit. */
#define PROCESSORS_MAX 100000000

/* A log begins with lines of jobs, or the file is something else. */
#define UNREAD_LINES_MAX 20

/* A line ends with the status or later; what is missing is not known. */
#define FIELDS_MIN (STATUS + 1)

struct swf {
	char cluster[RUN_NAME_SIZE];
	struct joblog_machine machine;
	int unread; /* lines before the first job, and why */
	struct sp_error why;
	bool any; /* job */
};

/* --- Comments ------------------------------------------------------------- */

static void set_epoch(struct joblog_machine *machine, const char *value)
{
	double seconds = strtod(value, NULL);

	if (seconds > 0 && seconds < 1e11)
		machine->epoch_s = seconds;
}

static uint32_t read_count(const char *value)
{
	unsigned long count = 0;

	/* Also "12,960". */
	for (; isdigit((unsigned char)*value) ||
	       (*value == ',' && isdigit((unsigned char)value[1]));
	     value++)
		if (*value != ',' && count <= PROCESSORS_MAX)
			count = count * 10 + (unsigned long)(*value - '0');
	return count <= PROCESSORS_MAX ? (uint32_t)count : 0;
}

static void set_processors(struct joblog_machine *machine, const char *value)
{
	machine->processors = read_count(value);
}

static void set_nodes(struct joblog_machine *machine, const char *value)
{
	machine->nodes = read_count(value);
}

static void set_computer(struct joblog_machine *machine, const char *value)
{
	memccpy(machine->computer, value, '\0', sizeof(machine->computer) - 1);
}

static const struct {
	const char *name;
	void (*set)(struct joblog_machine *machine, const char *value);
} header_fields[] = {
	{ "UnixStartTime", set_epoch },
	{ "MaxProcs", set_processors },
	{ "MaxNodes", set_nodes },
	{ "Computer", set_computer },
	{ NULL, NULL },
};

/* "Name: value", after the semicolon. */
static void comment_read(struct joblog_machine *machine, const char *text)
{
	text += strspn(text, ";# \t");
	for (int i = 0; header_fields[i].name; i++) {
		size_t length = strlen(header_fields[i].name);

		if (strncasecmp(text, header_fields[i].name, length) != 0 ||
		    text[length] != ':')
			continue;
		text += length + 1;
		header_fields[i].set(machine, text + strspn(text, " \t"));
		return;
	}
}

/* --- Lines ---------------------------------------------------------------- */

struct swf_line {
	double of[FIELDS];
	/* Beyond the standard; NULL: missing. */
	char *queue;     /* its name */
	char *resources; /* "2:ppn=8:..." */
};

/* Return the word at *text, terminated, and *text behind it; NULL: none. */
static char *word_cut(char **text)
{
	char *word = *text + strspn(*text, " \t");
	size_t length = strcspn(word, " \t");

	if (length == 0)
		return NULL;
	*text = word + length + (word[length] != '\0');
	word[length] = '\0';
	return word;
}

/* Any other one that is no number loses only itself. */
static bool is_needed(int field)
{
	return field == JOB || field == SUBMIT || field == RUN_TIME;
}

static int line_parse(char *text, struct swf_line *ret, struct sp_error *err)
{
	for (int i = 0; i < FIELDS; i++) {
		char *word = word_cut(&text);
		char *end;

		if (!word && i < FIELDS_MIN)
			return sp_error_set(err, "has %d fields, %d are needed",
					    i, FIELDS);
		if (!word) {
			ret->of[i] = -1;
			continue;
		}
		ret->of[i] = strtod(word, &end);
		if (!*end && fabs(ret->of[i]) < NUMBER_MAX)
			continue;
		if (is_needed(i))
			return sp_error_set(err,
					    "field %d: '%.40s' is no "
					    "number",
					    i + 1, word);
		ret->of[i] = -1;
	}
	word_cut(&text); /* the list of nodes */
	ret->queue = word_cut(&text);
	ret->resources = word_cut(&text);
	return 0;
}

static uint32_t node_count(const struct swf *swf, const struct swf_line *line,
			   uint32_t processors)
{
	const struct joblog_machine *m = &swf->machine;

	if (line->resources) {
		uint32_t nodes = read_count(line->resources);

		if (nodes > 0 && nodes <= processors)
			return nodes;
	}
	if (m->nodes == 0 || m->processors % m->nodes != 0 ||
	    m->processors == 0)
		return processors;

	uint32_t per_node = m->processors / m->nodes;

	return (processors + per_node - 1) / per_node;
}

/* Standard logs give KiB for each processor; those with the longer lines give
 * bytes for the whole job. */
static double read_memory_mb(const struct swf_line *line, int field,
			     uint32_t processors)
{
	double memory = line->of[field];

	if (!(memory > 0))
		return 0;
	return line->resources ? memory / (1 << 20)
			       : memory / 1024 * processors;
}

/* The statuses of [1].  Parts of a run that was checkpointed are skipped: the
 * whole run has a line as well. */
static const struct {
	int status;
	bool part;
	enum run_state state;
} statuses[] = {
	{ -1, false, RUN_COMPLETED }, { 0, false, RUN_FAILED },
	{ 1, false, RUN_COMPLETED },  { 2, true, RUN_LOST },
	{ 3, true, RUN_LOST },        { 4, true, RUN_LOST },
	{ 5, false, RUN_CANCELLED },
};

/* Read the state; false: the line is a part of a run. */
static bool read_status(double status, enum run_state *ret)
{
	*ret = RUN_LOST;
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (status == statuses[i].status) {
			*ret = statuses[i].state;
			return !statuses[i].part;
		}
	return true;
}

static uint32_t read_id(double number, uint32_t unknown)
{
	return number >= 0 && number < UINT32_MAX ? (uint32_t)number : unknown;
}

static void number_print(char *ret, size_t size, const char *prefix,
			 double number)
{
	if (number >= 0)
		snprintf(ret, size, "%s%.0f", prefix, number);
	else
		*ret = '\0';
}

static void partition_print(const struct swf_line *line, struct run *run)
{
	char queue[32], partition[32];

	if (line->queue) {
		snprintf(run->partition, sizeof(run->partition), "%.*s",
			 RUN_NAME_SIZE - 1, line->queue);
		return;
	}
	number_print(queue, sizeof(queue), "q", line->of[QUEUE]);
	number_print(partition, sizeof(partition), "p", line->of[PARTITION]);
	snprintf(run->partition, sizeof(run->partition), "%s%s%s", queue,
		 *queue && *partition ? "/" : "", partition);
}

static void run_fill(const struct swf *swf, const struct swf_line *line,
		     uint32_t processors, struct run *run)
{
	const double *f = line->of;
	double wait_s = f[WAIT] > 0 ? f[WAIT] : 0;

	memcpy(run->cluster, swf->cluster, sizeof(run->cluster));
	run->job_id = read_id(f[JOB], 0);
	run->user_id = read_id(f[USER], UINT32_MAX);
	number_print(run->user, sizeof(run->user), "u", f[USER]);
	number_print(run->account, sizeof(run->account), "g", f[GROUP]);
	partition_print(line, run);
	number_print(run->job_name, sizeof(run->job_name), "exe",
		     f[EXECUTABLE]);
	strcpy(run->application.name, run->job_name);
	run->nodes = node_count(swf, line, processors);
	run->tasks = run->cpus = processors;
	run->memory_mb = read_memory_mb(line, MEMORY_REQUESTED, processors);
	run->peak_memory_mb =
		read_memory_mb(line, MEMORY_USED, processors) / run->nodes;
	run->cpu_s = f[CPU_TIME] > 0 ? f[CPU_TIME] * processors : 0;
	run->limit_s = f[TIME_REQUESTED] > 0 ? f[TIME_REQUESTED] : NAN;
	run->submitted_at_s = swf->machine.epoch_s + f[SUBMIT];
	run->started_at_s = run->submitted_at_s + wait_s;
	run->ended_at_s = run->started_at_s + f[RUN_TIME];
	run->think_s = NAN;
	if (f[PRECEDING] > 0 && f[PRECEDING] < UINT32_MAX) {
		snprintf(run->dependency, sizeof(run->dependency),
			 "afterany:%.0f", f[PRECEDING]);
		if (f[THINK_TIME] >= 0)
			run->think_s = f[THINK_TIME];
	}
	conditions_init(&run->before);
}

/* A line that is no job's: the first ones mean that the file is no log. */
static enum joblog_rc line_refuse(struct swf *swf, struct sp_error *err)
{
	if (swf->any)
		return JOBLOG_BAD;
	if (swf->unread++ == 0)
		swf->why = *err;
	if (swf->unread < UNREAD_LINES_MAX)
		return JOBLOG_BAD;
	*err = swf->why;
	return JOBLOG_STOP;
}

static enum joblog_rc log_end(const struct swf *swf, struct sp_error *err)
{
	if (swf->any || swf->unread == 0)
		return JOBLOG_NOTHING;
	*err = swf->why;
	return JOBLOG_STOP;
}

static enum joblog_rc swf_read_line(void *format, char *text,
				    bool *ret_consumed, struct run *ret_run,
				    struct sp_error *err)
{
	struct swf *swf = format;
	struct swf_line line;
	enum run_state state;

	(void)ret_consumed;
	if (!text)
		return log_end(swf, err);
	text += strspn(text, " \t");
	if (!*text)
		return JOBLOG_NOTHING;
	if (*text == ';' || *text == '#') {
		comment_read(&swf->machine, text);
		return JOBLOG_NOTHING;
	}
	if (line_parse(text, &line, err))
		return line_refuse(swf, err);
	swf->any = true;

	const double *f = line.of;
	double processors = f[PROCESSORS_REQUESTED] > 0
				    ? f[PROCESSORS_REQUESTED]
				    : f[PROCESSORS];

	if (f[SUBMIT] < 0)
		return (enum joblog_rc)sp_error_set(
			err, "job %.0f: submitted before the log begins",
			f[JOB]);
	if (processors > PROCESSORS_MAX)
		return (enum joblog_rc)sp_error_set(
			err, "job %.0f: %.0f processors", f[JOB], processors);
	if (!read_status(f[STATUS], &state))
		return JOBLOG_NOTHING;
	if (!(f[RUN_TIME] > 0) || !(processors >= 1))
		return JOBLOG_NO_RUN;
	if (joblog_check_span(read_id(f[JOB], 0), f[RUN_TIME], err))
		return JOBLOG_BAD;
	*ret_run = (struct run){ .state = state };
	run_fill(swf, &line, (uint32_t)processors, ret_run);
	return JOBLOG_RUN;
}

static void *swf_create(const struct joblog_config *config)
{
	struct swf *swf = calloc(1, sizeof(*swf));

	if (swf && config->cluster)
		memccpy(swf->cluster, config->cluster, '\0',
			sizeof(swf->cluster) - 1);
	return swf;
}

static const struct joblog_machine *swf_machine(const void *format)
{
	const struct swf *swf = format;

	return &swf->machine;
}

const struct joblog_format joblog_swf = {
	.name = "swf",
	.help = "the Standard Workload Format",
	.create = swf_create,
	.destroy = free,
	.read_line = swf_read_line,
	.machine = swf_machine,
};
