/* chosen.h - what a user chose by our options
 *
 * Collects --predict, --predict-param and their like as they come, from
 * #SBATCH lines and the command line, and gives the texts that travel with the
 * job (options.h).
 * Knows nothing of Slurm.
 */
#ifndef PLUGIN_SPANK_CHOSEN_H
#define PLUGIN_SPANK_CHOSEN_H

#include <stdbool.h>

#include "plugin/site/spank_options.h"
#include "predictor/base/error.h"

struct chosen {
	const char *mode;    /* a literal; NULL: none */
	const char *profile; /* a literal; NULL: none */
	bool no_files;       /* the sizes of files are not to be looked at */
	int parameters_count;
	char parameters[OPTION_PARAMETERS_MAX][OPTION_PARAMETER_TEXT_SIZE];
};

/* The argument of --predict. */
int chosen_set_mode(struct chosen *chosen, const char *text,
		    struct sp_error *err);

/* The argument of --predict-param: "name=value" with a name of letters,
 * digits and "_.-" that does not begin with a sign, and a finite number.  The
 * same name again replaces the value. */
int chosen_add_parameter(struct chosen *chosen, const char *text,
			 struct sp_error *err);

/* The argument of --predict-files, "yes" or "no". */
int chosen_set_files(struct chosen *chosen, const char *text,
		     struct sp_error *err);

/* The argument of --predict-profile, "packets", "mpi" or "no". */
int chosen_set_profile(struct chosen *chosen, const char *text,
		       struct sp_error *err);

/* The value of OPTION_PARAMETERS_VARIABLE; empty if there are none. */
void chosen_parameters(const struct chosen *chosen,
		       char ret_text[OPTION_PARAMETERS_TEXT_SIZE]);

#endif
