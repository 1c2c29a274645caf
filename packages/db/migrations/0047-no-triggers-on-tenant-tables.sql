-- Triggers leave the tables that have a client_id: Citus takes none on a table that is sharded. What they did is done by the
-- operations that write.

-- core/resource/tell-caches.ts
DROP TRIGGER tell_kept ON user_client;
DROP TRIGGER tell_kept ON user_settings;
DROP TRIGGER tell_kept ON client;
DROP TRIGGER tell_kept ON member_table;
DROP TRIGGER tell_kept ON member_table_column;

-- The audit log is append-only by rights, also for its owner. What deletes from it grants itself the right in its own
-- transaction (core/platform/delete-changes.ts).
DROP TRIGGER change_log_append_only ON change_log;
DROP FUNCTION keep_change_log();
REVOKE UPDATE, DELETE, TRUNCATE ON change_log FROM CURRENT_USER;

-- Whoever lets a campaign run opens its progress (core/campaigns/transition.ts), and cannot forget it: the constraint refuses
-- the row.
DROP TRIGGER open_progress ON campaign;
DROP FUNCTION open_progress();
ALTER TABLE campaign
  ALTER COLUMN progress_open SET DEFAULT true,
  ADD CONSTRAINT campaign_running_progress CHECK (valid <> 2 OR progress_open);
DROP INDEX campaign_progress_open;
CREATE INDEX campaign_progress_open ON campaign (client_id, campagne_id) WHERE progress_open AND expanded_at IS NOT NULL;

-- Called after a campaign or an import has changed its state (core/campaigns/transition.ts, core/audience/uploads).
DROP TRIGGER campaign_webhooks ON campaign;
DROP TRIGGER data_upload_webhooks ON data_upload;
DROP FUNCTION tell_webhooks_of_campaign();
DROP FUNCTION tell_webhooks_of_import();

-- former: the state before. Out of the archive is no news.
CREATE FUNCTION tell_webhooks_of_campaign(client bigint, campaign_id bigint, former int) RETURNS void LANGUAGE sql AS $$
  SELECT tell_webhooks(c.client_id, kind, format('campaign-%s-%s', c.campagne_id, c.revision),
    jsonb_strip_nulls(jsonb_build_object(
      'campaign_id', c.campagne_id, 'name', c.name, 'resumed', CASE WHEN c.valid = 2 THEN former = 5 END, 'error', c.error)))
  FROM campaign c
  -- campaign-states.ts
  CROSS JOIN LATERAL (SELECT CASE c.valid
    WHEN 2 THEN 'campaign.started' WHEN 3 THEN 'campaign.finished' WHEN 5 THEN 'campaign.paused'
    WHEN 6 THEN 'campaign.failed' WHEN 7 THEN 'campaign.failed' WHEN 8 THEN 'campaign.stopped' END AS kind) AS news
  WHERE c.client_id = client AND c.campagne_id = campaign_id AND kind IS NOT NULL AND former <> 9
$$;

-- dataupload.ts: 3 finished, 4 failed. A test imports nothing, so nobody is told.
CREATE FUNCTION tell_webhooks_of_import(client bigint, upload_id bigint) RETURNS void LANGUAGE sql AS $$
  SELECT tell_webhooks(u.client_id, CASE u.status WHEN 3 THEN 'import.finished' ELSE 'import.failed' END,
    format('import-%s-%s', u.id, u.revision),
    jsonb_strip_nulls(jsonb_build_object(
      'import_id', u.id, 'file', u.filename, 'member_table_id', u.member_table_id,
      'blacklist_id', u.blacklist_id, 'rows', u.rows_read, 'inserted', u.rows_inserted,
      'updated', u.rows_updated, 'invalid', u.rows_invalid, 'error', u.error)))
  FROM data_upload u
  WHERE u.client_id = client AND u.id = upload_id AND u.status IN (3, 4) AND NOT u.test
$$;
