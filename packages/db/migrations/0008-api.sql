-- What the API's lists and look-ups need: names free again after a removal, and indexes for keys, filters and references.

ALTER TABLE role DROP CONSTRAINT role_name_key;
CREATE UNIQUE INDEX role_name ON role (name) WHERE deleted_at IS NULL;
ALTER TABLE provider DROP CONSTRAINT provider_name_key;
CREATE UNIQUE INDEX provider_name ON provider (name) WHERE deleted_at IS NULL;

-- By key alone: whoever reaches all clients asks without naming one. Not unique, so that the schema shards by client.
CREATE INDEX blacklist_key ON blacklist (blacklist_id);
CREATE INDEX campaign_key ON campaign (campagne_id);
CREATE INDEX capping_key ON capping (capping_id);
CREATE INDEX dashboard_key ON dashboard (dashboard_id);
CREATE INDEX data_upload_key ON data_upload (id);
CREATE INDEX domain_key ON domain (domain_id);
CREATE INDEX list_key ON list (list_id);
CREATE INDEX mailclass_key ON mailclass (mailclass_id);
CREATE INDEX member_table_key ON member_table (member_table_id);
CREATE INDEX message_key ON message (message_id);
CREATE INDEX placeholder_key ON placeholder (module_id);
CREATE INDEX test_address_key ON test_address (testaddress_id);
CREATE INDEX test_group_key ON test_group (id);

-- Filters of the campaign list, and what asks whether a record is still in use.
CREATE INDEX campaign_valid ON campaign (client_id, valid, campagne_id);
CREATE INDEX campaign_member_table ON campaign (client_id, member_table_id);
CREATE INDEX campaign_segment ON campaign (client_id, list_id);
CREATE INDEX campaign_message ON campaign (client_id, message_id);
CREATE INDEX campaign_domain ON campaign (client_id, domain_id);
CREATE INDEX campaign_mailclass ON campaign (client_id, mailclass_id);
CREATE INDEX campaign_capping ON campaign (client_id, capping_id) WHERE capping_id IS NOT NULL;
CREATE INDEX data_upload_target ON data_upload (client_id, member_table_id);

-- The total of a long list is counted from the index alone.
CREATE INDEX campaign_alive ON campaign (client_id, campagne_id) WHERE deleted_at IS NULL;
CREATE INDEX message_alive ON message (client_id, message_id) WHERE deleted_at IS NULL;

-- The lists people sort by name most, and that grow most.
CREATE INDEX campaign_name ON campaign (client_id, name, campagne_id);
CREATE INDEX message_name ON message (client_id, name, message_id);
CREATE INDEX list_name ON list (client_id, name, list_id);

-- Servers keep who is behind a token, and the columns of datasources; what changes there is told to all of them when it
-- is committed.
CREATE FUNCTION tell_kept_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('emma', '{"client_id":null,"type":"KEPT_CHANGED","data":null}');
  RETURN NULL;
END $$;
CREATE TRIGGER tell_kept AFTER UPDATE OR DELETE ON app_user
  FOR EACH STATEMENT EXECUTE FUNCTION tell_kept_changed();
CREATE TRIGGER tell_kept AFTER UPDATE OR DELETE ON role
  FOR EACH STATEMENT EXECUTE FUNCTION tell_kept_changed();
CREATE TRIGGER tell_kept AFTER INSERT OR UPDATE OR DELETE ON user_role
  FOR EACH STATEMENT EXECUTE FUNCTION tell_kept_changed();
CREATE TRIGGER tell_kept AFTER INSERT OR UPDATE OR DELETE ON user_client
  FOR EACH STATEMENT EXECUTE FUNCTION tell_kept_changed();
CREATE TRIGGER tell_kept AFTER INSERT OR UPDATE OR DELETE ON user_settings
  FOR EACH STATEMENT EXECUTE FUNCTION tell_kept_changed();
CREATE TRIGGER tell_kept AFTER INSERT OR UPDATE OF deleted_at OR DELETE ON client
  FOR EACH STATEMENT EXECUTE FUNCTION tell_kept_changed();
CREATE TRIGGER tell_kept AFTER UPDATE OF revoked_at OR DELETE ON session
  FOR EACH STATEMENT EXECUTE FUNCTION tell_kept_changed();
CREATE TRIGGER tell_kept AFTER UPDATE OF name, doi_required, deleted_at OR DELETE ON member_table
  FOR EACH STATEMENT EXECUTE FUNCTION tell_kept_changed();
CREATE TRIGGER tell_kept AFTER INSERT OR UPDATE OR DELETE ON member_table_column
  FOR EACH STATEMENT EXECUTE FUNCTION tell_kept_changed();
