/* predictd_config.c - predict.conf */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/daemon/predictd_config.h"

static int set_listen(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;

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

static int set_socket_mode(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;
	char *end;
	unsigned long mode = strtoul(value, &end, 8);

	if (value[0] < '0' || value[0] > '7' || *end || mode > 0777)
		return sp_error_set(err, "%.32s: not permissions such as 0666",
				    value);
	config->socket_mode = (mode_t)mode;
	return 0;
}

static int set_database(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;

	return conf_text(value, config->database, sizeof(config->database),
			 err);
}

static int set_keep_days(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;
	long days;

	if (conf_integer(value, 1, CONFIG_DAYS_MAX, &days, err))
		return -1;
	config->measurements_keep_days = (int)days;
	return 0;
}

static int set_history_days(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;
	long days;

	if (conf_integer(value, 0, CONFIG_DAYS_MAX, &days, err))
		return -1;
	config->history_days = (int)days;
	return 0;
}

static int set_sql_dir(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;

	return conf_text(value, config->sql_dir, sizeof(config->sql_dir), err);
}

static int set_topology(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;

	return conf_text(value, config->topology, sizeof(config->topology),
			 err);
}

static int parse_user(const char *text, uid_t *ret, struct sp_error *err)
{
	long uid;

	if (text[strspn(text, "0123456789")] == '\0' && text[0]) {
		/* The highest uid means "none" to the kernel. */
		if (conf_integer(text, 0, (long)(uid_t)-2, &uid, err))
			return -1;
		*ret = (uid_t)uid;
		return 0;
	}

	struct passwd entry, *found = NULL;
	char buffer[4096];
	int rc = getpwnam_r(text, &entry, buffer, sizeof(buffer), &found);

	if (rc)
		return sp_error_set(err, "user %.64s: %s", text, strerror(rc));
	if (!found)
		return sp_error_set(err, "user %.64s: there is none", text);
	*ret = entry.pw_uid;
	return 0;
}

/* Names or uids with commas between. */
static int add_users(struct access_list *list, const char *value,
		     struct sp_error *err)
{
	char copy[CONF_LINE_MAX + 1];
	char *rest = NULL;

	if (conf_text(value, copy, sizeof(copy), err))
		return -1;
	for (char *name = strtok_r(copy, ", ", &rest); name;
	     name = strtok_r(NULL, ", ", &rest)) {
		uid_t uid;

		if (parse_user(name, &uid, err) ||
		    access_list_add(list, uid, err))
			return -1;
	}
	return 0;
}

static int set_operators(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;

	return add_users(&config->access.operators, value, err);
}

static int set_collectors(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;

	return add_users(&config->access.collectors, value, err);
}

static int set_slurm_user(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;
	uid_t uid;

	return parse_user(value, &uid, err) ||
			       access_list_add(&config->access.operators, uid,
					       err)
		       ? -1
		       : 0;
}

static int set_munge_socket(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;

	return conf_text(value, config->munge_socket,
			 sizeof(config->munge_socket), err);
}

static int set_log_file(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;

	return conf_text(value, config->log_file, sizeof(config->log_file),
			 err);
}

static int set_pid_file(void *into, const char *value, struct sp_error *err)
{
	struct config *config = into;

	return conf_text(value, config->pid_file, sizeof(config->pid_file),
			 err);
}

static int set_debug_level(void *into, const char *value, struct sp_error *err)
{
	static const struct {
		const char *name; /* as Slurm's */
		enum log_level level;
	} levels[] = {
		{ "error", LOG_LEVEL_ERROR },  { "info", LOG_LEVEL_INFO },
		{ "verbose", LOG_LEVEL_INFO }, { "debug", LOG_LEVEL_DEBUG },
		{ NULL, LOG_LEVEL_INFO },
	};
	struct config *config = into;

	for (int i = 0; levels[i].name; i++) {
		if (!strcasecmp(levels[i].name, value)) {
			config->level = levels[i].level;
			return 0;
		}
	}
	return sp_error_set(err, "%.32s: not error, info, verbose or debug",
			    value);
}

const struct conf_key config_keys[] = {
	{ "Listen", set_listen, true,
	  "where to listen: unix:/PATH or ADDRESS:PORT" },
	{ "SocketMode", set_socket_mode, false,
	  "permissions of Unix sockets, octal" },
	{ "Database", set_database, false,
	  "libpq's connection string of the history" },
	{ "MeasurementsKeepDays", set_keep_days, false,
	  "days for which measurements are kept" },
	{ "HistoryDays", set_history_days, false,
	  "days of which runs are read at the start; 0: all" },
	{ "SqlDir", set_sql_dir, false, "where the schema's steps lie" },
	{ "Topology", set_topology, false,
	  "Slurm's topology.conf, for probes of links and node sets" },
	{ "SlurmUser", set_slurm_user, false, "who runs slurmctld" },
	{ "Operators", set_operators, true,
	  "users who see the jobs of all users" },
	{ "Collectors", set_collectors, true,
	  "users besides root who may report runs and measurements" },
	{ "MungeSocket", set_munge_socket, false,
	  "munged's socket, if not MUNGE's default" },
	{ "LogFile", set_log_file, false, "where to log" },
	{ "DebugLevel", set_debug_level, false,
	  "how much to log: error, info, verbose, debug" },
	{ "PidFile", set_pid_file, false, "where to leave the process id" },
	{ NULL, NULL, false, NULL },
};

static int check_file(const char *path, struct sp_error *err)
{
	struct stat status;

	if (stat(path, &status))
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	if (status.st_mode & S_IWOTH)
		return sp_error_set(err,
				    "%s: anybody may write it; "
				    "chmod o-w it",
				    path);
	return 0;
}

int config_read(const char *path, struct config *ret, struct sp_error *err)
{
	/* All bytes zero, so that config_differences() may compare them. */
	struct config *config = calloc(1, sizeof(*config));
	int rc = -1;

	if (!config)
		return sp_error_set(err, "out of memory");
	config->socket_mode = 0666;
	config->measurements_keep_days = 30;
	config->level = LOG_LEVEL_INFO;
	strcpy(config->sql_dir, SP_SQLDIR);

	if (check_file(path, err) ||
	    conf_read_file(path, config_keys, config, err) ||
	    access_list_add(&config->access.operators, geteuid(), err))
		goto out;
	if (!config->database[0]) {
		sp_error_set(err, "%s: Database is missing", path);
		goto out;
	}
	if (config->listen_count == 0)
		strcpy(config->listen[config->listen_count++], CONFIG_SOCKET);
	*ret = *config;
	rc = 0;
out:
	free(config);
	return rc;
}

void config_differences(const struct config *old, const struct config *new,
			char *ret_text, size_t size)
{
#define MEMBER(member) \
	offsetof(struct config, member), sizeof(((struct config *)NULL)->member)
	static const struct {
		const char *key;
		size_t offset, size;
	} fixed[] = {
		{ "Listen", MEMBER(listen) },
		{ "SocketMode", MEMBER(socket_mode) },
		{ "Database", MEMBER(database) },
		{ "MeasurementsKeepDays", MEMBER(measurements_keep_days) },
		{ "HistoryDays", MEMBER(history_days) },
		{ "Topology", MEMBER(topology) },
		{ "MungeSocket", MEMBER(munge_socket) },
		{ "PidFile", MEMBER(pid_file) },
		{ NULL, 0, 0 },
	};
#undef MEMBER
	size_t used = 0;

	ret_text[0] = '\0';
	for (int i = 0; fixed[i].key; i++) {
		if (!memcmp((const char *)old + fixed[i].offset,
			    (const char *)new + fixed[i].offset, fixed[i].size))
			continue;
		used += (size_t)snprintf(ret_text + used, size - used, "%s%s",
					 used ? " " : "", fixed[i].key);
		if (used >= size)
			return;
	}
}
