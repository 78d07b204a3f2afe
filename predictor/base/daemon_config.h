/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon_config.h - configuration keys that all daemons have */
#pragma once

#include "predictor/base/conf.h"
#include "predictor/base/log.h"

#define DAEMON_PATH_SIZE 256

struct daemon_config {
	char log_file[DAEMON_PATH_SIZE]; /* empty: the standard error */
	char pid_file[DAEMON_PATH_SIZE]; /* empty: none */
	enum log_level level;
};

/* Rows for a daemon's table of keys: `member` of struct `type` is a struct
 * daemon_config. */
#define DAEMON_CONFIG_KEYS(type, member)                                      \
	{ "LogFile", conf_set_text, CONF_MEMBER(type, member.log_file),       \
	  .help = "file to log to" },                                         \
		{ "DebugLevel", daemon_set_level,                             \
		  CONF_MEMBER(type, member.level),                            \
		  .help = "how much to log: error, info, verbose, debug" },   \
	{                                                                     \
		"PidFile", conf_set_text, CONF_MEMBER(type, member.pid_file), \
			.restart = true,                                      \
			.help = "file to write the process id to"             \
	}

/* A daemon's own key MungeSocket: only some apply a change without
 * a restart. */
#define DAEMON_HELP_MUNGE_SOCKET "munged's socket, if not MUNGE's default"

/* Defaults, in a struct whose bytes are zero. */
void daemon_config_init(struct daemon_config *config);

/* Setter: error, info, verbose or debug, as Slurm's SlurmctldDebug. */
int daemon_set_level(void *into, const struct conf_key *key, const char *value,
		     struct sp_error *err);
