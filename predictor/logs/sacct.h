/* sacct.h - what `sacct --parsable2` prints
 *
 * The first line names the fields, in any order; those that are not known are
 * passed over.  Needed are an id (JobIDRaw or JobID), Submit, Start, End and
 * State; wanted are the rest of sacct_fields.
 *
 * Lines of steps are no runs, but tell the number of tasks where the job's own
 * line does not.  A text with '|' or a newline in it makes a line of more
 * fields, or several of fewer: both are put together again as far as the
 * values then fit their fields.
 *
 * Times without a zone are local, as sacct prints them (TZ says which).  A
 * user of whom the log has but the name gets the number that the system knows,
 * or one above 2^31 made from the name.  A task of an array without JobIDRaw
 * gets a job id above 2^31 likewise.
 */
#ifndef PREDICTOR_LOGS_SACCT_H
#define PREDICTOR_LOGS_SACCT_H

#include "predictor/logs/joblog.h"

/* For --format: all that is of use, in an order in which free texts can be
 * told from the rest. */
extern const char sacct_fields[];

#endif
