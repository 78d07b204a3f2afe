/* own_options.h - options that only one subcommand has */
#ifndef PREDICTOR_CLI_OWN_OPTIONS_H
#define PREDICTOR_CLI_OWN_OPTIONS_H

#include <stdbool.h>

#include "predictor/base/error.h"

/* "--name", which sets *flag, or "--name VALUE" and "--name=VALUE", which set
 * *value.  A table of them ends without a name. */
struct own_option {
	const char *name; /* without the dashes */
	bool *flag;
	const char **value;
};

/* Take them out of argv, wherever they stand before a "--"; *argc is what is
 * left, for cli_options().  Fails if a value is missing, or is not wanted. */
int own_options_take(const struct own_option own[], int *argc, char **argv,
		     struct sp_error *err);

#endif
