-- Each run sends a placement check at its start.
ALTER TABLE recurring ADD COLUMN check_placement boolean NOT NULL DEFAULT false;
