import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { numberOf } from './sqlite-value.ts'

/** Thrown if the mail store cannot be used; the message says why and what to do. */
export class MailStoreError extends Error {
  override name = 'MailStoreError'
}

/**
 * Opens the store for writing, creating folder, file and tables as needed. WAL lets a second process read
 * concurrently; `synchronous = NORMAL` preserves every committed message when a process is killed (the pages are in
 * the OS cache by then), and may lose the last ones when the machine stops.
 * @throws MailStoreError if the file is damaged or of another version
 */
export function openMailStoreFile(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true })
  const path = mailStorePath(folder)
  try {
    const db = new DatabaseSync(path, { timeout: 5000 })
    db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    db.exec('PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -16384')
    prepareTables(db, path)
    return db
  } catch (error) {
    if (error instanceof MailStoreError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new MailStoreError(
      `The testbed cannot use its mail store ${path}: ${reason}. Move the file away to start with an empty one.`,
      { cause: error },
    )
  }
}

/** Opens the store for reading while the testbed writes it; null if it does not exist yet. */
export function openMailStoreReader(folder: string): DatabaseSync | null {
  const path = mailStorePath(folder)
  if (!existsSync(path)) return null
  const db = new DatabaseSync(path, { readOnly: true, timeout: 2000 })
  // The tables are created right after the file; until then there is nothing to read.
  if (readVersion(db) === SCHEMA_VERSION) return db
  db.close()
  return null
}

export function mailStorePath(folder: string): string {
  return join(folder, 'mail.sqlite')
}

function prepareTables(db: DatabaseSync, path: string): void {
  const version = readVersion(db)
  if (version === SCHEMA_VERSION) return
  if (version !== 0) {
    throw new MailStoreError(
      `The testbed's mail store ${path} was written by another version of EMMA. Move it away to start with an empty one.`,
    )
  }
  db.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`)
}

function readVersion(db: DatabaseSync): number {
  return numberOf(db.prepare('PRAGMA user_version').get()?.user_version)
}

const SCHEMA_VERSION = 1

/**
 * sources: messages as received, compressed, one row per message. messages: one row per mailbox. log: the reply to
 * every recipient of every SMTP transaction. reactions: planned ones. events: past ones. totals: counts of log and
 * events that outlive their rows.
 */
const SCHEMA = `
CREATE TABLE sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  stored INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source_id INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  mailbox TEXT NOT NULL,
  recipient TEXT NOT NULL,
  sender TEXT NOT NULL,
  subject TEXT NOT NULL,
  from_field TEXT NOT NULL,
  message_id TEXT NOT NULL,
  folder TEXT NOT NULL,
  size INTEGER NOT NULL,
  verified TEXT NOT NULL,
  verdict TEXT NOT NULL,
  faults TEXT NOT NULL
) STRICT;
CREATE INDEX messages_by_mailbox ON messages (mailbox, id, folder, received_at);
CREATE INDEX messages_by_source ON messages (source_id);

CREATE TABLE log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  provider TEXT NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  behaviour TEXT NOT NULL,
  outcome TEXT NOT NULL,
  code INTEGER NOT NULL,
  text TEXT NOT NULL,
  message_id TEXT NOT NULL,
  stored_id INTEGER
) STRICT;

CREATE TABLE reactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  due_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  agent TEXT NOT NULL,
  stored_id INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX reactions_by_due ON reactions (due_at);

CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  stored_id INTEGER NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  kind TEXT NOT NULL,
  agent TEXT NOT NULL,
  target TEXT NOT NULL,
  status INTEGER,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_message ON events (stored_id);

CREATE TABLE totals (
  kind TEXT NOT NULL,
  provider TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, provider)
) STRICT, WITHOUT ROWID;
`
