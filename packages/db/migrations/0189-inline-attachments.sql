-- Content-ID of an image that the HTML of the email shows, without angle brackets; null: an attachment.
ALTER TABLE transactional_attachment ADD COLUMN content_id text;
