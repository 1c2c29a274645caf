-- Rows of campaigns that failed, were archived or deleted are never sent: they must count for no frequency cap.
UPDATE delivery d SET state = 'cancelled', recorded_at = now()
FROM campaign c
WHERE c.client_id = d.client_id AND c.campagne_id = d.campagne_id AND d.state IN ('pending', 'deferred')
  AND (c.valid IN (6, 9) OR c.deleted_at IS NOT NULL);
UPDATE campaign SET finished_at = updated_at
WHERE finished_at IS NULL AND expanded_at IS NOT NULL AND (valid IN (3, 6, 8, 9) OR deleted_at IS NOT NULL);
