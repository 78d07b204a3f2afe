/* SPDX-License-Identifier: GPL-2.0-or-later */
/* collectord_config.h - collectord.conf */
#pragma once

#include "predictor/base/conf.h"
#include "predictor/base/daemon_config.h"
#include "predictor/base/error.h"
#include "predictor/client/client.h"
#include "predictor/features/run.h"

#define COLLECTORD_CONFIG_PATH SP_SYSCONFDIR "/collectord.conf"
#define CONFIG_TEXT_SIZE       256
#define CONFIG_URLS_MAX        8

struct collectord_config {
	size_t urls_count;
	char urls[CONFIG_URLS_MAX][CLIENT_URL_SIZE];
	char cluster[RUN_NAME_SIZE];   /* empty: from scontrol */
	char node[HOSTLIST_NAME_SIZE]; /* never empty */
	char spool[CONFIG_TEXT_SIZE];
	size_t spool_max_bytes, traces_max_bytes;
	double sample_interval_s, report_interval_s;
	double probe_interval_s; /* 0: no probes of links */
	bool probe_scheduler;
	int probe_port;
	char probe_listen[CONFIG_TEXT_SIZE]; /* empty: any IPv4 address */
	bool profile;                        /* jobs may be profiled */
	int profile_every; /* one job in N; 0: those that request it */
	char scontrol[CONFIG_TEXT_SIZE], squeue[CONFIG_TEXT_SIZE];
	char munge_socket[CONFIG_TEXT_SIZE]; /* empty: MUNGE's default */
	struct daemon_config daemon;
};

extern const struct conf_key
	collectord_config_keys[]; /* ends with a NULL name */

/* Read and check everything, and fill in defaults. */
int collectord_config_read(const char *path, struct collectord_config *ret,
			   struct sp_error *err);
