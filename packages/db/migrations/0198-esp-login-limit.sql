-- What a sending service allows a login; 0: no limit.
ALTER TABLE esp_login ADD COLUMN max_mails int NOT NULL DEFAULT 0;
ALTER TABLE esp_login ADD COLUMN max_unit text NOT NULL DEFAULT 'day' CHECK (max_unit IN ('minute', 'hour', 'day'));
