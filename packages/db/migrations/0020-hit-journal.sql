-- How far each file of opens and clicks is in the event log. Moves in the transaction that appends the events, so a hit is
-- stored once, whatever is killed when. A row goes with its file.
CREATE TABLE hit_journal (
  file text PRIMARY KEY,
  position bigint NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
