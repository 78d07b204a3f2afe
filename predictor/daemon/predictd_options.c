/* predictd_options.c - predictd's command line */
#include <getopt.h>
#include <stdio.h>

#include "predictor/daemon/predictd_config.h"
#include "predictor/daemon/predictd_options.h"

enum { OPTION_MIGRATE = 256, OPTION_CHECK_CONFIG };

struct options options_parse(int argc, char *argv[])
{
	static const struct option names[] = {
		{ "migrate", optional_argument, NULL, OPTION_MIGRATE },
		{ "check-config", no_argument, NULL, OPTION_CHECK_CONFIG },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	struct options options = { .action = ACTION_SERVE,
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
		case OPTION_MIGRATE:
			options.action = ACTION_MIGRATE;
			options.migrate_database = optarg;
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

void options_help(void)
{
	puts("Usage: predictd [OPTIONS]\n"
	     "  -D              stay in the foreground\n"
	     "  -f FILE         read FILE, not " CONFIG_PATH "\n"
	     "  -v              log more\n"
	     "  -V, --version   print the version\n"
	     "  -h, --help      print this\n"
	     "  --migrate[=CONNINFO]\n"
	     "                  bring the database's schema up to date, as\n"
	     "                  the user of CONNINFO (default: Database=)\n"
	     "  --check-config  read FILE, say what is wrong in it\n"
	     "Keys of FILE:");
	for (const struct conf_key *key = config_keys; key->name; key++)
		printf("  %-21s %s\n", key->name, key->help);
}
