/* collectord.c - measures a node, follows its jobs, and reports to predictd
 *
 * Small and quiet: one thread that sleeps most of the time.  It has no
 * credentials but MUNGE's; it may be killed at any moment, and goes on from its
 * spool when it is started again.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/daemon/collector.h"
#include "collectors/daemon/collectord_config.h"
#include "collectors/daemon/collectord_options.h"
#include "predictor/base/background.h"
#include "predictor/base/log.h"

struct daemon {
	struct collector_options options;
	struct collector_config config;
	int signal_fd;
	struct collector *collector;
};

static int open_log(const struct collector_options *options,
		    const struct collector_config *config, struct sp_error *err)
{
	const char *path = config->log_file[0] ? config->log_file : NULL;

	if (!path && !options->foreground)
		return sp_error_set(err,
				    "LogFile is missing in %s (needed "
				    "without -D)",
				    options->config_path);
	return log_open(
		path, options->verbose ? LOG_LEVEL_DEBUG : config->level, err);
}

static int set_up_process(struct daemon *d, struct sp_error *err)
{
	sigset_t signals;

	umask(027);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&signals);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	d->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC);
	if (d->signal_fd < 0)
		return sp_error_set(err, "signalfd: %s", strerror(errno));
	return 0;
}

/* SIGHUP: a file that is wrong changes nothing. */
static void reload(struct daemon *d)
{
	struct collector_config fresh;
	char restart[256];
	struct sp_error err;

	if (collector_config_read(d->options.config_path, &fresh, &err) ||
	    open_log(&d->options, &fresh, &err) ||
	    collector_configure(d->collector, &fresh, &err)) {
		log_error("not reloaded: %s", err.text);
		return;
	}
	collector_config_differences(&d->config, &fresh, restart,
				     sizeof(restart));
	if (restart[0])
		log_warning("reloaded, but these take a restart: %s", restart);
	else
		log_info("reloaded %s", d->options.config_path);
}

static void loop(struct daemon *d)
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

static int collect(struct daemon *d, struct sp_error *err)
{
	int rc = -1;

	if (set_up_process(d, err) ||
	    (!d->options.foreground && background_begin(err)) ||
	    open_log(&d->options, &d->config, err))
		return -1;
	log_info("collectord " SP_VERSION " starts on %s", d->config.node);
	d->collector = collector_create(&d->config, err);
	if (!d->collector || background_write_pid(d->config.pid_file, err))
		goto out;
	background_ready();
	loop(d);
	if (d->config.pid_file[0])
		unlink(d->config.pid_file);
	rc = 0;
out:
	collector_destroy(d->collector);
	if (!rc)
		log_info("ended");
	else if (d->config.log_file[0])
		log_error("%s", err->text); /* main() tells the terminal */
	return rc;
}

int main(int argc, char *argv[])
{
	static struct daemon d;
	struct sp_error err = { "" };
	int rc = 0;

	d.options = collector_options_parse(argc, argv);
	switch (d.options.action) {
	case ACTION_HELP:
		collector_options_help();
		return 0;
	case ACTION_VERSION:
		puts("slurm-predict " SP_VERSION);
		return 0;
	case ACTION_USAGE:
		return 2;
	default:
		break;
	}
	rc = collector_config_read(d.options.config_path, &d.config, &err);
	if (!rc && d.options.action == ACTION_CHECK_CONFIG)
		printf("%s: no error\n", d.options.config_path);
	else if (!rc)
		rc = collect(&d, &err);
	if (rc)
		fprintf(stderr, "collectord: %s\n", err.text);
	log_close();
	return rc ? 1 : 0;
}
