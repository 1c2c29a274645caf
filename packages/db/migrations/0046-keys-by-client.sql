-- Keys of tenant tables begin with client_id. An id alone still finds its row; ids and tokens are unique by how they are
-- made (a sequence, 256 random bits).
ALTER TABLE user_client DROP CONSTRAINT user_client_pkey, ADD PRIMARY KEY (client_id, user_id);
DROP INDEX user_client_client;
CREATE INDEX user_client_user ON user_client (user_id);

ALTER TABLE user_settings DROP CONSTRAINT user_settings_pkey, ADD PRIMARY KEY (client_id, user_id);
CREATE INDEX user_settings_user ON user_settings (user_id);

ALTER TABLE scd_action
  DROP CONSTRAINT scd_action_pkey,
  ADD PRIMARY KEY (client_id, id),
  DROP CONSTRAINT scd_action_rule_id_object_window_start_key,
  ADD UNIQUE (client_id, rule_id, object, window_start);
CREATE INDEX scd_action_key ON scd_action (id);
CREATE INDEX scd_action_rule ON scd_action (rule_id);

DROP INDEX webhook_id_only;
CREATE INDEX webhook_key ON webhook (webhook_id);

DROP INDEX esp_login_hook;
CREATE UNIQUE INDEX esp_login_hook ON esp_login (client_id, hook_token);
CREATE INDEX esp_login_hook_key ON esp_login (hook_token);
