import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client, type Notification } from 'pg'
import type { Db } from './connection.ts'

/** Live news for the consoles of a client (null: of every client): of one of its users, of those who hold a right. */
export type Push = {
  client_id: number | null
  user_id?: number
  permission?: string
  type: string
  data: unknown
}

export type Subscription = { stop(): Promise<void> }

export type SubscribeOptions = {
  /** Called when the connection breaks: from now on nothing is heard. */
  onBreak?: () => void
  /** Called when the connection is back after a break: pushes in between were lost, so ask for the state anew. */
  onGap?: () => void
  /** Called with each failure of the connection. */
  onError?: (error: unknown) => void
}

const CHANNEL = 'emma'

/** A payload is refused from 8,000 bytes on; longer pushes go out in parts. */
const PART = 7_900

/**
 * Sends a push to every subscriber on every machine. Inside a transaction it goes out when that commits, and not at
 * all when it is rolled back.
 */
export async function publish(db: Db, push: Push): Promise<void> {
  const payloads = toPayloads(push)
  await sql`
    select pg_notify(${CHANNEL}, payload)
    from unnest(${payloads}::text[]) with ordinality as part (payload, position)
    order by position`.execute(db)
}

/**
 * Hears all pushes on a connection of its own, which it opens again whenever it breaks. Resolves once it listens.
 *
 * @throws the connection's error when the first attempt fails
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
      // A reconnect that was under way just now has opened another one.
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
  // Breaks are seen by the 'end' event; an 'error' that nobody hears would end the process.
  client.on('error', () => {})
  client.on('notification', ({ payload }: Notification) => onPayload(payload ?? ''))
  await client.connect()
  await client.query(`listen ${CHANNEL}`)
  return client
}

function ended(client: Client): Promise<void> {
  return new Promise(settle => client.once('end', settle))
}

/** One payload of plain ASCII JSON, or numbered parts `#id:position:count:text` of it. */
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

/** A character is a byte then, and a part never ends inside of one. */
function toAscii(json: string): string {
  return json.replaceAll(/[^\0-~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Puts parts together again. They come in order and in one piece, as they were sent in one statement. */
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
