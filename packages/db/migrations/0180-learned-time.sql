-- Learned send time: when members open and click, and who got a campaign at which time.

-- Human opens and clicks of a member by hour of the day in its time zone, at most one per hour. Old ones count less:
-- half after 90 days.
CREATE FUNCTION best_hour(weights real[]) RETURNS smallint LANGUAGE sql IMMUTABLE STRICT AS $$
  -- The hours before and after count half, so that 8:58 and 9:02 belong together.
  SELECT hour::smallint FROM generate_series(0, 23) AS hour
  ORDER BY 2 * weights[hour + 1] + weights[(hour + 23) % 24 + 1] + weights[(hour + 1) % 24 + 1] DESC,
    weights[hour + 1] DESC, hour
  LIMIT 1
$$;
CREATE FUNCTION sum_of(weights real[]) RETURNS real LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT sum(weight)::real FROM unnest(weights) AS weight
$$;
CREATE TABLE member_hours (
  client_id bigint NOT NULL,
  member_table_id bigint NOT NULL,
  member_id bigint NOT NULL,
  -- By hour, from midnight on; as of learned_at.
  weights real[] NOT NULL CHECK (cardinality(weights) = 24),
  observations real NOT NULL GENERATED ALWAYS AS (sum_of(weights)) STORED,
  best_hour smallint NOT NULL GENERATED ALWAYS AS (best_hour(weights)) STORED,
  -- The last hour that was counted, by the clock of the member's time zone.
  last_hour timestamp NOT NULL,
  learned_at timestamptz NOT NULL,
  PRIMARY KEY (client_id, member_table_id, member_id),
  FOREIGN KEY (client_id, member_table_id) REFERENCES member_table ON DELETE CASCADE
);
CREATE INDEX member_hours_learned ON member_hours (learned_at);

-- Opens and clicks to be learned from: the newest ones, to a quarter of an hour.
ALTER TABLE member_pending_state ADD COLUMN hits timestamptz[];

-- The next time that the clock of the zone shows the full hour, at most 24 hours later.
CREATE FUNCTION next_full_hour(at timestamptz, hour int, zone text) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  wall timestamp := wall_clock(at, zone);
  day timestamp := wall::date + make_interval(hours => hour);
BEGIN
  IF day < wall THEN day := day + interval '1 day'; END IF;
  RETURN greatest(at, least(coalesce(from_wall_clock(day, zone), at), at + interval '24 hours'));
END $$;

ALTER TABLE campaign ADD COLUMN learned_time jsonb;
ALTER TABLE recurring ADD COLUMN learned_time jsonb;

-- control: at the campaign's own time; explore: at a random hour; focus: at the member's best hour. `known` had enough
-- observations; focus always has.
CREATE TYPE time_group AS ENUM ('control', 'control_known', 'explore', 'explore_known', 'focus');
ALTER TABLE delivery ADD COLUMN time_group time_group;
