-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0036_forget_in_turn.sql - no deadlock of two predictds

-- As it was, but one after the other: what another has deleted is not seen
-- then.
CREATE OR REPLACE FUNCTION predict.forget_waiting(ids text[]) RETURNS void
	LANGUAGE sql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
	SELECT pg_advisory_xact_lock(7361, 6);
	DELETE FROM predict.predictions p
	USING (SELECT w.prediction_id, w.made_at, s.made_at AS started_at,
			lag(w.made_at) OVER ids AS before,
			lead(w.made_at) OVER ids AS after,
			max(w.made_at) OVER (PARTITION BY w.prediction_id)
				- interval '5 minutes' AS old
		FROM predict.predictions w
		LEFT JOIN predict.predictions s ON s.stage = 'start'
			AND s.prediction_id = w.prediction_id
		WHERE w.prediction_id = ANY (ids) AND w.stage = 'waiting'
		WINDOW ids AS (PARTITION BY w.prediction_id
			ORDER BY w.made_at)) x
	WHERE p.prediction_id = x.prediction_id AND p.stage = 'waiting'
		AND p.made_at = x.made_at AND (x.after <= x.started_at
		OR (x.made_at > coalesce(x.started_at, '-infinity')
			AND (x.after <= x.old OR (x.after IS NOT NULL
				AND x.made_at > x.old
				AND date_bin('10 seconds', x.made_at, 'epoch')
				= date_bin('10 seconds', x.before, 'epoch')))))
$$;
