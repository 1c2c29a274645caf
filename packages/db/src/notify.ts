import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client, type Notification } from 'pg'
import type { Db } from './connection.ts'

/**
 * A live event for the consoles of a client (null: all clients), optionally for one user, or for users with a
 * permission.
 */
export type Push = {
  client_id: number | null
  user_id?: number
  permission?: string
  type: string
  data: unknown
}

export type Subscription = { stop(): Promise<void> }

export type SubscribeOptions = {
  /** Called when the connection breaks: pushes are lost from now on. */
  onBreak?: () => void
  /** Called when the connection is restored: pushes in between were lost, so reload the state. */
  onGap?: () => void
  /** Called with each error of the connection. */
  onError?: (error: unknown) => void
}

const CHANNEL = 'emma'

/** Payloads are limited to 8,000 bytes; longer pushes are sent in parts. */
const PART = 7_900

/**
 * Sends a push to every subscriber on every machine: when the transaction commits, and not at all if it is rolled
 * back.
 */
export async function publish(db: Db, push: Push): Promise<void> {
  const payloads = toPayloads(push)
  await sql`
    select pg_notify(${CHANNEL}, payload)
    from unnest(${payloads}::text[]) with ordinality as part (payload, position)
    order by position`.execute(db)
}

/**
 * Receives all pushes on its own connection, which it reopens when it breaks. Resolves once it listens.
 * @throws the connection's error if the first attempt fails
 */
export async function subscribe(
  url: string,
  handler: (push: Push) => void,
  { onBreak = () => {}, onGap = () => {}, onError = () => {} }: SubscribeOptions = {},
): Promise<Subscription> {
  const stopped = new AbortController()
  let client = await listen(url, receiver(handler))
  const watched = watch()

  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      await ended(client)
      onBreak()
      for (let wait = 100; !stopped.signal.aborted; wait = Math.min(5_000, wait * 2)) {
        try {
          client = await listen(url, receiver(handler))
          onGap()
          break
        } catch (error) {
          onError(error)
          await sleep(wait, undefined, { signal: stopped.signal }).catch(() => {})
        }
      }
    }
  }

  return {
    async stop() {
      stopped.abort()
      await client.end()
      await watched
      // A concurrent reconnect has opened another one.
      await client.end()
    },
  }
}

async function listen(url: string, onPayload: (payload: string) => void): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: 'emma push',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  })
  // Breaks are detected by the 'end' event; an 'error' without listener would end the process.
  client.on('error', () => {})
  client.on('notification', ({ payload }: Notification) => onPayload(payload ?? ''))
  await client.connect()
  await client.query(`listen ${CHANNEL}`)
  return client
}

function ended(client: Client): Promise<void> {
  return new Promise(settle => client.once('end', settle))
}

/** One payload of ASCII JSON, or numbered parts `#id:position:count:text`. */
function toPayloads(push: Push): string[] {
  const json = toAscii(JSON.stringify(push))
  if (json.length <= PART) return [json]
  const id = randomBytes(6).toString('hex')
  const count = Math.ceil(json.length / PART)
  return Array.from(
    { length: count },
    (_, position) => `#${id}:${position}:${count}:${json.slice(position * PART, (position + 1) * PART)}`,
  )
}

/** A character is a byte then, and no part ends inside one. */
function toAscii(json: string): string {
  return json.replaceAll(/[^\0-~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Joins parts. They arrive in order and without gaps, as they were sent in one statement. */
function receiver(handler: (push: Push) => void): (payload: string) => void {
  const unfinished = new Map<string, string>()
  return payload => {
    const part = /^#(\w+):(\d+):(\d+):/.exec(payload)
    if (!part) return handler(JSON.parse(payload))
    const [head, id = '', position, count] = part
    const text = (unfinished.get(id) ?? '') + payload.slice(head.length)
    unfinished.set(id, text)
    if (Number(position) + 1 < Number(count)) return
    unfinished.delete(id)
    handler(JSON.parse(text))
  }
}
