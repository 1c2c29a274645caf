import type { Resource } from '@emma/contract/define-resource.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import type { espLogin } from '@emma/contract/resources/esp-login.ts'
import type { mailclass } from '@emma/contract/resources/mailclass.ts'
import { fieldError, type FieldError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import type { Operations } from '../resource/operations.ts'

/** Which field makes a relay unacceptable; null when it is acceptable. */
export type JudgeRelay = (host: string, port: number) => Promise<'host' | 'port' | null>

/** Fields of a record that name its relay. */
export interface RelayFields<Record> {
  of(record: Record): Relay
  host: string
  port: string
  /** Default port for relays without implicit TLS. */
  usualPort: number
}

interface Relay {
  host: string | null
  port: number | null
  tls: 'none' | 'starttls' | 'tls'
}

export const mailclassRelay: RelayFields<Row<typeof mailclass>> = {
  of: ({ smtp_host: host, smtp_port: port, smtp_tls: tls }) => ({ host, port, tls }),
  host: 'smtp_host',
  port: 'smtp_port',
  usualPort: 25,
}
export const loginRelay: RelayFields<Row<typeof espLogin>> = {
  of: ({ host, port, tls }) => ({ host, port, tls }),
  host: 'host',
  port: 'port',
  usualPort: 587,
}

/**
 * Accepts only public mail servers and relays that the operator allowed: a client must not reach services of this
 * machine or its network by sending mail to them.
 */
export function guardRelays<R extends Resource>(
  operations: Operations<R>,
  fields: RelayFields<Row<R>>,
  judge: JudgeRelay,
): Operations<R> {
  return guard(operations, async (_tx, _actor, before, after) => {
    const { host, port, tls } = fields.of(after)
    const former = before && fields.of(before)
    if (!host || (former && former.host === host && former.port === port && former.tls === tls)) return
    const fault = await judge(host, port ?? (tls === 'tls' ? 465 : fields.usualPort))
    if (fault === 'host') throw invalid([fieldError(fields.host, 'field.relay_host')])
    if (fault === 'port') throw invalid([fieldError(fields.port, 'field.relay_port')])
  })
}

const allotted = ['send_ip', 'mta_headers', 'source_ips'] as const

/**
 * Only superadmins assign source addresses, virtual MTAs and MTA headers; other users may only use values that a mail
 * class of the client has already.
 */
export function guardAllotments(operations: Operations<typeof mailclass>): Operations<typeof mailclass> {
  return guard(operations, async (tx, actor, before, after) => {
    if (actor.superadmin) return
    const faults: FieldError[] = []
    for (const field of allotted) {
      const known = new Set(valuesOf(before?.[field]))
      const wanted = valuesOf(after[field]).filter(value => !known.has(value))
      if (wanted.length > 0 && !(await isAllotted(tx, after, field, wanted)))
        faults.push(fieldError(field, 'field.not_allotted'))
    }
    if (faults.length > 0) throw invalid(faults)
  })
}

async function isAllotted(
  tx: Db,
  { client_id, mailclass_id }: Row<typeof mailclass>,
  field: (typeof allotted)[number],
  wanted: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ value: unknown }>`
    select ${sql.ref(field)} as value from mailclass
    where client_id = ${client_id} and mailclass_id <> ${mailclass_id} and deleted_at is null`.execute(tx)
  const known = new Set(rows.flatMap(({ value }) => valuesOf(value)))
  return wanted.every(value => known.has(value))
}

/** Single values of a field in a comparable form. */
function valuesOf(value: unknown): string[] {
  if (value === null || value === undefined || value === '') return []
  return (Array.isArray(value) ? value : [value]).map(each =>
    typeof each === 'object' && each !== null
      ? JSON.stringify(Object.entries(each).toSorted(([a], [b]) => a.localeCompare(b)))
      : JSON.stringify(each),
  )
}

/** Checks the written record before the transaction commits; `before` is null for a new one. */
function guard<R extends Resource>(
  operations: Operations<R>,
  check: (tx: Db, actor: Actor, before: Row<R> | null, after: Row<R>) => Promise<void>,
): Operations<R> {
  return {
    ...operations,
    create(db, actor, clientId, input) {
      return transaction(db, async tx => {
        const created = await operations.create(tx, actor, clientId, input)
        await check(tx, actor, null, created)
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
