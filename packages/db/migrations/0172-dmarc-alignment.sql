-- The domain's DMARC record demands strict alignment for DKIM (adkim=s), as found by the last check.
ALTER TABLE domain ADD COLUMN dmarc_strict boolean NOT NULL DEFAULT false;
