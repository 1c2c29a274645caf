-- A campaign may leave over a login at a sending service: one of its own client, that exists.
UPDATE campaign c SET esp_id = NULL
WHERE esp_id IS NOT NULL AND NOT EXISTS (SELECT FROM esp_login l WHERE l.client_id = c.client_id AND l.id = c.esp_id);
ALTER TABLE campaign ADD FOREIGN KEY (client_id, esp_id) REFERENCES esp_login;

-- Finished just now: an engine that was cut off may still know of a mail that is due.
CREATE INDEX campaign_finished ON campaign (finished_at) WHERE valid = 3;
