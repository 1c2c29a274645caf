-- Report groups can take campaigns by their categories.
ALTER TABLE reporting_group ADD COLUMN category_value_ids bigint[] NOT NULL DEFAULT '{}';
-- The same values by category: [[1, 2], [7]].
ALTER TABLE reporting_group ADD COLUMN category_value_sets jsonb NOT NULL DEFAULT '[]';
ALTER TABLE reporting_group ADD COLUMN started_from date;
ALTER TABLE reporting_group ADD COLUMN started_to date;
CREATE INDEX campaign_category_values ON campaign USING gin (category_value_ids) WHERE category_value_ids <> '{}';
