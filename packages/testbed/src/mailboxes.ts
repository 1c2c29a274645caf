import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import { mailStorePath, openMailStoreReader } from './mail-store-file.ts'
import {
  type EventRow,
  eventRow,
  type LogRow,
  logRow,
  type MailboxRow,
  mailboxRow,
  type Message,
  type MessageRow,
  messageRow,
  parseFaults,
  parseMail,
  parseVerdict,
  withholdSystemMail,
} from './mailbox-rows.ts'
import { bytesOf, numberOf, type SqliteRow, textOf } from './sqlite-value.ts'

export interface Page<T> {
  /** Rows of all pages. */
  total: number
  rows: T[]
}

/** Filter; `search` matches substrings, ignoring ASCII case. */
export interface ListOptions {
  search?: string
  /** At most 500; default 50. */
  limit?: number
  offset?: number
}

export interface Counts {
  /** Currently stored. */
  mailboxes: number
  messages: number
  pendingReactions: number
  /** Recipients of transactions since the store exists, by provider and outcome. */
  outcomes: { provider: string; outcome: string; count: number }[]
  /** Events since the store exists, by kind. */
  events: { kind: string; count: number }[]
}

export interface Mailboxes {
  /** Newest message first. */
  listMailboxes: (options?: ListOptions) => Page<MailboxRow>
  /** Newest first; `search` covers subject, From, recipient, sender and Message-ID. */
  listMessages: (options?: ListOptions & { mailbox?: string; folder?: string }) => Page<MessageRow>
  /** Null if there is no such message (any more). For system email, the header only. */
  getMessage: (id: number) => Promise<Message | null>
  /** The raw message; null if there is none. */
  getSource: (id: number) => Buffer | null
  /** Newest first; `total` counts only up to 10,000, `search` covers the newest 100,000 lines. */
  listLog: (options?: ListOptions & { outcome?: string }) => Page<LogRow>
  /** The whole log in order, for recounting; rows after `afterId`. */
  readLog: (afterId?: number) => Generator<LogRow>
  /** All events in order. */
  readEvents: (afterId?: number) => Generator<EventRow>
  counts: () => Counts
  /** Empties the mailboxes and cancels planned reactions; the log and the events stay. */
  clear: () => void
  close: () => void
}

/**
 * Opens the mail store of a testbed for reading, in this process or another one. Empty if no testbed has run in the
 * folder yet.
 */
export function openMailboxes(folder: string): Mailboxes {
  let db: DatabaseSync | null = null
  const all = (sql: string, ...values: SQLInputValue[]): SqliteRow[] => {
    db ??= openMailStoreReader(folder)
    return db ? db.prepare(sql).all(...values) : []
  }
  const one = (sql: string, ...values: SQLInputValue[]): SqliteRow | undefined => all(sql, ...values)[0]

  return {
    listMailboxes(options = {}) {
      const where = conditions({ "mailbox LIKE ? ESCAPE '\\'": likePattern(options.search) })
      const rows = all(
        `SELECT mailbox, count(*) AS messages, sum(folder = 'spam') AS spam, max(id) AS newest,
           max(received_at) AS last_received_at
         FROM messages ${where.sql} GROUP BY mailbox ORDER BY newest DESC LIMIT ? OFFSET ?`,
        ...where.values,
        ...pageOf(options),
      )
      const total = one(`SELECT count(DISTINCT mailbox) AS n FROM messages ${where.sql}`, ...where.values)
      return { total: numberOf(total?.n), rows: rows.map(mailboxRow) }
    },

    listMessages(options = {}) {
      const search = likePattern(options.search)
      const where = conditions({
        'mailbox = ?': options.mailbox?.toLowerCase() ?? null,
        'folder = ?': options.folder ?? null,
        [SEARCH_MESSAGE]: search,
      })
      const rows = all(
        `SELECT ${MESSAGE_COLUMNS} FROM messages ${where.sql} ORDER BY id DESC LIMIT ? OFFSET ?`,
        ...where.values,
        ...pageOf(options),
      )
      const total = one(`SELECT count(*) AS n FROM messages ${where.sql}`, ...where.values)
      return { total: numberOf(total?.n), rows: rows.map(messageRow) }
    },

    async getMessage(id) {
      const row = one(`SELECT ${MESSAGE_COLUMNS}, verdict, faults FROM messages WHERE id = ?`, id)
      const raw = readSource(id)
      if (!row || !raw) return null
      const events = all(`SELECT * FROM events WHERE stored_id = ? ORDER BY id`, id).map(eventRow)
      return withholdSystemMail({
        ...messageRow(row),
        verdict: parseVerdict(textOf(row.verdict)),
        faults: parseFaults(textOf(row.faults)),
        ...(await parseMail(raw)),
        is_withheld: false,
        source: raw.toString('utf8'),
        events,
      })
    },

    getSource: readSource,

    listLog(options = {}) {
      const where = conditions({
        'outcome = ?': options.outcome ?? null,
        [SEARCH_LOG]: likePattern(options.search),
      })
      const rows = all(
        `SELECT * FROM log ${where.sql} ORDER BY id DESC LIMIT ? OFFSET ?`,
        ...where.values,
        ...pageOf(options),
      )
      const total = one(
        `SELECT count(*) AS n FROM (SELECT 1 FROM log ${where.sql} LIMIT 10000)`,
        ...where.values,
      )
      return { total: numberOf(total?.n), rows: rows.map(logRow) }
    },

    readLog: (afterId = 0) => readAll('log', afterId, logRow),
    readEvents: (afterId = 0) => readAll('events', afterId, eventRow),

    counts() {
      const now = one(
        `SELECT (SELECT count(DISTINCT mailbox) FROM messages) AS mailboxes,
           (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM reactions) AS reactions`,
      )
      const totals = all('SELECT kind, provider, count FROM totals ORDER BY provider, kind')
      return {
        mailboxes: numberOf(now?.mailboxes),
        messages: numberOf(now?.messages),
        pendingReactions: numberOf(now?.reactions),
        outcomes: totals
          .filter(row => OUTCOMES.has(textOf(row.kind)))
          .map(row => ({
            provider: textOf(row.provider),
            outcome: textOf(row.kind),
            count: numberOf(row.count),
          })),
        events: totals
          .filter(row => !OUTCOMES.has(textOf(row.kind)))
          .map(row => ({ kind: textOf(row.kind), count: numberOf(row.count) })),
      }
    },

    clear() {
      const reader = openMailStoreReader(folder)
      if (!reader) return
      reader.close()
      const writer = new DatabaseSync(mailStorePath(folder), { timeout: 10_000 })
      writer.exec('BEGIN IMMEDIATE; DELETE FROM reactions; DELETE FROM messages; DELETE FROM sources; COMMIT')
      writer.close()
    },

    close() {
      db?.close()
      db = null
    },
  }

  function readSource(id: number): Buffer | null {
    const row = one(
      'SELECT bytes FROM messages JOIN sources ON sources.id = messages.source_id WHERE messages.id = ?',
      id,
    )
    return row ? zstdDecompressSync(bytesOf(row.bytes)) : null
  }

  function* readAll<T extends { id: number }>(
    table: 'log' | 'events',
    afterId: number,
    map: (row: SqliteRow) => T,
  ) {
    let last = afterId
    while (true) {
      const rows = all(`SELECT * FROM ${table} WHERE id > ? ORDER BY id LIMIT 1000`, last).map(map)
      if (rows.length === 0) return
      yield* rows
      last = rows.at(-1)?.id ?? last
    }
  }
}

const MESSAGE_COLUMNS =
  'id, mailbox, received_at, sender, recipient, subject, from_field, message_id, folder, size, verified'
const SEARCH_MESSAGE =
  "(subject || char(10) || from_field || char(10) || mailbox || char(10) || sender || char(10) || message_id) LIKE ? ESCAPE '\\'"
const SEARCH_LOG =
  "id > (SELECT max(id) FROM log) - 100000 AND (recipient || char(10) || sender || char(10) || text || char(10) || message_id || char(10) || provider) LIKE ? ESCAPE '\\'"
const OUTCOMES = new Set(['accepted', 'unanswered', 'deferred', 'refused', 'broken'])

/** Omits conditions whose value is null. */
function conditions(wanted: Record<string, string | null>): { sql: string; values: string[] } {
  const entries = Object.entries(wanted)
  const terms = entries.filter(([, value]) => value !== null).map(([term]) => term)
  return {
    sql: terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : '',
    values: entries.flatMap(([, value]) => (value === null ? [] : [value])),
  }
}

function likePattern(search: string | undefined): string | null {
  const text = search?.trim() ?? ''
  return text === '' ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

function pageOf(options: ListOptions): [number, number] {
  const limit = Math.min(Math.max(Math.trunc(options.limit ?? 50), 0), 500)
  return [limit, Math.max(Math.trunc(options.offset ?? 0), 0)]
}
