/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon.c - start-up and end of a daemon: signals, log, background,
 * pid file */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/base/background.h"
#include "predictor/base/daemon.h"
#include "predictor/base/log.h"
#include "predictor/base/notify.h"

int daemon_open_log(const struct daemon_options *options,
		    const struct daemon_config *config, struct sp_error *err)
{
	const char *path = config->log_file[0] ? config->log_file : NULL;

	if (!path && !options->foreground)
		return sp_error_set(err,
				    "LogFile is missing in %s (needed "
				    "without -D)",
				    options->config_path);
	return log_open(
		path, options->verbose ? LOG_LEVEL_DEBUG : config->level, err);
}

/* Threads inherit what is blocked. */
static void block_signals(sigset_t *ret_signals)
{
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(ret_signals);
	sigaddset(ret_signals, SIGHUP);
	sigaddset(ret_signals, SIGINT);
	sigaddset(ret_signals, SIGTERM);
	sigprocmask(SIG_BLOCK, ret_signals, NULL);
}

int daemon_begin(const struct daemon_options *options,
		 const struct daemon_config *config, sigset_t *ret_signals,
		 struct sp_error *err)
{
	umask(027);
	block_signals(ret_signals);
	if (!options->foreground && background_begin(err))
		return -1;
	return daemon_open_log(options, config, err);
}

int daemon_announce(const struct daemon_config *config, struct sp_error *err)
{
	if (background_write_pid(config->pid_file, err))
		return -1;
	background_ready();
	notify_send(NOTIFY_READY);
	return 0;
}

void daemon_withdraw(const struct daemon_config *config)
{
	notify_send(NOTIFY_STOPPING);
	if (config->pid_file[0])
		unlink(config->pid_file);
}

void daemon_log_reload(const struct daemon_program *program,
		       const struct daemon_options *options, const void *old,
		       const void *fresh)
{
	char restart[256];

	conf_differences(program->config_keys, old, fresh, restart,
			 sizeof(restart));
	if (restart[0])
		log_warning("reloaded, but these take a restart: %s", restart);
	else
		log_info("reloaded %s", options->config_path);
}

void daemon_log_end(const struct daemon_config *config, int rc,
		    const struct sp_error *err)
{
	if (!rc)
		log_info("ended");
	else if (config->log_file[0]) /* daemon_exit_status() prints it, too */
		log_error("%s", err->text);
}

int daemon_exit_status(const struct daemon_program *program, int rc,
		       const struct sp_error *err)
{
	if (rc)
		fprintf(stderr, "%s: %s\n", program->name, err->text);
	log_close();
	return rc ? EXIT_FAILURE : EXIT_SUCCESS;
}
