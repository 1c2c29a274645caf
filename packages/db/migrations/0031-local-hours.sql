-- Campaigns in local time: the zone of each recipient, and when mail of the campaign could last leave.
ALTER TABLE delivery ADD COLUMN zone text;
ALTER TABLE campaign ADD COLUMN followed_at timestamptz;

-- The instant itself, or the end of the quiet hours it is in, by the clock of the zone.
CREATE FUNCTION after_quiet(at timestamptz, zone text, quiet_from time, quiet_to time) RETURNS timestamptz
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
  RETURN coalesce(from_wall_clock(ends, zone), at);
END $$;

-- The same hour in the zone on the first day on which it is not over; half an hour late is still the hour that was meant.
CREATE FUNCTION next_local_hour(at timestamptz, zone text) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  wall timestamp := wall_clock(at, zone);
  days int := greatest(0, ceil(extract(epoch FROM wall_clock(now() - interval '30 minutes', zone) - wall) / 86400));
BEGIN
  IF days = 0 THEN RETURN at; END IF;
  RETURN coalesce(from_wall_clock(wall + make_interval(days => days), zone), at);
END $$;
