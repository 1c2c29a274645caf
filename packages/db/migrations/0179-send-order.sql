-- Order in which the recipients of a campaign get their mail. Within their planned second, due_at ascends in that order.
ALTER TABLE campaign
  ADD COLUMN send_order text NOT NULL DEFAULT 'any' CHECK (send_order IN ('any', 'engaged', 'column')),
  ADD COLUMN order_column text,
  ADD COLUMN order_descending boolean NOT NULL DEFAULT true;
ALTER TABLE recurring
  ADD COLUMN send_order text NOT NULL DEFAULT 'any' CHECK (send_order IN ('any', 'engaged', 'column')),
  ADD COLUMN order_column text,
  ADD COLUMN order_descending boolean NOT NULL DEFAULT true;

-- The instant itself, or the end of the quiet hours it is in, by the clock of the zone. The fraction of the second, which
-- is the order of sending, is kept.
CREATE OR REPLACE FUNCTION after_quiet(at timestamptz, zone text, quiet_from time, quiet_to time) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
  wall timestamp;
  ends timestamp;
BEGIN
  IF quiet_from IS NULL OR quiet_from = quiet_to THEN RETURN at; END IF;
  wall := wall_clock(at, zone);
  IF quiet_from < quiet_to THEN
    IF wall::time < quiet_from OR wall::time >= quiet_to THEN RETURN at; END IF;
    ends := wall::date + quiet_to;
  ELSE
    IF wall::time < quiet_from AND wall::time >= quiet_to THEN RETURN at; END IF;
    ends := wall::date + quiet_to + CASE WHEN wall::time >= quiet_from THEN interval '1 day' ELSE interval '0' END;
  END IF;
  RETURN coalesce(from_wall_clock(ends, zone) + (at - date_trunc('second', at)), at);
END $$;
