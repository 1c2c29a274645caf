import { zstdDecompressSync } from 'node:zlib'
import { type AgentKey, isAgentKey } from './agents.ts'
import type { MailStore } from './mail-store.ts'
import { isReactionKind, isServerMail, type PlannedReaction, type ReactionKind } from './plan-reactions.ts'
import { bytesOf, numberOf, textOf } from './sqlite-value.ts'

/** A due reaction. */
export interface DueReaction {
  id: number
  kind: ReactionKind
  agent: AgentKey
  storedId: number
  attempts: number
}

/** The message of a reaction. */
export interface ReactingMail {
  sender: string
  recipient: string
  receivedAt: Date
  raw: Buffer
}

/** An event, written before (status null) and completed afterwards. */
export interface ReactionEvent {
  kind: ReactionKind
  agent: AgentKey
  /** URL visited, or recipient of a message. */
  target: string
  /** HTTP status or SMTP code; 0 without a response, null while unknown. */
  status: number | null
  detail: string
}

export interface ReactionQueue {
  /**
   * Plans reactions for a stored message; call it inside the transaction that stores it. Beyond the limit they are
   * dropped: visits at half the queue, messages of servers at the full queue.
   */
  add: (storedId: number, planned: readonly PlannedReaction[]) => void
  /** Due reactions that are not running, oldest first. */
  takeDue: (limit: number) => DueReaction[]
  /** Removes a reaction. */
  remove: (reaction: DueReaction) => Promise<void>
  /** Postpones a reaction by milliseconds and counts the attempt. */
  postpone: (reaction: DueReaction, by: number) => Promise<void>
  /** Changes a reaction to another kind, due now. */
  change: (reaction: DueReaction, kind: ReactionKind) => Promise<void>
  /** The message of a reaction; null once it was evicted. */
  mailOf: (storedId: number) => ReactingMail | null
  /** Writes an event; resolves with its id. `done` removes the reaction in the same transaction. */
  record: (mail: ReactingMail, storedId: number, event: ReactionEvent, done?: DueReaction) => Promise<number>
  /** Completes an event that was written with status null. */
  complete: (eventId: number, status: number, detail: string) => Promise<void>
  /** Waiting reactions; removals by another process are noticed within seconds. */
  pending: () => number
  /** Dropped reactions since start, because the queue was full. */
  skipped: () => number
}

/**
 * Planned reactions to stored messages, kept in the store to bound the memory and to survive restarts. `delayFactor`
 * scales real seconds.
 */
export function createReactionQueue(
  store: MailStore,
  options: { maxPending: number; delayFactor: number; now: () => number },
): ReactionQueue {
  const { db } = store
  const insert = db.prepare('INSERT INTO reactions (due_at, kind, agent, stored_id) VALUES (?, ?, ?, ?)')
  const due = db.prepare(
    'SELECT id, kind, agent, stored_id, attempts FROM reactions WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
  )
  const count = db.prepare('SELECT count(*) AS n FROM reactions')
  const remove = db.prepare('DELETE FROM reactions WHERE id = ?')
  const postpone = db.prepare('UPDATE reactions SET due_at = ?, attempts = attempts + 1 WHERE id = ?')
  const change = db.prepare('UPDATE reactions SET due_at = ?, kind = ?, attempts = 0 WHERE id = ?')
  const mail = db.prepare(
    `SELECT sender, recipient, received_at, bytes
     FROM messages JOIN sources ON sources.id = messages.source_id
     WHERE messages.id = ?`,
  )
  const insertEvent = db.prepare(
    `INSERT INTO events (at, stored_id, sender, recipient, kind, agent, target, status, detail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const completeEvent = db.prepare('UPDATE events SET status = ?, detail = ? WHERE id = ?')
  const taken = new Set<number>()
  let pending = numberOf(count.get()?.n)
  let countedAt = options.now()
  let skipped = 0

  return {
    add(storedId, planned) {
      for (const { kind, agent, delay } of planned) {
        if (pending >= (isServerMail(kind) ? options.maxPending : options.maxPending / 2)) {
          skipped++
          continue
        }
        insert.run(Math.round(options.now() + delay * 1000 * options.delayFactor), kind, agent, storedId)
        pending++
      }
    },
    takeDue(limit) {
      const rows = due.all(options.now(), limit + taken.size)
      const reactions = rows
        .filter(row => !taken.has(numberOf(row.id)))
        .slice(0, limit)
        .flatMap(row => {
          const kind = textOf(row.kind)
          const agent = textOf(row.agent)
          if (!isReactionKind(kind) || !isAgentKey(agent)) return []
          const { id, stored_id, attempts } = row
          return [
            { id: numberOf(id), kind, agent, storedId: numberOf(stored_id), attempts: numberOf(attempts) },
          ]
        })
      for (const reaction of reactions) taken.add(reaction.id)
      if (reactions.length === 0) recount()
      return reactions
    },
    remove: reaction => release(reaction, () => forget(reaction.id)),
    postpone: (reaction, by) => release(reaction, () => void postpone.run(options.now() + by, reaction.id)),
    change: (reaction, kind) => release(reaction, () => void change.run(options.now(), kind, reaction.id)),
    mailOf(storedId) {
      const row = mail.get(storedId)
      if (!row) return null
      return {
        sender: textOf(row.sender),
        recipient: textOf(row.recipient),
        receivedAt: new Date(numberOf(row.received_at)),
        raw: zstdDecompressSync(bytesOf(row.bytes)),
      }
    },
    async record(reacting, storedId, event, done) {
      const { kind, agent, target, status, detail } = event
      const eventId = await store.run(() => {
        const { sender, recipient } = reacting
        const row = insertEvent.run(
          options.now(),
          storedId,
          sender,
          recipient,
          kind,
          agent,
          target,
          status,
          detail,
        )
        store.count(kind, '')
        if (done) forget(done.id)
        return Number(row.lastInsertRowid)
      })
      if (done) taken.delete(done.id)
      return eventId
    },
    complete: (eventId, status, detail) => store.run(() => void completeEvent.run(status, detail, eventId)),
    pending: () => pending,
    skipped: () => skipped,
  }

  /** The count drifts if a transaction fails or another process empties the mailboxes. */
  function recount(): void {
    if (Math.abs(options.now() - countedAt) < 5000) return
    pending = numberOf(count.get()?.n)
    countedAt = options.now()
  }

  function forget(id: number): void {
    pending -= Number(remove.run(id).changes)
  }

  async function release(reaction: DueReaction, work: () => void): Promise<void> {
    await store.run(work)
    taken.delete(reaction.id)
  }
}
