-- The console's texts as superadmins have edited them, and texts that consoles asked for in vain.
-- Platform-wide: a reference table on Citus.

CREATE TABLE translation (
  language text PRIMARY KEY CHECK (language IN ('en', 'de', 'es')),
  label text NOT NULL,
  -- Flat, key → text. What equals the shipped text is not kept.
  edits jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(edits) = 'object'),
  -- Texts that are missing in this language are not collected: English stands in for them on purpose.
  optional boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by int,
  updated_by int,
  revision int NOT NULL DEFAULT 1
);

INSERT INTO translation (language, label) VALUES ('en', 'English'), ('de', 'Deutsch'), ('es', 'Español');

CREATE TABLE missing_text (
  language text NOT NULL REFERENCES translation,
  namespace text NOT NULL,
  key text NOT NULL,
  fallback text NOT NULL,
  -- Nobody was logged in where it was missed.
  is_anonymous boolean NOT NULL,
  seen int NOT NULL DEFAULT 1,
  first_seen timestamptz NOT NULL DEFAULT now(),
  last_seen timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (language, namespace, key)
);
