-- Browser windows that have a template open for editing. Windows report every few seconds; lost at a crash without harm.

CREATE UNLOGGED TABLE message_editor (
  client_id bigint NOT NULL,
  message_id bigint NOT NULL,
  window_id uuid NOT NULL,
  user_id bigint NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (client_id, message_id, window_id)
);
