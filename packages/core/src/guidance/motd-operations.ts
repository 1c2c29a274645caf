import { fieldError, EmmaError, type FieldError, invalid } from '@emma/contract/errors.ts'
import type { Patch, Row } from '@emma/contract/resource-schemas.ts'
import { motd } from '@emma/contract/resources/motd.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, canAccessClient } from '../resource/actor.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

type Motd = Row<typeof motd>

const inState: Record<string, RawBuilder<unknown>> = {
  planned: sql`r.startdate > now()`,
  active: sql`(r.startdate <= now() and (r.enddate is null or r.enddate > now()))`,
  ended: sql`r.enddate <= now()`,
}

const standard = resourceOperations(motd, {
  table: 'motd',
  computed: ['state'],
  toRecord: row => ({ state: stateOf(row) }),
  special: {
    state: values =>
      sql`(${sql.join(
        values.map(value => inState[String(value)] ?? sql`false`),
        sql` or `,
      )})`,
    /** Messages for these clients only. */
    within: values => sql`(r.clients <@ ${values}::bigint[] and r.clients <> '{}')`,
  },
})

/**
 * CRUD operations of messages of the day. Superadmins write to everybody; other users see and write messages for their
 * own clients only. Every change notifies the consoles concerned (socket type MOTD).
 */
export const motdOperations: Operations<typeof motd> = {
  ...standard,
  list(db, actor, scope, query) {
    if (actor.clientIds === 'all') return standard.list(db, actor, scope, query)
    const filters = { ...query.filters, within: [...actor.clientIds] }
    return standard.list(db, actor, scope, { ...query, filters })
  },
  async find(db, actor, scope, id) {
    const record = await standard.find(db, actor, scope, id)
    if (!isOwn(actor, record)) throw new EmmaError('not_found')
    return record
  },
  create(db, actor, clientId, input) {
    return transaction(db, async tx => {
      await assertSound(tx, actor, input)
      const made = await standard.create(tx, actor, clientId, input)
      await tell(tx, made)
      return made
    })
  },
  patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      const before = await motdOperations.find(tx, actor, scope, id)
      const blank = options.whole ? { clients: [], roles: [], show_at_login: false } : before
      await assertSound(tx, actor, { ...blank, ...input })
      const after = await standard.patch(tx, actor, scope, id, input, options)
      await tell(tx, before)
      await tell(tx, after)
      return after
    })
  },
  async remove(db, actor, scope, id, options) {
    await transaction(db, async tx => {
      const before = await motdOperations.find(tx, actor, scope, id)
      await standard.remove(tx, actor, scope, id, options)
      await tell(tx, before)
    })
  },
  async removal(db, actor, scope, id) {
    await motdOperations.find(db, actor, scope, id)
    return standard.removal(db, actor, scope, id)
  },
  async restore(db, actor, scope, id) {
    await transaction(db, async tx => {
      await standard.restore(tx, actor, scope, id)
      await tell(tx, await standard.find(tx, actor, scope, id))
    })
  },
}

function stateOf({ startdate, enddate }: Pick<Motd, 'startdate' | 'enddate'>): Motd['state'] {
  const now = Date.now()
  if (Date.parse(startdate) > now) return 'planned'
  return enddate !== null && Date.parse(enddate) <= now ? 'ended' : 'active'
}

function isOwn(actor: Actor, { clients }: Motd): boolean {
  if (actor.clientIds === 'all') return true
  return clients.length > 0 && clients.every(client => canAccessClient(actor, client))
}

/**
 * Checks that fields are consistent (R282: a type or a modal size), and that the actor may address these clients and
 * roles.
 */
async function assertSound(db: Db, actor: Actor, fields: Patch<typeof motd>): Promise<void> {
  const { startdate, enddate, clients = [], roles = [] } = fields
  const faults: FieldError[] = []
  if (!fields.type && !fields.modal_size) faults.push(fieldError('type', 'field.type_or_size'))
  if (startdate && enddate && Date.parse(enddate) <= Date.parse(startdate))
    faults.push(fieldError('enddate', 'field.after_start'))
  if (fields.show_at_login && clients.length + roles.length > 0)
    faults.push(fieldError('show_at_login', 'field.login_for_all'))
  if (actor.clientIds !== 'all' && clients.length === 0)
    faults.push(fieldError('clients', 'field.own_clients'))
  if (
    !clients.every(client => canAccessClient(actor, client)) ||
    !(await areThere(db, 'client', 'client_id', clients))
  )
    faults.push(fieldError('clients', 'field.not_there'))
  if (!(await areThere(db, 'role', 'id', roles))) faults.push(fieldError('roles', 'field.not_there'))
  if (faults.length > 0) throw invalid(faults)
}

async function areThere(db: Db, table: string, key: string, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0) return true
  const { rows } = await sql<{ known: number }>`
    select count(*)::int as known from ${sql.table(table)}
    where ${sql.ref(key)} = any(${ids}::bigint[]) and deleted_at is null`.execute(db)
  return rows[0]?.known === new Set(ids).size
}

/** Notifies the consoles of its clients, or all, to reload their messages. */
async function tell(db: Db, { id, clients }: Motd): Promise<void> {
  for (const client_id of clients.length > 0 ? clients : [null])
    await publish(db, { client_id, type: 'MOTD', data: { id } })
}
