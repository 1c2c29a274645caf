-- Placeholders of kind data: JSON that templates read as data.TOKEN. Feeds and data feeds may need a header with a
-- secret, which is stored encrypted.
ALTER TABLE placeholder
  DROP CONSTRAINT placeholder_type_check,
  ADD CONSTRAINT placeholder_type_check
    CHECK (type IN ('text', 'html', 'url', 'image', 'datasource_column', 'code', 'mjml', 'feed', 'data')),
  ADD feed_header text,
  ADD feed_secret bytea;

-- The JSON of a data feed, instead of items.
ALTER TABLE placeholder_feed ADD data jsonb;
