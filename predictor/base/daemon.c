/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon.c - start-up and end of a daemon: signals, log, background,
 * pid file */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/base/daemon.h"
#include "predictor/base/error.h"
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

/* --- In the background ---------------------------------------------------- */

static int ready_fd = -1; /* the parent reads at the other end */

/* Continue in a child with its own session; call it before any thread is
 * started.  The parent exits with status 0 after background_ready(), and with 1
 * if the child exits before. */
static int background_begin(struct sp_error *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return sp_error_set(err, "pipe: %s", strerror(errno));

	pid_t child = fork();

	if (child < 0) {
		sp_error_set(err, "fork: %s", strerror(errno));
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	if (child > 0) {
		char byte;
		ssize_t got;

		close(ends[1]);
		do
			got = read(ends[0], &byte, 1);
		while (got < 0 && errno == EINTR);
		_exit(got == 1 ? 0 : 1);
	}
	close(ends[0]);
	ready_fd = ends[1];
	setsid();
	return 0;
}

/* Let the parent exit, and detach from the terminal.  Does nothing
 * without background_begin(). */
static void background_ready(void)
{
	if (ready_fd < 0)
		return;

	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0) {
		for (int fd = 0; fd < 3; fd++)
			dup2(null, fd);
		if (null > 2)
			close(null);
	}
	if (chdir("/") || write(ready_fd, "", 1) != 1) {
		/* There is no terminal to report it to, and it is harmless. */
	}
	close(ready_fd);
	ready_fd = -1;
}

/* Write our process id; an empty path is none. */
static int background_write_pid(const char *path, struct sp_error *err)
{
	if (!path[0])
		return 0;

	FILE *file = fopen(path, "we");

	if (!file)
		return sp_error_set(err, "pid file %s: %s", path,
				    strerror(errno));

	bool failed = fprintf(file, "%ld\n", (long)getpid()) < 0;

	if (fclose(file) || failed)
		return sp_error_set(err, "pid file %s: %s", path,
				    strerror(errno));
	return 0;
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
