/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scheduler_probing.c - when this node's scheduler is probed, and what is sent
 *
 * Everything is driven by measurements, which come every few seconds: they say
 * whether the node is idle.  A result belongs to a kernel (uname) and to a
 * quota of CPU time; with another one it is measured anew.  A probe that was
 * stopped or disturbed is repeated after a pause that doubles, up to a day.
 * The main thread only; the probe has two threads of its own.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "collectors/daemon/scheduler_probing.h"
#include "collectors/sensors/cpu_group.h"
#include "collectors/sensors/scheduler_probe.h"
#include "predictor/base/durable.h"
#include "predictor/base/log.h"

#define FILE_NAME    "scheduler"
#define FILE_MAX     1024
#define IDLE_S       30.0  /* before a probe */
#define IDLE_LOAD    0.1   /* runnable processes, at most */
#define IDLE_SHARE   0.9   /* of what a process gets alone, at least */
#define SEND_AGAIN_S 300.0 /* predictd may have been started anew */
#define PAUSE_MIN_S  60.0  /* after a probe without a result */
#define PAUSE_MAX_S  86400.0

struct scheduler_probing {
	char spool[1024];
	char room[512]; /* what a result belongs to: kernel and quota */
	double alone;   /* share of a CPU that a process gets alone */
	bool allowed, measured;
	struct scheduler_values values;
	struct scheduler_probe *probe;
	double idle_since_s; /* NAN: it is not idle */
	double again_s, pause_s, send_at_s;
};

/* --- The kept result ------------------------------------------------------ */

static int keep(const struct scheduler_probing *s, struct sp_error *err)
{
	char text[FILE_MAX];
	int dir = durable_folder(AT_FDCWD, s->spool, 0, err), rc;

	if (dir < 0)
		return -1;

	int size =
		snprintf(text, sizeof(text), "%s\nturn_s %.9g\ncredit_s %.9g\n",
			 s->room, s->values.turn_s, s->values.credit_s);

	rc = durable_write(dir, FILE_NAME, text, (size_t)size, err);
	close(dir);
	return rc;
}

/* Return whether there is a result for this kernel and quota. */
static bool reload(struct scheduler_probing *s)
{
	int dir = durable_folder(AT_FDCWD, s->spool, 0, NULL);
	size_t size, length = strlen(s->room);
	struct scheduler_values v = { 0 };
	bool found = false;
	char *text;

	if (dir < 0)
		return false;
	if (durable_read(dir, FILE_NAME, FILE_MAX, &text, &size, NULL) == 0) {
		found = size > length && strncmp(text, s->room, length) == 0 &&
			sscanf(text + length, "\nturn_s %lf\ncredit_s %lf\n",
			       &v.turn_s, &v.credit_s) == 2 &&
			v.turn_s >= 0 && v.turn_s <= 1 && v.credit_s >= 0 &&
			isfinite(v.credit_s);
		free(text);
	}
	close(dir);
	if (found)
		s->values = v;
	return found;
}

/* --- Life ----------------------------------------------------------------- */

struct scheduler_probing *scheduler_probing_create(const char *spool,
						   bool allowed)
{
	struct scheduler_probing *s = calloc(1, sizeof(*s));
	struct cpu_group group;
	struct utsname name;

	if (!s)
		return NULL;
	s->probe = scheduler_probe_create();
	if (!s->probe) {
		free(s);
		return NULL;
	}
	if (uname(&name))
		name = (struct utsname){ .release = "" };
	cpu_group_find("", &group);
	snprintf(s->spool, sizeof(s->spool), "%s", spool);
	snprintf(s->room, sizeof(s->room), "kernel %s %s\nquota %.4g %.4g",
		 name.release, name.version,
		 group.quota < group.cpus ? group.quota : 0.0, group.period_s);
	s->alone = fmin(1, group.quota);
	s->allowed = allowed;
	s->idle_since_s = NAN;
	s->pause_s = PAUSE_MIN_S;
	s->measured = reload(s);
	if (!s->measured)
		scheduler_values_default(name.release, group.cpus, &s->values);
	return s;
}

void scheduler_probing_destroy(struct scheduler_probing *s)
{
	if (!s)
		return;
	scheduler_probe_destroy(s->probe);
	free(s);
}

void scheduler_probing_allow(struct scheduler_probing *s, bool allowed)
{
	s->allowed = allowed;
	if (!allowed)
		scheduler_probing_stop(s);
}

void scheduler_probing_stop(struct scheduler_probing *s)
{
	if (scheduler_probe_is_running(s->probe))
		scheduler_probe_stop(s->probe);
	s->idle_since_s = NAN;
}

/* --- With each measurement ------------------------------------------------ */

static void use_result(struct scheduler_probing *s, double now_s)
{
	struct sp_error err;
	int rc = scheduler_probe_result(s->probe, &s->values, &err);

	if (rc == 0)
		return;
	if (rc < 0) {
		log_debug("the scheduler is probed again in %.0f s: %s",
			  s->pause_s, err.text);
		s->again_s = now_s + s->pause_s;
		s->pause_s = fmin(2 * s->pause_s, PAUSE_MAX_S);
		return;
	}
	s->measured = true;
	s->send_at_s = now_s;
	log_info("scheduler: a process that wakes up waits %.2f ms for each "
		 "competitor, gets back %.2f ms of a sleep",
		 s->values.turn_s * 1e3, s->values.credit_s * 1e3);
	if (keep(s, &err))
		log_error("the probe of the scheduler is not kept: %s",
			  err.text);
}

static void watch_idle(struct scheduler_probing *s, size_t jobs, double now_s,
		       const struct measurement *m)
{
	bool idle = jobs == 0 && m->cpu_load <= IDLE_LOAD &&
		    m->cpu_available >= IDLE_SHARE * s->alone;

	if (!idle)
		s->idle_since_s = NAN;
	else if (isnan(s->idle_since_s))
		s->idle_since_s = now_s;
}

void scheduler_probing_measured(struct scheduler_probing *s, size_t jobs,
				double now_s, struct measurement *m)
{
	struct sp_error err;

	if (scheduler_probe_is_running(s->probe)) {
		use_result(s, now_s);
	} else {
		watch_idle(s, jobs, now_s, m);
		if (s->allowed && !s->measured && now_s >= s->again_s &&
		    now_s - s->idle_since_s >= IDLE_S &&
		    scheduler_probe_start(s->probe, s->alone, &err)) {
			log_error("%s", err.text);
			s->again_s = now_s + PAUSE_MAX_S;
		}
	}
	m->cpu_turn_s = m->cpu_credit_s = NAN;
	if (now_s < s->send_at_s)
		return;
	m->cpu_turn_s = s->values.turn_s;
	m->cpu_credit_s = s->values.credit_s;
	s->send_at_s = now_s + SEND_AGAIN_S;
}
