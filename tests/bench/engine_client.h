/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_client.h - a client that requests predictions at a rate
 *
 * Requests are sent when they are due, not when the one before has its reply,
 * over a few connections that are kept.  Both functions exit with a message
 * when something fails.
 */
#pragma once

/* Print the latencies of `rate` predictions a second, as NAME. */
int engine_ask(const char *path, double rate, double seconds, const char *name);

/* A server that replies without work: its latencies are the machine's own.
 * Ends when it is killed. */
int engine_answer_nothing(const char *path);
