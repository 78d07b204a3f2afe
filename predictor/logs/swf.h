/* swf.h - the Standard Workload Format
 *
 * [1] Chapin et al., Benchmarks and Standards for the Evaluation of Parallel
 *     Job Schedulers, JSSPP 1999; and the definition at the Parallel Workloads
 *     Archive.
 *
 * A line is 18 numbers, -1 where something is not known; comments begin with a
 * semicolon, some of them say "Name: value".  Also read is the form of some
 * newer logs that goes on with a list of nodes, the queue's name and what was
 * asked for ("2:ppn=8").
 *
 * As a run: tasks and cpus are the processors asked for, else those given;
 * nodes follow from the machine's processors per node where its header tells
 * them, and are as many as processors where not.  The user's number is the
 * log's; UINT32_MAX where it is not known.  The group is the account, "g3";
 * queue and partition are the partition, "q3/p1"; the executable is the
 * application and the job's name, "exe17".  Of an application that is not
 * known the name is empty.  A job of status -1 counts as completed: logs that
 * do not tell give that to all.
 */
#ifndef PREDICTOR_LOGS_SWF_H
#define PREDICTOR_LOGS_SWF_H

#include <stdio.h>

#include "predictor/logs/joblog.h"

#endif
