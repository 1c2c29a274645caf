-- A message in further languages than its default one: an array of {lang, subject, preheader, body_long, body_mjml, body_text}.
ALTER TABLE message ADD languages jsonb NOT NULL DEFAULT '[]';
UPDATE message_version SET content = content || '{"languages": []}';
