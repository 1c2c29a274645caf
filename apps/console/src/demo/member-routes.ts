import {
  confirmMember,
  createMember,
  deleteMember,
  findMember,
  listMembers,
  memberActivity,
  patchMember,
  resubscribeMember,
  unsubscribeMember,
} from '@emma/contract/actions/audience.ts'
import { checkAddress } from '@emma/contract/actions/address-check.ts'
import { columnFilters } from '@emma/contract/column-filters.ts'
import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { member } from '@emma/contract/resources/member.ts'
import { type DemoState, type DemoRoute, type Fields, onAction, pageOf } from './demo-call.ts'
import type { DemoBlacklist, DemoDatasource, DemoReport, DemoSubscriber } from './demo-records.ts'
import { narrowRows, type SpecialFilters } from './narrow-rows.ts'
import { common, firstKey } from './seed/seeding.ts'
import { fault } from '@emma/contract/faults.ts'

/** Routes of the subscribers of one datasource. Their columns differ per datasource, so `recordRoutes` does not fit. */
export const memberRoutes: readonly DemoRoute[] = [
  {
    method: listMembers.method,
    path: listMembers.paths[0],
    async answer({ params, query }, { tables }) {
      const table = Number(params['member_table_id'])
      const rows = await tables<Fields>('subscriber').all()
      const own = rows.filter(row => row['member_table_id'] === table)
      const source = await tables<DemoDatasource>('datasource').get(table)
      const filters = { ...member.filters, ...columnFilters(source?.emmamembertableschema ?? []) }
      const sort = [...member.sort, ...columnsOf(own)]
      return narrowRows({ ...member, sort, filters }, own, query, memberFilters)
    },
  },
  ...onAction(findMember, ({ params }, state) => findSubscriber(params.member_id, state)),
  ...onAction(createMember, async ({ params, body }, state) => {
    const { email } = body
    if (typeof email !== 'string' || !email.includes('@')) throw invalid([fieldError('email', 'field.email')])
    const rows = await state.tables<DemoSubscriber>('subscriber').all()
    if (rows.some(row => row.email === email.toLowerCase() && row.member_table_id === params.member_table_id))
      throw new EmmaError(
        'unique_violation',
        fault('refusal.duplicate_key', { key: 'email', value: email.toLowerCase() }),
      )
    const now = state.now()
    const made = {
      ...common(now, state.person.id),
      ...blankMember,
      datejoin: now.toISOString(),
      ...withoutFixed(body),
      email: email.toLowerCase(),
      member_table_id: params.member_table_id,
      member_id: Math.max(firstKey, ...rows.map(({ member_id }) => member_id)) + 1,
    }
    await countIn(params.member_table_id, 1, state)
    return keepSubscriber(made, state)
  }),
  ...onAction(patchMember, async ({ params, body }, state, { revision }) => {
    const before = await findSubscriber(params.member_id, state)
    if (revision !== null && revision !== before.revision) throw new EmmaError('faulty_revision')
    return changeSubscriber(before, withoutFixed(body), state)
  }),
  ...onAction(deleteMember, async ({ params }, state) => {
    await findSubscriber(params.member_id, state)
    await state.tables('subscriber').remove(params.member_id)
    await countIn(params.member_table_id, -1, state)
    return null
  }),
  ...onAction(memberActivity, async ({ params, query }, state) => {
    const found = await findSubscriber(params.member_id, state)
    return pageOf(await activityOf(found, state), query.limit, query.offset)
  }),
  ...onAction(checkAddress, async ({ query }, { tables }) => {
    const address = query.email.toLowerCase()
    const people = (await tables<DemoSubscriber>('subscriber').all()).filter(
      row => row.email.toLowerCase() === address,
    )
    const sources = await tables<DemoDatasource>('datasource').all()
    const lists = await tables<DemoBlacklist>('blacklist').all()
    return {
      email: query.email,
      members: people.map(row => ({
        ...row,
        datasource: sources.find(each => each.member_table_id === row.member_table_id)?.name ?? '',
        reason: reasonOf(row),
      })),
      entries: lists.flatMap(({ blacklist_id, kind, name, match, entries }) =>
        entries
          .filter(({ value }) => value === address || address.endsWith(`@${value}`))
          .map(entry => ({ ...entry, blacklist_id, kind, name, match, added_by: null, in_force: true })),
      ),
      paused_until: null,
      frequency: 'all' as const,
      mails: [],
    }
  }),
  ...onAction(unsubscribeMember, async ({ params }, state) =>
    changeSubscriber(
      await findSubscriber(params.member_id, state),
      { active: false, dateunjoin: state.now().toISOString() },
      state,
    ),
  ),
  ...onAction(confirmMember, async ({ params }, state) => {
    const { doi_state } = await findSubscriber(params.member_id, state)
    return { outcome: doi_state === 'confirmed' ? ('confirmed' as const) : ('requested' as const) }
  }),
  ...onAction(resubscribeMember, async ({ params }, state) =>
    changeSubscriber(
      await findSubscriber(params.member_id, state),
      { active: true, dateunjoin: null },
      state,
    ),
  ),
]

const memberFilters: SpecialFilters = {
  email: (row, values) => values.some(part => textOf(row['email']).includes(textOf(part))),
  include_unsubscribed: (row, [wanted]) => wanted === true || row['dateunjoin'] === null,
  onlyactive: (row, [wanted]) => wanted !== true || row['active'] === true,
}

const blankMember = {
  email_hash: '',
  active: true,
  dateunjoin: null,
  source: null,
  doi_state: 'none',
  doi_at: null,
  doi_ip: null,
  hardbounced_at: null,
  softbounce_count: 0,
  complained_at: null,
  last_sent_at: null,
  last_opened_at: null,
  last_clicked_at: null,
  open_rate: 0,
  click_rate: 0,
}

/** Columns that a list can be sorted by. */
function columnsOf([first = {}]: readonly Fields[]): string[] {
  return Object.keys(first)
}

function reasonOf({ dateunjoin, hardbounced_at, complained_at, active }: DemoSubscriber) {
  if (dateunjoin !== null) return 'unsubscribed' as const
  if (hardbounced_at !== null) return 'hardbounce' as const
  if (complained_at !== null) return 'complaint' as const
  return active ? null : ('doi_missing' as const)
}

async function findSubscriber(id: number, { tables }: DemoState): Promise<DemoSubscriber> {
  const found = await tables<DemoSubscriber>('subscriber').get(id)
  if (!found) throw new EmmaError('not_found')
  return found
}

function changeSubscriber(before: DemoSubscriber, change: Fields, state: DemoState) {
  const after = { ...before, ...change, revision: before.revision + 1, updated_at: state.now().toISOString() }
  return keepSubscriber(after, state)
}

async function keepSubscriber<Row extends { member_id: number }>(
  row: Row,
  { tables }: DemoState,
): Promise<Row> {
  await tables<Row>('subscriber').put(row.member_id, row)
  return row
}

/** Events derived from the subscriber's fields; sends belong to the latest finished campaign. */
async function activityOf(row: DemoSubscriber, { tables }: DemoState) {
  const reports = await tables<DemoReport>('report').all()
  const last = reports.findLast(({ finished_at }) => finished_at !== null)
  const [campagne_id, campaign_name] = [last?.campagne_id ?? null, last?.name ?? null]
  const none = {
    link_index: null,
    url: null,
    device: null,
    verdict: null,
    verdict_reason: null,
    skip_reason: null,
    reply: null,
  }
  const unrelated = { ...none, campagne_id: null, campaign_name: null }
  const related = { ...none, campagne_id, campaign_name }
  const hit = { ...related, device: 'mobile', verdict: 'human', verdict_reason: 'mail_program' }
  return [
    { ...unrelated, ts: row.datejoin, type: 'join' },
    { ...related, ts: row.last_sent_at, type: 'sent' },
    { ...hit, ts: row.last_opened_at, type: 'open' },
    {
      ...hit,
      ts: row.last_clicked_at,
      type: 'click',
      link_index: last?.links[0]?.link_index ?? null,
      url: last?.links[0]?.url ?? null,
    },
    { ...unrelated, ts: row.dateunjoin, type: 'unsubscribe' },
  ]
    .filter(({ ts }) => ts !== null)
    .toSorted((one, other) => (other.ts ?? '').localeCompare(one.ts ?? ''))
}

/** Removes read-only fields. */
function withoutFixed(body: Fields): Fields {
  const fixed = new Set<string>([...member.readOnly, 'member_id', 'created_at', 'updated_at', 'revision'])
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fixed.has(field)))
}

async function countIn(tableId: number, more: number, { tables }: DemoState): Promise<void> {
  const sources = tables<DemoDatasource>('datasource')
  const source = await sources.get(tableId)
  if (!source) throw new EmmaError('not_found')
  const { stats_total, stats_active } = source
  await sources.put(tableId, {
    ...source,
    stats_total: stats_total + more,
    stats_active: stats_active + more,
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : ''
}
