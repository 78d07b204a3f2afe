/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_honesty_evidence.c - whether runs that people see are similar
 *
 * Each case has users and programs of its own, and a drawn history: runs of the
 * program by the user, with other options, by other users, of other programs
 * under the same job name, and runs that did not complete.  Then the user's job
 * is predicted, and what sbatch prints and spredict prints is compared with
 * what this file knows to have run: a number of similar runs that is too great,
 * and a 90 % without any run of the program, are lies.  In a part of the cases
 * the user has three runs of the program around what is asked for: then a time
 * and a 90 % must be there.
 *
 * usage: bench-honesty-evidence URL
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/job_submit/message.h"
#include "tests/bench/honesty_client.h"
#include "tests/unit/random.h"

#define CASES       600
#define USERS       3 /* the first one asks */
#define PROGRAMS    3 /* the first one is asked for */
#define LINES_MAX   5 /* of a drawn history */
#define KNOWN_EVERY 3 /* cases with three own runs */
#define SHOWN_EVERY 8 /* cases that spredict is asked for, too */
#define FIRST_USER  20000

/* How a program is called. */
enum style { PLAIN, COUNTED, NAMED, STYLES };

static const char *const calls[STYLES] = {
	[PLAIN] = "srun ./%s",
	[COUNTED] = "srun ./%s --steps=%d",
	[NAMED] = "srun ./%s --grid=%d --fast",
};

struct program_case {
	int number;
	bool known;
	enum style style; /* of the job */
	/* Completed runs of the program. */
	uint32_t own, others[STYLES];
};

static struct random generator = { 442026 };

static int draw(int below)
{
	return (int)random_below(&generator, (uint64_t)below);
}

/* Digits would be masked. */
static const char *program_name(const struct program_case *c, int program,
				char ret_name[32])
{
	snprintf(ret_name, 32, "prog%c%c%c%c", 'a' + program,
		 'a' + c->number / 676 % 26, 'a' + c->number / 26 % 26,
		 'a' + c->number % 26);
	return ret_name;
}

static void command_print(const struct program_case *c, int program,
			  enum style style, int value, char ret_text[160])
{
	char name[32];

	program_name(c, program, name);
	if (style == PLAIN)
		snprintf(ret_text, 160, "srun ./%s", name);
	else
		snprintf(ret_text, 160, calls[style], name, value);
}

static uint32_t user_of(const struct program_case *c, int user)
{
	return FIRST_USER + (uint32_t)(USERS * c->number + user);
}

static void run_add(struct honesty_client *client, struct program_case *c,
		    int user, int program, enum style style, int value,
		    enum run_state state)
{
	/* Half of the jobs of other programs have the name of the asked one. */
	int named = draw(2) ? program : 0;
	char name[32], command[160];
	struct prediction p;

	command_print(c, program, style, value, command);
	honesty_predict(client, user_of(c, user), program_name(c, named, name),
			command, true, &p);
	honesty_end(client, &p,
		    (5 + 40 * program) * (0.9 + 0.2 * random_unit(&generator)) *
			    (state == RUN_COMPLETED ? 1 : 0.2),
		    state);
	if (state != RUN_COMPLETED || program)
		return;
	if (user)
		c->others[style]++;
	else
		c->own++;
}

static void history_draw(struct honesty_client *client, struct program_case *c)
{
	static const enum run_state states[] = { RUN_COMPLETED, RUN_COMPLETED,
						 RUN_COMPLETED, RUN_CANCELLED,
						 RUN_FAILED };
	int lines = draw(LINES_MAX + 1);

	for (int i = 0; i < lines; i++) {
		int user = draw(USERS), program = draw(PROGRAMS);
		enum style style = (enum style)draw(STYLES);
		enum run_state state =
			states[draw(sizeof(states) / sizeof(states[0]))];

		for (int runs = 1 + draw(4); runs > 0; runs--)
			run_add(client, c, user, program, style,
				100 + draw(500), state);
	}
	/* What is asked for is between them. */
	for (int i = 0; c->known && i < 3; i++)
		run_add(client, c, 0, 0, c->style, 200 + 100 * i,
			RUN_COMPLETED);
}

/* --- What people read ----------------------------------------------------- */

/* As slurmctld's plugin has it. */
static const char *sbatch_line(const struct prediction *p,
			       char ret_text[MESSAGE_SIZE])
{
	struct prediction_answer answer = {
		.basis = p->basis,
		.runs = p->runs,
		.evidence_level = p->evidence_level,
		.evidence_runs = p->evidence_runs,
		.own_runs = p->own_runs,
		.extrapolated = p->extrapolated,
		.unbounded = p->unbounded,
		.similar_runs = p->similar_runs,
		.over_limit = p->over_limit,
		.limit_s = p->limit_s,
		.median_s = p->median_s,
		.quantile = p->quantile,
		.quantile_s = p->quantile_s,
		.last_error = p->last_error,
	};

	memcpy(answer.outside, p->outside, sizeof(answer.outside));
	message_format(MESSAGE_ON, &answer, 0, ret_text);
	return ret_text;
}

/* What `spredict predict` prints for that user. */
static void spredict_read(const char *url, const struct program_case *c,
			  const char *command, char *ret_text, size_t size)
{
	char line[512];
	size_t length;
	FILE *out;

	snprintf(line, sizeof(line),
		 "printf '#!/bin/bash\\n%s\\n' | setpriv --reuid=%u "
		 "--clear-groups \"${BUILD:-build}\"/bin/spredict --url=%s "
		 "predict --clusters=honest -J job -N1 -n1 -t 10:00:00",
		 command, user_of(c, 0), url);
	out = popen(line, "r");
	length = out ? fread(ret_text, 1, size - 1, out) : 0;
	ret_text[length] = '\0';
	if (!out || pclose(out) || !length) {
		fprintf(stderr, "bench-honesty: spredict failed: %s\n", line);
		exit(1);
	}
}

/* The number before `words`; -1: they are not there. */
static long number_before(const char *text, const char *words)
{
	const char *at = strstr(text, words);

	if (!at)
		return -1;
	while (at > text && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return atol(at);
}

static bool has_quantile(const char *text)
{
	return strstr(text, " with 90%") || strstr(text, " with 90 %");
}

static bool is_lie(const struct program_case *c, const char *text)
{
	uint32_t others = c->style == PLAIN ? 0 : c->others[c->style];
	bool of_others = strstr(text, "of other users");
	long similar = number_before(text, " similar run");
	long far = number_before(text, " run");

	if (similar > (of_others ? others : c->own))
		return true;
	if (strstr(text, "extrapolated from") &&
	    far > (of_others ? others : c->own))
		return true;
	return has_quantile(text) && !c->own && !others;
}

struct tally {
	int asked, lies, known, told;
};

static void judge(const struct program_case *c, const char *text,
		  struct tally *t)
{
	bool lie = is_lie(c, text);

	t->asked++;
	t->lies += lie;
	if (c->known) {
		t->known++;
		t->told += strstr(text, "xpected") && has_quantile(text);
	}
	if (lie || (c->known && !has_quantile(text)))
		printf("case %d: %u own and %u, %u, %u runs of others: %s\n",
		       c->number, c->own, c->others[0], c->others[1],
		       c->others[2], text);
}

static void ask(const char *url, struct honesty_client *client,
		const struct program_case *c, struct tally *t)
{
	char name[32], command[160], line[MESSAGE_SIZE], text[4096];
	struct prediction p;

	command_print(c, 0, c->style, 300, command);
	honesty_predict(client, user_of(c, 0), program_name(c, 0, name),
			command, false, &p);
	judge(c, sbatch_line(&p, line), t);
	if (c->number % SHOWN_EVERY)
		return;
	spredict_read(url, c, command, text, sizeof(text));
	judge(c, text, t);
}

int main(int argc, char *argv[])
{
	static struct program_case cases[CASES];
	struct tally t = { 0 };

	if (argc != 2) {
		fputs("usage: bench-honesty-evidence URL\n", stderr);
		return 2;
	}

	struct honesty_client *client = honesty_client_create(argv[1]);

	for (int i = 0; i < CASES; i++) {
		cases[i] = (struct program_case){
			.number = i,
			.known = i % KNOWN_EVERY == 0,
			.style = (enum style)draw(STYLES),
		};
		history_draw(client, &cases[i]);
		if (i % 20 == 19)
			honesty_report(client);
	}
	for (int i = 0; i < CASES; i++)
		ask(argv[1], client, &cases[i], &t);
	printf("%d answers, %d of them with three own runs\n", t.asked,
	       t.known);
	printf("bar similar_lies %d\n", t.lies);
	printf("bar known_told_pct %.1f\n", 100.0 * t.told / t.known);
	honesty_client_destroy(client);
	return 0;
}
