/* priority.h - which thread goes first when several want the same CPU
 *
 * In Linux's nice values: -20 first, 19 last, and each thread has its own.
 */
#ifndef PREDICTOR_BASE_PRIORITY_H
#define PREDICTOR_BASE_PRIORITY_H

/* What the process was started with: the value of its first thread. */
int priority_of_process(void);

/* Of the calling thread, and of those that it starts from now on.  To go before
 * others takes CAP_SYS_NICE or RLIMIT_NICE: without, nothing changes. */
void priority_set(int nice);

#endif
