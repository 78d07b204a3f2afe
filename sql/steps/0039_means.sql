-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0039_means.sql - predicted and actual run time of a group, beside each other
--
-- The columns that a function returns cannot be changed.  The views move to a
-- new one, which gets the name of the old one: so rights on the views stay.

-- As it was, but for the means, at the end.
--
-- Run times below a second count as one second where something is divided by
-- them.  A group without predictions at a later stage has no row for it.
CREATE FUNCTION predict.accuracy_with_means(
	by_what text DEFAULT 'all', since timestamptz DEFAULT NULL,
	until timestamptz DEFAULT NULL, only_cluster text DEFAULT NULL,
	only_partition text DEFAULT NULL, only_user text DEFAULT NULL,
	only_application text DEFAULT NULL, only_model text DEFAULT NULL,
	only_completed boolean DEFAULT false, only_uid bigint DEFAULT NULL)
	RETURNS TABLE (name text, stage text, runs bigint, predicted bigint,
		error_pct double precision, median_error_pct double precision,
		accuracy_pct double precision, under_pct double precision,
		covered_pct double precision, quantile_pct double precision,
		limited bigint, limit_missed_pct double precision,
		limit_error_pct double precision,
		limit_factor double precision, mean_s double precision,
		predicted_mean_s double precision)
	LANGUAGE sql STABLE
AS $$
	SELECT CASE by_what
			WHEN 'cluster' THEN o.cluster
			WHEN 'partition' THEN o.partition
			WHEN 'user' THEN coalesce(nullif(o.user_name, ''),
				o.user_id::text)
			WHEN 'application' THEN o.application
			WHEN 'model' THEN CASE WHEN o.predicted
				THEN o.model ELSE '' END
			WHEN 'month' THEN to_char(o.ended_at
				AT TIME ZONE 'UTC', 'YYYY-MM')
			ELSE 'all' END,
		o.stage, count(*), count(*) FILTER (WHERE o.predicted),
		100 * sum(abs(o.median_s - o.runtime_s))
			FILTER (WHERE o.predicted)
			/ nullif(sum(o.runtime_s)
				FILTER (WHERE o.predicted), 0),
		100 * percentile_cont(0.5) WITHIN GROUP (ORDER BY
			abs(o.median_s - o.runtime_s)
				/ greatest(o.runtime_s, 1))
			FILTER (WHERE o.predicted),
		100 * avg(greatest(least(o.median_s, o.runtime_s), 1)
			/ greatest(o.median_s, o.runtime_s, 1))
			FILTER (WHERE o.predicted),
		100 * avg((o.runtime_s > o.median_s)::integer)
			FILTER (WHERE o.predicted)::double precision,
		100 * avg((o.runtime_s <= o.quantile_s)::integer)
			FILTER (WHERE o.predicted)::double precision,
		100 * avg(o.quantile) FILTER (WHERE o.predicted),
		count(o.limit_s),
		100 * avg((o.state = 'TIMEOUT'
			OR o.runtime_s > o.limit_s)::integer)
			FILTER (WHERE o.limit_s IS NOT NULL)
			::double precision,
		100 * sum(abs(o.limit_s - o.runtime_s))
			/ nullif(sum(o.runtime_s)
				FILTER (WHERE o.limit_s IS NOT NULL), 0),
		sum(o.limit_s) / nullif(sum(o.runtime_s)
			FILTER (WHERE o.limit_s IS NOT NULL), 0),
		avg(o.runtime_s) FILTER (WHERE o.predicted),
		avg(o.median_s) FILTER (WHERE o.predicted)
	FROM predict.run_outcomes o
	WHERE (since IS NULL OR o.ended_at >= since)
		AND (until IS NULL OR o.ended_at < until)
		AND (only_cluster IS NULL OR o.cluster = only_cluster)
		AND (only_partition IS NULL OR o.partition = only_partition)
		AND (only_user IS NULL OR o.user_name = only_user
			OR o.user_id::text = only_user)
		AND (only_uid IS NULL OR o.user_id = only_uid)
		AND (only_application IS NULL
			OR o.application = only_application)
		AND (only_model IS NULL
			OR (o.predicted AND o.model = only_model))
		AND (NOT only_completed OR o.state = 'COMPLETED')
	GROUP BY 1, 2
	HAVING o.stage = 'submission' OR bool_or(o.renewed)
		OR (o.stage = 'start' AND bool_or(o.predicted))
$$;

DO $$
DECLARE
	what text;
BEGIN
	FOREACH what IN ARRAY ARRAY['cluster', 'partition', 'user',
			'application', 'month'] LOOP
		EXECUTE format('CREATE OR REPLACE VIEW predict.%I AS '
			'SELECT name AS %I, stage, runs, predicted, '
			'error_pct, median_error_pct, accuracy_pct, '
			'under_pct, covered_pct, quantile_pct, limited, '
			'limit_missed_pct, limit_error_pct, limit_factor, '
			'mean_s, predicted_mean_s '
			'FROM predict.accuracy_with_means(%L) '
			'ORDER BY %s, name, array_position(ARRAY['
			'''submission'', ''waiting'', ''start''], stage)',
			'accuracy_by_' || what,
			CASE what WHEN 'user' THEN 'user_name' ELSE what END,
			what, CASE what WHEN 'month' THEN 'name DESC'
			ELSE 'runs DESC' END);
	END LOOP;
END $$;

DROP FUNCTION predict.accuracy(text, timestamptz, timestamptz, text, text, text,
	text, text, boolean, bigint);
ALTER FUNCTION predict.accuracy_with_means(text, timestamptz, timestamptz, text,
	text, text, text, text, boolean, bigint) RENAME TO accuracy;
COMMENT ON FUNCTION predict.accuracy(text, timestamptz, timestamptz, text,
	text, text, text, text, boolean, bigint) IS
	'How right predictions from history were, and the users'' limits, by '
	'''all'', ''cluster'', ''partition'', ''user'', ''application'', '
	'''model'' or ''month'' (UTC).';
