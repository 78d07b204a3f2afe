/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon.h - start-up and end of a daemon: signals, log, background, pid file
 *
 *	if (daemon_options_parse(&program, argc, argv, &options, &status))
 *		return status;
 *	...read the configuration...
 *	daemon_begin(&options, &config, &signals, &err);
 *	...start everything...
 *	daemon_announce(&config, &err);
 *	...loop: SIGHUP calls daemon_open_log() and daemon_log_reload()...
 *	daemon_withdraw(&config);
 *	...stop everything...
 *	daemon_log_end(&config, rc, &err);
 *	return daemon_exit_status(&program, rc, &err);
 */
#pragma once

#include <signal.h>

#include "predictor/base/daemon_config.h"
#include "predictor/base/daemon_options.h"

/* Before any thread is started: block SIGHUP, SIGINT and SIGTERM, which are
 * returned for sigtimedwait() or signalfd(); go into the background unless
 * `options` say otherwise; open the log. */
int daemon_begin(const struct daemon_options *options,
		 const struct daemon_config *config, sigset_t *ret_signals,
		 struct sp_error *err);

/* At SIGHUP: open the log as `config` says. */
int daemon_open_log(const struct daemon_options *options,
		    const struct daemon_config *config, struct sp_error *err);

/* Everything works: write the pid file, let the process that was started exit,
 * and report to the service manager. */
int daemon_announce(const struct daemon_config *config, struct sp_error *err);

/* The end begins: report it, and remove the pid file. */
void daemon_withdraw(const struct daemon_config *config);

/* Log that the configuration file was read again, with the keys that still
 * have their `old` value because they take effect at a restart only. */
void daemon_log_reload(const struct daemon_program *program,
		       const struct daemon_options *options, const void *old,
		       const void *fresh);

/* Log the end: normal if `rc` is 0, else with the error. */
void daemon_log_end(const struct daemon_config *config, int rc,
		    const struct sp_error *err);

/* Print the error of a failure, close the log; returns main()'s exit status. */
int daemon_exit_status(const struct daemon_program *program, int rc,
		       const struct sp_error *err);
