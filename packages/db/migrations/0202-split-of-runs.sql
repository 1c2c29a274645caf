-- Each run is an A/B test of its own, with the same variants.
ALTER TABLE recurring ADD COLUMN split jsonb;
