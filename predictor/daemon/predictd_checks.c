/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predictd_checks.c - `predictd --check`: what is wrong with this site
 *
 * The rows of predictd itself; those of the site are in site_checks.c.
 * Nothing is changed: a database is connected to, a socket tried, files are
 * read.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "predictor/checks/checks.h"
#include "predictor/daemon/predictd_checks.h"
#include "predictor/daemon/predictd_config.h"
#include "predictor/ensemble/start_tables.h"
#include "predictor/http/gate/token.h"
#include "predictor/store/postgres.h"

struct predictd_site {
	const char *path;
	struct predictd_config config;
	int failed; /* the file cannot be used */
	struct sp_error why;
};

static const struct predictd_site *own(const struct check_site *site)
{
	return site->own;
}

static void check_config(const struct check_site *site,
			 struct check_finding *ret)
{
	if (own(site)->failed)
		check_set(ret, CHECK_ERROR,
			  "copy predict.conf.sample there, let predictd's user "
			  "read it, correct what is wrong",
			  "%s", own(site)->why.text);
	else
		check_set(ret, CHECK_OK, NULL, "%s", own(site)->path);
}

static void check_user(const struct check_site *site UNUSED,
		       struct check_finding *ret)
{
	struct passwd entry, *found = NULL;
	char buffer[4096];

	if (getpwuid_r(geteuid(), &entry, buffer, sizeof(buffer), &found))
		found = NULL;
	if (geteuid() == 0)
		check_set(ret, CHECK_WARNING,
			  "check as predictd's own user: sudo -u slurm-predict "
			  "predictd --check",
			  "this is root, predictd.service has another user");
	else
		check_set(ret, CHECK_OK, NULL, "%s",
			  found ? found->pw_name : "without a name");
}

static void check_database(const struct check_site *site,
			   struct check_finding *ret)
{
	struct sp_error err;

	if (own(site)->failed)
		check_set(ret, CHECK_UNUSED, NULL, "Database is not known");
	else if (postgres_check(own(site)->config.database, &err))
		check_set(ret, CHECK_ERROR,
			  "see slurm-predict-sql(7), and Database in "
			  "predict.conf",
			  "%s", err.text);
	else
		check_set(ret, CHECK_OK, NULL,
			  "it has the schema, with rights");
}

static void check_secrets(const struct check_site *site,
			  struct check_finding *ret)
{
	const char *form;
	struct sp_error err;

	if (own(site)->failed ||
	    postgres_find_secret(own(site)->config.database, &form, &err))
		check_set(ret, CHECK_UNUSED, NULL, "the database is not read");
	else if (form)
		check_set(
			ret, CHECK_WARNING,
			"predictd --mask-secrets counts them and, with --yes, "
			"masks them; renew keys",
			"the database holds some (%s)", form);
	else
		check_set(ret, CHECK_OK, NULL,
			  "the newest rows of the database hold none");
}

/* Whether a process listens on the Unix socket; -1: it cannot be made there. */
static int socket_try(const char *path, struct sp_error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char folder[PATH_MAX];
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), rc;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	rc = fd < 0 ? -1
		    : connect(fd, (struct sockaddr *)&address, sizeof(address));
	if (fd >= 0)
		close(fd);
	if (!rc)
		return 1;
	snprintf(folder, sizeof(folder), "%s", path);
	if (access(dirname(folder), W_OK))
		return sp_error_set(err, "%s: %s", folder, strerror(errno));
	return 0;
}

static void check_socket(const struct check_site *site,
			 struct check_finding *ret)
{
	const struct predictd_config *config = &own(site)->config;
	struct sp_error err;

	if (own(site)->failed) {
		check_set(ret, CHECK_UNUSED, NULL, "Listen is not known");
		return;
	}
	for (size_t i = 0; i < config->listen_count; i++) {
		const char *path = config->listen[i] + 5;
		int listens;

		if (strncmp(config->listen[i], "unix:", 5) != 0)
			continue;
		listens = socket_try(path, &err);
		if (listens < 0)
			check_set(ret, CHECK_WARNING,
				  "predictd.service makes it; else make it for "
				  "predictd's user",
				  "%s", err.text);
		else
			check_set(ret, CHECK_OK, NULL, "%s: %s", path,
				  listens ? "a predictd listens" : "free");
		return;
	}
	check_set(ret, CHECK_WARNING,
		  "slurmctld on this host expects a Listen=unix:...",
		  "no Unix socket");
}

/* Return the limit of the predictd that listens, else of this process, whose
 * service may have another one. */
static rlim_t files_limit(const struct predictd_config *config, bool *ret_runs)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct ucred peer = { .pid = 0 };
	socklen_t size = sizeof(peer);
	struct rlimit files = { .rlim_max = RLIM_INFINITY };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	for (size_t i = 0; i < config->listen_count && !peer.pid; i++) {
		if (strncmp(config->listen[i], "unix:", 5) != 0)
			continue;
		snprintf(address.sun_path, sizeof(address.sun_path), "%s",
			 config->listen[i] + 5);
		if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
			getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
	}
	if (fd >= 0)
		close(fd);
	*ret_runs = peer.pid && !prlimit(peer.pid, RLIMIT_NOFILE, NULL, &files);
	if (!*ret_runs)
		getrlimit(RLIMIT_NOFILE, &files);
	return files.rlim_max;
}

static void check_connections(const struct check_site *site,
			      struct check_finding *ret)
{
	const struct predictd_config *config = &own(site)->config;
	uint64_t needed = predictd_config_files(config);
	bool runs;

	if (own(site)->failed) {
		check_set(ret, CHECK_UNUSED, NULL, "Connections is not known");
		return;
	}

	rlim_t limit = files_limit(config, &runs);
	const char *whose = runs ? "predictd" : "a process like this one";

	if (limit < needed)
		check_set(
			ret, CHECK_WARNING,
			"raise LimitNOFILE: systemctl edit predictd, or lower "
			"Connections in predict.conf",
			"%zu sockets with Connections=%d need %llu files, "
			"%s may open %llu",
			config->listen_count, config->limits.connections,
			(unsigned long long)needed, whose,
			(unsigned long long)limit);
	else
		check_set(ret, CHECK_OK, NULL, "%s may open enough files",
			  whose);
}

static void check_operator(const struct check_site *site,
			   struct check_finding *ret)
{
	const struct predictd_config *config = &own(site)->config;

	if (config->slurm_user_given)
		check_set(ret, CHECK_OK, NULL, "SlurmUser of predict.conf");
	else if (site->slurm_conf)
		check_set(ret, CHECK_OK, NULL, "SlurmUser of %s",
			  site->slurm_conf_path);
	else
		check_set(ret, CHECK_ERROR,
			  "let predictd read slurm.conf, or set SlurmUser in "
			  "predict.conf",
			  "slurmctld's requests are refused unless it runs as "
			  "root");
}

static void check_token_key(const struct check_site *site,
			    struct check_finding *ret)
{
	const char *path = own(site)->config.token_key;
	char user[TOKEN_USER_SIZE];
	struct sp_error err;

	if (!path[0])
		check_set(ret, CHECK_UNUSED, NULL, "TokenKey is not set");
	else if (!token_is_supported())
		check_set(ret, CHECK_WARNING,
			  "build it with libjwt 1.8 to 2.x, or remove TokenKey",
			  "refused: this predictd is built without libjwt");
	else if (token_verify_file(path, "", 0, user, &err) == TOKEN_NO_KEY)
		check_set(ret, CHECK_ERROR,
			  "let predictd's user read it, by a group that it "
			  "shares with SlurmUser or as a copy, and nobody else",
			  "%s", err.text);
	else
		check_set(ret, CHECK_OK, NULL, "%s", path);
}

static void check_start_tables(const struct check_site *site,
			       struct check_finding *ret)
{
	const char *path = own(site)->config.start_tables;
	char *text;
	struct sp_error err;

	if (own(site)->failed || !*path) {
		check_set(ret, CHECK_UNUSED, NULL, "the program's own");
		return;
	}
	text = start_tables_read(path, &err);
	if (text)
		check_set(ret, CHECK_OK, NULL, "%s", path);
	else
		check_set(ret, CHECK_WARNING,
			  "make it again: spredict backtest --save-tables",
			  "%s", err.text);
	free(text);
}

static const struct check predictd_rows[] = {
	{ "predict.conf", check_config },
	{ "user", check_user },
	{ "database", check_database },
	{ "secrets", check_secrets },
	{ "socket", check_socket },
	{ "connections", check_connections },
	{ "slurmctld's right", check_operator },
	{ "tokens", check_token_key },
	{ "start tables", check_start_tables },
	{ NULL, NULL },
};

int predictd_check(const char *path, bool json)
{
	static struct predictd_site predictd; /* too large for a stack */
	struct check_site site;
	int errors;

	predictd.path = path;
	predictd.failed =
		predictd_config_read(path, &predictd.config, &predictd.why);
	check_site_open(&site, predictd.config.slurm_conf);
	site.munge_socket = predictd.config.munge_socket;
	site.own = &predictd;
	errors = checks_run(predictd_rows, site_checks, &site, json);
	check_site_close(&site);
	return errors;
}
