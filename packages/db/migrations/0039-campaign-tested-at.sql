-- When a test of the campaign was last accepted everywhere. Null again as soon as what a test shows is changed
-- (campaign-operations.ts); a template changed later is told by its updated_at.
ALTER TABLE campaign ADD COLUMN tested_at timestamptz;
