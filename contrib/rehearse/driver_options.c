/* SPDX-License-Identifier: GPL-2.0-or-later */
/* driver_options.c - what rehearse wants of its driver */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>

#include "contrib/rehearse/driver_options.h"

static const struct option known[] = {
	{ "make-clock", required_argument, NULL, 'm' },
	{ "machine", no_argument, NULL, 'M' },
	{ "clock", required_argument, NULL, 'c' },
	{ "pid", required_argument, NULL, 'p' },
	{ "swf", required_argument, NULL, 's' },
	{ "sacct", required_argument, NULL, 'a' },
	{ "out", required_argument, NULL, 'o' },
	{ "from", required_argument, NULL, 'f' },
	{ "days", required_argument, NULL, 'd' },
	{ "seed", required_argument, NULL, 'S' },
	{ "cpus", required_argument, NULL, 'n' },
	{ "limit-order", required_argument, NULL, 'l' },
	{ "p50-order", required_argument, NULL, 'P' },
	{ "runtime-order", required_argument, NULL, 'r' },
	{ "cap", required_argument, NULL, 'C' },
	{ "starts", required_argument, NULL, 'w' },
	{ 0 },
};

bool driver_options_read(int argc, char **argv, struct driver_options *o)
{
	*o = (struct driver_options){
		.window = { .length_s = HUGE_VAL, .jitter_s = 60 },
		.cap_s = HUGE_VAL,
	};
	for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;)
		switch (c) {
		case 'm':
			o->new_clock = optarg;
			break;
		case 'M':
			o->machine = true;
			break;
		case 'c':
			o->clock = optarg;
			break;
		case 'p':
			o->pid = atoi(optarg);
			break;
		case 's':
			o->format = "swf";
			o->log = optarg;
			break;
		case 'a':
			o->format = "sacct";
			o->log = optarg;
			break;
		case 'o':
			o->out = optarg;
			break;
		case 'f':
			o->window.from_s = 86400 * atof(optarg);
			break;
		case 'd':
			o->window.length_s = 86400 * atof(optarg);
			break;
		case 'S':
			o->window.seed = strtoull(optarg, NULL, 10);
			break;
		case 'n':
			o->cpus = (uint32_t)strtoul(optarg, NULL, 10);
			break;
		case 'l':
			o->order = ORDER_LIMIT;
			o->K = atof(optarg);
			break;
		case 'P':
			o->order = ORDER_PREDICTED;
			o->K = atof(optarg);
			break;
		case 'r':
			o->order = ORDER_RUNTIME;
			o->K = atof(optarg);
			break;
		case 'w':
			o->starts = optarg;
			break;
		case 'C':
			o->cap_s = 3600 * atof(optarg);
			break;
		default:
			return false;
		}
	if (o->new_clock || (o->machine && o->log))
		return optind == argc;
	return o->clock && o->pid > 0 && o->log && o->out && optind == argc;
}
