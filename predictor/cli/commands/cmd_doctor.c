/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_doctor.c - spredict doctor: what is wrong with this host
 *
 * On the controller, on login nodes and on compute nodes: predictd as it is
 * seen from here, collectord where it is configured, then what all programs
 * check (checks.h).
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/checks/checks.h"
#include "predictor/cli/fetch.h"

#define COLLECTORD_CONF SP_SYSCONFDIR "/collectord.conf"
#define SPOOL_DEFAULT   "/var/spool/slurm-predict"

static struct cli *own(const struct check_site *site)
{
	return site->own;
}

/* `status` of HTTP; 0: there was no reply. */
static const char *remedy_of(const struct predictd_url *address, int status)
{
	if (status)
		return "see its log, and predictd --check on its host";
	if (strncmp(address->text, "unix:", 5) == 0)
		return "start predictd; see its log, and predictd --check on "
		       "its host";
	return "start predictd there, with a Listen= at this address; is it at "
	       "another one, set predict_url=http://ADDRESS:PORT in "
	       "SlurmctldParameters";
}

static void check_predictd(const struct check_site *site,
			   struct check_finding *ret)
{
	struct cli *cli = own(site);
	const struct predictd_url *address = fetch_address(cli);
	struct json_object *reply;
	struct sp_error err;
	int status;

	if (fetch(cli, "/readyz", NULL, &reply, &status, &err)) {
		check_set(ret, CHECK_ERROR, remedy_of(address, status),
			  "%s (%s)", err.text, address->source);
		return;
	}
	if (!reply_flag(reply, "store_up"))
		check_set(ret, CHECK_ERROR, "see predictd --check on its host",
			  "%s predicts, but cannot reach its database",
			  address->text);
	else
		check_set(ret, CHECK_OK, NULL, "%s (%s) is ready",
			  address->text, address->source);
	json_object_put(reply);
}

/* As whom predictd sees us. */
static void check_identity(const struct check_site *site,
			   struct check_finding *ret)
{
	struct cli *cli = own(site);
	struct json_object *reply;
	struct sp_error err;
	int status;

	if (!fetch(cli, "/v1/nodes", NULL, &reply, &status, &err)) {
		json_object_put(reply);
		check_set(ret, CHECK_OK, NULL, "predictd serves uid %u",
			  (unsigned)geteuid());
	} else if (status == 401 || status == 403) {
		check_set(ret, CHECK_ERROR,
			  "the hosts need the same MUNGE key, and clocks that "
			  "agree",
			  "predictd does not accept our MUNGE credential");
	} else {
		check_set(ret, CHECK_UNUSED, NULL, "not known: %s", err.text);
	}
}

/* collectord.conf has the syntax of slurm.conf. */
static void check_collectord(const struct check_site *site UNUSED,
			     struct check_finding *ret)
{
	struct slurm_conf_file *conf;
	const char *url, *spool;
	struct sp_error err;
	struct stat status;

	if (access(COLLECTORD_CONF, F_OK)) {
		check_set(ret, CHECK_UNUSED, NULL,
			  "no " COLLECTORD_CONF ": this is no compute node");
		return;
	}
	conf = slurm_conf_file_read(COLLECTORD_CONF, &err);
	if (!conf) {
		check_set(ret, CHECK_ERROR, "let us read it", "%s", err.text);
		return;
	}
	url = slurm_conf_file_value(conf, "PredictdUrl");
	spool = slurm_conf_file_value(conf, "Spool");
	if (!spool)
		spool = SPOOL_DEFAULT;
	if (!url)
		check_set(ret, CHECK_ERROR,
			  "set it to the Listen of predict.conf",
			  COLLECTORD_CONF ": PredictdUrl is missing");
	else if (!strstr(spool, "%n") &&
		 (stat(spool, &status) || !S_ISDIR(status.st_mode)))
		check_set(ret, CHECK_ERROR, "start collectord, which makes it",
			  "%s is missing: jobs are not recorded", spool);
	else
		check_set(ret, CHECK_OK, NULL, "reports to %s, spool %s", url,
			  spool);
	slurm_conf_file_destroy(conf);
}

static const struct check doctor_rows[] = {
	{ "predictd", check_predictd },
	{ "identity", check_identity },
	{ "collectord", check_collectord },
	{ NULL, NULL },
};

static int run_doctor(struct cli *cli, int argc, char **argv)
{
	struct check_site site;
	struct sp_error err;
	int first, errors;

	if (cli_arguments(cli, NULL, argc, argv, &first, &err))
		return cli_usage(cli, &err);
	if (cli_only_about(cli))
		return CLI_OK;
	check_site_open(&site, NULL);
	site.munge_socket = cli_site(cli)->munge_socket;
	site.own = cli;
	errors = checks_run(doctor_rows, site_checks, &site, cli->json);
	check_site_close(&site);
	return errors ? CLI_FAILED : CLI_OK;
}

const struct subcommand subcommand_doctor = {
	.name = "doctor",
	.function = run_doctor,
	.group = CLI_ADMINS,
	.help = "check this host: Slurm's configuration, plugins, daemons",
};
