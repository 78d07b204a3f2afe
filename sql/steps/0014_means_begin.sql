-- 0014_means_begin.sql - means begin when measuring begins
--
-- Without this, predictd went through all days for which measurements are kept,
-- of which a new database has none.

INSERT INTO predict.thinned
SELECT m.means, date_trunc('day', now(), 'UTC')
FROM (VALUES ('measurements_5min'), ('measurements_hourly'),
	('link_measurements_hourly')) m (means)
WHERE NOT EXISTS (SELECT FROM predict.measurements)
	AND NOT EXISTS (SELECT FROM predict.link_measurements)
ON CONFLICT DO NOTHING;
