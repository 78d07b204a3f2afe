/* collector.h - the parts of collectord, and what passes between them
 *
 * One thread.  Sensors give measurements to the sender; the SPANK plugin's
 * events and scontrol's answers go to the jobs, which put records into the
 * spool, from where the sender takes them.
 */
#ifndef COLLECTORS_DAEMON_COLLECTOR_H
#define COLLECTORS_DAEMON_COLLECTOR_H

#include "collectors/daemon/collectord_config.h"
#include "predictor/base/error.h"

struct collector;

/* NULL: *err says why. */
struct collector *collector_create(const struct collector_config *config,
				   struct sp_error *err);
void collector_destroy(struct collector *collector);

/* Take over what can be changed while it runs. */
int collector_configure(struct collector *collector,
			const struct collector_config *config,
			struct sp_error *err);

/* Work until a signal comes (its number is returned), which must be blocked and
 * readable at `signal_fd`. */
int collector_run(struct collector *collector, int signal_fd);

#endif
