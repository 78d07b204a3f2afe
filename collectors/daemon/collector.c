/* SPDX-License-Identifier: GPL-2.0-or-later */
/* collector.c - collectord's event loop, and the data flow between its parts
 *
 * ppoll() waits for signals, events of the SPANK plugin (inotify, and a period
 * in case a notice is lost), the output of Slurm's commands, probes and
 * profiles; next_s() gives the next due time of everything else.  Then each
 * part does what is due.  Only one of these runs at a time.  Probes and
 * profiles are optional: if they cannot start, that is logged.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "collectors/daemon/collector.h"
#include "collectors/daemon/link_probing.h"
#include "collectors/daemon/job_profiles.h"
#include "collectors/daemon/job_orders.h"
#include "collectors/daemon/job_shares.h"
#include "collectors/daemon/scheduler_probing.h"
#include "collectors/daemon/sender.h"
#include "collectors/daemon/drop_pages.h"
#include "collectors/runs/events.h"
#include "collectors/runs/jobs.h"
#include "collectors/runs/leftovers.h"
#include "collectors/runs/spool.h"
#include "collectors/sensors/sensors.h"
#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/base/notify.h"
#include "predictor/slurm/slurm_command.h"
#include "predictor/slurm/slurm_config.h"
#include "predictor/slurm/slurm_job.h"

#define COMMAND_TIMEOUT_S  15.0
#define COMMAND_OUTPUT_MAX (32 << 20) /* an array has many records */
#define CLUSTER_AGAIN_S    30.0
#define EVENTS_ANYWAY_S    30.0 /* should a notice be lost */
#define DROP_FIRST_S       20.0 /* when all code has run once */
#define DROP_AGAIN_S       600.0
#define LEFTOVERS_EVERY_S  3600.0
#define LEFTOVERS_AGE_S    86400.0
#define SHOWN_CLUSTER      0 /* no job has this id */

struct collector {
	struct collectord_config config;
	struct spool *spool;
	struct jobs *jobs;
	struct sensors *sensors;
	struct scheduler_probing *scheduler;
	struct sender *sender;
	struct user_folders *users;
	struct trace_files *traces;
	struct job_orders *orders;
	struct link_probing *links;    /* NULL: they are not probed */
	struct slurm_command *command; /* scontrol or squeue; NULL: none runs */
	struct job_profiles *profiles; /* NULL: none are made */
	uint32_t shown_job;            /* the job that squeue is to show */
	bool shows_script;             /* scontrol prints its script */
	int notices;                   /* of new event files */
	struct watchdog watchdog;
	double cluster_at_s, events_at_s, drop_at_s, leftovers_at_s;
};

static int open_notices(struct collector *c, struct sp_error *err)
{
	char path[CONFIG_TEXT_SIZE + 16];

	snprintf(path, sizeof(path), "%s/events", c->config.spool);
	c->notices = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (c->notices < 0 ||
	    inotify_add_watch(c->notices, path, IN_MOVED_TO) < 0)
		return sp_error_set(err, "no notices of %s: %s", path,
				    strerror(errno));
	return 0;
}

/* Optional: errors are logged. */
static void start_links(struct collector *c)
{
	struct sp_error err;

	links_destroy(c->links);
	c->links = links_create(&c->config, c->sender, &err);
	if (!c->links && c->config.probe_interval_s > 0)
		log_error("links are not probed: %s", err.text);
}

struct collector *collector_create(const struct collectord_config *config,
				   struct sp_error *err)
{
	struct collector *c = calloc(1, sizeof(*c));

	if (!c)
		return sp_error_null(err, "out of memory");
	c->notices = -1;
	watchdog_init(&c->watchdog);
	c->config = *config;
	c->spool = spool_open(config->spool, config->spool_max_bytes, err);
	if (!c->spool)
		goto failed;
	c->sender = sender_create(c->spool, config, err);
	if (!c->sender || open_notices(c, err))
		goto failed;
	c->jobs = jobs_create(c->spool, config->cluster, config->node);
	c->users = user_folders_create(spool_folders(c->spool),
				       config->traces_max_bytes, err);
	if (!c->users)
		goto failed;
	c->traces =
		trace_files_create(spool_folders(c->spool)->traces, c->users);
	c->sensors = sensors_create(config->sample_interval_s);
	c->scheduler = scheduler_probing_create(config->spool,
						config->probe_scheduler);
	c->orders = job_orders_create(spool_folders(c->spool)->hosts);
	if (!c->jobs || !c->traces || !c->orders || !c->sensors ||
	    !c->scheduler) {
		sp_error_set(err, "out of memory");
		goto failed;
	}
	/* Optional: errors are logged. */
	c->profiles = job_profiles_create(&c->config, c->spool, c->users, err);
	if (!c->profiles)
		log_error("jobs are not profiled: %s", err->text);
	sender_set_cluster(c->sender, config->cluster);
	sender_set_traces(c->sender, c->traces);
	start_links(c);
	c->drop_at_s = clock_monotonic_s() + DROP_FIRST_S;
	c->leftovers_at_s = clock_monotonic_s() + LEFTOVERS_EVERY_S;
	jobs_load(c->jobs, clock_monotonic_s());
	return c;
failed:
	collector_destroy(c);
	return NULL;
}

void collector_destroy(struct collector *c)
{
	if (!c)
		return;
	links_destroy(c->links);
	job_profiles_destroy(c->profiles);
	slurm_command_destroy(c->command);
	scheduler_probing_destroy(c->scheduler);
	sensors_destroy(c->sensors);
	jobs_destroy(c->jobs);
	if (c->notices >= 0)
		close(c->notices);
	sender_destroy(c->sender);
	trace_files_destroy(c->traces);
	user_folders_destroy(c->users);
	job_orders_destroy(c->orders);
	spool_close(c->spool);
	free(c);
}

int collector_configure(struct collector *c,
			const struct collectord_config *config,
			struct sp_error *err)
{
	struct sensors *sensors = sensors_create(config->sample_interval_s);

	if (!sensors)
		return sp_error_set(err, "out of memory");
	if (sender_configure(c->sender, config, err)) {
		sensors_destroy(sensors);
		return -1;
	}
	sensors_destroy(c->sensors);
	c->sensors = sensors;
	spool_set_limit(c->spool, config->spool_max_bytes);
	user_folders_set_limit(c->users, config->traces_max_bytes);
	scheduler_probing_allow(c->scheduler, config->probe_scheduler);
	c->config.profile = config->profile;
	c->config.profile_every = config->profile_every;
	strcpy(c->config.scontrol, config->scontrol);
	strcpy(c->config.squeue, config->squeue);
	strcpy(c->config.probe_listen, config->probe_listen);
	c->config.probe_interval_s = config->probe_interval_s;
	c->config.probe_port = config->probe_port;
	start_links(c);
	return 0;
}

/* --- Sensors -------------------------------------------------------------- */

static void on_memory(void *context, uint32_t job_id,
		      const struct job_memory *sample)
{
	jobs_memory(((struct collector *)context)->jobs, job_id, sample);
}

static void measure(struct collector *c, double now_s)
{
	struct measurement m = { .time_s = clock_now_s() };

	if (sensors_at_s(c->sensors) > now_s ||
	    !sensors_run(c->sensors, now_s, on_memory, c, &m))
		return;
	strcpy(m.node, c->config.node);
	scheduler_probing_measured(c->scheduler, jobs_count(c->jobs), now_s,
				   &m);
	m.spool_free_mb = spool_free_mb(c->spool);
	m.spool_failed = (double)spool_failed(c->spool);
	user_folders_keep_room(c->users, spool_is_low(c->spool));
	sender_measured(c->sender, &m);
}

/* --- Events --------------------------------------------------------------- */

static int on_event(void *context, const struct job_event *event,
		    struct sp_error *err)
{
	struct collector *c = context;

	log_debug("job %u %s", event->job_id,
		  event->kind == JOB_STARTED ? "started" : "ended");
	if (event->kind == JOB_STARTED) {
		scheduler_probing_stop(c->scheduler);
		/* Before the shares, which the job's tasks wait for. */
		job_orders_started(c->orders, c->sender, event,
				   clock_monotonic_s());
		job_shares_write(c->sender, c->config.cluster,
				 spool_folders(c->spool)->shares, event);
		trace_files_started(c->traces, clock_monotonic_s());
		user_folders_started(c->users, clock_monotonic_s());
	} else {
		job_orders_ended(c->orders, event->job_id);
		trace_files_ended(c->traces, event->job_id, event->user_id,
				  event->time_s, clock_monotonic_s());
	}
	if (c->profiles)
		job_profiles_event(c->profiles, event);
	return jobs_event(c->jobs, event, clock_monotonic_s(), err);
}

static void take_events(struct collector *c, double now_s)
{
	const struct spool_folders *folders = spool_folders(c->spool);
	struct sp_error err;

	if (c->events_at_s > now_s)
		return;
	c->events_at_s = now_s + EVENTS_ANYWAY_S;
	if (events_take(folders->events, folders->refused, on_event, c, &err))
		log_error("events wait: %s", err.text);
	else if (c->leftovers_at_s <= now_s) {
		c->leftovers_at_s = now_s + LEFTOVERS_EVERY_S;
		leftovers_remove(folders, c->jobs, c->users,
				 clock_now_s() - LEFTOVERS_AGE_S);
	}
}

/* --- Requests to slurmctld ------------------------------------------------ */

/* Start a command that shows a job; -1, and a line in the log: it cannot be. */
static int command_start(struct collector *c, const char *const argv[],
			 uint32_t job_id)
{
	struct sp_error err;

	c->shown_job = job_id;
	c->command = slurm_command_start(argv, COMMAND_TIMEOUT_S,
					 COMMAND_OUTPUT_MAX, &err);
	if (c->command)
		return 0;
	log_error("%s", err.text);
	return -1;
}

static void request_cluster(struct collector *c, double now_s)
{
	const char *const argv[] = { c->config.scontrol, "show", "config",
				     NULL };

	c->cluster_at_s = now_s + CLUSTER_AGAIN_S;
	command_start(c, argv, SHOWN_CLUSTER);
}

static void request_job(struct collector *c, uint32_t job_id, double now_s)
{
	struct squeue_args args;
	char id[16];

	snprintf(id, sizeof(id), "%u", job_id);
	slurm_job_args(c->config.squeue, id, &args);
	if (command_start(c, args.argv, job_id))
		jobs_answer(c->jobs, job_id, ANSWER_NONE, "", 0, now_s);
}

static void request_script(struct collector *c, uint32_t job_id, double now_s)
{
	char id[16];
	const char *const argv[] = {
		c->config.scontrol, "write", "batch_script", id, "-", NULL
	};

	snprintf(id, sizeof(id), "%u", job_id);
	c->shows_script = true;
	if (command_start(c, argv, job_id))
		jobs_script(c->jobs, job_id, NULL, now_s);
}

static void use_cluster(struct collector *c, bool done)
{
	struct slurm_config config = { .cluster = "" };

	if (done)
		slurm_config_parse(slurm_command_output(c->command, NULL),
				   &config);
	if (!config.cluster[0]) {
		log_error("scontrol prints no ClusterName; measurements wait "
			  "for it");
		return;
	}
	strcpy(c->config.cluster, config.cluster);
	log_info("cluster %s", c->config.cluster);
	sender_set_cluster(c->sender, c->config.cluster);
}

static void use_job(struct collector *c, bool done, const char *why,
		    double now_s)
{
	enum answer answer = ANSWER_NONE;
	const char *text;
	size_t size;

	if (done)
		answer = ANSWER_JOB;
	else if (strstr(slurm_command_errors(c->command), "Invalid job id"))
		answer = ANSWER_UNKNOWN;
	else
		log_debug("job %u: %s", c->shown_job, why);
	text = slurm_command_output(c->command, &size);
	jobs_answer(c->jobs, c->shown_job, answer, text, size, now_s);
}

static void run_command(struct collector *c, double now_s)
{
	uint32_t job_id;

	if (c->command) {
		struct sp_error why;
		enum slurm_command_state state =
			slurm_command_poll(c->command, &why);
		bool done = state == SLURM_COMMAND_DONE;

		if (state == SLURM_COMMAND_RUNNING)
			return;
		if (c->shown_job == SHOWN_CLUSTER)
			use_cluster(c, done);
		else if (c->shows_script)
			jobs_script(
				c->jobs, c->shown_job,
				done ? slurm_command_output(c->command, NULL)
				     : NULL,
				now_s);
		else
			use_job(c, done, why.text, now_s);
		slurm_command_destroy(c->command);
		c->command = NULL;
		c->shows_script = false;
	}
	if (!c->config.cluster[0] && c->cluster_at_s <= now_s)
		request_cluster(c, now_s);
	else if (jobs_ask_at_s(c->jobs, &job_id) > now_s)
		return;
	else if (jobs_want_script(c->jobs, job_id))
		request_script(c, job_id, now_s);
	else
		request_job(c, job_id, now_s);
}

/* --- The loop ------------------------------------------------------------- */

static double next_s(const struct collector *c)
{
	double at_s = fmin(sensors_at_s(c->sensors), c->events_at_s);
	uint32_t job_id;

	at_s = fmin(at_s, fmin(sender_at_s(c->sender), c->drop_at_s));
	at_s = fmin(at_s, c->watchdog.due_s);
	at_s = fmin(at_s, job_orders_at_s(c->orders));
	at_s = fmin(at_s, user_folders_at_s(c->users));
	if (c->links)
		at_s = fmin(at_s, links_at_s(c->links));
	if (c->command)
		return fmin(at_s, slurm_command_due_s(c->command));
	if (!c->config.cluster[0])
		at_s = fmin(at_s, c->cluster_at_s);
	return fmin(at_s, jobs_ask_at_s(c->jobs, &job_id));
}

static void drop_code(struct collector *c, double now_s)
{
	if (c->drop_at_s > now_s)
		return;
	drop_pages();
	c->drop_at_s = now_s + DROP_AGAIN_S;
}

static struct timespec time_left(const struct collector *c)
{
	return clock_timespec(fmax(0, next_s(c) - clock_monotonic_s()));
}

static void drain(int fd)
{
	char buffer[4096];

	while (read(fd, buffer, sizeof(buffer)) > 0)
		;
}

int collector_run(struct collector *c, int signal_fd)
{
	for (;;) {
		double now_s = clock_monotonic_s();

		measure(c, now_s);
		take_events(c, now_s);
		run_command(c, now_s);
		if (c->links)
			links_run(c->links, c->config.cluster, now_s);
		sender_run(c->sender, now_s);
		job_orders_run(c->orders, c->sender, now_s);
		user_folders_run(c->users, now_s);
		drop_code(c, now_s);
		if (c->watchdog.due_s <= now_s)
			watchdog_feed(&c->watchdog, now_s);
		log_tick();

		struct timespec timeout = time_left(c);
		struct pollfd fds[] = {
			{ .fd = signal_fd, .events = POLLIN },
			{ .fd = c->notices, .events = POLLIN },
			{ .fd = c->command ? slurm_command_fd(c->command) : -1,
			  .events = POLLIN },
			{ .fd = c->profiles ? job_profiles_fd(c->profiles) : -1,
			  .events = POLLIN },
			{ .fd = c->links ? links_fd(c->links) : -1,
			  .events = POLLIN },
		};

		if (ppoll(fds, 5, &timeout, NULL) <= 0)
			continue;
		if (fds[1].revents) {
			drain(c->notices);
			c->events_at_s = 0;
		}
		if (fds[3].revents)
			job_profiles_take(c->profiles);

		struct signalfd_siginfo info;

		if (fds[0].revents &&
		    read(signal_fd, &info, sizeof(info)) == sizeof(info))
			return (int)info.ssi_signo;
	}
}
