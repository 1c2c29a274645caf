-- Synced blocks: placeholders that hold sections of MJML.

ALTER TABLE placeholder
  DROP CONSTRAINT placeholder_type_check,
  ADD CONSTRAINT placeholder_type_check
    CHECK (type IN ('text', 'html', 'url', 'image', 'datasource_column', 'code', 'mjml'));
