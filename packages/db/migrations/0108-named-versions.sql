-- Named versions of messages are kept when old ones are deleted.

ALTER TABLE message_version ADD name text;
