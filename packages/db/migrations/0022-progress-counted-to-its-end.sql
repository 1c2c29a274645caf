-- Whether progress_cur may still change: from the moment a campaign runs until it was counted once more with nothing of it
-- on its way (5-record/report-progress.ts). Whoever lets it run says so by that, and cannot forget it.
ALTER TABLE campaign ADD COLUMN progress_open boolean NOT NULL DEFAULT false;
CREATE INDEX campaign_progress_open ON campaign (client_id, campagne_id) WHERE progress_open;

CREATE FUNCTION open_progress() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.progress_open := true;
  RETURN NEW;
END $$;
CREATE TRIGGER open_progress BEFORE INSERT OR UPDATE OF valid ON campaign
  FOR EACH ROW WHEN (NEW.valid = 2) EXECUTE FUNCTION open_progress();

-- Running, paused, failed, held.
UPDATE campaign SET progress_open = true WHERE valid IN (2, 5, 6, 7) AND expanded_at IS NOT NULL;
