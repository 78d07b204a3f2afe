/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predictd.c - the prediction daemon: HTTP in front, PostgreSQL behind
 *
 * The engine predicts from memory.  The store writes to PostgreSQL in a thread
 * of its own, and what it has written comes back into the engine through
 * struct engine_feed.  The HTTP server stands in front of both.  This thread
 * starts them, waits for signals, checks the topology file for changes, reports
 * to the service manager's watchdog, and ends them in reverse.
 */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "predictor/base/clock.h"
#include "predictor/base/daemon.h"
#include "predictor/base/log.h"
#include "predictor/daemon/engine_feed.h"
#include "predictor/daemon/liveness.h"
#include "predictor/daemon/predictd_checks.h"
#include "predictor/daemon/predictd_config.h"
#include "predictor/daemon/slurm_nodes.h"
#include "predictor/daemon/slurm_queue.h"
#include "predictor/daemon/slurm_thread.h"
#include "predictor/engine/engine.h"
#include "predictor/ensemble/start_tables.h"
#include "predictor/features/secret.h"
#include "predictor/features/topology_file.h"
#include "predictor/http/gate/token.h"
#include "predictor/http/http.h"
#include "predictor/store/postgres.h"

/* For storing what is queued at the end; systemd allows 90 s. */
#define STORE_TIMEOUT_S 5.0

/* What is larger goes back to the system when it is freed.  By default glibc
 * keeps what is as large as what was freed before: the trace of a what-if. */
#define MMAP_BYTES (1 << 20)

/* Between checks of the topology file. */
#define TOPOLOGY_CHECK_S 30

struct predictd {
	struct daemon_options options;
	struct predictd_config config;
	sigset_t signals;
	struct listener listeners[HTTP_LISTENERS_MAX];
	size_t listeners_count;
	struct engine *engine;
	struct engine_feed feed;
	struct postgres *store;
	struct http *http;
	struct liveness liveness;
	struct topology_file topology_file;
	struct slurm_nodes *slurm_nodes; /* NULL: not asked for */
	struct slurm_queue *slurm_queue; /* likewise */
	struct slurm_thread *refresh;    /* NULL: it could not be started */
};

#define OWN_CONNINFO                                       \
	.argument = "CONNINFO", .may_lack_argument = true, \
	.action = DAEMON_OWN, .text = DAEMON_MEMBER(own_argument)

static const struct daemon_option own_options[] = {
	{ "check", .action = DAEMON_OWN, .flag = DAEMON_MEMBER(own_check),
	  .help = "check the site: users, database, MUNGE, Slurm, plugins" },
	{ "json", .flag = DAEMON_MEMBER(json),
	  .help = "with --check: print the result as JSON" },
	{ "migrate", OWN_CONNINFO,
	  .help = "bring the database's schema up to date; CONNINFO: as this "
		  "user" },
	{ "drop-database", OWN_CONNINFO, .flag = DAEMON_MEMBER(own_removal),
	  .help = "remove the database and its roles, if its name is typed" },
	{ "mask-secrets", OWN_CONNINFO, .flag = DAEMON_MEMBER(own_mask),
	  .help = "count secrets in the database, with --yes mask them" },
	{ "dry-run", .flag = DAEMON_MEMBER(own_dry_run),
	  .help = "with --mask-secrets: only count, even with --yes" },
	{ "yes", .argument = "NAME", .text = DAEMON_MEMBER(removal_yes),
	  .help = "with --drop-database, --mask-secrets: that name, not "
		  "typed" },
	{ "dump", .argument = "FILE", .text = DAEMON_MEMBER(removal_dump),
	  .help = "with --drop-database: first write a copy, by pg_dump" },
	{ .help = NULL },
};

static const struct daemon_program program = {
	.name = "predictd",
	.config_path = PREDICTD_CONFIG_PATH,
	.config_keys = predictd_config_keys,
	.own_options = own_options,
};

static int open_listeners(struct predictd *d, struct sp_error *err)
{
	for (size_t i = 0; i < d->config.listen_count; i++) {
		if (listener_open(d->config.listen[i], d->config.socket_mode,
				  &d->listeners[i], err))
			return -1;
		d->listeners_count++;
		log_info("listening on %s", d->config.listen[i]);
	}
	return 0;
}

/* A file that is missing or damaged counts as none. */
static void load_start_tables(struct predictd *d)
{
	const char *path = d->config.start_tables;
	struct sp_error err;
	char *text;

	if (!*path)
		return;
	text = start_tables_read(path, &err);
	if (!text || engine_set_start(d->engine, text, &err))
		log_error("StartTables is passed over: %s", err.text);
	else
		log_info("models begin with %s", path);
	free(text);
}

static int start_engine(struct predictd *d, struct sp_error *err)
{
	d->topology_file.path = d->config.topology;
	d->engine = engine_create();
	if (!d->engine)
		return sp_error_set(err, "out of memory");
	load_start_tables(d);
	engine_feed_init(&d->feed, d->engine);
	return 0;
}

static int start_store(struct predictd *d, struct sp_error *err)
{
	struct postgres_config config = {
		.conninfo = d->config.database,
		.measurements_keep_days = d->config.measurements_keep_days,
		.history_days = d->config.history_days,
		.trace_quota_bytes = (int64_t)d->config.trace_quota_mib << 20,
	};
	struct store_sink sink = engine_feed_sink(&d->feed);

	d->store = postgres_create(&config, &sink, err);
	if (!d->store)
		return -1;
	engine_feed_set_store(&d->feed, &postgres_ops, d->store);
	return 0;
}

static int start_http(struct predictd *d, struct sp_error *err)
{
	struct http_config config = {
		.engine = d->engine,
		.store_ops = &postgres_ops,
		.store = d->store,
		.answers = &d->feed.answers,
		.ready = &d->feed.ready,
		.munge_socket = d->config.munge_socket,
		.token_key = d->config.token_key[0] && token_is_supported()
				     ? d->config.token_key
				     : NULL,
		.proxies = &d->config.proxies,
		.proxy_header = d->config.proxy_header,
		.topology = d->config.topology,
		.profile_every = (uint32_t)d->config.profile_every,
		.trace_every = (uint32_t)d->config.trace_every,
		.metrics_guarded = d->config.metrics_guarded,
		.metrics_old_names = d->config.metrics_old_names,
		.access = d->config.access,
		.limits = &d->config.limits,
	};

	if (d->config.token_key[0] && !config.token_key)
		log_warning("TokenKey: tokens are refused, since this predictd "
			    "is built without libjwt");
	d->http = http_create(&config, d->listeners, d->listeners_count, err);
	return d->http ? 0 : -1;
}

/* All the rest works without it. */
static void start_slurm_nodes(struct predictd *d)
{
	struct sp_error err;

	if (!d->config.slurm_nodes_interval_s)
		return;
	d->slurm_nodes = slurm_nodes_create(d->config.scontrol,
					    d->config.slurm_nodes_interval_s,
					    d->engine, &err);
	if (!d->slurm_nodes)
		log_error("nodes of Slurm: %s", err.text);
}

static void start_slurm_queue(struct predictd *d)
{
	const struct overruns_config overruns = {
		.command = d->config.overrun_command,
		.scontrol = d->config.scontrol,
		.extend_percent = d->config.overrun_extend,
	};
	struct sp_error err;

	if (!d->config.slurm_queue_interval_s)
		return;
	d->slurm_queue = slurm_queue_create(d->config.squeue,
					    d->config.slurm_queue_interval_s,
					    &overruns, d->engine, &err);
	if (!d->slurm_queue)
		log_error("queue of Slurm: %s", err.text);
}

/* All the rest works without it. */
static void start_refresh(struct predictd *d)
{
	struct sp_error err;

	d->refresh = slurm_thread_create(engine_feed_refresh, &d->feed, &err);
	if (!d->refresh)
		log_error("waiting jobs are not predicted again: %s", err.text);
}

/* SIGHUP: a file with an error changes nothing. */
static void reload(struct predictd *d)
{
	static struct predictd_config fresh; /* too large for a stack */
	struct sp_error err;

	if (predictd_config_read(d->options.config_path, &fresh, &err) ||
	    daemon_open_log(&d->options, &fresh.daemon, &err)) {
		log_error("not reloaded: %s", err.text);
		return;
	}
	predictd_config_grant(&fresh);
	http_set_access(d->http, &fresh.access);
	daemon_log_reload(&program, &d->options, &d->config, &fresh);
}

/* A file with an error counts as none. */
static void reload_topology(struct predictd *d)
{
	struct topology topology = { .count = 0 };
	struct sp_error err;
	char *text;

	if (!d->config.topology[0] || !topology_file_changed(&d->topology_file))
		return;
	text = topology_file_read(d->config.topology, &topology, &err);
	if (!text || engine_set_topology(d->engine, &topology, &err)) {
		engine_set_topology(d->engine, NULL, NULL);
		log_warning("%s: %s; node sets are chosen as if all nodes were "
			    "on one switch",
			    d->config.topology, err.text);
	}
	topology_clear(&topology);
	free(text);
}

static void loop(struct predictd *d)
{
	for (;;) {
		reload_topology(d);
		liveness_run(&d->liveness);
		log_tick();

		double wait_s = liveness_wait_s(&d->liveness, TOPOLOGY_CHECK_S);
		struct timespec interval = clock_timespec(wait_s);
		int number = sigtimedwait(&d->signals, NULL, &interval);

		if (number == SIGHUP) {
			reload(d);
		} else if (number == SIGTERM || number == SIGINT) {
			log_info("ending: %s", strsignal(number));
			return;
		}
	}
}

/* A file descriptor for each connection. */
static void raise_file_limit(const struct predictd_config *config)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	if (files.rlim_max < predictd_config_files(config))
		log_warning(
			"%llu files may be open, for Connections=%d and %zu "
			"sockets %llu are needed: raise LimitNOFILE in "
			"predictd.service",
			(unsigned long long)files.rlim_max,
			config->limits.connections, config->listen_count,
			(unsigned long long)predictd_config_files(config));
}

static int serve(struct predictd *d, struct sp_error *err)
{
	int rc = -1;

	if (daemon_begin(&d->options, &d->config.daemon, &d->signals, err))
		return -1;
	log_info("predictd " SP_VERSION " starts");
	mallopt(M_MMAP_THRESHOLD, MMAP_BYTES);
	raise_file_limit(&d->config);
	predictd_config_grant(&d->config);
	if (open_listeners(d, err) || start_engine(d, err) ||
	    start_store(d, err) || start_http(d, err) ||
	    daemon_announce(&d->config.daemon, err))
		goto out;
	start_slurm_nodes(d);
	start_slurm_queue(d);
	start_refresh(d);
	liveness_init(&d->liveness, d->engine, d->listeners,
		      d->listeners_count);
	loop(d);
	liveness_end(&d->liveness);
	daemon_withdraw(&d->config.daemon);
	rc = 0;
out:
	slurm_thread_destroy(d->refresh);
	slurm_queue_destroy(d->slurm_queue);
	slurm_nodes_destroy(d->slurm_nodes);
	http_destroy(d->http);
	postgres_destroy(d->store, STORE_TIMEOUT_S);
	engine_destroy(d->engine);
	for (size_t i = 0; i < d->listeners_count; i++)
		listener_close(&d->listeners[i]);
	daemon_log_end(&d->config.daemon, rc, err);
	return rc;
}

/* Do what --migrate, --mask-secrets or --drop-database say. */
static int administer(const struct predictd *d, struct sp_error *err)
{
	const struct postgres_removal removal = {
		.yes = d->options.removal_yes,
		.dump = d->options.removal_dump,
	};
	const char *database = d->options.own_argument;

	if (!database)
		database = d->config.database;
	if (d->options.own_mask)
		return postgres_mask_secrets(
			database, d->options.own_dry_run ? NULL : removal.yes,
			err);
	return d->options.own_removal
		       ? postgres_remove(database, d->config.sql_dir, &removal,
					 err)
		       : postgres_migrate(database, d->config.sql_dir, err);
}

int main(int argc, char *argv[])
{
	static struct predictd d;
	struct sp_error err = { "" };
	int status, rc;

	log_set_mask(secret_mask_text);
	if (daemon_options_parse(&program, argc, argv, &d.options, &status))
		return status;
	if (d.options.own_check)
		return predictd_check(d.options.config_path, d.options.json)
			       ? EXIT_FAILURE
			       : EXIT_SUCCESS;
	rc = d.options.own_argument
		     ? predictd_config_for_migration(d.options.config_path,
						     &d.config, &err)
		     : predictd_config_read(d.options.config_path, &d.config,
					    &err);
	if (!rc && d.options.action == DAEMON_CHECK_CONFIG)
		printf("%s: no error\n", d.options.config_path);
	else if (!rc && d.options.action == DAEMON_OWN)
		rc = administer(&d, &err);
	else if (!rc)
		rc = serve(&d, &err);
	return daemon_exit_status(&program, rc, &err);
}
