-- Amazon SES publishes events of messages with a configuration set only.
ALTER TABLE esp_login ADD COLUMN configuration_set text;
