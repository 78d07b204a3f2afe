-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0037_keys.sql - all tables have what a replication needs
--
-- Where all tables are published, rows can be changed or deleted only in those
-- whose rows can be identified by a key without expressions.

ALTER TABLE predict.predictions
	ADD PRIMARY KEY (prediction_id, stage, made_at);
DROP INDEX predict.predictions_key;
CREATE UNIQUE INDEX predictions_once
	ON predict.predictions (prediction_id, stage) WHERE stage <> 'waiting';
ALTER TABLE predict.traces_sum REPLICA IDENTITY FULL; -- it has one row
