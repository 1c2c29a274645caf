-- What there is to know about a mailbox provider: its postmaster pages, who to write to.
ALTER TABLE provider ADD COLUMN description text;
