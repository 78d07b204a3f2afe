/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predictd_config.h - predict.conf */
#pragma once

#include <sys/types.h>

#include "predictor/base/conf.h"
#include "predictor/base/daemon_config.h"
#include "predictor/base/error.h"
#include "predictor/http/gate/access.h"
#include "predictor/http/http.h"

#define PREDICTD_CONFIG_PATH  SP_SYSCONFDIR "/predict.conf"
#define CONFIG_SOCKET         "unix:/run/slurm-predict/predictd.sock"
#define CONFIG_TEXT_SIZE      256
#define CONFIG_DATABASE_SIZE  1024
#define CONFIG_DAYS_MAX       36500
#define CONFIG_INTERVAL_MAX_S 86400
#define CONFIG_TRACES_MAX_MIB 1048576

struct predictd_config {
	size_t listen_count;
	char listen[HTTP_LISTENERS_MAX][LISTEN_ADDRESS_SIZE];
	mode_t socket_mode;
	char database[CONFIG_DATABASE_SIZE]; /* may hold a password: never
						logged */
	int measurements_keep_days;
	int trace_quota_mib;
	int history_days; /* older runs are not read; 0: all are */
	char sql_dir[CONFIG_TEXT_SIZE];
	char topology[CONFIG_TEXT_SIZE];        /* empty: flat */
	int slurm_nodes_interval_s;             /* 0: scontrol is not asked */
	char scontrol[CONFIG_TEXT_SIZE];        /* found in PATH */
	int slurm_queue_interval_s;             /* 0: squeue is not asked */
	char squeue[CONFIG_TEXT_SIZE];          /* found in PATH */
	char overrun_command[CONFIG_TEXT_SIZE]; /* empty: none */
	int overrun_extend;                     /* %, 0: never */
	char start_tables[CONFIG_TEXT_SIZE];    /* empty: the program's own */
	int profile_every;                 /* 0: only jobs without a profile */
	int trace_every;                   /* 0: only jobs whose user says so */
	char slurm_conf[CONFIG_TEXT_SIZE]; /* empty: found as Slurm does */
	bool slurm_user_given; /* by the file: in access.operators */
	struct access_lists access;
	struct http_limits limits;
	char munge_socket[CONFIG_TEXT_SIZE]; /* empty: MUNGE's default */
	char token_key[CONFIG_TEXT_SIZE];    /* empty: no tokens */
	struct proxies proxies;
	char proxy_header[CONFIG_TEXT_SIZE];
	int metrics_guarded;   /* those of partitions are for operators */
	int metrics_old_names; /* those before 0.2.0 */
	struct daemon_config daemon;
};

extern const struct conf_key predictd_config_keys[]; /* ends with a NULL name */

/* Read and check everything.  A file that all users may write is
 * refused. */
int predictd_config_read(const char *path, struct predictd_config *ret,
			 struct sp_error *err);

/* The same for a migration of a database that the command line names: what is
 * missing, even the file or the right to read it, has its default.  The owner
 * of the database may work before the file is written. */
int predictd_config_for_migration(const char *path, struct predictd_config *ret,
				  struct sp_error *err);

/* File descriptors that it needs, if all connections are used. */
uint64_t predictd_config_files(const struct predictd_config *config);

/* Make the SlurmUser of slurm.conf an operator unless predict.conf names one,
 * and log who it is.  If it cannot be found only root's requests are served,
 * which is logged, too. */
void predictd_config_grant(struct predictd_config *config);
