-- Rules over replies count in windows that slide: when each reply came that nothing has followed from yet, one row a rule
-- and object. It never has as many times in the rule's window as the rule asks for: then the rule acts, and the row goes.
CREATE TABLE scd_window (
  rule_id int NOT NULL REFERENCES scd_rule ON DELETE CASCADE,
  object text NOT NULL,
  times timestamptz[] NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (rule_id, object)
);
CREATE INDEX scd_window_expiry ON scd_window (expires_at);

-- scd_action has only what was done from now on; window_start is when the first of its replies came.
DELETE FROM scd_action WHERE acted_at IS NULL;
CREATE INDEX scd_action_object ON scd_action (object, action, acted_at DESC);
