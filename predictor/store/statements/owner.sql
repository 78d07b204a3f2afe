-- SPDX-License-Identifier: GPL-2.0-or-later
-- owner.sql - what the owner of a database runs, by options of predictd

-- --- --migrate -------------------------------------------------------------

-- @query lock_migration
SELECT pg_advisory_lock({SCHEMA_LOCK}, {SCHEMA_LOCK_MIGRATE});

-- @query has_schema
SELECT (to_regclass('predict.schema_steps') IS NOT NULL)::integer - 1;

-- @query record_step
INSERT INTO predict.schema_steps (step, name, checksum)
VALUES ($1::integer, $2::text, md5($3::text)) RETURNING step;

-- @query edited_step
SELECT step FROM predict.schema_steps
WHERE step = $1::integer AND name = $2::text AND checksum <> md5($3::text);

-- --- --drop-database -------------------------------------------------------

-- Others' sessions; predictd is recognised by the role that it uses, too.
-- @query sessions
SELECT format('%s (process %s of PostgreSQL%s)',
	coalesce(nullif(application_name, ''), 'a program'), pid,
	' by role ' || usename)
FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
AND backend_type IN ('client backend', 'walsender')
ORDER BY pid;

-- @query foundation
SELECT CASE
	WHEN datistemplate OR datname = 'postgres'
	THEN 'is PostgreSQL''s own'
	WHEN NOT pg_has_role(datdba, 'USAGE')
	THEN 'belongs to role ' || quote_ident(pg_get_userbyid(datdba)) ||
		': connect as an administrator'
	WHEN to_regclass('predict.schema_steps') IS NULL
	THEN 'lacks the schema of slurm-predict'
	END
FROM pg_database WHERE datname = current_database();

-- @query tables
SELECT relname FROM pg_class
WHERE relnamespace = 'predict'::regnamespace
AND relkind IN ('r', 'p') AND NOT relispartition
ORDER BY 1;

-- --- --mask-secrets --------------------------------------------------------
-- A query gives key, two texts (of which the second holds traits), and names
-- and values of parameters; the update takes key, texts and the names of
-- numbers that become 0.

-- @part pairs
array_to_string(parameter_names, ' '),
array_to_string(parameter_values, ' ', 'NaN')

-- 0 for the parameters in $4.
-- @part update_values
parameter_values = CASE WHEN $4 = '' THEN parameter_values ELSE ARRAY (
	SELECT CASE WHEN name = ANY (string_to_array($4, ' '))
		THEN 0 ELSE value END
	FROM unnest(parameter_names, parameter_values)
		WITH ORDINALITY p (name, value, i)
	ORDER BY i
) END

-- A job that waits has several rows.
-- @part prediction_key
prediction_id || '/' || stage || '/' || made_at

-- @part prediction_after
(prediction_id, stage, made_at) > (
	split_part($1, '/', 1), split_part($1, '/', 2),
	coalesce(nullif(split_part($1, '/', 3), ''), '-infinity')::timestamptz
)
ORDER BY prediction_id, stage, made_at LIMIT {MASKED_ROWS}

-- @part prediction_is
prediction_id = split_part($1, '/', 1) AND stage = split_part($1, '/', 2)
AND made_at = split_part($1, '/', 3)::timestamptz

-- @part unmasked_run
SELECT run_id, job_name, traits, {pairs} FROM predict.runs

-- @query unmasked_runs
{unmasked_run}
WHERE run_id > ('0' || $1)::bigint
ORDER BY run_id LIMIT {MASKED_ROWS};

-- @query mask_run
UPDATE predict.runs SET job_name = $2, traits = $3, {update_values}
WHERE run_id = $1::bigint;

-- @part unmasked_prediction
SELECT {prediction_key}, job_name, traits, {pairs} FROM predict.predictions

-- @query unmasked_predictions
{unmasked_prediction}
WHERE {prediction_after};

-- @query mask_prediction
UPDATE predict.predictions SET job_name = $2, traits = $3, {update_values}
WHERE {prediction_is};

-- @query unmasked_outside
SELECT {prediction_key}, outside, '', '', '' FROM predict.predictions
WHERE outside IS NOT NULL AND {prediction_after};

-- @query mask_outside
UPDATE predict.predictions SET outside = $2
WHERE $3 || $4 = '' AND {prediction_is};

-- @part unmasked_application
SELECT application_id, name, '', '', '' FROM predict.applications

-- One in a transaction: what refers to it cannot be inserted meanwhile.
-- @query unmasked_applications
{unmasked_application}
WHERE application_id > ('0' || $1)::integer
ORDER BY application_id LIMIT 1;

-- Nothing but this holds up predictions that refer to it.
-- @query lock_predictions
LOCK TABLE predict.predictions IN SHARE ROW EXCLUSIVE MODE;

-- Two names may become one; what had the first gets the other.
-- @query mask_application
WITH n AS (
	INSERT INTO predict.applications (name)
	SELECT $2 WHERE $3 || $4 = ''
	ON CONFLICT (name) DO UPDATE SET name = excluded.name
	RETURNING application_id AS id
),
p AS (
	UPDATE predict.predictions SET application_id = n.id FROM n
	WHERE application_id = $1::integer
),
r AS (
	UPDATE predict.runs SET application_id = n.id FROM n
	WHERE application_id = $1::integer
),
t AS (
	UPDATE predict.traces SET application_id = n.id FROM n
	WHERE application_id = $1::integer
)
DELETE FROM predict.applications WHERE application_id = $1::integer;

-- What --check reads: of each table the newest rows.
-- @query newest_runs
{unmasked_run} ORDER BY run_id DESC LIMIT {CHECKED_ROWS};

-- @query newest_predictions
{unmasked_prediction} ORDER BY made_at DESC LIMIT {CHECKED_ROWS};

-- @query newest_outside
SELECT {prediction_key}, coalesce(outside, ''), '', '', ''
FROM predict.predictions ORDER BY made_at DESC LIMIT {CHECKED_ROWS};

-- @query newest_applications
{unmasked_application} ORDER BY application_id DESC LIMIT {CHECKED_ROWS};
