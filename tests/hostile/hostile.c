/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile.c - attack predictd, and see what its honest clients notice
 *
 * In rounds, for each attack: quiet, attack, quiet, for a few seconds each; the
 * clients go on all the time.  What they got during the attack stands beside
 * what they got right before and after it, since a busy machine is slow at all
 * times.  The median of the ratios of latencies over the rounds counts.
 *
 * Then the snapshot is fetched: it must have all jobs that slurmctld submitted,
 * and no others.
 *
 * usage: hostile [-l] [-q SECONDS] [-a SECONDS] [-r ROUNDS] SOCKET PORT
 *                MUNGE-SOCKET SLURM-UID PREDICTD-PID [ATTACK...]
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/client/client.h"
#include "tests/hostile/hostile.h"

#define ROUNDS_MAX  15
#define ATTACKS_MAX 32
#define CALM_S      0.4 /* after an attack, before it is quiet */
#define WARM_UP_S   1.5
#define RSS_EVERY_S 0.1

/* The result of one client in one attack. */
struct result {
	double ratios[ROUNDS_MAX]; /* of the 99th percentiles */
	double quiet_s[ROUNDS_MAX], attacked_s[ROUNDS_MAX];
	unsigned sent, answered;
	unsigned quiet_sent, quiet_answered;
};

struct hostile {
	struct hostile_site site;
	double quiet_s, attack_s;
	int rounds;
	struct client_record *records[CLIENTS];
	pid_t clients[CLIENTS];
	struct hostile_counts *counts;
	struct result results[ATTACKS_MAX][CLIENTS];
	double rss_mb[ATTACKS_MAX]; /* the most */
	double rss_quiet_mb;
};

static void die(const char *what)
{
	fprintf(stderr, "hostile: %s\n", what);
	exit(1);
}

static void *shared_create(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("out of memory");
	return memory;
}

static double predictd_rss_mb(const struct hostile *h)
{
	char path[64], line[256];
	double rss_mb = NAN;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)h->site.predictd);

	FILE *in = fopen(path, "re");

	if (!in)
		die("predictd has gone");
	while (fgets(line, sizeof(line), in))
		if (!strncmp(line, "VmRSS:", 6))
			rss_mb = strtod(line + 6, NULL) / 1024;
	fclose(in);
	return rss_mb;
}

/* Sleep; gives the most memory that predictd had meanwhile. */
static double watch(const struct hostile *h, double seconds)
{
	double end_s = clock_monotonic_s() + seconds, most_mb = 0;

	while (clock_monotonic_s() < end_s) {
		usleep((useconds_t)(1e6 * fmin(RSS_EVERY_S, seconds)));
		most_mb = fmax(most_mb, predictd_rss_mb(h));
	}
	return most_mb;
}

/* --- What the clients got ------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double quantile(double *values, size_t count, double p)
{
	if (!count)
		return NAN;
	qsort(values, count, sizeof(*values), compare_numbers);
	return values[(size_t)(p * (double)(count - 1))];
}

struct interval {
	double from_s, to_s;
};

/* The latencies within any of the intervals; gives the 99th percentile. */
static double samples_p99(const struct client_record *record,
			  const struct interval *intervals, int count,
			  unsigned *sent, unsigned *answered)
{
	static double latencies_s[CLIENT_SAMPLES_MAX];
	unsigned total = atomic_load(&record->count);
	size_t used = 0;

	for (unsigned i = 0; i < total; i++) {
		const struct client_sample *s = &record->samples[i];
		bool within = false;

		for (int k = 0; k < count; k++)
			within |= s->at_s >= intervals[k].from_s &&
				  s->at_s < intervals[k].to_s;
		if (!within)
			continue;
		latencies_s[used++] = (double)s->latency_s;
		*sent += 1;
		*answered += s->answered;
	}
	return quantile(latencies_s, used, 0.99);
}

/* --- One attack ----------------------------------------------------------- */

static struct interval interval_now(double seconds)
{
	double now_s = clock_monotonic_s();

	return (struct interval){ now_s, now_s + seconds };
}

static void attack_once(struct hostile *h, int a, int round)
{
	pid_t pids[HOSTILE_PROCESSES];
	struct interval quiet[2], attacked;

	quiet[0] = interval_now(h->quiet_s);
	watch(h, h->quiet_s);

	int count = attackers_start(&attacks[a], &h->site, h->counts, pids);

	if (count < 0)
		die("fork failed");
	attacked = interval_now(h->attack_s);
	h->rss_mb[a] = fmax(h->rss_mb[a], watch(h, h->attack_s));
	attackers_stop(pids, count);
	watch(h, CALM_S);
	quiet[1] = interval_now(h->quiet_s);
	watch(h, h->quiet_s);
	for (int c = 0; c < CLIENTS; c++) {
		struct result *r = &h->results[a][c];

		r->quiet_s[round] =
			samples_p99(h->records[c], quiet, 2, &r->quiet_sent,
				    &r->quiet_answered);
		r->attacked_s[round] = samples_p99(h->records[c], &attacked, 1,
						   &r->sent, &r->answered);
		r->ratios[round] = r->attacked_s[round] / r->quiet_s[round];
	}
}

/* --- The report ----------------------------------------------------------- */

static double percent(unsigned part, unsigned whole)
{
	return whole ? 100.0 * part / whole : 0;
}

static double result_ratio(struct hostile *h, int a, int c)
{
	return quantile(h->results[a][c].ratios, (size_t)h->rounds, 0.5);
}

static void attack_print(struct hostile *h, int a)
{
	struct hostile_counts *counts = h->counts;

	printf("%s: %s\n  attackers:", attacks[a].name, attacks[a].help);
	for (int i = 1; i < 6; i++)
		printf(" %dxx %lu", i, atomic_load(&counts->replies[i]));
	printf(", closed %lu, not opened %lu; predictd %.0f MB\n",
	       atomic_load(&counts->closed), atomic_load(&counts->refused),
	       h->rss_mb[a]);
	memset(counts, 0, sizeof(*counts));
	for (int c = 0; c < CLIENTS; c++) {
		struct result *r = &h->results[a][c];
		size_t n = (size_t)h->rounds;

		printf("  %-9s answered %.2f %% of %u (quiet %.2f %%), p99 "
		       "%.2f ms (quiet %.2f), ratio %.2f\n",
		       client_rows[c].name, percent(r->answered, r->sent),
		       r->sent, percent(r->quiet_answered, r->quiet_sent),
		       1e3 * quantile(r->attacked_s, n, 0.5),
		       1e3 * quantile(r->quiet_s, n, 0.5),
		       result_ratio(h, a, c));
	}
	fflush(stdout);
}

struct totals {
	unsigned sent, answered, quiet_sent, quiet_answered;
	unsigned others_sent, others_answered;
	double ratio, rss_mb;
	double p99_s; /* the worst */
};

static void totals_add(struct hostile *h, int a, struct totals *t)
{
	t->rss_mb = fmax(t->rss_mb, h->rss_mb[a]);
	for (int c = 0; c < CLIENTS; c++) {
		const struct result *r = &h->results[a][c];

		if (!client_rows[c].is_slurmctld) {
			t->others_sent += r->sent;
			t->others_answered += r->answered;
			continue;
		}
		t->sent += r->sent;
		t->answered += r->answered;
		t->quiet_sent += r->quiet_sent;
		t->quiet_answered += r->quiet_answered;
		t->ratio = fmax(t->ratio, result_ratio(h, a, c));
		t->p99_s = fmax(t->p99_s, quantile(h->results[a][c].attacked_s,
						   (size_t)h->rounds, 0.5));
	}
}

/* --- The snapshot --------------------------------------------------------- */

static bool is_kept(const struct hostile *h, uint64_t id)
{
	for (int c = 0; c < CLIENTS; c++)
		for (unsigned i = 0;
		     i < atomic_load(&h->records[c]->kept_count); i++)
			if (h->records[c]->kept[i] == id)
				return true;
	return false;
}

/* Whether a prediction that no client knows is of one of them all the same: its
 * reply may have been late. */
static bool is_honest(struct client *client, const char *id)
{
	char path[64];
	struct client_reply reply;
	const char *user;

	snprintf(path, sizeof(path), "/v1/predictions/%.16s", id);
	if (client_request(client, path, NULL, 0, 5000, &reply, NULL) ||
	    reply.status != 200)
		return false;
	user = strstr(reply.body, "\"user_id\":");
	return user && strtoul(user + 10, NULL, 10) < HOSTILE_UID_FIRST;
}

/* Jobs of the snapshot that nobody submitted, and those that it lacks. */
static void snapshot_compare(const struct hostile *h, unsigned *ret_forged,
			     unsigned *ret_lost)
{
	char url[CLIENT_URL_SIZE];
	struct client_reply reply = { 0 };
	unsigned kept = 0, found = 0;
	struct sp_error err;

	snprintf(url, sizeof(url), "unix:%s", h->site.socket_path);

	struct client *client = client_create(url, NULL, &err);
	struct client *other = client_create(url, NULL, &err);

	*ret_forged = 0;
	for (int i = 0; client && other && reply.status != 200 && i < 20; i++) {
		client_request(client, "/v1/snapshot?cluster=" HOSTILE_CLUSTER,
			       NULL, 0, 5000, &reply, &err);
		usleep(700000); /* so that the newest jobs are in it */
	}
	if (reply.status != 200 ||
	    client_request(client, "/v1/snapshot?cluster=" HOSTILE_CLUSTER,
			   NULL, 0, 5000, &reply, &err))
		die("no snapshot");
	for (const char *line = strstr(reply.body, "\nj "); line;
	     line = strstr(line + 1, "\nj ")) {
		if (is_kept(h, strtoull(line + 3, NULL, 16)))
			found++;
		else if (!is_honest(other, line + 3))
			++*ret_forged;
	}
	for (int c = 0; c < CLIENTS; c++)
		kept += atomic_load(&h->records[c]->kept_count);
	*ret_lost = kept - found;
	client_destroy(client);
	client_destroy(other);
}

/* --- main ----------------------------------------------------------------- */

static bool is_chosen(const struct attack *attack, char **names, int count)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(names[i], attack->name))
			return true;
	return count == 0;
}

static void clients_begin(struct hostile *h)
{
	for (int c = 0; c < CLIENTS; c++) {
		h->records[c] = shared_create(sizeof(*h->records[c]));
		h->clients[c] =
			client_start(&client_rows[c], &h->site, h->records[c]);
		if (h->clients[c] < 0)
			die("fork failed");
	}
	h->rss_quiet_mb = watch(h, WARM_UP_S);
}

static void clients_end(struct hostile *h)
{
	for (int c = 0; c < CLIENTS; c++) {
		if (waitpid(h->clients[c], NULL, WNOHANG))
			die("a client has ended early");
		kill(h->clients[c], SIGKILL);
		waitpid(h->clients[c], NULL, 0);
	}
}

static void run(struct hostile *h, char **names, int names_count)
{
	struct totals t = { 0 };
	unsigned forged, lost;

	clients_begin(h);
	for (int a = 0; attacks[a].name; a++) {
		if (!is_chosen(&attacks[a], names, names_count))
			continue;
		for (int round = 0; round < h->rounds; round++)
			attack_once(h, a, round);
		attack_print(h, a);
		totals_add(h, a, &t);
	}
	clients_end(h);
	snapshot_compare(h, &forged, &lost);
	printf("bar hostile_answered_pct %.3f\n", percent(t.answered, t.sent));
	printf("bar hostile_quiet_answered_pct %.3f\n",
	       percent(t.quiet_answered, t.quiet_sent));
	printf("bar hostile_collector_pct %.3f\n",
	       percent(t.others_answered, t.others_sent));
	printf("hostile_p99_ratio %.2f, of quiet\n", t.ratio);
	printf("bar hostile_p99_of_deadline %.3f\n",
	       1e3 * t.p99_s / (double)client_rows[0].deadline_ms);
	printf("bar hostile_rss_mb %.1f\n", t.rss_mb - h->rss_quiet_mb);
	printf("bar snapshot_fakes %u\n", forged);
	printf("bar snapshot_lost %u\n", lost);
}

static void attacks_list(void)
{
	for (const struct attack *a = attacks; a->name; a++)
		printf("%-13s %s\n", a->name, a->help);
}

int main(int argc, char *argv[])
{
	static struct hostile h = { .quiet_s = 1, .attack_s = 3, .rounds = 3 };
	int option;

	while ((option = getopt(argc, argv, "lq:a:r:")) != -1) {
		switch (option) {
		case 'l':
			attacks_list();
			return 0;
		case 'q':
			h.quiet_s = strtod(optarg, NULL);
			break;
		case 'a':
			h.attack_s = strtod(optarg, NULL);
			break;
		case 'r':
			h.rounds = (int)strtol(optarg, NULL, 10);
			break;
		default:
			return 2;
		}
	}
	if (argc - optind < 5 || h.rounds < 1 || h.rounds > ROUNDS_MAX)
		die("usage: hostile [-l] [-q SECONDS] [-a SECONDS] [-r ROUNDS] "
		    "SOCKET PORT MUNGE-SOCKET SLURM-UID PREDICTD-PID "
		    "[ATTACK...]");
	argv += optind;
	h.site = (struct hostile_site){
		.socket_path = argv[0],
		.port = (int)strtol(argv[1], NULL, 10),
		.munge_socket = argv[2],
		.slurm_uid = (uid_t)strtoul(argv[3], NULL, 10),
		.predictd = (pid_t)strtol(argv[4], NULL, 10),
	};
	h.counts = shared_create(sizeof(*h.counts));
	run(&h, argv + 5, argc - optind - 5);
	return 0;
}
