/* SPDX-License-Identifier: GPL-2.0-or-later */
/* collectord_config.c - collectord.conf
 *
 * The table of keys, its setters (URLs, spool, probe interval), defaults and
 * checks.  %n in the spool's path is replaced once NodeName is known.
 */
#include <string.h>
#include <unistd.h>

#include "collectors/daemon/collectord_config.h"

static int set_url(void *into, const struct conf_key *key UNUSED,
		   const char *value, struct sp_error *err)
{
	struct collectord_config *config = into;

	if (config->urls_count == CONFIG_URLS_MAX)
		return sp_error_set(err, "more than %d", CONFIG_URLS_MAX);
	if (client_check_url(value, err) ||
	    conf_text(value, config->urls[config->urls_count], CLIENT_URL_SIZE,
		      err))
		return -1;
	config->urls_count++;
	return 0;
}

static int set_spool(void *into, const struct conf_key *key UNUSED,
		     const char *value, struct sp_error *err)
{
	struct collectord_config *config = into;

	if (value[0] != '/')
		return sp_error_set(err, "%.64s: not an absolute path", value);
	return conf_text(value, config->spool, sizeof(config->spool), err);
}

static int set_megabytes(void *into, const struct conf_key *key,
			 const char *value, struct sp_error *err)
{
	size_t *bytes = (void *)((char *)into + key->offset);
	long mb;

	if (conf_integer(value, 1, 65536, &mb, err))
		return -1;
	*bytes = (size_t)mb << 20;
	return 0;
}

static int set_probe_interval(void *into, const struct conf_key *key UNUSED,
			      const char *value, struct sp_error *err)
{
	struct collectord_config *config = into;
	double seconds;

	if (conf_number(value, 0, 3600, &seconds, err))
		return -1;
	if (seconds > 0 && seconds < 1)
		return sp_error_set(err, "%s: less than 1", value);
	config->probe_interval_s = seconds;
	return 0;
}

#define MEMBER(member) CONF_MEMBER(struct collectord_config, member)

const struct conf_key collectord_config_keys[] = {
	{ "PredictdUrl", set_url, .repeatable = true,
	  .help = "predictd's address: unix:/PATH or http://ADDRESS:PORT" },
	{ "ClusterName", conf_set_text, MEMBER(cluster), .restart = true,
	  .help = "name of the cluster; default: from scontrol" },
	{ "NodeName", conf_set_text, MEMBER(node), .restart = true,
	  .help = "name of this node, if not the short host name" },
	{ "Spool", set_spool, MEMBER(spool), .restart = true,
	  .help = "folder for what predictd has not stored yet" },
	{ "SpoolMaxMB", set_megabytes,
	  CONF_MEMBER(struct collectord_config, spool_max_bytes),
	  .help = "its size at most" },
	{ "TracesMaxMB", set_megabytes,
	  CONF_MEMBER(struct collectord_config, traces_max_bytes),
	  .help = "size of the files of traced jobs at most" },
	{ "SampleInterval", conf_set_double, MEMBER(sample_interval_s),
	  .min = 0.1, .max = 3600, .help = "seconds between measurements" },
	{ "ReportInterval", conf_set_double, MEMBER(report_interval_s),
	  .min = 0.1, .max = 3600,
	  .help = "seconds between reports of measurements" },
	{ "ProbeInterval", set_probe_interval,
	  .help = "seconds between probes of links, the same on all nodes; "
		  "0: none" },
	{ "ProbeScheduler", conf_set_bool, MEMBER(probe_scheduler),
	  .help = "yes or no: whether what the kernel does with processes that "
		  "wake up is measured once, on the idle node" },
	{ "ProbePort", conf_set_int, MEMBER(probe_port), .min = 1, .max = 65535,
	  .help = "port for probes between nodes, the same on all nodes" },
	{ "ProbeListen", conf_set_text, MEMBER(probe_listen),
	  .help = "numeric address to listen at for probes; default: any "
		  "IPv4 address" },
	{ "Profile", conf_set_bool, MEMBER(profile),
	  .help = "yes or no: whether jobs may be profiled" },
	{ "ProfileEvery", conf_set_int, MEMBER(profile_every), .max = 1000000,
	  .help = "of the jobs without a prediction, profile one in N, the "
		  "same on all nodes; 0: none" },
	{ "Uprobes", .removed = "functions are measured by the compiler's "
				"hooks only" },
	{ "ScontrolPath", conf_set_text, MEMBER(scontrol),
	  .help = "Slurm's scontrol" },
	{ "SqueuePath", conf_set_text, MEMBER(squeue),
	  .help = "Slurm's squeue" },
	{ "MungeSocket", conf_set_text, MEMBER(munge_socket),
	  .help = DAEMON_HELP_MUNGE_SOCKET },
	DAEMON_CONFIG_KEYS(struct collectord_config, daemon),
	{ .name = NULL },
};

static void set_defaults(struct collectord_config *config)
{
	memset(config, 0, sizeof(*config));
	strcpy(config->spool, "/var/spool/slurm-predict");
	config->spool_max_bytes = 64 << 20;
	config->traces_max_bytes = 1024 << 20;
	config->sample_interval_s = 5;
	config->report_interval_s = 15;
	config->probe_interval_s = 10;
	config->probe_port = 7381;
	config->probe_scheduler = true;
	config->profile = true;
	config->profile_every = 10;
	strcpy(config->scontrol, "scontrol");
	strcpy(config->squeue, "squeue");
	daemon_config_init(&config->daemon);
	/* As slurmd names itself by default. */
	if (gethostname(config->node, sizeof(config->node) - 1))
		config->node[0] = '\0';
	size_t length = strcspn(config->node, ".");

	memset(config->node + length, 0, sizeof(config->node) - length);
}

/* "%n" in a path, as in slurm.conf, is the node's name: for nodes that share a
 * file system. */
static int put_node_name(char *path, size_t size, const char *node)
{
	char copy[CONFIG_TEXT_SIZE];
	char *mark = strstr(path, "%n");

	if (!mark)
		return 0;
	strcpy(copy, mark + 2);
	*mark = '\0';
	if (strlen(path) + strlen(node) + strlen(copy) >= size)
		return -1;
	strcat(path, node);
	strcat(path, copy);
	return 0;
}

int collectord_config_read(const char *path, struct collectord_config *ret,
			   struct sp_error *err)
{
	struct collectord_config config;

	set_defaults(&config);
	if (conf_read_file(path, collectord_config_keys, &config, err))
		return -1;
	if (!config.urls_count)
		return sp_error_set(err, "%s: PredictdUrl is missing", path);
	if (!config.node[0])
		return sp_error_set(err,
				    "%s: NodeName is missing, and this host "
				    "has no name",
				    path);
	if (put_node_name(config.spool, sizeof(config.spool), config.node))
		return sp_error_set(err, "%s: Spool is too long", path);
	*ret = config;
	return 0;
}
