/* SPDX-License-Identifier: GPL-2.0-or-later */
/* routes.c - the table of HTTP routes, and the lookup in it */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "predictor/http/routes.h"
#include "predictor/http/routes/handlers.h"

const struct route routes[] = {
	{ "POST", "/v1/predictions", ROLE_USER, predictions_make,
	  "predict the run time of a job" },
	{ "GET", "/v1/predictions/{id}", ROLE_USER, predictions_show,
	  "show an earlier prediction" },
	{ "POST", "/v1/explanations", ROLE_USER, explanations_make,
	  "explain how a job script is understood" },
	{ "POST", "/v1/curve", ROLE_USER, curve_show,
	  "show the run time of a job over the number of nodes" },
	{ "POST", "/v1/bundle", ROLE_USER, bundle_show,
	  "show how many tasks of an array one job should run" },
	{ "POST", "/v1/queue", ROLE_USER, queue_show,
	  "show when jobs in the queue will start and end" },
	{ "GET", "/v1/queue", ROLE_USER, queue_list,
	  "list the jobs in the queue, with when they will start and end" },
	{ "GET", "/v1/jobs/{jobid}", ROLE_USER, jobs_show,
	  "show the newest run of a job and its predictions" },
	{ "GET", "/v1/applications", ROLE_USER, applications_list,
	  "list the applications with recorded runs" },
	{ "GET", "/v1/nodes", ROLE_USER, nodes_list,
	  "list nodes with their latest measurements and forecasts" },
	{ "GET", "/v1/links", ROLE_USER, links_list,
	  "list the measured links between nodes" },
	{ "GET", "/v1/series/{resource}", ROLE_USER, series_show,
	  "show samples and forecasts of one resource" },
	{ "GET", "/v1/profiles", ROLE_USER, profiles_list,
	  "list how applications use CPUs and links" },
	{ "GET", "/v1/accuracy", ROLE_USER, accuracy_list,
	  "show how accurate the predictions have been" },
	{ "GET", "/v1/snapshot", ROLE_OPERATOR, snapshot_show,
	  "get nodes, links and pending jobs for the select plugin" },
	{ "POST", "/v1/runs", ROLE_COLLECTOR, runs_store,
	  "report runs; the reply is sent once they are stored" },
	{ "GET", "/v1/runs", ROLE_USER, runs_list,
	  "list finished runs in the order of their ends" },
	{ "GET", "/v1/report", ROLE_USER, report_show,
	  "show what runs used, and what to request next time" },
	{ "GET", "/v1/sooner", ROLE_USER, sooner_show,
	  "show what a shorter limit or fewer nodes would gain a waiting job" },
	{ "POST", "/v1/imports", ROLE_OPERATOR, imports_store,
	  "import runs of a job log; replies once they are stored" },
	{ "POST", "/v1/measurements", ROLE_COLLECTOR, measurements_add,
	  "report the state of nodes and links" },
	{ "POST", "/v1/traces", ROLE_COLLECTOR, traces_store,
	  "report a block of a trace; replies once it is stored" },
	{ "GET", "/v1/traces", ROLE_USER, traces_list,
	  "get what each process of a job did, message by message" },
	{ "POST", "/v1/whatif", ROLE_USER, whatif_make,
	  "predict the run time of a traced job on other nodes" },
	{ "GET", "/v1/probes", ROLE_USER, probes_show,
	  "list the nodes that probe links" },
	{ "GET", "/v1/shares", ROLE_COLLECTOR, shares_show,
	  "show what a job gets of the CPUs of its nodes" },
	{ "GET", "/v1/order", ROLE_COLLECTOR, order_show,
	  "show on which node of a job each of its ranks should be" },
	{ "GET", "/", ROLE_ANYBODY, web_file_show, "get the page for people" },
	{ "GET", "/style.css", ROLE_ANYBODY, web_file_show,
	  "get the colours and places of the page" },
	{ "GET", "/predict.js", ROLE_ANYBODY, web_file_show,
	  "get the script of the page" },
	{ "GET", "/icon.svg", ROLE_ANYBODY, web_file_show,
	  "get the icon of the page" },
	{ "GET", "/metrics", ROLE_ANYBODY, metrics_show,
	  "get metrics for Prometheus, or as OpenMetrics" },
	{ "GET", "/livez", ROLE_ANYBODY, livez_show,
	  "check that predictd runs: status 200" },
	{ "GET", "/readyz", ROLE_ANYBODY, readyz_show,
	  "check that the history is loaded: status 200, else 503" },
	{ "GET", "/openapi.json", ROLE_ANYBODY, web_file_show,
	  "get this API as an OpenAPI document" },
	{ 0 },
};

static bool is_captured(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* Return whether the `length` bytes of `path` match `pattern`. */
static bool pattern_matches(const char *pattern, const char *path,
			    size_t length,
			    char ret_captured[ROUTE_CAPTURE_SIZE])
{
	const char *end = path + length;

	ret_captured[0] = '\0';
	for (; *pattern; pattern++) {
		if (*pattern != '{') {
			if (path == end || *path++ != *pattern)
				return false;
			continue;
		}

		size_t size = 0;

		while (path < end && is_captured(*path)) {
			if (size + 1 == ROUTE_CAPTURE_SIZE)
				return false;
			ret_captured[size++] = *path++;
		}
		ret_captured[size] = '\0';
		if (size == 0)
			return false;
		pattern = strchr(pattern, '}');
	}
	return path == end;
}

static bool method_matches(const char *own, const char *requested)
{
	return !strcmp(own, requested) ||
	       (!strcmp(own, "GET") && !strcmp(requested, "HEAD"));
}

static void allow_add(char allow[ROUTE_ALLOW_SIZE], const char *method)
{
	size_t used = strlen(allow);

	snprintf(allow + used, ROUTE_ALLOW_SIZE - used, "%s%s%s",
		 used ? ", " : "", method,
		 strcmp(method, "GET") ? "" : ", HEAD");
}

enum route_match route_find(const struct route *table, const char *method,
			    const char *target, const struct route **ret_route,
			    char ret_captured[ROUTE_CAPTURE_SIZE],
			    char ret_allow[ROUTE_ALLOW_SIZE])
{
	size_t length = strcspn(target, "?");

	ret_allow[0] = '\0';
	for (const struct route *row = table; row->method; row++) {
		if (!pattern_matches(row->pattern, target, length,
				     ret_captured))
			continue;
		if (method_matches(row->method, method)) {
			*ret_route = row;
			return ROUTE_FOUND;
		}
		allow_add(ret_allow, row->method);
	}
	ret_captured[0] = '\0';
	return ret_allow[0] ? ROUTE_NO_METHOD : ROUTE_NO_PATH;
}
