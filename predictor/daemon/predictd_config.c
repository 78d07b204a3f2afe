/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predictd_config.c - predict.conf
 *
 * The table of keys, its setters (addresses, permissions, users), defaults and
 * checks; last, the SlurmUser, whom slurm.conf may name instead.  A file that
 * all users may write is refused before it is read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/base/log.h"
#include "predictor/base/user_id.h"
#include "predictor/daemon/predictd_config.h"
#include "predictor/slurm/slurm_conf_file.h"

/* Files besides connections: the log, PostgreSQL, pipes, and connections of
 * operators and collectors at the trusted socket. */
#define FILES_BESIDE 256

static int set_listen(void *into, const struct conf_key *key UNUSED,
		      const char *value, struct sp_error *err)
{
	struct predictd_config *config = into;

	if (config->listen_count == HTTP_LISTENERS_MAX)
		return sp_error_set(err, "more than %d addresses",
				    HTTP_LISTENERS_MAX);
	if (listener_check(value, err) ||
	    conf_text(value, config->listen[config->listen_count],
		      LISTEN_ADDRESS_SIZE, err))
		return -1;
	config->listen_count++;
	return 0;
}

static int set_socket_mode(void *into, const struct conf_key *key UNUSED,
			   const char *value, struct sp_error *err)
{
	struct predictd_config *config = into;
	char *end;
	unsigned long mode = strtoul(value, &end, 8);

	if (value[0] < '0' || value[0] > '7' || *end || mode > 0777)
		return sp_error_set(err, "%.32s: not permissions such as 0666",
				    value);
	config->socket_mode = (mode_t)mode;
	return 0;
}

/* Find a user by name or uid. */
static int find_user(const char *text, uid_t *ret, struct sp_error *err)
{
	long uid;

	if (text[strspn(text, "0123456789")] == '\0' && text[0]) {
		/* The highest uid means "none" to the kernel. */
		if (conf_integer(text, 0, (long)(uid_t)-2, &uid, err))
			return -1;
		*ret = (uid_t)uid;
		return 0;
	}

	bool found;

	if (user_id_find(text, ret, &found, err))
		return -1;
	return found ? 0 : sp_error_set(err, "user %.64s does not exist", text);
}

/* Setter of an access list: names or uids, separated by commas. */
static int add_users(void *into, const struct conf_key *key, const char *value,
		     struct sp_error *err)
{
	struct access_list *list = (void *)((char *)into + key->offset);
	char copy[CONF_LINE_MAX + 1];
	char *rest = NULL;

	if (conf_text(value, copy, sizeof(copy), err))
		return -1;
	for (char *name = strtok_r(copy, ", ", &rest); name;
	     name = strtok_r(NULL, ", ", &rest)) {
		uid_t uid;

		if (find_user(name, &uid, err) ||
		    access_list_add(list, uid, err))
			return -1;
	}
	return 0;
}

static int add_proxy(void *into, const struct conf_key *key UNUSED,
		     const char *value, struct sp_error *err)
{
	struct predictd_config *config = into;

	return proxies_add(&config->proxies, value, err);
}

static int set_metrics(void *into, const struct conf_key *key,
		       const char *value, struct sp_error *err)
{
	static const char *const words[][3] = { { "anybody", "operators" },
						{ "new", "old" } };

	return conf_word(value, words[(int)key->max],
			 (int *)((char *)into + key->offset), err);
}

/* Give slurmctld's user its rights; no proxy may name it. */
static int add_slurm_user(struct predictd_config *config, uid_t uid,
			  struct sp_error *err)
{
	return access_list_add(&config->access.operators, uid, err) ||
			       access_list_add(&config->access.never_proxied,
					       uid, err)
		       ? -1
		       : 0;
}

/* The user may be in slurm.conf instead: predictd_config_grant(). */
static int set_slurm_user(void *into, const struct conf_key *key UNUSED,
			  const char *value, struct sp_error *err)
{
	struct predictd_config *config = into;
	uid_t uid;

	if (find_user(value, &uid, err))
		return -1;
	config->slurm_user_given = true;
	return add_slurm_user(config, uid, err);
}

#define MEMBER(member) CONF_MEMBER(struct predictd_config, member)

const struct conf_key predictd_config_keys[] = {
	{ "Listen", set_listen, MEMBER(listen), .repeatable = true,
	  .restart = true,
	  .help = "where to listen: unix:/PATH or ADDRESS:PORT" },
	{ "SocketMode", set_socket_mode, MEMBER(socket_mode), .restart = true,
	  .help = "permissions of Unix sockets, octal" },
	{ "Database", conf_set_text, MEMBER(database), .restart = true,
	  .help = "libpq's connection string of the history" },
	{ "MeasurementsKeepDays", conf_set_int, MEMBER(measurements_keep_days),
	  .min = 1, .max = CONFIG_DAYS_MAX, .restart = true,
	  .help = "days for which measurements are kept" },
	{ "HistoryDays", conf_set_int, MEMBER(history_days),
	  .max = CONFIG_DAYS_MAX, .restart = true,
	  .help = "days of which runs are read at the start; 0: all" },
	{ "TraceQuota", conf_set_int, MEMBER(trace_quota_mib),
	  .max = CONFIG_TRACES_MAX_MIB, .restart = true,
	  .help = "MiB of traces in the database; the oldest go first" },
	{ "SqlDir", conf_set_text, MEMBER(sql_dir),
	  .help = "folder of the schema's SQL files" },
	{ "Topology", conf_set_text, MEMBER(topology), .restart = true,
	  .help = "Slurm's topology.conf, for probes of links and node sets" },
	{ "SlurmNodesInterval", conf_set_int, MEMBER(slurm_nodes_interval_s),
	  .max = CONFIG_INTERVAL_MAX_S, .restart = true,
	  .help = "seconds between two runs of `scontrol show node`; 0: none" },
	{ "ScontrolPath", conf_set_text, MEMBER(scontrol), .restart = true,
	  .help = "Slurm's scontrol" },
	{ "SlurmQueueInterval", conf_set_int, MEMBER(slurm_queue_interval_s),
	  .max = CONFIG_INTERVAL_MAX_S, .restart = true,
	  .help = "seconds between two runs of squeue, for starts of waiting "
		  "jobs; 0: none" },
	{ "SqueuePath", conf_set_text, MEMBER(squeue), .restart = true,
	  .help = "Slurm's squeue" },
	{ "OverrunCommand", conf_set_text, MEMBER(overrun_command),
	  .restart = true,
	  .help = "tells of a job that will probably reach its limit; notify: "
		  "scontrol does" },
	{ "OverrunExtend", conf_set_int, MEMBER(overrun_extend), .max = 100,
	  .restart = true,
	  .help = "percent by which such a limit is extended, if no job waits; "
		  "0: never" },
	{ "StartTables", conf_set_text, MEMBER(start_tables), .restart = true,
	  .help = "what models begin with, from `spredict backtest "
		  "--save-tables`" },
	{ "ProfileEvery", conf_set_int, MEMBER(profile_every), .max = 1000000,
	  .restart = true,
	  .help = "profile one in N jobs whose application has a profile; 0: "
		  "none" },
	{ "TraceEvery", conf_set_int, MEMBER(trace_every), .max = 1000000,
	  .restart = true,
	  .help = "trace one in N jobs of several tasks, by the MPI library; "
		  "0: "
		  "none" },
	{ "SlurmConf", conf_set_text, MEMBER(slurm_conf),
	  .help = "Slurm's slurm.conf, which names the SlurmUser" },
	{ "SlurmUser", set_slurm_user, MEMBER(access.operators),
	  .help = "who runs slurmctld, if not the SlurmUser of slurm.conf" },
	{ "Operators", add_users, MEMBER(access.operators), .repeatable = true,
	  .help = "users who see the jobs of all users" },
	{ "Collectors", add_users, MEMBER(access.collectors),
	  .repeatable = true,
	  .help = "users besides root who may report runs and measurements" },
	{ "UserRequests", conf_set_int, MEMBER(limits.user.requests_per_s),
	  .min = 1, .max = 1000000, .restart = true,
	  .help = "requests a second of one ordinary user" },
	{ "UserPredictions", conf_set_int,
	  MEMBER(limits.user.predictions_per_s), .min = 1, .max = 1000000,
	  .restart = true,
	  .help = "predictions a second of one ordinary user" },
	{ "UserBodies", conf_set_int, MEMBER(limits.user.bodies_kib), .min = 96,
	  .max = 65536, .restart = true,
	  .help = "KiB of request bodies of one user at a time" },
	{ "AddressRequests", conf_set_int,
	  MEMBER(limits.address_requests_per_s), .min = 1, .max = 1000000,
	  .restart = true,
	  .help = "requests a second of one address without a credential" },
	{ "Connections", conf_set_int, MEMBER(limits.connections), .min = 64,
	  .max = HTTP_CONNECTIONS_MAX, .restart = true,
	  .help = "connections of each listening socket" },
	{ "UserConnections", conf_set_int, MEMBER(limits.peer_connections),
	  .min = 1, .max = HTTP_CONNECTIONS_MAX, .restart = true,
	  .help = "of these, connections of one user or address" },
	{ "HeaderTimeout", conf_set_int, MEMBER(limits.headers_s), .min = 1,
	  .max = 3600, .restart = true,
	  .help = "seconds in which a client must send all headers" },
	{ "BodyTimeout", conf_set_int, MEMBER(limits.body_s), .min = 1,
	  .max = 3600, .restart = true,
	  .help = "seconds in which a client must send a whole body" },
	{ "MungeSocket", conf_set_text, MEMBER(munge_socket), .restart = true,
	  .help = DAEMON_HELP_MUNGE_SOCKET },
	{ "TokenKey", conf_set_text, MEMBER(token_key), .restart = true,
	  .help = "Slurm's jwt_hs256.key: accept tokens of `scontrol token`" },
	{ "Proxy", add_proxy, MEMBER(proxies), .repeatable = true,
	  .restart = true,
	  .help = "address of a proxy that names the user of each request" },
	{ "ProxyHeader", conf_set_text, MEMBER(proxy_header), .restart = true,
	  .help = "the header in which proxies name the user" },
	{ "ProxyNever", add_users, MEMBER(access.never_proxied),
	  .repeatable = true,
	  .help = "users besides root and SlurmUser whom no proxy may name" },
	{ "MetricsAccess", set_metrics, MEMBER(metrics_guarded), .max = 0,
	  .restart = true,
	  .help = "who gets the metrics of partitions: anybody or operators" },
	{ "MetricsNames", set_metrics, MEMBER(metrics_old_names), .max = 1,
	  .restart = true,
	  .help = "names of metrics: new, or old as before 0.2.0" },
	DAEMON_CONFIG_KEYS(struct predictd_config, daemon),
	{ .name = NULL },
};

static int check_file(const char *path, struct sp_error *err)
{
	struct stat status;

	if (stat(path, &status))
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	if (status.st_mode & S_IWOTH)
		return sp_error_set(err,
				    "%s: all users may write it; "
				    "chmod o-w it",
				    path);
	return 0;
}

/* In a struct whose bytes are zero. */
static void set_defaults(struct predictd_config *config)
{
	config->socket_mode = 0666;
	config->measurements_keep_days = 30;
	config->trace_quota_mib = 1024;
	daemon_config_init(&config->daemon);
	config->slurm_nodes_interval_s = 300;
	config->profile_every = 50;
	config->limits = http_limits_default;
	config->slurm_queue_interval_s = 60;
	strcpy(config->scontrol, "scontrol");
	strcpy(config->squeue, "squeue");
	strcpy(config->proxy_header, "X-Forwarded-User");
	strcpy(config->sql_dir, SP_SQLDIR);
}

/* Read it, unless there is no file that can be read and none is `needed`. */
static int config_read(const char *path, bool needed,
		       struct predictd_config *config, struct sp_error *err)
{
	set_defaults(config);
	if (!needed && access(path, R_OK))
		return 0;
	if (check_file(path, err) ||
	    conf_read_file(path, predictd_config_keys, config, err))
		return -1;
	if (needed && !config->database[0])
		return sp_error_set(err, "%s: Database is missing", path);
	if (config->listen_count == 0)
		strcpy(config->listen[config->listen_count++], CONFIG_SOCKET);
	return access_list_add(&config->access.operators, geteuid(), err);
}

static int config_replace(const char *path, bool needed,
			  struct predictd_config *ret, struct sp_error *err)
{
	/* All bytes zero, so that conf_differences() can compare them. */
	struct predictd_config *config = calloc(1, sizeof(*config));
	int rc;

	if (!config)
		return sp_error_set(err, "out of memory");
	rc = config_read(path, needed, config, err);
	if (!rc)
		*ret = *config;
	free(config);
	return rc;
}

int predictd_config_read(const char *path, struct predictd_config *ret,
			 struct sp_error *err)
{
	return config_replace(path, true, ret, err);
}

int predictd_config_for_migration(const char *path, struct predictd_config *ret,
				  struct sp_error *err)
{
	return config_replace(path, false, ret, err);
}

uint64_t predictd_config_files(const struct predictd_config *config)
{
	return FILES_BESIDE +
	       config->listen_count * (uint64_t)config->limits.connections;
}

/* --- The SlurmUser of slurm.conf ------------------------------------------ */

/* Find the SlurmUser of slurm.conf (root where it names none), and the file
 * that was read.  Fails if there is no file, or no such user on this host. */
static int slurm_user_find(const char *slurm_conf, uid_t *ret_uid,
			   const char **ret_path, struct sp_error *err)
{
	const char *path = slurm_conf_file_path(slurm_conf);

	if (!path)
		return sp_error_set(err, "there is no slurm.conf");

	struct slurm_conf_file *file = slurm_conf_file_read(path, err);

	if (!file)
		return -1;

	const char *name = slurm_conf_file_value(file, "SlurmUser");
	int rc = find_user(name && *name ? name : "root", ret_uid, err);

	slurm_conf_file_destroy(file);
	*ret_path = path;
	return rc;
}

void predictd_config_grant(struct predictd_config *config)
{
	const char *path;
	struct sp_error err;
	uid_t uid;

	if (config->slurm_user_given)
		return;
	if (slurm_user_find(config->slurm_conf, &uid, &path, &err) ||
	    add_slurm_user(config, uid, &err))
		log_warning(
			"SlurmUser is not known (%s): if slurmctld does not "
			"run as root its requests are refused; set "
			"SlurmConf or SlurmUser in predict.conf",
			err.text);
	else
		log_info("slurmctld runs as uid %u (SlurmUser of %s)",
			 (unsigned)uid, path);
}
