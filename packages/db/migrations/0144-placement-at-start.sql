-- A placement check is sent when the campaign starts.
ALTER TABLE campaign ADD COLUMN check_placement boolean NOT NULL DEFAULT false;
