/* collectord_options.h - collectord's command line */
#ifndef COLLECTORS_DAEMON_COLLECTORD_OPTIONS_H
#define COLLECTORS_DAEMON_COLLECTORD_OPTIONS_H

#include <stdbool.h>

enum option_action {
	ACTION_COLLECT,
	ACTION_CHECK_CONFIG,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_USAGE /* the command line is wrong, and this has been said */
};

struct collector_options {
	enum option_action action;
	const char *config_path;
	bool foreground;
	bool verbose;
};

struct collector_options collector_options_parse(int argc, char *argv[]);

void collector_options_help(void); /* to the standard output */

#endif
