/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority.h - nice values of threads
 *
 * On Linux each thread has its own nice value, from -20 (first) to 19.
 */
#ifndef PREDICTOR_BASE_PRIORITY_H
#define PREDICTOR_BASE_PRIORITY_H

/* The nice value of the process, which is that of its first thread. */
int priority_of_process(void);

/* Set that of the calling thread, and of threads that it starts from now on.  A
 * lower value needs CAP_SYS_NICE or RLIMIT_NICE, else nothing changes. */
void priority_set(int nice);

#endif
