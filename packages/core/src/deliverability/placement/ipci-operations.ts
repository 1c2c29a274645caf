import { randomBytes } from 'node:crypto'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import { placements } from '@emma/contract/placements.ts'
import type { Patch, Row } from '@emma/contract/resource-schemas.ts'
import { ipci } from '@emma/contract/resources/ipci.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Operations } from '../../resource/operations.ts'
import { resourceOperations } from '../../resource/resource-operations.ts'

type Ipci = Row<typeof ipci>

const figures = [
  'nb_inbox',
  'nb_promotions',
  'nb_spam',
  'nb_other',
  'nb_missing',
  'nb_waiting',
] as const satisfies readonly (keyof Ipci)[]
type Figures = Pick<Ipci, (typeof figures)[number]>

const standard = resourceOperations(ipci, {
  table: 'ipci',
  added: figures,
  json: ['error'],
  refersTo: {
    campagne_id: { table: 'campaign', key: 'campagne_id' },
    message_id: { table: 'message', key: 'message_id' },
    domain_id: { table: 'domain', key: 'domain_id' },
    mailclass_id: { table: 'mailclass', key: 'mailclass_id' },
    login_ids: { table: 'imap_login', key: 'login_id' },
  },
})

/** Fields that are fixed once a check is created, as it is sent then. */
const fixed = [
  'campagne_id',
  'message_id',
  'domain_id',
  'mailclass_id',
  'login_ids',
] as const satisfies readonly (keyof Patch<typeof ipci>)[]

/**
 * CRUD operations of placement checks (R222). A new one has one awaited mail a mailbox; the jobs send them, search the
 * mailboxes and count.
 */
export const ipciOperations: Operations<typeof ipci> = {
  ...standard,
  async list(db, actor, scope, query) {
    const page = await standard.list(db, actor, scope, query)
    return { ...page, data: await withFigures(db, page.data) }
  },
  async find(db, actor, scope, id) {
    return withFiguresOf(db, await standard.find(db, actor, scope, id))
  },
  create(db, actor, clientId, input) {
    return transaction(db, async tx => {
      const logins = { login_ids: [...new Set(input.login_ids)] }
      const columns = { token: randomBytes(16).toString('hex'), valid: campaignState.scheduled }
      const created = await standard.create(tx, actor, clientId, { ...input, ...logins }, columns)
      const { client_id, ipci_id } = created
      await sql`
        insert into ipci_result (client_id, ipci_id, login_id, provider, email)
        select l.client_id, ${ipci_id}::bigint, l.login_id, s.provider, l.email
        from imap_login as l
        join imap_setting as s on s.client_id = l.client_id and s.setting_id = l.setting_id
        where l.client_id = ${client_id} and l.login_id = any(${logins.login_ids}::bigint[])`.execute(tx)
      return withFiguresOf(tx, created)
    })
  },
  async patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      const before = await standard.find(tx, actor, scope, id)
      const changed = fixed.filter(
        field => input[field] !== undefined && JSON.stringify(input[field]) !== JSON.stringify(before[field]),
      )
      if (changed.length > 0) throw invalid(changed.map(field => fieldError(field, 'field.fixed')))
      return withFiguresOf(tx, await standard.patch(tx, actor, scope, id, input, options))
    })
  },
}

type Stored = Omit<Ipci, (typeof figures)[number]>

async function withFiguresOf(db: Db, record: Stored): Promise<Ipci> {
  const [found] = await withFigures(db, [record])
  if (!found) throw new Error('A record has figures.')
  return found
}

async function withFigures(db: Db, records: readonly Stored[]): Promise<Ipci[]> {
  const counts = placements.map(
    placement => sql`count(*) filter (where placement = ${placement})::int as ${sql.ref(`nb_${placement}`)}`,
  )
  const { rows } = await sql<Figures & { client_id: number; ipci_id: number }>`
    select client_id, ipci_id, ${sql.join(counts)}, count(*) filter (where placement is null)::int as nb_waiting
    from ipci_result
    where client_id = any(${[...new Set(records.map(each => each.client_id))]}::bigint[])
      and ipci_id = any(${records.map(each => each.ipci_id)}::bigint[])
    group by client_id, ipci_id`.execute(db)
  const counted = new Map(rows.map(row => [row.ipci_id, row]))
  return records.map(record => {
    const found = counted.get(record.ipci_id)
    const of = Object.fromEntries(figures.map(name => [name, found?.[name] ?? 0])) as Figures
    return { ...record, ...of }
  })
}
