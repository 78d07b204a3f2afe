/* collectord_options.c - collectord's command line */
#include <getopt.h>
#include <stdio.h>

#include "collectors/daemon/collectord_config.h"
#include "collectors/daemon/collectord_options.h"

enum { OPTION_CHECK_CONFIG = 256 };

struct collector_options collector_options_parse(int argc, char *argv[])
{
	static const struct option names[] = {
		{ "check-config", no_argument, NULL, OPTION_CHECK_CONFIG },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	struct collector_options options = { .action = ACTION_COLLECT,
					     .config_path = CONFIG_PATH };
	int option;

	while ((option = getopt_long(argc, argv, "Df:vVh", names, NULL)) != -1)
		switch (option) {
		case 'D':
			options.foreground = true;
			break;
		case 'f':
			options.config_path = optarg;
			break;
		case 'v':
			options.verbose = true;
			break;
		case 'V':
			options.action = ACTION_VERSION;
			break;
		case 'h':
			options.action = ACTION_HELP;
			break;
		case OPTION_CHECK_CONFIG:
			options.action = ACTION_CHECK_CONFIG;
			break;
		default:
			options.action = ACTION_USAGE;
			return options;
		}
	if (optind < argc) {
		fprintf(stderr, "%s: unexpected '%s'; try -h\n", argv[0],
			argv[optind]);
		options.action = ACTION_USAGE;
	}
	return options;
}

void collector_options_help(void)
{
	puts("Usage: collectord [OPTIONS]\n"
	     "  -D              stay in the foreground\n"
	     "  -f FILE         read FILE, not " CONFIG_PATH "\n"
	     "  -v              log more\n"
	     "  -V, --version   print the version\n"
	     "  -h, --help      print this\n"
	     "  --check-config  read FILE, say what is wrong in it\n"
	     "Keys of FILE:");
	for (const struct conf_key *key = collector_config_keys; key->name;
	     key++)
		printf("  %-15s %s\n", key->name, key->help);
}
