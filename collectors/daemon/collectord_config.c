/* collectord_config.c - collectord.conf */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "collectors/daemon/collectord_config.h"

static int set_url(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;

	if (config->urls_count == CONFIG_URLS_MAX)
		return sp_error_set(err, "more than %d", CONFIG_URLS_MAX);
	if (client_check_url(value, err) ||
	    conf_text(value, config->urls[config->urls_count], CLIENT_URL_SIZE,
		      err))
		return -1;
	config->urls_count++;
	return 0;
}

static int set_cluster(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;

	return conf_text(value, config->cluster, sizeof(config->cluster), err);
}

static int set_node(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;

	return conf_text(value, config->node, sizeof(config->node), err);
}

static int set_spool(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;

	if (value[0] != '/')
		return sp_error_set(err, "%.64s: not an absolute path", value);
	return conf_text(value, config->spool, sizeof(config->spool), err);
}

static int set_spool_max(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;
	long mb;

	if (conf_integer(value, 1, 65536, &mb, err))
		return -1;
	config->spool_max_bytes = (size_t)mb << 20;
	return 0;
}

static int set_sample(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;

	return conf_number(value, 0.1, 3600, &config->sample_interval_s, err);
}

static int set_report(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;

	return conf_number(value, 0.1, 3600, &config->report_interval_s, err);
}

static int set_probe_interval(void *into, const char *value,
			      struct sp_error *err)
{
	struct collector_config *config = into;
	double seconds;

	if (conf_number(value, 0, 3600, &seconds, err))
		return -1;
	if (seconds > 0 && seconds < 1)
		return sp_error_set(err, "%s: less than 1", value);
	config->probe_interval_s = seconds;
	return 0;
}

static int set_probe_port(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;
	long port;

	if (conf_integer(value, 1, 65535, &port, err))
		return -1;
	config->probe_port = (int)port;
	return 0;
}

static int set_probe_listen(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;

	return conf_text(value, config->probe_listen,
			 sizeof(config->probe_listen), err);
}

static int set_profile(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;
	bool yes = !strcasecmp(value, "yes");

	if (!yes && strcasecmp(value, "no") != 0)
		return sp_error_set(err, "%.32s: not yes or no", value);
	config->profile = yes;
	return 0;
}

static int set_profile_every(void *into, const char *value,
			     struct sp_error *err)
{
	struct collector_config *config = into;
	long every;

	if (conf_integer(value, 0, 1000000, &every, err))
		return -1;
	config->profile_every = (uint32_t)every;
	return 0;
}

static int set_scontrol(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;

	return conf_text(value, config->scontrol, sizeof(config->scontrol),
			 err);
}

static int set_munge(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;

	return conf_text(value, config->munge_socket,
			 sizeof(config->munge_socket), err);
}

static int set_log_file(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;

	return conf_text(value, config->log_file, sizeof(config->log_file),
			 err);
}

static int set_pid_file(void *into, const char *value, struct sp_error *err)
{
	struct collector_config *config = into;

	return conf_text(value, config->pid_file, sizeof(config->pid_file),
			 err);
}

static int set_level(void *into, const char *value, struct sp_error *err)
{
	static const struct {
		const char *name; /* as Slurm's */
		enum log_level level;
	} levels[] = {
		{ "error", LOG_LEVEL_ERROR },  { "info", LOG_LEVEL_INFO },
		{ "verbose", LOG_LEVEL_INFO }, { "debug", LOG_LEVEL_DEBUG },
		{ NULL, LOG_LEVEL_INFO },
	};
	struct collector_config *config = into;

	for (int i = 0; levels[i].name; i++)
		if (!strcasecmp(levels[i].name, value)) {
			config->level = levels[i].level;
			return 0;
		}
	return sp_error_set(err, "%.32s: not error, info, verbose or debug",
			    value);
}

const struct conf_key collector_config_keys[] = {
	{ "PredictdUrl", set_url, true,
	  "predictd's address: unix:/PATH or http://ADDRESS:PORT" },
	{ "ClusterName", set_cluster, false,
	  "name of the cluster, if not as slurmctld says" },
	{ "NodeName", set_node, false,
	  "name of this node, if not the short host name" },
	{ "Spool", set_spool, false,
	  "folder for what predictd has not stored yet" },
	{ "SpoolMaxMB", set_spool_max, false, "how large that may become" },
	{ "SampleInterval", set_sample, false, "seconds between measurements" },
	{ "ReportInterval", set_report, false,
	  "seconds between reports of measurements" },
	{ "ProbeInterval", set_probe_interval, false,
	  "seconds between probes of links, the same on all nodes; 0: none" },
	{ "ProbePort", set_probe_port, false,
	  "where collectords probe each other, the same on all nodes" },
	{ "ProbeListen", set_probe_listen, false,
	  "numeric address to listen at for probes; any IPv4 address" },
	{ "Profile", set_profile, false,
	  "yes or no: whether jobs may be watched for their profile" },
	{ "ProfileEvery", set_profile_every, false,
	  "one job in so many is, the same on all nodes; 0: who asks for it" },
	{ "ScontrolPath", set_scontrol, false, "Slurm's scontrol" },
	{ "MungeSocket", set_munge, false,
	  "munged's socket, if not MUNGE's default" },
	{ "LogFile", set_log_file, false, "where to log" },
	{ "DebugLevel", set_level, false, "error, info, verbose or debug" },
	{ "PidFile", set_pid_file, false, "where to write the process id" },
	{ NULL, NULL, false, NULL },
};

static void set_defaults(struct collector_config *config)
{
	memset(config, 0, sizeof(*config));
	strcpy(config->spool, "/var/spool/slurm-predict");
	config->spool_max_bytes = 64 << 20;
	config->sample_interval_s = 5;
	config->report_interval_s = 15;
	config->probe_interval_s = 10;
	config->probe_port = 7381;
	config->profile = true;
	config->profile_every = 10;
	strcpy(config->scontrol, "scontrol");
	config->level = LOG_LEVEL_INFO;
	/* As slurmd names itself where nothing else is said. */
	if (gethostname(config->node, sizeof(config->node) - 1))
		config->node[0] = '\0';
	config->node[strcspn(config->node, ".")] = '\0';
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

int collector_config_read(const char *path, struct collector_config *ret,
			  struct sp_error *err)
{
	struct collector_config config;

	set_defaults(&config);
	if (conf_read_file(path, collector_config_keys, &config, err))
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

void collector_config_differences(const struct collector_config *old,
				  const struct collector_config *new,
				  char *ret_text, size_t size)
{
	const struct {
		const char *name, *was, *is;
	} texts[] = {
		{ "ClusterName", old->cluster, new->cluster },
		{ "NodeName", old->node, new->node },
		{ "Spool", old->spool, new->spool },
		{ "PidFile", old->pid_file, new->pid_file },
	};
	size_t used = 0;

	ret_text[0] = '\0';
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (strcmp(texts[i].was, texts[i].is) != 0 && used < size)
			used += (size_t)snprintf(ret_text + used, size - used,
						 "%s%s", used ? " " : "",
						 texts[i].name);
}
