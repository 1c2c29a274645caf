-- Charset of a message. Mails with characters that it lacks are sent as UTF-8.
ALTER TABLE message ADD charset text NOT NULL DEFAULT 'utf-8';
UPDATE message_version SET content = content || '{"charset": "utf-8"}';
