/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sanitizer_options.c - what the sanitizers do in Slurm's daemons and in ours
 *
 * Linked into all that is built with sanitizers, and into a library that
 * Slurm's own programs load first: jobs inherit the environment of clients, so
 * that nothing of this may stand there.  The library comes before the
 * sanitizers', else the functions here are not found; hence the first option.
 * Leaks are valgrind's part.
 */
#ifndef REPORTS
#define REPORTS "report" /* the makefile names a folder */
#endif
#define EXPORT __attribute__((visibility("default")))

EXPORT const char *__asan_default_options(void);
EXPORT const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0:detect_leaks=0:handle_abort=1:"
	       "log_exe_name=1:quarantine_size_mb=16:log_path=" REPORTS;
}

const char *__ubsan_default_options(void)
{
	return "print_stacktrace=1:log_exe_name=1:log_path=" REPORTS;
}
