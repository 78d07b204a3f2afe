-- 0017_names_joined.sql - predictions are not checked against names once more
--
-- The statement that stores them joins the names, of which none is ever deleted:
-- predictd may not.  To look both up again for each row took a third of the
-- time that storing a prediction took.

ALTER TABLE predict.predictions
	DROP CONSTRAINT predictions_cluster_id_fkey,
	DROP CONSTRAINT predictions_application_id_fkey;
COMMENT ON COLUMN predict.predictions.cluster_id IS
	'Cluster asked for; one of predict.clusters, without a check.';
COMMENT ON COLUMN predict.predictions.application_id IS
	'Application it was taken for; one of predict.applications, without a '
	'check.';
