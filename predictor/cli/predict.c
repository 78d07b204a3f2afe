/* predict.c - spredict predict: how long a job would run if submitted now
 *
 * Asks as the plugin in slurmctld does, but only for an answer: nothing is
 * stored, and no job can be given this prediction.
 */
#include <stdio.h>

#include "predictor/cli/ask.h"
#include "predictor/cli/sbatch.h"
#include "predictor/cli/show.h"

static int print(struct json_object *reply, struct sp_error *err)
{
	struct json_object *object = NULL;
	struct prediction p;

	if (!json_object_object_get_ex(reply, "prediction", &object))
		return sp_error_set(err, "predictd's reply has no prediction");
	if (wire_prediction_decode(object, &p, err))
		return -1;

	struct table *facts = show_facts();

	show_answer(facts, &p);
	show_reasons(facts, &p);

	int rc = table_print(facts, stdout, err);

	table_destroy(facts);
	return rc;
}

static int ask_for(struct cli *cli, const struct sbatch *sbatch,
		   struct sp_error *err)
{
	struct wire_request request = {
		.job = sbatch->job,
		.mode = sbatch->mode,
		.quantile = cli_site(cli)->quantile,
		.dry_run = true,
	};
	struct json_object *body = wire_request_encode(&request);
	struct json_object *reply;

	if (!body)
		return sp_error_set(err, "out of memory");

	int rc = ask(cli, "/v1/predictions", body, &reply, NULL, err);

	json_object_put(body);
	if (rc)
		return -1;
	if (cli->json)
		ask_print(reply);
	else
		rc = print(reply, err);
	json_object_put(reply);
	return rc;
}

int cli_predict(struct cli *cli, int argc, char **argv)
{
	struct sbatch sbatch;
	struct sp_error err;
	int status = CLI_OK;

	if (sbatch_read(cli, argc, argv, &sbatch, &err))
		status = cli_usage(&err);
	else if (!cli_only_about(cli) && ask_for(cli, &sbatch, &err))
		status = cli_fail(cli, &err);
	sbatch_clear(&sbatch);
	return status;
}
