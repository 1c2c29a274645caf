import { type FieldError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import type { Fields, Operations } from '../resource/operations.ts'

/** What is wrong with a relay; null when nothing is. */
export type JudgeRelay = (host: string, port: number) => Promise<'host' | 'port' | null>

/** The fields of a record that name a relay. */
export interface RelayFields {
  host: string
  port: string
  tls: string
  /** The port without TLS from the start, where none is named. */
  usualPort: number
}

export const mailclassRelay: RelayFields = {
  host: 'smtp_host',
  port: 'smtp_port',
  tls: 'smtp_tls',
  usualPort: 25,
}
export const loginRelay: RelayFields = { host: 'host', port: 'port', tls: 'tls', usualPort: 587 }

/**
 * Relays are public servers of mail, or those that the operator allowed: a client must not reach the services of this
 * machine or its network by sending mail to them.
 */
export function guardRelays(operations: Operations, fields: RelayFields, judge: JudgeRelay): Operations {
  async function assertRelay(before: Fields, after: Fields): Promise<void> {
    const { host, port, tls } = fields
    if ([host, port, tls].every(field => (before[field] ?? null) === (after[field] ?? null))) return
    const name = after[host]
    if (typeof name !== 'string' || name === '') return
    const usual = after[tls] === 'tls' ? 465 : fields.usualPort
    const fault = await judge(name, typeof after[port] === 'number' ? after[port] : usual)
    if (fault === 'host')
      throw invalid([
        { field: host, message: 'is not a public mail server; the operator can allow private relays' },
      ])
    if (fault === 'port')
      throw invalid([
        { field: port, message: 'is not a port of mail servers; the operator can allow relays with others' },
      ])
  }
  return guard(operations, (_tx, _actor, before, after) => assertRelay(before, after))
}

const allotted = ['send_ip', 'mta_headers', 'source_ips'] as const

/**
 * Addresses to send from, virtual MTAs and headers for the MTA are allotted by superadmins: others take only those that a
 * mail class of the client has already.
 */
export function guardAllotments(operations: Operations): Operations {
  return guard(operations, async (tx, actor, before, after) => {
    if (actor.superadmin) return
    const faults: FieldError[] = []
    for (const field of allotted) {
      const known = new Set(valuesOf(before[field]))
      const wanted = valuesOf(after[field]).filter(value => !known.has(value))
      if (wanted.length > 0 && !(await isAllotted(tx, after, field, wanted)))
        faults.push({ field, message: 'is not allotted to this client; a superadmin can do that' })
    }
    if (faults.length > 0) throw invalid(faults)
  })
}

async function isAllotted(
  tx: Db,
  { client_id, mailclass_id }: Fields,
  field: (typeof allotted)[number],
  wanted: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ value: unknown }>`
    select ${sql.ref(field)} as value from mailclass
    where client_id = ${client_id} and mailclass_id <> ${mailclass_id} and deleted_at is null`.execute(tx)
  const known = new Set(rows.flatMap(({ value }) => valuesOf(value)))
  return wanted.every(value => known.has(value))
}

/** The single values of a field, comparable. */
function valuesOf(value: unknown): string[] {
  if (value === null || value === undefined || value === '') return []
  return (Array.isArray(value) ? value : [value]).map(each =>
    typeof each === 'object' && each !== null
      ? JSON.stringify(Object.entries(each).toSorted(([a], [b]) => a.localeCompare(b)))
      : JSON.stringify(each),
  )
}

type Check = (tx: Db, actor: Actor, before: Fields, after: Fields) => Promise<void>

/** Looks at what a write made of a record before it is committed. */
function guard(operations: Operations, check: Check): Operations {
  return {
    ...operations,
    create(db, actor, clientId, input) {
      return transaction(db, async tx => {
        const created = await operations.create(tx, actor, clientId, input)
        await check(tx, actor, {}, created)
        return created
      })
    },
    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const before = await operations.find(tx, actor, scope, id)
        const after = await operations.patch(tx, actor, scope, id, input, options)
        await check(tx, actor, before, after)
        return after
      })
    },
  }
}
