-- Rows that were imported without a cell that did not fit.
ALTER TABLE data_upload ADD COLUMN rows_repaired bigint NOT NULL DEFAULT 0;

-- A test imports nothing, so nobody is told of an import.
DROP TRIGGER data_upload_webhooks ON data_upload;
CREATE TRIGGER data_upload_webhooks AFTER UPDATE OF status ON data_upload
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status IN (3, 4) AND NOT NEW.test)
  EXECUTE FUNCTION tell_webhooks_of_import();
