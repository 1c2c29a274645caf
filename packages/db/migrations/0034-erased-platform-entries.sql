-- An address that was erased goes on being suppressed for the platform, as its SHA-256.
ALTER TABLE internal_blacklist_entry DROP CONSTRAINT internal_blacklist_entry_match_check;
ALTER TABLE internal_blacklist_entry ADD CONSTRAINT internal_blacklist_entry_match_check
  CHECK (match IN ('email', 'domain', 'sha256'));
