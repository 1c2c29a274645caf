-- Files attached to a message: an array of {path, name, mime_type, size}, path as in the file's public URL.
ALTER TABLE message ADD attachments jsonb NOT NULL DEFAULT '[]';
-- Versions hold the fields of their message.
UPDATE message_version SET content = content || '{"attachments": []}';
