-- A campaign that broke off after its recipients had been written to the ledger is held, not failed: it can go on.
UPDATE campaign SET valid = 7 WHERE valid = 6 AND expanded_at IS NOT NULL AND deleted_at IS NULL;
