-- Placeholders of kind feed: their text is the template of one item.
ALTER TABLE placeholder
  DROP CONSTRAINT placeholder_type_check,
  ADD CONSTRAINT placeholder_type_check
    CHECK (type IN ('text', 'html', 'url', 'image', 'datasource_column', 'code', 'mjml', 'feed')),
  ADD feed_url text,
  ADD feed_max int NOT NULL DEFAULT 5 CHECK (feed_max BETWEEN 1 AND 50),
  ADD feed_only_new boolean NOT NULL DEFAULT false,
  ADD feed_if_empty text NOT NULL DEFAULT 'send' CHECK (feed_if_empty IN ('send', 'skip'));

-- The last good copy of a feed. url: where it is from. fault: why the last attempt failed; null if it did not.
CREATE TABLE placeholder_feed (
  client_id bigint NOT NULL,
  module_id bigint NOT NULL,
  url text NOT NULL,
  items jsonb,
  fetched_at timestamptz,
  tried_at timestamptz NOT NULL DEFAULT now(),
  fault jsonb,
  PRIMARY KEY (client_id, module_id),
  FOREIGN KEY (client_id, module_id) REFERENCES placeholder ON DELETE CASCADE
);

-- Items that a campaign took from a feed. They count as sent unless the campaign failed or was stopped.
CREATE TABLE placeholder_feed_item (
  client_id bigint NOT NULL,
  module_id bigint NOT NULL,
  campagne_id bigint NOT NULL,
  item text NOT NULL,
  PRIMARY KEY (client_id, module_id, campagne_id, item),
  FOREIGN KEY (client_id, module_id) REFERENCES placeholder ON DELETE CASCADE,
  FOREIGN KEY (client_id, campagne_id) REFERENCES campaign ON DELETE CASCADE
);
CREATE INDEX placeholder_feed_item_campaign ON placeholder_feed_item (client_id, campagne_id);
