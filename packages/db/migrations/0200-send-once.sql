-- Members of a datasource get one campaign with the same key at most.
ALTER TYPE skip_reason ADD VALUE 'send_once' BEFORE 'capping';
ALTER TABLE campaign ADD COLUMN send_once_key text;
ALTER TABLE recurring ADD COLUMN send_once_key text;
CREATE INDEX campaign_send_once ON campaign (client_id, send_once_key) WHERE send_once_key IS NOT NULL;
