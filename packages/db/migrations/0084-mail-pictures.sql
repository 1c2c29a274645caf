-- Pictures of mails for galleries, lists and selects (R020, R127), drawn by a job. subject: `message/12` for a template,
-- `design/big-sale/en` for a design of the catalogue. stale_since: set while the mail differs from its picture.
-- requested counts requests: one that arrives while a picture is drawn is not lost. due_at: when to draw; null: nothing to do.
CREATE TABLE mail_picture (
  client_id bigint NOT NULL,
  subject text NOT NULL,
  requested int NOT NULL DEFAULT 1,
  stale_since timestamptz DEFAULT now(),
  due_at timestamptz DEFAULT now(),
  -- Since the last request.
  attempts int NOT NULL DEFAULT 0,
  html_hash bytea,
  public_name text,
  drawn_at timestamptz,
  PRIMARY KEY (client_id, subject)
);
CREATE INDEX mail_picture_due ON mail_picture (due_at) WHERE due_at IS NOT NULL;

-- Contents of pictures in the file storage, under random names. replaced_at: when the content ceased to be shown, or was
-- stored but not shown yet; it is removed an hour later.
CREATE TABLE mail_picture_content (
  client_id bigint NOT NULL,
  public_name text NOT NULL,
  replaced_at timestamptz DEFAULT now(),
  PRIMARY KEY (client_id, public_name)
);
CREATE INDEX mail_picture_content_replaced ON mail_picture_content (replaced_at) WHERE replaced_at IS NOT NULL;

INSERT INTO mail_picture (client_id, subject)
SELECT client_id, 'message/' || message_id FROM message WHERE deleted_at IS NULL;

-- Never set.
ALTER TABLE message DROP COLUMN screenshot;
