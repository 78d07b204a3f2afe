/* predictd_options.h - predictd's command line */
#ifndef PREDICTOR_DAEMON_PREDICTD_OPTIONS_H
#define PREDICTOR_DAEMON_PREDICTD_OPTIONS_H

#include <stdbool.h>

enum option_action {
	ACTION_SERVE,
	ACTION_MIGRATE,
	ACTION_CHECK_CONFIG,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_USAGE /* the command line is wrong, and this has been said */
};

struct options {
	enum option_action action;
	const char *config_path;
	const char *migrate_database; /* NULL: that of the config file */
	bool foreground;
	bool verbose;
};

struct options options_parse(int argc, char *argv[]);

void options_help(void); /* to the standard output */

#endif
