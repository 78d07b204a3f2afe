/* SPDX-License-Identifier: GPL-2.0-or-later */
/* collectord.c - the daemon on each node: measurements and job records
 *
 * One thread that sleeps most of the time.  It has no credentials but MUNGE's;
 * it may be killed at any time, and continues from its spool when it is started
 * again.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "collectors/daemon/collector.h"
#include "collectors/daemon/collectord_config.h"
#include "predictor/base/daemon.h"
#include "predictor/base/log.h"
#include "predictor/features/secret.h"

struct collectord {
	struct daemon_options options;
	struct collectord_config config;
	int signal_fd;
	struct collector *collector;
};

static const struct daemon_program program = {
	.name = "collectord",
	.config_path = COLLECTORD_CONFIG_PATH,
	.config_keys = collectord_config_keys,
};

/* SIGHUP: a file with an error changes nothing. */
static void reload(struct collectord *d)
{
	struct collectord_config fresh;
	struct sp_error err;

	if (collectord_config_read(d->options.config_path, &fresh, &err) ||
	    daemon_open_log(&d->options, &fresh.daemon, &err) ||
	    collector_configure(d->collector, &fresh, &err)) {
		log_error("not reloaded: %s", err.text);
		return;
	}
	daemon_log_reload(&program, &d->options, &d->config, &fresh);
}

static void loop(struct collectord *d)
{
	for (;;) {
		int number = collector_run(d->collector, d->signal_fd);

		if (number != SIGHUP) {
			log_info("ending: %s", strsignal(number));
			return;
		}
		reload(d);
	}
}

static int open_signals(struct collectord *d, const sigset_t *signals,
			struct sp_error *err)
{
	d->signal_fd = signalfd(-1, signals, SFD_CLOEXEC);
	return d->signal_fd < 0
		       ? sp_error_set(err, "signalfd: %s", strerror(errno))
		       : 0;
}

static int serve(struct collectord *d, struct sp_error *err)
{
	sigset_t signals;
	int rc = -1;

	if (daemon_begin(&d->options, &d->config.daemon, &signals, err) ||
	    open_signals(d, &signals, err))
		return -1;
	log_info("collectord " SP_VERSION " starts on %s", d->config.node);
	d->collector = collector_create(&d->config, err);
	if (!d->collector || daemon_announce(&d->config.daemon, err))
		goto out;
	loop(d);
	daemon_withdraw(&d->config.daemon);
	rc = 0;
out:
	collector_destroy(d->collector);
	daemon_log_end(&d->config.daemon, rc, err);
	return rc;
}

int main(int argc, char *argv[])
{
	static struct collectord d;
	struct sp_error err = { "" };
	int status, rc;

	log_set_mask(secret_mask_text);
	if (daemon_options_parse(&program, argc, argv, &d.options, &status))
		return status;
	rc = collectord_config_read(d.options.config_path, &d.config, &err);
	if (!rc && d.options.action == DAEMON_CHECK_CONFIG)
		printf("%s: no error\n", d.options.config_path);
	else if (!rc)
		rc = serve(&d, &err);
	return daemon_exit_status(&program, rc, &err);
}
